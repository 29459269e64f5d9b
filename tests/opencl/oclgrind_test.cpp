/// Every kernel once, on few unknowns: what scripts/check-oclgrind.sh runs on a device that is interpreted.
#include "backend/opencl/norms.hpp"
#include "device/sparse.hpp"
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

class OpenClOclgrind : public OnDevice {
 protected:
  void SetUp() override {
    OnDevice::SetUp();
    if (!IsSkipped() && !compiles_at_once()) GTEST_SKIP() << among_the_long;
  }
};

template <class T, class A>
void sweep_and_measure(const A& a, const Plan& plan) {
  const auto sweeper = device()->bind(Operator<T>(a), plan);
  const auto b = random_values<T>(a.rows(), -1, 1, 1), x = random_values<T>(a.rows(), -1, 1, 2);
  swept(*sweeper, b, x, plan.tiling() ? 1 : 2, 3);
  for (const Want want : {Want::update, Want::residual, Want::correction})
    EXPECT_GT(sweeper->advance(make_steps(0, 3), want).l2, 0);
}

TEST_F(OpenClOclgrind, Grids) {
  sweep_and_measure<double>(case_operator<double, 1>({19}, 0, 2), in_groups({8, 1, 1}));
  sweep_and_measure<float>(case_operator<float, 2>({11, 9}, 1, 3), in_groups({4, 2, 1}));
  sweep_and_measure<double>(case_operator<double, 3>({5, 4, 3}, 2, 1), in_groups({4, 2, 1}));
}
TEST_F(OpenClOclgrind, Tiles) {
  Plan plan = in_groups({4, 2, 1});
  plan.by = {{8, 6, 1}, 3, {1, 2, 0}};
  sweep_and_measure<double>(case_operator<double, 2>({13, 11}, 1, 3), plan);
  plan.by = {{6, 4, 4}, 2, {1, 1, 1}};
  sweep_and_measure<float>(case_operator<float, 3>({9, 6, 5}, 2, 0), plan);
}
TEST_F(OpenClOclgrind, TilesThatWrapAroundAndSweepsOnChip) {
  sweep_and_measure<double>(case_operator<double, 2>({13, 11}, 0, 2), {plain(), "tiled", {{8, 8, 1}, 3}});
  sweep_and_measure<double>(case_operator<double, 1>({19}, 1, 2), in_groups({8, 1, 1}, "on-chip"));
  sweep_and_measure<float>(batch(poisson<float, 1>({9}), 40), in_groups({4, 2, 1}));
}
TEST_F(OpenClOclgrind, Matrices) {
  for (const char* rung : {"fused", "atomic"})
    sweep_and_measure<float>(DenseCase<float>(33, by_rows, 0).a, in_groups({8}, rung));
  for (const char* rung : {"fused", "ordered"})
    sweep_and_measure<double>(DenseCase<double>(130, by_columns, 0).a, in_groups({16}, rung));
  sweep_and_measure<double>(grid_matrix<double>({9, 7}), in_groups({8}, "sell"));
}

/// What a checker must report.
TEST_F(OpenClOclgrind, DISABLED_ASumWithoutBarriers) {
  const opencl::Queue queue(first_device());
  const std::string defined =
      opencl::definitions<float>(first_device(), {16, 1}) + "#define barrier(fence)\n";
  const opencl::Kernel sum(queue, {"sum", {"words"}, defined});
  const Index bytes = opencl::bytes_of_sum(first_device(), 16);
  const std::vector<std::byte> zeros(static_cast<std::size_t>(bytes));
  const opencl::Buffer<std::byte> parts(queue, zeros, "parts"), total(queue, zeros, "a sum");
  sum.run({{1, 1}, {16, 1}}, parts, std::int64_t{16}, total, opencl::Local{bytes});
  queue.wait();
}

}  // namespace
}  // namespace jacobi::test
