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

TEST(CliScarceThreads, NoneIsStartedWhereOneIsAskedFor) {
  const TemporaryFolder folder;
  const std::string on_one = "poisson --points 700 --method cg --max-sweeps 3 --threads 1 --json -";
  const json report = json::parse(faulty_in(folder, on_one, {"JACOBI_FAIL_THREADS=0"}).out);
  EXPECT_EQ(report["threads"], 1);
  EXPECT_FALSE(contains(report["notes"].dump(), "could be started"));
}

TEST(CliScarceThreads, AreNoErrorWhereverTeamsWork) {
  const TemporaryFolder folder;
  put_system(folder);
  for (const auto& [line, code] :
       {std::pair<std::string, int>{"solve A.mtx b.mtx", 0},
        {"diagnose A.mtx --cholesky always", 0},
        {"poisson --points 700 --method plain --max-sweeps 3", 1},
        {"poisson --points 300 --method cg --max-sweeps 3 --threads 4", 1},
        {"bench dense --n 300 --rungs fused,blas --repeat 1 --seconds 0.001", 0},
        {"bench csr grid --points 30 --threads 2 --repeat 1 --seconds 0.001", 0}}) {
    const Result r = faulty_in(folder, line, {"JACOBI_FAIL_THREADS=0"});
    EXPECT_EQ(r.code, code) << line << "\n" << r.err;
    EXPECT_EQ(r.err, "") << line;
  }
}

/// Eigen's products have OpenMP's threads, without which libgomp ends the program.
TEST(CliScarceThreads, OfOthersAreNeverTakenForASolveThatDidNotConverge) {
  const TemporaryFolder folder;
  const Result r =
      faulty_in(folder, "bench csr --rows 100000 --rungs eigen --threads 2 --repeat 1 --seconds 0.001",
                {"JACOBI_FAIL_START=1"});
  EXPECT_EQ(r.code, 4);
  EXPECT_PRED2(contains, r.err, "jacobi: a library ended the program");
}

}  // namespace
}  // namespace jacobi::cli_test
