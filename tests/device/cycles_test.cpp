/// Cycles in tiles on the device have the bits of the host's cycles, exact ones those of rung 0.
#include "device/cases.hpp"
#include "device/on_device.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using DeviceCycles = OnDevice;

Plan in_tiles(const Tiling& tiling) {
  Plan plan;
  plan.by = tiling;
  return plan;
}

/// Iterates and norms that differ from those of the host's cycles: plain and weighted steps, whole cycles and
/// a shorter one.
template <class T, int D>
int differences_from_host(const std::array<Index, D>& n, const Tiling& tiling, const Tiling& on_host) {
  int different = 0;
  for (int variant = 0; variant < 2; ++variant)
    for (int coefficients = 0; coefficients < coefficient_kinds<D>; ++coefficients) {
      std::vector<std::vector<T>> keep;
      keep.reserve(100);
      const Grid<T, D> grid = make_case_grid<T, D>(n, variant == 0 ? 0 : D == 1 ? 1 : 3);
      bool periodic = false;
      for (const auto& sides : grid.sides) periodic |= sides[0].kind == BoundaryKind::periodic;
      if (periodic) continue;
      const auto a = make_case_operator(grid, coefficients, keep);
      const auto b = random_values<T>(a.rows(), -1, 1, 7), x = random_values<T>(a.rows(), -1, 1, 8);
      const auto host = backend("serial")->bind(Operator<T>(a), in_tiles(on_host));
      const auto sweeper = on_device(a, in_tiles(tiling));
      for (const int kind : {0, 1}) {
        const int sweeps = static_cast<int>(2 * tiling.subiterations + 1);
        if (!same_bits(swept(*host, b, x, kind, sweeps), swept(*sweeper, b, x, kind, sweeps))) ++different;
        const auto steps = make_steps(kind, 3);
        const Norms right = host->advance(steps, Want::update), norms = sweeper->advance(steps, Want::update);
        if (std::abs(norms.l2 - right.l2) > 1e-12 * right.l2 || norms.max != right.max) ++different;
      }
    }
  return different;
}

TEST_F(DeviceCycles, HaveTheBitsOfTheHost) {
  const Tiling line{{32, 1, 1}, 8, {2, 0, 0}}, square{{16, 12, 1}, 5, {1, 2, 0}},
      box{{7, 5, 4}, 3, {1, 0, 1}};
  EXPECT_EQ((differences_from_host<double, 1>({110}, line, line)), 0);
  EXPECT_EQ((differences_from_host<double, 2>({38, 29}, square, square)), 0);
  if (compiles_at_once()) EXPECT_EQ((differences_from_host<float, 2>({30, 13}, square, square)), 0);
  EXPECT_EQ((differences_from_host<double, 3>({12, 9, 6}, box, box)), 0);
}

TEST_F(DeviceCycles, AnotherOverlapIsCaught) {
  const Tiling square{{16, 12, 1}, 5, {1, 2, 0}}, other{{16, 12, 1}, 5, {2, 2, 0}};
  EXPECT_GE((differences_from_host<double, 2>({38, 29}, square, other)), 6);
}

TEST_F(DeviceCycles, ExactOnesHaveTheBitsOfRung0) {
  const auto a = poisson<double, 2>({60, 50});
  const auto sweeper = on_device(a, in_tiles({{20, 20, 1}, 6, {5, 5, 0}}));
  EXPECT_EQ(differences(a, *sweeper, {1, 6, 15}, 2), 0);
  EXPECT_EQ(sweeper->executed().rung, "hierarchical");
  EXPECT_EQ(sweeper->executed().cycles, 2 * 2 * (1 + 1 + 3));
  EXPECT_NE(sweeper->executed().blocking.find(", exact"), std::string::npos);
}

TEST_F(DeviceCycles, ASolveTakesAsManyCyclesAsOnTheHost) {
  const auto a = poisson<double, 2>({50, 40});
  const std::vector<double> b(2000, 1.0);
  const Plan plan = in_tiles({{16, 16, 1}, 8, {1, 1, 0}});
  for (const Norm norm : {Norm::residual, Norm::update}) {
    const Stop stop{.relative = 0.3, .norm = norm, .check_every = 1};
    std::vector<double> x(2000), y(2000);
    const Report right = Solver<double>(a, plan, backend("serial")).solve(b, x, stop);
    const Report there = Solver<double>(a, plan, device()).solve(b, y, stop);
    EXPECT_EQ(there.cycles.value(), right.cycles.value());
    EXPECT_TRUE(same_bits(x, y));
  }
}

TEST_F(DeviceCycles, RefuseATileLargerThanTheMemoryOfAGroupAndThreeTermSteps) {
  const auto a = poisson<double, 2>({300, 300});
  try {
    on_device(a, in_tiles({{299, 299, 1}, 8, {1, 1, 0}}));
    ADD_FAILURE() << "not refused";
  } catch (const BackendError& error) {
    EXPECT_NE(std::string(error.what()).find("smaller extents"), std::string::npos);
  }
  const auto sweeper = on_device(a, in_tiles({{32, 32, 1}, 8, {1, 1, 0}}));
  EXPECT_THROW(sweeper->advance(make_steps(2, 3), Want::nothing), UsageError);
}

}  // namespace
}  // namespace jacobi::test
