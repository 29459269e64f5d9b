/// The device's sweeps of grids have the bits of rung 0 and its norms; spoiled ones are caught.
#include "device/cases.hpp"
#include "device/on_device.hpp"

namespace jacobi::test {
namespace {

class DeviceGrids : public OnDevice {
 protected:
  template <class T, int D>
  static void expect_rung_0() {
    if (sizeof(T) == sizeof(float) && D != 2 && !compiles_at_once()) GTEST_SKIP() << among_the_long;
    std::vector<std::vector<T>> keep;
    const Make<T, Stencil<T, D>> right = [](const Stencil<T, D>& a) { return rung_0(a); };
    expect_equal(device_cases<T, D>(keep), right, {{"classic", [](const Stencil<T, D>& a) {
                                                      return on_device(a, {plain(), "classic"});
                                                    }}});
  }
};

TEST_F(DeviceGrids, HasTheBitsOfRung0In1DDouble) { expect_rung_0<double, 1>(); }
TEST_F(DeviceGrids, HasTheBitsOfRung0In2DDouble) { expect_rung_0<double, 2>(); }
TEST_F(DeviceGrids, HasTheBitsOfRung0In3DDouble) { expect_rung_0<double, 3>(); }
TEST_F(DeviceGrids, HasTheBitsOfRung0In1DFloat) { expect_rung_0<float, 1>(); }
TEST_F(DeviceGrids, HasTheBitsOfRung0In2DFloat) { expect_rung_0<float, 2>(); }
TEST_F(DeviceGrids, HasTheBitsOfRung0In3DFloat) { expect_rung_0<float, 3>(); }

/// Rows that end anywhere in a thread's 16 bytes and in a block, one line or two to a thread, every kind of
/// sides and coefficients.
template <class T>
void expect_rows_of_every_length() {
  if (sizeof(T) == sizeof(float) && !compiles_at_once()) GTEST_SKIP() << among_the_long;
  for (const Index n : {1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 66, 127, 128, 129, 131})
    for (int kind = 0; kind < 4; ++kind) {
      const auto plane = case_operator<T, 2>({n, 2 * kind + 1}, kind, kind);
      EXPECT_EQ(differences(plane, *on_device(plane, {plain(), "classic"}), {1, 3}), 0) << n << " " << kind;
      const auto line = case_operator<T, 1>({n}, kind, kind);
      EXPECT_EQ(differences(line, *on_device(line, {plain(), "classic"}), {3}), 0) << n << " " << kind;
    }
}
TEST_F(DeviceGrids, RowsOfEveryLengthHaveTheBitsOfRung0Double) { expect_rows_of_every_length<double>(); }
TEST_F(DeviceGrids, RowsOfEveryLengthHaveTheBitsOfRung0Float) { expect_rows_of_every_length<float>(); }

TEST_F(DeviceGrids, OneSweepShortIsCaught) {
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

TEST_F(DeviceGrids, NormsAreThoseOfRung0) {
  expect_norms_of_rung_0<double, 1>();
  expect_norms_of_rung_0<float, 2>();
  expect_norms_of_rung_0<double, 3>();
}

TEST_F(DeviceGrids, NormsDoNotDependOnTheOrderOfBlocks) {
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

TEST_F(DeviceGrids, ANormOfNotANumberIsNotANumber) {
  const auto a = poisson<double, 2>({70, 40});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  x[1234] = std::nan("");
  const auto sweeper = on_device(a);
  sweeper->load(b, x);
  const Norms norm = sweeper->advance(make_steps(0, 1), Want::update);
  EXPECT_TRUE(std::isnan(norm.l2));
  EXPECT_TRUE(std::isnan(norm.max));
}

TEST_F(DeviceGrids, GoesBackToWhatWasSavedAndTakesAnotherProblem) {
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

TEST_F(DeviceGrids, ASolveEndsAsOnTheHostByEveryKindOfWeights) {
  const auto a = poisson<double, 2>({30, 20});
  const std::vector<double> b(a.rows(), 1.0);
  const double low = a.slowest_mode();
  for (const Method& method :
       {plain(), weighted(0.9), chebyshev({low, 2 - low}), scheduled({1.9, 0.7, 0.55, 0.6})}) {
    std::vector<double> x(a.rows()), y(a.rows());
    const Stop stop{.relative = 1e-6, .max_sweeps = 5000, .check_every = 1};
    Solver<double> host(a, {method, "textbook"}, backend("serial")), there(a, {method, "classic"}, device());
    const Report right = host.solve(b, x, stop), report = there.solve(b, y, stop);
    EXPECT_TRUE(report.converged()) << method.name;
    EXPECT_EQ(report.rung, "classic");
    EXPECT_EQ(report.sweeps, right.sweeps) << method.name;
    EXPECT_TRUE(same_bits(x, y)) << method.name;
  }
}

}  // namespace
}  // namespace jacobi::test
