/// Tiles: every unknown owned once, the source's formulas of work.
#include <gtest/gtest.h>

#include <vector>

#include "core/asked.hpp"
#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::test {
namespace {

TEST(Tiling, OwnsEveryUnknownOnce) {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    const Index extent = random.integer(1, 40);
    const Cut cut{random.integer(1, 200), extent, random.integer(0, (extent - 1) / 2)};
    std::vector<int> owners(cut.unknowns), updaters(cut.unknowns);
    Index updates = 0;
    for (Index j = 0; j < cut.tiles(); ++j) {
      const Extent updated = cut.updated(j), owned = cut.owned(j);
      ASSERT_LE(updated.first, owned.first);
      ASSERT_LE(owned.last, updated.last);
      ASSERT_LE(updated.last, cut.unknowns);
      ASSERT_GE(updated.first, 0);
      ASSERT_GT(owned.count(), 0);
      ASSERT_LE(updated.count(), extent);
      for (Index i = owned.first; i < owned.last; ++i) ++owners[i];
      for (Index i = updated.first; i < updated.last; ++i) ++updaters[i];
      updates += updated.count();
    }
    EXPECT_EQ(cut.updates(), updates);
    for (Index i = 0; i < cut.unknowns; ++i) {
      ASSERT_EQ(owners[i], 1) << "unknown " << i << " of " << cut.unknowns;
      ASSERT_GE(updaters[i], 1);
    }
  }
}

TEST(Tiling, NeighboursShareTwiceTheOverlapAndOwnHalfOfItEach) {
  const Cut cut{1024, 32, 3};
  ASSERT_EQ(cut.tiles(), 40);
  for (Index j = 0; j + 1 < cut.tiles(); ++j) {
    EXPECT_EQ(cut.updated(j).last - cut.updated(j + 1).first, 6);
    EXPECT_EQ(cut.owned(j).last - cut.updated(j + 1).first, 3);
  }
}

/// Equations 8 to 10 and 15 to 18, o = 2 overlap.
TEST(Tiling, CountsTheBlocksAndThreadsOfTheSource) {
  for (const Index n : {33, 256, 1024, 1025})
    for (Index o = 0; o < 31; o += 2) {
      const Tiling t{{32, 32, 1}, 16, {o / 2, o / 2, 0}};
      const Index blocks = (n - o + 31 - o) / (32 - o);
      EXPECT_EQ(t.tiles(std::array<Index, 1>{n}), blocks);
      EXPECT_EQ(t.threads(std::array<Index, 1>{n}), 32 * blocks);
      EXPECT_EQ(t.tiles(std::array<Index, 2>{n, n}), blocks * blocks);
      EXPECT_EQ(t.threads(std::array<Index, 2>{n, n}), 1024 * blocks * blocks);
    }
}

TEST(Tiling, IsExactIffOneTileCoversOrTheOverlapSuffices) {
  const Tiling t{{32, 16, 1}, 4, {3, 2, 0}};
  EXPECT_TRUE(t.exact(1, std::array<Index, 2>{1000, 16}));
  EXPECT_FALSE(t.exact(1, std::array<Index, 2>{1000, 17}));
  EXPECT_TRUE(t.exact(1, std::array<Index, 1>{1000}));
  EXPECT_FALSE(t.exact(2, std::array<Index, 1>{1000}));
  EXPECT_TRUE(t.exact(2, std::array<Index, 1>{32}));
  static_assert(Tiling{{8, 1, 1}, 1, {0, 0, 0}}.exact(1, std::array<Index, 1>{100}), "k = 1 is plain Jacobi");
}

template <class A>
std::string refusal(const A& a, const Plan& plan) {
  try {
    backend("serial")->bind(a, plan);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "bound";
}

std::string refusal_of(const Tiling& tiling, std::array<BoundaryKind, 2> x = {}) {
  Grid<double, 2> grid = unit_grid<double, 2>({20, 10});
  grid.sides[0][0].kind = x[0];
  grid.sides[0][1].kind = x[1];
  Plan plan;
  plan.by = tiling;
  return refusal(Operator<double>(poisson<double, 2>(grid)), plan);
}

TEST(Tiling, ThatCannotBeIsRefusedInWords) {
  const auto says = [](const std::string& text, const char* words) { return text.find(words) != text.npos; };
  EXPECT_PRED2(says, refusal_of({{8, 8, 1}, 0, {0, 0, 0}}), "0 subiterations");
  EXPECT_PRED2(says, refusal_of({{8, 8, 1}, -3, {0, 0, 0}}), "-3 subiterations");
  EXPECT_PRED2(says, refusal_of({{8, 8, 1}, 2'000'000, {0, 0, 0}}), "1 to 1000000");
  EXPECT_PRED2(says, refusal_of({{8, 0, 1}, 4, {0, 0, 0}}), "tile of 0 unknowns along y");
  EXPECT_PRED2(says, refusal_of({{-8, 8, 1}, 4, {0, 0, 0}}), "tile of -8 unknowns along x");
  EXPECT_PRED2(says, refusal_of({{8, 8, 1}, 4, {0, -1, 0}}), "overlap -1 along y");
  EXPECT_PRED2(says, refusal_of({{8, 8, 1}, 4, {4, 0, 0}}), "overlap 4 per side along x");
  EXPECT_PRED2(says, refusal_of({{8, 8, 1}, 4, {0, 0, 0}}, {BoundaryKind::periodic, BoundaryKind::periodic}),
               "direction x is periodic");
  EXPECT_EQ(refusal_of({{8, 8, 1}, 4, {3, 3, 0}}), "bound");
  EXPECT_EQ(refusal_of({{100, 100, 1}, 4, {49, 49, 0}}), "bound") << "larger than the grid: one tile";
  EXPECT_EQ(refusal_of({{8, 8, 1}, 4, {0, 0, 0}}, {BoundaryKind::neumann, BoundaryKind::dirichlet}), "bound");
}

TEST(Tiling, OfAnotherOperatorOrBesideARungIsRefused) {
  const std::vector<double> values = {2, 1, 1, 2};
  Plan plan;
  plan.by = Tiling{{8, 8, 1}, 4, {0, 0, 0}};
  EXPECT_NE(
      refusal(Operator<double>(Dense<double>::view(values, 2, Layout::row_major)), plan).find("is for grids"),
      std::string::npos);
  try {
    name_rung(plan, "simd");
    FAIL() << "a rung beside a tiling";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("a tiling and rung 'simd'"), std::string::npos);
  }
}

TEST(Tiling, RefusesThreeTermSteps) {
  Plan plan;
  plan.by = Tiling{{8, 8, 1}, 2, {1, 1, 0}};
  const auto sweeper = backend("serial")->bind(Operator<double>(poisson<double, 2>({20, 10})), plan);
  const std::vector<double> b(200, 1.0);
  sweeper->load(b, b);
  const std::vector<Step> steps = {{1, 1}, {1, 1.5}};
  EXPECT_THROW(sweeper->advance(steps, Want::nothing), UsageError);
}

}  // namespace
}  // namespace jacobi::test
