/// Multigrid cycles that smooth in the tiles of a hierarchy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "random.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using test::Random;

template <class T, int D>
Plan in_tiles(const Stencil<T, D>& a, const Multigrid& cycle, Index extent, Index sweeps, Index overlap) {
  Plan plan = multigrid(a, cycle);
  plan.tilings = {{{extent, extent, extent}, sweeps, {overlap, overlap, overlap}}};
  return plan;
}

/// Largest distance between the iterates of the two plans after three cycles, over the largest value.
template <class T, int D>
double distance(const Stencil<T, D>& a, const Plan& one, const Plan& other, const char* where,
                Random& random) {
  const std::vector<T> b = random.vector<T>(a.rows()), start = random.vector<T>(a.rows());
  const Stop stop{.relative = 0, .max_sweeps = 3 * (one.multigrid->pre + one.multigrid->post)};
  std::vector<T> x = start, y = start;
  Solver<T>(a, one, backend("serial")).solve(b, x, stop);
  Solver<T>(a, other, backend(where)).solve(b, y, stop);
  double off = 0, size = 0;
  for (std::size_t p = 0; p < x.size(); ++p) {
    off = std::max(off, static_cast<double>(std::abs(x[p] - y[p])));
    size = std::max(size, static_cast<double>(std::abs(x[p])));
  }
  return off / size;
}

/// Dirichlet and Neumann sides; coefficients that vary by a factor of 7, or none do.
template <class T, int D>
Stencil<T, D> problem(std::array<Index, D> size, bool varied) {
  Sides<T, D> sides;
  std::array<double, D> low{}, high;
  high.fill(1);
  for (int d = 0; d < D; ++d) sides[d] = {Side<T>{BoundaryKind::dirichlet, {1}}, Side<T>{}};
  sides[D - 1][1].kind = BoundaryKind::neumann;
  if (D > 1) sides[0][0] = {BoundaryKind::neumann, {T(0.5)}};
  const auto grid = make_grid<T, D>(size, low, high, sides);
  if (!varied) return poisson<T, D>(grid, 0);
  std::size_t points = 1;
  for (int d = 0; d < D; ++d)
    points *= static_cast<std::size_t>(grid.unknowns[d]) + (sides[d][0].kind == BoundaryKind::dirichlet) +
              (sides[d][1].kind == BoundaryKind::dirichlet);
  std::vector<T> k(points);
  for (std::size_t p = 0; p < points; ++p) k[p] = std::exp(std::sin(T(0.3) * static_cast<T>(p)));
  return diffusion<T, D>(grid, k);
}

template <class T, int D>
void expect_plain_smoothing(std::array<Index, D> size, double within) {
  Random random(7);
  for (const bool varied : {false, true})
    for (const Multigrid cycle :
         {Multigrid{2, 1, 1, true}, Multigrid{0, 3, 2, false}, Multigrid{3, 2, 1, false}}) {
      const auto a = problem<T, D>(size, varied);
      const Plan plain = multigrid(a, cycle);
      EXPECT_LT(distance(a, plain, in_tiles(a, cycle, 9, 2, 1), "serial", random), within);
      EXPECT_LT(distance(a, plain, in_tiles(a, cycle, 8, 3, 2), "threads:3", random), within);
      EXPECT_LT(distance(a, plain, in_tiles(a, cycle, 200, 9, 0), "serial", random), within);
      if (std::max(cycle.pre, cycle.post) > 2)
        EXPECT_GT(distance(a, plain, in_tiles(a, cycle, 8, 3, 1), "serial", random), 10 * within) << D;
    }
}

TEST(MultigridTiles, SmoothAsPlainSweepsWhereTheOverlapSuffices) {
  expect_plain_smoothing<double, 1>({70}, 1e-12);
  expect_plain_smoothing<double, 2>({37, 150}, 1e-12);
  expect_plain_smoothing<double, 3>({13, 17, 80}, 1e-12);
  expect_plain_smoothing<float, 2>({37, 150}, 1e-4);
}

/// Without overlap tiles smooth less well, the more so the smaller they are, but on every grid alike.
TEST(MultigridTiles, ConvergeAlikeForEveryGridWithoutOverlap) {
  std::vector<Index> cycles;
  for (const Index n : {63, 127, 255, 100}) {
    const auto a = poisson<double, 2>({n, n});
    std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0), x(b.size());
    const Report r =
        Solver<double>(a, in_tiles(a, {2, 1, 1, false}, 16, 2, 0), backend("serial")).solve(b, x, {});
    EXPECT_TRUE(r.converged()) << n;
    EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance * (1 + 1e-6));
    cycles.push_back(*r.cycles);
  }
  EXPECT_LE(*std::max_element(cycles.begin(), cycles.end()), 30);
  EXPECT_LE(*std::max_element(cycles.begin(), cycles.end()),
            *std::min_element(cycles.begin(), cycles.end()) + 4);
}

TEST(MultigridTiles, GiveTheSameBitsForEveryNumberOfThreads) {
  const auto a = problem<double, 2>({300, 200}, true);
  Random random(3);
  for (const char* where : {"threads:2", "threads:3", "threads:4"}) {
    const Plan plan = in_tiles(a, {2, 1, 1, true}, 16, 2, 0);
    EXPECT_EQ(distance(a, plan, plan, where, random), 0) << where;
  }
}

TEST(MultigridTiles, MeetUpdateNormsAndSayWhatTheyAre) {
  const auto a = poisson<double, 2>({127, 127});
  std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0), x(b.size());
  const Plan plan = in_tiles(a, {2, 1, 1, true}, 16, 2, 1);
  const Report r =
      Solver<double>(a, plan, backend("serial")).solve(b, x, {.relative = 1e-9, .norm = Norm::update});
  EXPECT_TRUE(r.converged());
  EXPECT_LE(r.norm_final, r.tolerance);
  EXPECT_NE(r.plan.find("smoothed by 2 sweeps per cycle in"), std::string::npos) << r.plan;
}

TEST(MultigridTiles, AreRefusedInWordsWhereTheyCannotBe) {
  const auto a = poisson<double, 2>({20, 20});
  const auto refusal = [](const auto& operator_, const Plan& plan) {
    return message_of<UsageError>([&] { Solver<double>(operator_, plan); });
  };
  Plan plan = in_tiles(a, {}, 8, 2, 1);
  plan.tilings.push_back(plan.tilings.front());
  EXPECT_PRED2(contains, refusal(a, plan), "multigrid with 2 tilings");
  EXPECT_PRED2(contains, refusal(a, in_tiles(a, {}, 8, 2, 4)), "overlap 4 per side");
  Sides<double, 2> sides;
  sides[0][0].kind = sides[0][1].kind = BoundaryKind::periodic;
  const auto wrapped = poisson<double, 2>(make_grid<double, 2>({20, 20}, {0, 0}, {1, 1}, sides));
  EXPECT_PRED2(contains, refusal(wrapped, in_tiles(wrapped, {}, 8, 2, 1)), "periodic");
}

}  // namespace
}  // namespace jacobi
