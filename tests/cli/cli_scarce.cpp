/// Threads that cannot be started: fewer sweep, and the report says so; no exit code means something else.
#include <gtest/gtest.h>

#include <string>

#include "cli/cli_faults.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

const std::string on_two = "poisson --points 300 --method plain --max-sweeps 20 --threads 2 --json -";

TEST(CliScarceThreads, AreFewerAndSaidSo) {
  const TemporaryFolder folder;
  const json report = json::parse(faulty_in(folder, on_two, {"JACOBI_FAIL_THREADS=0"}).out);
  EXPECT_EQ(report["threads"], 1);
  EXPECT_EQ(report["sweeps"], 20);
  EXPECT_PRED2(contains, report["notes"].dump(), "only 1 of 2 threads could be started");
  const json whole = json::parse(faulty_in(folder, on_two, {"JACOBI_FAIL_THREADS=1"}).out);
  EXPECT_EQ(whole["threads"], 2);
  EXPECT_FALSE(contains(whole["notes"].dump(), "could be started"));
  EXPECT_EQ(whole["norm_final"], report["norm_final"]);
}

TEST(CliScarceThreads, AreFewerWhereFilesAreRead) {
  const TemporaryFolder folder;
  put_system(folder);
  for (const std::string line : {"solve A.mtx b.mtx", "diagnose A.mtx --cholesky always"})
    EXPECT_EQ(faulty_in(folder, line, {"JACOBI_FAIL_THREADS=0"}).code, 0) << line;
}

/// What could be started when it was tried, and cannot when it is needed.
TEST(CliScarceThreads, AreNeverTakenForASolveThatDidNotConverge) {
  const TemporaryFolder folder;
  const Result r = faulty_in(folder, on_two, {"JACOBI_FAIL_START=1"});
  EXPECT_EQ(r.code, 4);
  EXPECT_PRED2(contains, r.err, "jacobi: a library ended the program");
}

}  // namespace
}  // namespace jacobi::cli_test
