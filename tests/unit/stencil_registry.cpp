/// The registry of algorithms on grids: whom it chooses, and what it says of the others.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "jacobi/jacobi.hpp"
#include "jacobi/simd.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"
#include "sweep/stencil/registry.hpp"

namespace jacobi::sweep {
namespace {

template <int D>
std::string chosen(const Stencil<double, D>& a, const Plan& plan = {}, int threads = 1) {
  return std::string(select(a, plan, threads).name);
}

template <int D>
const Algorithm<double, D>& named(const std::string& name) {
  for (const auto& algorithm : algorithms<double, D>())
    if (algorithm.name == name) return algorithm;
  throw std::logic_error("no algorithm " + name);
}

TEST(StencilRegistry, ARungWithoutBlockingIsItsOwnAlgorithm) {
  for (const Rung& rung : stencil_rungs())
    if (rung.compiled && rung.number < 6)
      EXPECT_EQ(chosen(poisson<double, 2>({9, 9}), {plain(), rung.name}), rung.name);
}

TEST(StencilRegistry, TilingsAndRedBlackMethodsAskForTheirOwn) {
  const auto a = poisson<double, 2>({64, 64});
  EXPECT_EQ(chosen(a, Plan(red_black())), "red-black");
  Plan plan;
  plan.by = Tiling{{32, 32, 1}, 4, {4, 4, 0}};
  EXPECT_EQ(chosen(a, plan), "hierarchical");
}

TEST(StencilRegistry, TilesAreTakenWhereNothingElseSuits) {
  EXPECT_EQ(chosen(poisson<double, 1>({1000})), "tiles");
  EXPECT_EQ(chosen(poisson<double, 2>({20, 20})), "tiles");
  EXPECT_EQ(chosen(poisson<double, 3>({20, 20, 20})), "tiles");
}

TEST(StencilRegistry, ABatchOfLongProblemsIsSweptByColumns) {
  EXPECT_EQ(chosen(batch(poisson<double, 1>({18}), 5)), "batch");
  EXPECT_EQ(chosen(batch(poisson<double, 1>({17}), 5)), "tiles");
}

TEST(StencilRegistry, StripsTellWhyTheyDoNotSuit) {
  if (simd::chosen() != "avx2" && simd::chosen() != "avx512")
    GTEST_SKIP() << "lines are put in strips for AVX2 and AVX-512, not " << simd::chosen();
  const auto why_not = [](const Stencil<double, 2>& a, const Plan& plan) {
    return named<2>("strips").suits(a, plan, 1).why_not;
  };
  const auto large = poisson<double, 2>({600, 600});
  EXPECT_EQ(why_not(large, {}), "");
  EXPECT_EQ(chosen(large), "strips");
  EXPECT_EQ(why_not(large, Plan(weighted(0.5))), "only plain sweeps go over strips");
  EXPECT_EQ(why_not(large, Plan(plain(), "tiled", {{64, 4, 0}, 8})), "another blocking was asked for");
  Grid<double, 2> grid = unit_grid<double, 2>({600, 600});
  grid.unknowns[1] = 20;
  EXPECT_EQ(why_not(poisson(grid), {}), "lines are too short, or too few");
  grid.unknowns[1] = 600;
  grid.sides[0][1].kind = BoundaryKind::neumann;
  EXPECT_EQ(why_not(poisson(grid), {}), "values have to be given on all sides");
}

TEST(StencilRegistry, WhatAlgorithmsTakeMoreThanTilesIsSpared) {
  const auto a = poisson<double, 2>({600, 600});
  const Bytes strips = named<2>("strips").bytes(a, {}, 1), tiles = named<2>("tiles").bytes(a, {}, 1);
  EXPECT_GT(strips.spare, 3 * 600 * 600 * sizeof(double));
  EXPECT_EQ(strips.all - strips.spare, tiles.all);
  EXPECT_EQ(tiles.spare, 0);
}

template <int D>
void expect_words() {
  std::set<std::string_view> names;
  for (const auto& algorithm : algorithms<double, D>()) {
    EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name << " is there twice";
    EXPECT_FALSE(algorithm.summary.empty()) << algorithm.name;
  }
}
TEST(StencilRegistry, EveryAlgorithmHasANameOfItsOwnAndASummary) {
  expect_words<1>();
  expect_words<2>();
  expect_words<3>();
}

TEST(StencilRegistry, AReportCallsWhatRanAsTheEntryIsCalled) {
  const auto a = poisson<double, 2>({30, 31});
  std::vector<Plan> plans = {Plan(plain()), Plan(red_black()), Plan(plain())};
  plans.back().by = Tiling{{8, 8, 1}, 2, {1, 1, 0}};
  for (const Rung& rung : stencil_rungs()) plans.emplace_back(plain(), rung.name);
  const std::vector<double> b(30 * 31, 1.0);
  Stop stop;
  stop.max_sweeps = 9;
  for (const Plan& plan : plans) {
    const auto& entry = select(a, plan, 1);
    std::vector<double> x(b.size());
    const Report report = Solver<double>(a, plan, backend("serial")).solve(b, x, stop);
    EXPECT_EQ(report.rung, entry.rung.name);
    EXPECT_EQ(report.algorithm, entry.name);
    EXPECT_EQ(entry.make(entry, a, plan, 1)->executed().rung, "") << "nothing ran yet";
  }
}

TEST(StencilRegistry, WhereNoneSuitsTheReasonIsTheError) {
  Grid<double, 1> grid = unit_grid<double, 1>({9});
  grid.sides[0][0].kind = grid.sides[0][1].kind = BoundaryKind::periodic;
  const auto a = poisson(grid);
  try {
    select(a, Plan(red_black()), 1);
    FAIL() << "nine points in a ring have no two colours";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(), named<1>("red-black").suits(a, Plan(red_black()), 1).why_not);
  }
}

}  // namespace
}  // namespace jacobi::sweep
