/// Groups of every size, and rungs that hand over sweeps otherwise, have the bits of rung 0.
#include "backend/opencl/cycles.hpp"
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClGroups = OnDevice;

/// A driver may compile kernels for each size anew.
std::vector<std::array<Index, 3>> group_sizes() {
  if (!compiles_at_once()) return {{3, 5, 1}};
  return {{1, 1, 1}, {3, 5, 1}, {64, 4, 1}, {256, 1, 1}};
}

TEST_F(OpenClGroups, OfEverySizeHaveTheBitsOfRung0) {
  const auto line = case_operator<double, 1>({700}, 1, 1);
  const auto plane = case_operator<double, 2>({70, 35}, 1, 2);
  const auto expect = [](const auto& a, const std::array<Index, 3>& items) {
    const auto sweeper = on_device(a, in_groups(items));
    EXPECT_EQ(differences(a, *sweeper, {1, 6}), 0) << items[0] << " " << sweeper->executed().blocking;
  };
  for (const auto& items : group_sizes()) {
    expect(line, {items[0] * items[1], 1, 1});
    expect(plane, items);
    if (compiles_at_once()) expect(case_operator<double, 3>({17, 9, 4}, 0, 3), items);
  }
}

/// Norms of groups that sum over their items.
TEST_F(OpenClGroups, OfEverySizeHaveTheNormsOfRung0) {
  const auto a = case_operator<double, 2>({70, 35}, 1, 3);
  const auto b = random_values<double>(a.rows(), -1, 1, 3), x = random_values<double>(a.rows(), -1, 1, 4);
  for (const auto& items : group_sizes()) {
    const auto right = rung_0(a), sweeper = on_device(a, in_groups(items));
    expect_norms(*right, *sweeper, b, x, 1e-13);
  }
}

TEST_F(OpenClGroups, OfTilesHaveTheBitsOfTheHost) {
  const auto a = case_operator<double, 2>({38, 29}, 1, 3);
  const auto b = random_values<double>(a.rows(), -1, 1, 3), x = random_values<double>(a.rows(), -1, 1, 4);
  Plan plan;
  plan.by = Tiling{{16, 12, 1}, 5, {1, 2, 0}};
  const auto host = backend("serial")->bind(Operator<double>(a), plan);
  const std::vector<double> expected = swept(*host, b, x, 1, 11);
  for (const auto& items : group_sizes()) {
    const opencl::Queue queue(first_device());
    opencl::BoundGrid<double, 2> grid(a, queue, {});
    opencl::TileCycles<double, 2> tiles(grid, opencl::plan_tiles(a.grid(), plan, grid.kind), items);
    grid.load(b, x);
    tiles.make(make_steps(1, 11), false);
    std::vector<double> got(x.size());
    grid.store(got);
    EXPECT_TRUE(same_bits(expected, got)) << items[0];
    const double omega = make_steps(1, 11).back().omega;  // the next update stands in for the last one
    EXPECT_EQ(omega * grid.measure(Want::correction).max, host->norms(Want::update).max) << items[0];
  }
}

TEST_F(OpenClGroups, OfMatricesKeepToTheBound) {
  for (const Layout layout : {by_rows, by_columns})
    for (const Index items : compiles_at_once() ? std::vector<Index>{1, 7, 64, 256} : std::vector<Index>{7}) {
      const DenseCase<float> c(100, layout, 1);
      const auto right = matrix_on_host<float>(c.a), other = matrix_on_device<float>(c.a, in_groups({items}));
      EXPECT_EQ(first_fault<float>(*right, *other, c.b, c.x, {1, 4}, layout == by_columns,
                                   [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
                "")
          << items;
      expect_norms(*right, *other, c.b, c.x, 1e-4);
    }
}

TEST_F(OpenClGroups, WaitingForEverySweepChangesNoBit) {
  const auto a = case_operator<double, 2>({31, 20}, 0, 1);
  EXPECT_EQ(differences(a, *on_device(a, {plain(), "waiting"}), {1, 6}), 0);
  const DenseCase<double> c(50, by_columns, 0);
  const auto together = matrix_on_device<double>(c.a),
             waiting = matrix_on_device<double>(c.a, {plain(), "waiting"});
  EXPECT_EQ(first_difference(*together, *waiting, c.b, c.x, {1, 6}), "");
  EXPECT_EQ(waiting->executed().rung, "waiting");
}

/// The second source's norm: one float to which all rows add.
TEST_F(OpenClGroups, TheAtomicNormIsRightWithinFloatAndChangesNoBit) {
  const DenseCase<float> c(100, by_rows, 0);
  const auto fused = matrix_on_device<float>(c.a), atomic = matrix_on_device<float>(c.a, {plain(), "atomic"});
  EXPECT_EQ(first_difference(*fused, *atomic, c.b, c.x, {1, 6}), "");
  for (const Want want : {Want::update, Want::residual, Want::correction}) {
    const Norms right = fused->advance(make_steps(0, 1), want),
                norms = atomic->advance(make_steps(0, 1), want);
    EXPECT_NEAR(norms.l2, right.l2, 1e-5 * right.l2);
    EXPECT_EQ(norms.max, right.max);
  }
  const DenseCase<float> columns(20, by_columns, 0);
  EXPECT_TRUE(says(words_of<UsageError>([&] {
                     matrix_on_device<float>(columns.a, {plain(), "atomic"});
                   }),
                   "by rows"));
}

/// A matrix larger than a buffer may be: in bands of its lines.
template <class T>
void expect_bands(Layout layout, const std::string& rung, bool bitwise) {
  const DenseCase<T> c(100, layout, 3);
  const opencl::Device small = lacking([](opencl::Properties& p) { p.largest_buffer = 17'000; });
  const auto right = matrix_on_host<T>(c.a), other = opencl::bind(c.a, {plain(), rung}, small);
  EXPECT_EQ(first_fault<T>(*right, *other, c.b, c.x, {1, 4}, bitwise,
                           [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
            "");
  expect_norms(*right, *other, c.b, c.x, sizeof(T) == 4 ? 1e-4 : 1e-11);
}
TEST_F(OpenClGroups, MatricesInBandsKeepToRung0) {
  expect_bands<double>(by_rows, "fused", false);
  expect_bands<double>(by_columns, "fused", false);
  expect_bands<double>(by_columns, "ordered", true);
  expect_bands<float>(by_columns, "ordered", true);
}

}  // namespace
}  // namespace jacobi::test
