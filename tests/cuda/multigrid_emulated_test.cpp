/// Launches and memory of multigrid cycles, by the emulated device's counts.
#include "cuda/emulated.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaMultigridEmulated = Emulated;

TEST_F(CudaMultigridEmulated, ACycleIsOneGraphOfFewLaunches) {
  const auto a = poisson<double, 2>({255, 255});  // 255, 127: a pass down and up each; from 63 on one block
  const Plan plan = multigrid(a, {2, 1, 1, false});
  const auto sweeper = on_device(a, plan);
  const std::vector<double> b(a.rows(), 1.0);
  sweeper->load(b, b);
  std::vector<Step> steps;
  for (Index n = 0; n < 3; ++n) steps.push_back(plan.method.step(n, {}));
  for (int again = 0; again < 2; ++again) {
    const auto before = counts();
    sweeper->advance(steps, Want::nothing);
    EXPECT_EQ(counts().graph_launches - before.graph_launches, 1);
    EXPECT_EQ(counts().launches - before.launches, 5);
  }
  EXPECT_NE(sweeper->executed().blocking.find("5 launches"), std::string::npos);
}

TEST_F(CudaMultigridEmulated, CopiesAreMeasuredOnce) {
  settings().device.memory = counts().allocated + 1'000'000;
  const double bandwidth = device()->copy_bandwidth();
  EXPECT_GT(bandwidth, 0);
  const Index launches = counts().launches;
  EXPECT_EQ(device()->copy_bandwidth(), bandwidth);
  EXPECT_EQ(counts().launches, launches);
  EXPECT_EQ(backend("serial")->copy_bandwidth(), 0);
}

TEST_F(CudaMultigridEmulated, ReleasesAllMemory) {
  const Index before = counts().allocated;
  {
    const auto a = poisson<double, 3>({9, 8, 7});
    const auto sweeper = on_device(a, multigrid(a));
    const std::vector<double> b(a.rows(), 1.0);
    sweeper->load(b, b);
    sweeper->advance(std::vector<Step>(3), Want::residual);
    sweeper->save();
  }
  EXPECT_EQ(counts().allocated, before);
}

TEST_F(CudaMultigridEmulated, IsRefusedWhereMemoryLacks) {
  const auto a = poisson<double, 2>({200, 200});
  settings().device.memory = counts().allocated + 100'000;
  EXPECT_THROW(on_device(a, multigrid(a)), BackendError);
}

}  // namespace
}  // namespace jacobi::test
