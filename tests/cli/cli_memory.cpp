/// A grid that memory does not hold is refused before anything is made; one that it does hold is not.
#include <gtest/gtest.h>

#include <string>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

/// With so many bytes of data.
Result within(double bytes, const std::string& line) {
  const TemporaryFolder folder;
  return shell_in(folder, "ulimit -d " + std::to_string(static_cast<long>(bytes / 1024)) +
                              "; OMP_NUM_THREADS=1 exec '" JACOBI_BINARY "' " + line);
}

TEST(CliMemory, ThatAGridLacksIsSaidBeforeAnythingIsMade) {
  for (const std::string method : {"weighted", "auto", "multigrid", "cg --preconditioner multigrid"}) {
    const std::string line = "poisson --points 1601 --threads 1 --method " + method;
    const double told = report_of(line + " --dry-run")["memory_bytes"].get<double>();
    const Result r = within(0.85 * told, line);
    EXPECT_EQ(r.code, 4) << line << "\n" << r.err;
    EXPECT_PRED2(contains, r.err, "this grid needs");
    EXPECT_LT(r.peak, 0.2 * told) << line;
  }
}

/// 3 of 9 arrays.
TEST(CliMemory, ThatSweepsGoWithoutIsNotAskedFor) {
  const std::string line = "poisson --points 1201 --threads 1 --method plain";
  const double told = report_of(line + " --dry-run")["memory_bytes"].get<double>();
  const Result r = within(0.75 * told, line + " --max-sweeps 3 --quiet");
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_LT(r.peak, 0.75 * told);
}

}  // namespace
}  // namespace jacobi::cli_test
