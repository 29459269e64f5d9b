/// Counts that take minutes: 512^2, 1024^2 and 130^3 by sweeping, 4097^2 in closed form, the source's
/// programs.
#include <gtest/gtest.h>

#include "apps/bench/parallel_algorithms.hpp"
#include "published/closed_form.hpp"
#include "published/counts.hpp"

namespace jacobi::test {
namespace {

TEST(LongCounts, PoissonWithRhsOneOn512PointsTakes560253Sweeps) {
  std::vector<double> x;
  EXPECT_EQ(solve_with_rhs_one<2>(512, every_sweep(1e-8), x).sweeps, 560253);
}

TEST(LongCounts, PoissonWithRhsOneOn4097PointsInClosedForm) {
  for (const auto& entry : oracle()["two_dimensional_rhs_one"]) {
    if (entry["n"] != 4097) continue;
    const ClosedForm form(4097, 2);
    EXPECT_EQ(form.sweeps(entry["tol"]), entry["sweeps"].get<Index>());
    EXPECT_NEAR(form.error(entry["sweeps"]) / entry["error_2norm"].get<double>(), 1, 1e-6);
  }
}

TEST(LongCounts, PoissonWithRhsOneOn130PointsIn3D) {
  const auto& entry = oracle()["three_dimensional_rhs_one"][1];
  ASSERT_EQ(entry["n"], 130);
  std::vector<double> x;
  EXPECT_EQ(solve_with_rhs_one<3>(130, every_sweep(entry["tol"]), x).sweeps, entry["sweeps"].get<Index>());
}

TEST(LongCounts, LoiseauToTheToleranceOfTheTextTakes133671Sweeps) {
  std::vector<double> x;
  EXPECT_EQ(solve_loiseau(512, {}, every_sweep(1e-8), x).sweeps, 133671);
}

TEST(LongCounts, ResidualReducedByTenThousandOn1024Squared) {
  EXPECT_NEAR(static_cast<double>(solve_to_reduced_residual<2>(1024).sweeps), 179306, 1);
}

/// The source's three programs, each with the cadence of its check.
TEST(LongLoiseau, TheThreeProgramsTake128395And128396And129002Sweeps) {
  const double tolerance = 1.4901161193847656e-08;
  std::vector<double> textbook, x;
  EXPECT_EQ(solve_loiseau(512, {plain(), "textbook"}, every_sweep(tolerance), textbook).sweeps, 128395);
  Stop pairs = every_sweep(tolerance);
  pairs.check_every = 2;
  EXPECT_EQ(solve_loiseau(512, {plain(), "no-copy"}, pairs, x).sweeps, 128396);
  Stop thousands = every_sweep(tolerance);
  thousands.check_every = 1000;
  thousands.first_check = 2;
  EXPECT_EQ(solve_loiseau(512, {}, thousands, x, cli::parallel_algorithms(available_cores())).sweeps, 129002);
  EXPECT_EQ(solve_loiseau(512, {plain(), "fused"}, every_sweep(tolerance), x).sweeps, 128395);
  EXPECT_EQ(x, textbook);
  EXPECT_EQ(solve_loiseau(512, {plain(), "simd"}, every_sweep(tolerance), x).sweeps, 128395);
  EXPECT_EQ(x, textbook);
  EXPECT_EQ(solve_loiseau(512, {plain(), "threads"}, every_sweep(tolerance), x).sweeps, 128395);
  EXPECT_EQ(x, textbook);
}

}  // namespace
}  // namespace jacobi::test
