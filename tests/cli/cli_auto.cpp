/// What method auto takes for matrices that are not symmetric, and words that no number may belie.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "cli/cli_process.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/report.hpp"

namespace jacobi::cli_test {
namespace {

/// -laplacian and wind of n x n unknowns; `wind` over 1 is not dominant.
void write_wind(const std::string& path, int n, double wind) {
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real general\n"
      << n * n << " " << n * n << " " << 5 * n * n - 4 * n << "\n";
  for (int r = 0; r < n * n; ++r) {
    out << r + 1 << " " << r + 1 << " 4\n";
    if (r % n > 0) out << r + 1 << " " << r << " " << -1 - wind << "\n";
    if (r % n < n - 1) out << r + 1 << " " << r + 2 << " " << -1 + wind << "\n";
    if (r >= n) out << r + 1 << " " << r + 1 - n << " " << -1 - wind << "\n";
    if (r < n * n - n) out << r + 1 << " " << r + 1 + n << " " << -1 + wind << "\n";
  }
}

TEST(CliAuto, TakesBicgstabAtOnceWherePlainSweepsWouldBeVeryMany) {
  const TemporaryFolder folder;
  write_wind(folder / "A.mtx", 60, 0.002);
  const auto r = report(folder, {"solve", "A.mtx", "--no-grid"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["method"], "bicgstab");
  EXPECT_LT(r["sweeps"].get<int>(), 1000);
  EXPECT_PRED2(contains, r["notes"].dump(), "bicgstab should take less time (a guess:");
}

TEST(CliAuto, KeepsPlainSweepsWhereTheyAreFew) {
  const TemporaryFolder folder;
  write_wind(folder / "A.mtx", 30, 0.9);
  const auto r = report(folder, {"solve", "A.mtx", "--no-grid"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["method"], "plain");
}

TEST(Words, TellNoGrowthBesideANormThatStands) {
  Report r;
  r.status = Status::stagnated;
  r.norm_initial = 1;
  r.norm_final = 1e-3;
  r.contraction = 3.59;
  EXPECT_FALSE(contains(to_text(r), "growth"));
  EXPECT_TRUE(nlohmann::json::parse(to_json(r))["contraction"].is_null());
  r.status = Status::diverged;
  EXPECT_PRED2(contains, to_text(r), "growth per sweep 3.59");
  r.contraction = std::nan("");
  r.norm_final = std::nan("");
  EXPECT_FALSE(contains(to_text(r), "nan"));
}

TEST(Words, CallANormThatIsNotFiniteThat) {
  Choice choice{plain()};
  choice.fallback = Plan(cg());
  std::vector<double> x(1);
  const Report r = solve<double>(choice, std::span<double>(x), {}, [](const Plan& plan, const Stop&) {
    Report one;
    one.status = Status::diverged;
    one.method = plan.method.name;
    one.norm_initial = 2.45;
    one.norm_final = std::nan("");
    return one;
  });
  ASSERT_GE(r.notes.size(), 2U);
  EXPECT_PRED2(contains, r.notes[1], "a norm that is not finite, 2.45 at the start");
}

}  // namespace
}  // namespace jacobi::cli_test
