/// Norms on a device without double: sums of two floats, squares scaled by a power of two.
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClSums = OnDevice;

opencl::Device without_double() {
  return lacking([](opencl::Properties& p) { p.doubles = 0; });
}

/// All kinds of norms beside those that are summed in double.
void expect_norms_in_floats(float size) {
  const auto a = case_operator<float, 2>({150, 90}, 1, 1);
  auto b = random_values<float>(a.rows(), -1, 1, 3), x = random_values<float>(a.rows(), -1, 1, 4);
  for (std::size_t i = 0; i < x.size(); ++i) b[i] *= size, x[i] *= size;
  const opencl::Device floats = without_double();
  const auto in_double = on_device(a), in_floats = opencl::bind(a, {}, floats);
  for (const Want want : {Want::update, Want::residual, Want::correction}) {
    in_double->load(b, x);
    in_floats->load(b, x);
    const Norms expected = in_double->advance(make_steps(1, 3), want);
    const Norms passing = in_floats->advance(make_steps(1, 3), want), alone = in_floats->norms(want);
    for (const Norms& norms : {passing, alone}) {
      EXPECT_NEAR(norms.l2, expected.l2, 1e-12 * expected.l2) << size << " " << static_cast<int>(want);
      EXPECT_EQ(norms.max, expected.max) << size << " " << static_cast<int>(want);
    }
  }
}

TEST_F(OpenClSums, OfTwoFloatsAreThoseOfDouble) { expect_norms_in_floats(1); }
TEST_F(OpenClSums, NeitherVanishNorOverflow) {
  for (const float size : {1e-25F, 1e25F}) expect_norms_in_floats(size);
}
TEST_F(OpenClSums, OfCyclesAreMeasuredAgainWhereSquaresVanish) {
  const auto a = poisson<float, 2>({50, 40});
  const std::vector<float> b(2000, 1e-25F), x(2000);
  Plan plan;
  plan.by = {{20, 20, 1}, 6, {5, 5, 0}};
  const opencl::Device floats = without_double();
  const auto in_double = on_device(a, plan), in_floats = opencl::bind(a, plan, floats);
  in_double->load(b, x);
  in_floats->load(b, x);
  const Norms expected = in_double->advance(make_steps(0, 12), Want::update),
              got = in_floats->advance(make_steps(0, 12), Want::update);
  EXPECT_GT(expected.l2, 0);
  EXPECT_NEAR(got.l2, expected.l2, 1e-12 * expected.l2);
  std::vector<float> right(2000), there(2000);
  in_double->store(right);
  in_floats->store(there);
  EXPECT_TRUE(same_bits(right, there));
}
TEST_F(OpenClSums, OfMatricesToo) {
  const DenseCase<float> c(100, by_rows, 0);
  const opencl::Device floats = without_double();
  const auto in_floats = opencl::bind(c.a, {}, floats);
  expect_norms(*matrix_on_device<float>(c.a), *in_floats, c.b, c.x, 1e-12);
}

}  // namespace
}  // namespace jacobi::test
