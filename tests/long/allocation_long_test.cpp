/// Every allocation of the command line fails in turn: tests/cli/cli_diagnostics.cpp takes some of them.
#include <gtest/gtest.h>

#include "cli/cli_faults.hpp"

namespace jacobi::cli_test {
namespace {

TEST(CliAllocationsAll, ThatFailInASolveOnAGrid) {
  fail_each_allocation("poisson --points 8 --json j.json -o x.npy --vti x.vti --image x.png --history h.csv",
                       1, 1, 0);
}

TEST(CliAllocationsAll, ThatFailInASolveFromFiles) {
  fail_each_allocation("solve A.mtx b.mtx --json j.json -o x.npy", 1, 1, 0);
}

TEST(CliAllocationsAll, ThatFailInADiagnosis) { fail_each_allocation("diagnose A.mtx --json -", 1, 1, 0); }

TEST(CliAllocationsAll, ThatFailInARefusal) {
  fail_each_allocation("poisson --bondary 1", 1, 1, 2);
  fail_each_allocation("solve A.mtx bad.mtx", 1, 1, 3);
}

}  // namespace
}  // namespace jacobi::cli_test
