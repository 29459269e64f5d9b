/// The device's classic sweeps have the bits of rung 0 and its norms; spoiled ones are caught.
#include "cuda/cases.hpp"
#include "cuda/on_device.hpp"

namespace jacobi::test {
namespace {

class CudaClassic : public OnDevice {
 protected:
  template <class T, int D>
  static void expect_rung_0() {
    std::vector<std::vector<T>> keep;
    const Make<T, Stencil<T, D>> right = [](const Stencil<T, D>& a) { return rung_0(a); };
    expect_equal(device_cases<T, D>(keep), right, {{"classic", [](const Stencil<T, D>& a) {
                                                      return on_device(a, {plain(), "classic"});
                                                    }}});
  }
};

TEST_F(CudaClassic, HasTheBitsOfRung0In1DDouble) { expect_rung_0<double, 1>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In2DDouble) { expect_rung_0<double, 2>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In3DDouble) { expect_rung_0<double, 3>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In1DFloat) { expect_rung_0<float, 1>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In2DFloat) { expect_rung_0<float, 2>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In3DFloat) { expect_rung_0<float, 3>(); }

/// The source's, and others; a last block that is cut off in every direction.
TEST_F(CudaClassic, BlocksOfEveryShapeHaveTheBitsOfRung0) {
  const auto line = case_operator<double, 1>({700}, 0);
  const auto plane = case_operator<double, 2>({70, 35}, 2, 2);
  const auto space = case_operator<float, 3>({66, 9, 4}, 1);
  const auto expect = []<class T, int D>(const Stencil<T, D>& a, const Blocking& block,
                                         const std::string& rung, const std::string& words) {
    const auto sweeper = on_device(a, {plain(), rung, block});
    EXPECT_EQ(differences(a, *sweeper, {1, 66}), 0) << words;
    const auto right = rung_0(a);
    const auto b = random_values<T>(a.rows(), -1, 1, 3);
    right->load(b, b);
    sweeper->load(b, b);
    EXPECT_EQ(right->advance(make_steps(0, 2), Want::update).max,
              sweeper->advance(make_steps(0, 2), Want::update).max)
        << words;
    const std::string blocking = sweeper->executed().blocking;
    EXPECT_EQ(blocking, rung == "graph" ? "64 sweeps per graph, " + words : words);
  };
  for (const Index wide : {32, 64, 128, 256, 512, 1024})
    expect(line, {{wide, 1, 1}}, "classic", "blocks of " + std::to_string(wide) + " x 1 threads, 1 row each");
  for (const Index high : {4, 8, 16, 32})
    for (const std::string rung : {"classic", "graph"})
      expect(plane, {{32, high, 1}}, rung, "blocks of 32 x " + std::to_string(high) + " threads, 1 row each");
  expect(space, {{16, 2, 1}}, "classic", "blocks of 16 x 2 threads, 1 row each");
}

TEST_F(CudaClassic, BlocksThatCannotBeAreRefused) {
  const auto plane = poisson<double, 2>({20, 20});
  constexpr Index huge = Index{1} << 59;
  for (const std::array<Index, 3> block : {std::array<Index, 3>{33, 1, 1},
                                           {32, 33, 1},
                                           {32, 0, 1},
                                           {0, 32, 1},
                                           {-32, 8, 1},
                                           {2048, 1, 1},
                                           {huge, 32, 1},
                                           {32, huge, 1}})
    EXPECT_THROW(on_device(plane, {plain(), "classic", {block}}), UsageError) << block[0];
  EXPECT_THROW(on_device(poisson<double, 3>({9, 9, 9}), {plain(), "classic", {{32, 4, 2}}}), UsageError);
  EXPECT_NO_THROW(on_device(poisson<double, 1>({20}), {plain(), "classic", {{256}}}));
  EXPECT_EQ(words_of<BackendError>([] {
              on_device(poisson<double, 3>({1, 65536, 1}), {plain(), "classic", {{32, 1, 1}}});
            }),
            "cuda: a grid of more lines than the device numbers in blocks of 1: at most 65535 along y, 65535 "
            "along z");
  EXPECT_EQ(words_of<UsageError>([&] {
              on_device(plane, {plain(), "classic", {{33, 1, 1}}});
            }),
            "cuda: a block of 33 x 1 threads: whole warps of 32, at most 1024 in all");
}

TEST_F(CudaClassic, OneSweepShortIsCaught) {
  std::vector<std::vector<double>> keep;
  const double caught = share_caught<double, Stencil<double, 2>>(
      device_cases<double, 2>(keep), [](const auto& a) { return rung_0(a); },
      [](const auto& a) { return std::make_unique<Spoiled<double>>(on_device(a), 1); });
  EXPECT_GT(caught, 0.5);
}

template <class T, int D>
void expect_norms_of_rung_0() {
  std::vector<std::vector<T>> keep;
  for (const auto& c : device_cases<T, D>(keep))
    for (const Want want : {Want::update, Want::residual, Want::correction}) {
      const auto right = rung_0(c.a), sweeper = on_device(c.a);
      right->load(c.b, c.x);
      sweeper->load(c.b, c.x);
      const Norms expected = right->advance(make_steps(0, 3), want);
      const Norms fused = sweeper->advance(make_steps(0, 3), want), alone = sweeper->norms(want);
      EXPECT_NEAR(fused.l2, expected.l2, 1e-13 * expected.l2) << c.name;
      EXPECT_NEAR(alone.l2, expected.l2, 1e-13 * expected.l2) << c.name;
      EXPECT_EQ(fused.max, expected.max) << c.name;
      EXPECT_EQ(alone.max, expected.max) << c.name;
    }
}

TEST_F(CudaClassic, NormsAreThoseOfRung0) {
  expect_norms_of_rung_0<double, 1>();
  expect_norms_of_rung_0<float, 2>();
  expect_norms_of_rung_0<double, 3>();
}

TEST_F(CudaClassic, NormsDoNotDependOnTheOrderOfBlocks) {
  const auto a = poisson<double, 2>({200, 100});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  double first = 0;
  for (const unsigned seed : {1U, 2U, 77U}) {
    order_threads(seed);
    const auto sweeper = on_device(a);
    sweeper->load(b, x);
    const double norm = sweeper->advance(make_steps(0, 3), Want::update).l2;
    if (seed == 1) first = norm;
    EXPECT_EQ(norm, first) << seed;
  }
}

TEST_F(CudaClassic, ANormOfNotANumberIsNotANumber) {
  const auto a = poisson<double, 2>({70, 40});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  x[1234] = std::nan("");
  const auto sweeper = on_device(a);
  sweeper->load(b, x);
  const Norms norm = sweeper->advance(make_steps(0, 1), Want::update);
  EXPECT_TRUE(std::isnan(norm.l2));
  EXPECT_TRUE(std::isnan(norm.max));
}

TEST_F(CudaClassic, GoesBackToWhatWasSavedAndTakesAnotherProblem) {
  const auto a = poisson<double, 3>({9, 8, 7});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  const auto sweeper = on_device(a);
  const auto first = swept(*sweeper, b, x, 1, 6);
  EXPECT_EQ(sweeper->executed().sweeps, 6);
  sweeper->save();
  sweeper->advance(make_steps(1, 4), Want::nothing);
  sweeper->restore();
  EXPECT_EQ(sweeper->executed().sweeps, 6);
  std::vector<double> back(first.size());
  sweeper->store(back);
  EXPECT_TRUE(same_bits(first, back));
  EXPECT_TRUE(same_bits(swept(*rung_0(a), x, b, 0, 5), swept(*sweeper, x, b, 0, 5)));
}

TEST_F(CudaClassic, ASolveEndsAsOnTheHost) {
  const auto a = poisson<double, 2>({30, 20});
  std::vector<double> b(a.rows(), 1.0), x(a.rows()), y(a.rows());
  const Stop stop{.relative = 1e-6, .max_sweeps = 5000};
  Solver<double> host(a, {plain(), "textbook"}, backend("serial")), there(a, {plain(), "graph"}, device());
  const Report right = host.solve(b, x, stop), report = there.solve(b, y, stop);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.rung, "graph");
  EXPECT_NEAR(static_cast<double>(report.sweeps), static_cast<double>(right.sweeps), 200);
  EXPECT_LE(report.residual_norm, 1e-6 * 30);
}

}  // namespace
}  // namespace jacobi::test
