/// Cycles of random tilings on random problems: the bits of the scheme written down once more, those of plain
/// sweeps where the tiling is exact, for every number of threads.
#include <gtest/gtest.h>

#include "ladder/cases.hpp"
#include "ladder/naive_cycles.hpp"
#include "ladder/run.hpp"
#include "property/random_operator.hpp"

namespace jacobi::test {
namespace {

template <int D>
Tiling draw_tiling(Random& random, const std::array<Index, D>& n) {
  Tiling t;
  t.subiterations = random.integer(1, 9);
  for (int d = 0; d < D; ++d) {
    t.extent[d] = random.integer(1, n[d] + 3);
    t.overlap[d] = random.integer(0, (t.extent[d] - 1) / 2);
  }
  return t;
}

/// Dirichlet and Neumann sides only.
template <class T, int D>
Grid<T, D> draw_grid(Random& random) {
  constexpr Index longest = D == 1 ? 90 : D == 2 ? 18 : 8;
  std::array<Index, D> n;
  for (Index& size : n) size = random.integer(1, longest);
  Grid<T, D> grid = make_case_grid<T, D>(n, static_cast<int>(random.integer(0, kind_variants - 1)));
  for (auto& sides : grid.sides)
    for (auto& side : sides)
      if (side.kind == BoundaryKind::periodic) side.kind = BoundaryKind::neumann;
  return grid;
}

template <class T, int D>
void expect_cycles_equal_naive_ones(unsigned seed) {
  Random random(seed);
  const Grid<T, D> grid = draw_grid<T, D>(random);
  const Tiling tiling = draw_tiling<D>(random, grid.unknowns);
  std::vector<std::vector<T>> keep;
  keep.reserve(100);
  const Stencil<T, D> a =
      make_case_operator(grid, static_cast<int>(random.integer(0, coefficient_kinds<D> - 1)), keep);
  const auto b = random.vector<T>(grid.rows()), x = random.vector<T>(grid.rows());
  const auto steps =
      make_steps(static_cast<int>(random.integer(0, 1)), static_cast<int>(random.integer(1, 25)));
  NaiveCycles<T, D> naive(a, tiling);
  naive.load(b, x);
  const Norms update = naive.advance(steps, Want::update);
  std::vector<T> expected(x.size()), found(x.size());
  naive.store(expected);
  Plan plan;
  plan.by = tiling;
  for (const int threads : {1, 3}) {
    const auto sweeper = backend("threads:" + std::to_string(threads))->bind(Operator<T>(a), plan);
    SCOPED_TRACE(std::to_string(D) + "D seed " + std::to_string(seed) + " " + sweeper->executed().blocking);
    sweeper->load(b, x);
    const Norms norms = sweeper->advance(steps, Want::update);
    sweeper->store(found);
    ASSERT_TRUE(same_bits(expected, found));
    const bool exact = sweeper->executed().blocking.find("not exact") == std::string::npos;
    if (exact) {
      EXPECT_NEAR(norms.l2, update.l2, 1e-12 * update.l2);
      EXPECT_EQ(norms.max, update.max);
    } else {  // frozen ghosts make that of the last sweep too small: it is the update to come
      EXPECT_DOUBLE_EQ(norms.l2, steps.back().omega * sweeper->norms(Want::correction).l2);
    }
    EXPECT_EQ(sweeper->executed().sweeps, static_cast<Index>(steps.size()));
    EXPECT_EQ(sweeper->executed().cycles,
              (static_cast<Index>(steps.size()) + tiling.subiterations - 1) / tiling.subiterations);
    if (!tiling.exact(1, grid.unknowns)) continue;
    const auto plain_sweeps = backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
    plain_sweeps->load(b, x);
    plain_sweeps->advance(steps, Want::nothing);
    plain_sweeps->store(expected);
    EXPECT_TRUE(same_bits(expected, found)) << "exact, yet other bits than plain sweeps";
  }
}

template <class T, int D>
void expect_cycles_equal_naive_ones_often() {
  for (unsigned seed = 1; seed <= 200 && !testing::Test::HasFailure(); seed += JACOBI_TEST_SHARE)
    expect_cycles_equal_naive_ones<T, D>(seed);
}

TEST(Hierarchical, TiledCyclesHaveTheBitsOfTheSchemeIn1DDouble) {
  expect_cycles_equal_naive_ones_often<double, 1>();
}
TEST(Hierarchical, TiledCyclesHaveTheBitsOfTheSchemeIn2DDouble) {
  expect_cycles_equal_naive_ones_often<double, 2>();
}
TEST(Hierarchical, TiledCyclesHaveTheBitsOfTheSchemeIn3DDouble) {
  expect_cycles_equal_naive_ones_often<double, 3>();
}
TEST(Hierarchical, TiledCyclesHaveTheBitsOfTheSchemeIn1DFloat) {
  expect_cycles_equal_naive_ones_often<float, 1>();
}
TEST(Hierarchical, TiledCyclesHaveTheBitsOfTheSchemeIn2DFloat) {
  expect_cycles_equal_naive_ones_often<float, 2>();
}
TEST(Hierarchical, TiledCyclesHaveTheBitsOfTheSchemeIn3DFloat) {
  expect_cycles_equal_naive_ones_often<float, 3>();
}

template <int D>
void expect_exact_where_overlap_suffices(const std::array<Index, D>& n, const Tiling& tiling) {
  const Operator<double> a = poisson<double, D>(n);
  const auto rows = std::get<Stencil<double, D>>(a).rows();
  const auto b = random_values<double>(rows, -1, 1, 1), x = random_values<double>(rows, -1, 1, 2);
  Plan plan;
  plan.by = tiling;
  const auto bits = [&](const Plan& p) {
    const auto sweeper = backend("threads:2")->bind(a, p);
    return swept(*sweeper, b, x, 0, static_cast<int>(3 * tiling.subiterations));
  };
  EXPECT_EQ(same_bits(bits(plan), bits({plain(), "textbook"})), tiling.exact(1, n));
}

TEST(Hierarchical, TiledCyclesAreExactJustWhereTheRuleSaysSo) {
  for (const Index k : {1, 2, 5, 8})
    for (const Index overlap : {k - 2, k - 1, k}) {
      if (overlap < 0) continue;
      expect_exact_where_overlap_suffices<1>({101}, {{20, 1, 1}, k, {overlap, 0, 0}});
      expect_exact_where_overlap_suffices<2>({47, 39}, {{20, 18, 1}, k, {overlap, overlap, 0}});
      expect_exact_where_overlap_suffices<2>({47, 18}, {{20, 18, 1}, k, {overlap, 0, 0}});
      expect_exact_where_overlap_suffices<3>({21, 19, 17}, {{17, 17, 17}, k, {overlap, overlap, overlap}});
    }
}

TEST(Hierarchical, TiledCyclesOfABatchAreThoseOfEveryProblemAlone) {
  const auto one = poisson<double, 1>({77});
  const Tiling tiling{{16, 1, 1}, 8, {2, 0, 0}};
  for (const Index copies : {1, 5, 40}) {
    Plan alone, together;
    alone.by = tiling;
    together.by = batch(tiling);
    const auto b = random_values<double>(77 * copies, -1, 1, 3),
               x = random_values<double>(77 * copies, -1, 1, 4);
    const auto all = backend("threads:2")->bind(Operator<double>(batch(one, copies)), together);
    const auto found = swept(*all, b, x, 0, 40);
    for (Index c = 0; c < copies; ++c) {
      std::vector<double> b1, x1, part;
      for (Index i = 0; i < 77; ++i) {
        b1.push_back(b[c + copies * i]);
        x1.push_back(x[c + copies * i]);
        part.push_back(found[c + copies * i]);
      }
      const auto single = backend("serial")->bind(Operator<double>(one), alone);
      EXPECT_TRUE(same_bits(swept(*single, b1, x1, 0, 40), part)) << "copy " << c << " of " << copies;
    }
  }
}

}  // namespace
}  // namespace jacobi::test
