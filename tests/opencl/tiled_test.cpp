/// Exact overlapped tiles have the bits of rung 0; a halo that is too small is caught.
#include "backend/opencl/cycles.hpp"
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClTiled = OnDevice;

/// Of all sides and coefficients, tiles cut off at the sides.
template <class T, int D>
void expect_exact_tiles(const std::array<Index, D>& n, const Blocking& blocking) {
  for (int sides = 0; sides < kind_variants; ++sides)
    for (int coefficients = 0; coefficients < coefficient_kinds<D>; ++coefficients) {
      const auto a = case_operator<T, D>(n, coefficients, sides);
      const auto sweeper = on_device(a, {plain(), "tiled", blocking});
      EXPECT_EQ(differences(a, *sweeper, {1, 2, 6, 9}), 0) << sides << " " << coefficients;
      EXPECT_EQ(sweeper->executed().rung, "tiled");
      EXPECT_TRUE(says(sweeper->executed().blocking, ", exact")) << sweeper->executed().blocking;
    }
}
TEST_F(OpenClTiled, HasTheBitsOfRung0In1D) {
  expect_exact_tiles<double, 1>({110}, {{32, 1, 1}, 5});
  expect_exact_tiles<double, 1>({1500}, {});
  if (compiles_at_once()) expect_exact_tiles<float, 1>({1500}, {});
}
TEST_F(OpenClTiled, HasTheBitsOfRung0In2D) {
  expect_exact_tiles<double, 2>({38, 29}, {{16, 12, 1}, 4});
  expect_exact_tiles<double, 2>({70, 50}, {});
  if (compiles_at_once()) expect_exact_tiles<float, 2>({70, 50}, {});
}
TEST_F(OpenClTiled, HasTheBitsOfRung0In3D) {
  expect_exact_tiles<double, 3>({12, 9, 7}, {{6, 5, 5}, 3});
  expect_exact_tiles<double, 3>({20, 18, 15}, {});
  if (compiles_at_once()) expect_exact_tiles<float, 3>({20, 18, 15}, {});
}

TEST_F(OpenClTiled, MeasuresTheUpdateOfTheLastSweep) {
  const auto a = case_operator<double, 2>({70, 50}, 0, 3);
  const auto b = random_values<double>(a.rows(), -1, 1, 3), x = random_values<double>(a.rows(), -1, 1, 4);
  expect_norms(*rung_0(a), *on_device(a, {plain(), "tiled"}), b, x, 1e-13);
}

/// Tiles whose neighbours share too little for the sweeps of a visit.
TEST_F(OpenClTiled, AWrongHaloIsCaught) {
  const auto a = case_operator<double, 2>({38, 29}, 0);
  const auto b = random_values<double>(a.rows(), -1, 1, 3), x = random_values<double>(a.rows(), -1, 1, 4);
  for (const Index overlap : {1, 2, 3}) {
    const opencl::Queue queue(first_device());
    opencl::BoundGrid<double, 2> grid(a, queue, {});
    Plan plan;
    plan.by = {{16, 12, 1}, 4, {overlap, overlap, 0}};
    opencl::TileCycles<double, 2> tiles(grid, opencl::plan_tiles(a.grid(), plan, grid.kind), {});
    grid.load(b, x);
    tiles.make(make_steps(0, 8), false);
    std::vector<double> got(x.size());
    grid.store(got);
    EXPECT_EQ(same_bits(swept(*rung_0(a), b, x, 0, 8), got), overlap == 3) << overlap;
  }
}

TEST_F(OpenClTiled, RefusesTilesLargerThanTheMemoryOfAGroup) {
  const auto a = poisson<double, 2>({300, 300});
  const opencl::Device small = lacking([](opencl::Properties& p) { p.local_memory = 16 * 1024; });
  EXPECT_TRUE(says(words_of<BackendError>([&] {
                     opencl::bind(a, {plain(), "tiled", {{64, 64, 1}, 4}}, small);
                   }),
                   "smaller extents"));
}

}  // namespace
}  // namespace jacobi::test
