/// What `jacobi solve` claims of errors, of ends and of sweeps to come, where rounding or transients make it
/// hard.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

/// low, centre and high in every one of n rows.
void write_band(const std::string& path, int n, double low, double centre, double high) {
  std::ofstream out(path);
  out.precision(17);
  out << "%%MatrixMarket matrix coordinate real general\n" << n << ' ' << n << ' ' << 3 * n - 2 << '\n';
  for (int i = 1; i <= n; ++i) {
    out << i << ' ' << i << ' ' << centre << '\n';
    if (i > 1) out << i << ' ' << i - 1 << ' ' << low << '\n' << i - 1 << ' ' << i << ' ' << high << '\n';
  }
}

/// Where updates have been rounded to 0 and nothing is left to sweep, the error is still there.
TEST(CliClaims, BoundsAnErrorThatRoundingHolds) {
  const TemporaryFolder folder;
  write_band(folder / "A.mtx", 60, -1, 2.0009765625, -1);  // exact in float, as is A times ones
  for (const std::string method : {"plain", "cg"}) {
    const std::string words =
        "solve A.mtx --precision float --no-grid --rtol 1e-3 --check-every 40000 --method ";
    const json r = report(folder, split(words + method));
    EXPECT_GT(r["error_max"], 0) << method;
    EXPECT_GE(r["error_bound"].get<double>(), r["error_max"].get<double>()) << method;
    EXPECT_LT(r["error_bound"].get<double>(), 1) << method;
  }
}

/// Norms may grow by ten powers of ten before they fall: of an M-matrix the end is proved, whatever the
/// cadence.
TEST(CliClaims, WaitsForSweepsThatAreProvedToConverge) {
  const TemporaryFolder folder;
  write_band(folder / "A.mtx", 40, -0.1, 1, -2);
  for (const std::string method : {"plain", "weighted --omega 0.9"}) {
    const json r = report(folder, split("solve A.mtx --check-every 1 --method " + method));
    EXPECT_EQ(r["status"], "converged") << method;
  }
}

/// The null space's eigenvalue, 1, says nothing of how fast the others fall.
TEST(CliClaims, DryRunPredictsNothingWhereTheRadiusIsOne) {
  const TemporaryFolder folder;
  write_band(folder / "A.mtx", 2, -1, 1, -1);
  std::ofstream(folder / "b.mtx") << "%%MatrixMarket matrix array real general\n2 1\n1\n-1\n";
  for (const std::string method : {"l1", "weighted"}) {
    const std::string words = "solve A.mtx b.mtx --method " + method;
    EXPECT_EQ(report(folder, split(words))["status"], "converged") << method;
    EXPECT_TRUE(report(folder, split(words + " --dry-run"))["predicted_sweeps"].is_null()) << method;
    EXPECT_PRED2(contains, jacobi_in(folder, split(words + " --dry-run")).out, "1 as far as can be told")
        << method;
  }
}

}  // namespace
}  // namespace jacobi::cli_test
