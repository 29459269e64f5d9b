/// The sweep counts that any correct implementation reproduces to the digit.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "published/closed_form.hpp"
#include "published/counts.hpp"
#include "shared_folder.hpp"

namespace jacobi::test {
namespace {

/// 2-norm of x minus the exact discrete solution, the latter from its sine modes.
double distance_to_discrete_solution(Index n, const std::vector<double>& x) {
  using std::numbers::pi;
  const double h = 1.0 / static_cast<double>(n - 1);
  const Index m = n - 2, modes = (m + 1) / 2;
  const auto sine = [&](Index mode, Index i) {
    return std::sqrt(2 * h) * std::sin(static_cast<double>((2 * mode + 1) * (i + 1)) * pi * h);
  };
  std::vector<double> half(static_cast<std::size_t>(modes * m));  // [q][i]: transformed back in x only
  for (Index q = 0; q < modes; ++q)
    for (Index p = 0; p < modes; ++p) {
      const double ap = static_cast<double>(2 * p + 1) * pi * h, aq = static_cast<double>(2 * q + 1) * pi * h;
      const double b = 2 * h / (std::tan(ap / 2) * std::tan(aq / 2));
      const double u = h * h / 4 * b / (1 - (std::cos(ap) + std::cos(aq)) / 2);
      for (Index i = 0; i < m; ++i) half[q * m + i] += u * sine(p, i);
    }
  double squares = 0;
  for (Index j = 0; j < m; ++j)
    for (Index i = 0; i < m; ++i) {
      double exact = 0;
      for (Index q = 0; q < modes; ++q) exact += half[q * m + i] * sine(q, j);
      squares += (x[j * m + i] - exact) * (x[j * m + i] - exact);
    }
  return std::sqrt(squares);
}

/// The colour that the last sweep made has half of the square of plain Jacobi's error: x and n - 1 - x, whose
/// colours differ where n is even, have the same.
TEST(PublishedCounts, SweepsOfOneColourHaveTheErrorsOfThePlainOnes) {
  for (const auto& entry : oracle()["two_dimensional_rhs_one"]) {
    const Index n = entry["n"], m = n - 2;
    if (n > 130) continue;
    std::vector<double> exact(static_cast<std::size_t>(m * m)), x(exact.size());
    const std::vector<double> b(exact.size(), 1.0);
    const auto a = poisson<double, 2>({m, m});
    Solver<double>(a, multigrid(a)).solve(b, exact, {.relative = 1e-13, .max_sweeps = 100});
    const Index sweeps = entry["sweeps"];
    const Report r = Solver<double>(a, red_black()).solve(b, x, {.relative = 0, .max_sweeps = sweeps});
    EXPECT_EQ(r.sweeps, sweeps);
    EXPECT_EQ(*r.work, 0.5 * static_cast<double>(sweeps));
    double squares = 0;
    for (Index p = 0; p < m * m; ++p)
      if ((p % m + p / m) % 2 == sweeps % 2) squares += 2 * (x[p] - exact[p]) * (x[p] - exact[p]);
    const double error = entry["error_2norm"];
    EXPECT_NEAR(std::sqrt(squares), error, 1e-6 * error) << n;
  }
}

TEST(PublishedCounts, PoissonWithRhsOneIn2D) {
  for (const auto& entry : oracle()["two_dimensional_rhs_one"]) {
    const Index n = entry["n"];
    if (n > 130) continue;  // the long tests have 512; 4097 is checked in closed form
    std::vector<double> x;
    const Report report = solve_with_rhs_one<2>(n, every_sweep(entry["tol"]), x);
    EXPECT_EQ(report.sweeps, entry["sweeps"].get<Index>()) << n;
    EXPECT_TRUE(report.converged()) << n;
    const double error = entry["error_2norm"];
    EXPECT_NEAR(distance_to_discrete_solution(n, x), error, 1e-6 * error) << n;
  }
}

TEST(PublishedCounts, PoissonWithRhsOneIn3D) {
  std::vector<double> x;
  const auto& entry = oracle()["three_dimensional_rhs_one"][0];
  ASSERT_EQ(entry["n"], 66);
  EXPECT_EQ(solve_with_rhs_one<3>(66, every_sweep(entry["tol"]), x).sweeps, entry["sweeps"].get<Index>());
}

TEST(PublishedCounts, ClosedFormGivesTheOraclesCountsAndErrors) {
  for (const auto& entry : oracle()["two_dimensional_rhs_one"]) {
    if (entry["n"] > 1000) continue;  // in the long tests
    const ClosedForm form(entry["n"], 2);
    const Index sweeps = form.sweeps(entry["tol"]);
    EXPECT_EQ(sweeps, entry["sweeps"].get<Index>()) << entry;
    EXPECT_NEAR(form.error(sweeps) / entry["error_2norm"].get<double>(), 1, 1e-6) << entry;
  }
  EXPECT_EQ(ClosedForm(66, 3).sweeps(1e-8), 12177);
}

TEST(PublishedCounts, ResidualReducedByTenThousandIn1D) {
  for (const auto& entry : oracle()["residual_reduced_by_1e-4_x0_one_rhs_one_dx_1_over_Nplus1"]["1d"])
    EXPECT_EQ(solve_to_reduced_residual<1>(entry["N"]).sweeps, entry["sweeps"].get<Index>()) << entry;
}

TEST(PublishedCounts, ResidualReducedByTenThousandIn2D) {
  for (const auto& entry : oracle()["residual_reduced_by_1e-4_x0_one_rhs_one_dx_1_over_Nplus1"]["2d"])
    if (entry["N"] <= 128) {
      EXPECT_EQ(solve_to_reduced_residual<2>(entry["N"]).sweeps, entry["sweeps"].get<Index>()) << entry;
    }
}

TEST(PublishedLoiseau, TheProblemTakes128395Sweeps) {
  std::vector<double> x;
  const double tolerance = 1.4901161193847656e-08;
  const Report report = solve_loiseau(512, {}, every_sweep(tolerance), x);
  const auto& entry = oracle()["two_dimensional_rhs_sin2pix_sin2piy"][0];
  EXPECT_EQ(report.sweeps, 128395);
  EXPECT_EQ(report.sweeps, entry["sweeps"].get<Index>());
  EXPECT_NEAR(*report.update_norm, 1.4900285e-08, 5e-15);
  // the right-hand side is one mode, so the error left is mu^sweeps of the discrete solution h^2/4 f / (1 -
  // mu)
  const double h = 1.0 / 511, mu = std::cos(2 * std::numbers::pi * h);
  double largest = 0, squares = 0, size = 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    const double i = static_cast<double>(p % 510 + 1), j = static_cast<double>(p / 510 + 1);
    const double f = std::sin(2 * std::numbers::pi * h * i) * std::sin(2 * std::numbers::pi * h * j);
    const double exact = h * h / 4 * f / (1 - mu);
    squares += (x[p] - exact) * (x[p] - exact);
    size += exact * exact;
    largest = std::max(largest, std::abs(x[p]));
  }
  const double relative = std::sqrt(squares / size);
  EXPECT_NEAR(relative / std::pow(mu, 128395), 1, 1e-6);
  EXPECT_NEAR(relative, entry["relative_error"].get<double>(), 0.05e-5);
  EXPECT_NEAR(largest, 1.2665e-2, 2e-6);  // 1/(8 pi^2): the neighbours are added, not subtracted
}

TEST(PublishedLoiseau, TheClosedFormOfOneModeGivesBothCounts) {
  for (const auto& entry : oracle()["two_dimensional_rhs_sin2pix_sin2piy"]) {
    const double n = entry["n"], h = 1 / (n - 1), tolerance = entry["tol"];
    const double mu = std::cos(2 * std::numbers::pi * h), first = h * h / 4 * (n - 1) / 2;
    const double sweeps = std::ceil(std::log(tolerance / first) / std::log(mu)) + 1;
    EXPECT_EQ(static_cast<Index>(sweeps), entry["sweeps"].get<Index>());
  }
}

/// The copies in published/ are the ones that the team shares, where that folder stands beside the project.
using PublishedData = OnSharedData<>;

TEST_F(PublishedData, EqualsTheSharedFolder) {
  const std::pair<const char*, const char*> files[] = {
      {"oracles/poisson_counts.json", published::k_poisson_counts},
      {"published/loiseau_2d_poisson.json", published::k_loiseau_2d_poisson}};
  for (const auto& [name, embedded] : files) {
    std::ifstream in(shared_folder() / name);
    ASSERT_TRUE(in) << name;
    EXPECT_EQ(nlohmann::json::parse(in), nlohmann::json::parse(embedded)) << name;
  }
}

}  // namespace
}  // namespace jacobi::test
