/// Whatever the size, sides, coefficients, tile, depth and threads: sweeps of one colour at a time are whole
/// sweeps, colour by colour; their norms are those of the iterate that they leave.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "jacobi/jacobi.hpp"
#include "ladder/naive_colours.hpp"
#include "ladder/run.hpp"
#include "property/random_operator.hpp"

namespace jacobi::test {
namespace {

template <class T>
double distance(const std::vector<T>& x, const std::vector<T>& y) {
  double squares = 0;
  for (std::size_t p = 0; p < x.size(); ++p)
    squares += std::pow(static_cast<double>(x[p]) - static_cast<double>(y[p]), 2);
  return std::sqrt(squares);
}

template <class T>
std::vector<T> stored(const Sweeper<T>& sweeper) {
  std::vector<T> x(static_cast<std::size_t>(sweeper.rows()));
  sweeper.store(x);
  return x;
}

template <class T, int D>
struct Drawn {
  explicit Drawn(unsigned seed)
      : random(seed),
        made(random,
             D == 1   ? 700
             : D == 2 ? 60
                      : 20,
             random.real(1, 1.5)),
        a(*made) {
    b = random.vector<T>(a.rows());
    x = random.vector<T>(a.rows());
    for (int d = 0; d < D; ++d) blocking.tile[d] = random.integer(1, a.grid().unknowns[d] + 3);
    blocking.sweeps = random.integer(1, 12);
    steps = undamped_steps(random.integer(0, 1) == 1, random.integer(1, 30));
  }
  Random random;
  RandomOperator<T, D> made;
  const Stencil<T, D>& a;
  std::vector<T> b, x;
  Blocking blocking;
  std::vector<Step> steps;
};

/// Iterate, norms and their independence of threads, for one draw.
template <class T, int D>
void expect_whole_sweeps(const Drawn<T, D>& c) {
  NaiveUndamped<T, D> naive(c.a);
  const auto expected = coloured(naive, c.a.grid(), c.b, c.x, c.steps);
  const std::size_t n = c.steps.size();
  const std::vector<Step> earlier(c.steps.begin(),
                                  c.steps.end() - static_cast<Index>(std::min<std::size_t>(2, n)));
  const double update = distance(expected, coloured(naive, c.a.grid(), c.b, c.x, earlier));
  const Norms residual = c.a.residual_norms(c.b, expected),
              correction = c.a.residual_norms(c.b, expected, true);
  const double eps = 100 * static_cast<double>(std::numeric_limits<T>::epsilon());
  double first = 0;
  for (const int threads : {1, 2, 3, 5}) {
    const auto sweeper =
        backend("threads:" + std::to_string(threads))->bind(Operator<T>(c.a), {red_black(), "", c.blocking});
    sweeper->load(c.b, c.x);
    const Norms found = sweeper->advance(c.steps, Want::update);
    const auto reached = stored(*sweeper);
    EXPECT_EQ(std::memcmp(reached.data(), expected.data(), expected.size() * sizeof(T)), 0) << threads;
    EXPECT_NEAR(found.l2, update, 1e-6 * update + 1e-300) << threads;
    EXPECT_NEAR(sweeper->norms(Want::update).l2, found.l2, 0) << threads;
    EXPECT_NEAR(sweeper->norms(Want::residual).l2, residual.l2,
                eps * (residual.l2 + 10 * std::sqrt(double(c.a.rows()))));
    EXPECT_NEAR(sweeper->norms(Want::correction).l2, correction.l2,
                eps * (correction.l2 + std::sqrt(double(c.a.rows()))));
    if (threads == 1) first = found.l2;
    EXPECT_EQ(found.l2, first) << threads;
  }
}

/// One step after the other, and back to a saved iterate in between, ends as all steps at once.
template <class T, int D>
void expect_going_back_to_change_nothing(const Drawn<T, D>& c) {
  const auto at_once = backend("threads:2")->bind(Operator<T>(c.a), red_black());
  at_once->load(c.b, c.x);
  const double update = at_once->advance(c.steps, Want::update).l2;
  const auto single = backend("threads:2")->bind(Operator<T>(c.a), red_black());
  single->load(c.b, c.x);
  double last = 0;
  for (std::size_t j = 0; j < c.steps.size(); ++j) {
    single->save();
    single->advance(std::span(c.steps).subspan(0, 1 + j % 3 % c.steps.size()), Want::nothing);
    single->restore();
    last = single->advance(std::span(c.steps).subspan(j, 1), Want::update).l2;
  }
  EXPECT_EQ(stored(*single), stored(*at_once));
  EXPECT_NEAR(last, update, 1e-6 * update);
  EXPECT_EQ(single->executed().sweeps, static_cast<Index>(c.steps.size()));
  EXPECT_EQ(single->executed().work, 0.5 * static_cast<double>(c.steps.size()));
}

template <class T, int D>
void expect_whole_sweeps_often() {
  constexpr unsigned seeds = drawn(120);
  unsigned coloured = 0, refused = 0;
  for (unsigned seed = 1; seed <= seeds && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(std::to_string(D) + "D, seed " + std::to_string(seed));
    const Drawn<T, D> c(seed);
    if (!can_be_coloured(c.a.grid())) {
      ++refused;
      EXPECT_THROW(backend("serial")->bind(Operator<T>(c.a), red_black()), UsageError);
      continue;
    }
    ++coloured;
    expect_whole_sweeps(c);
    expect_going_back_to_change_nothing(c);
  }
  EXPECT_GT(coloured, seeds * 5 / 12);
  EXPECT_GT(refused, seeds / 40);
}

TEST(RedBlackTiled, IsWholeSweepsColourByColourIn1DDouble) { expect_whole_sweeps_often<double, 1>(); }
TEST(RedBlackTiled, IsWholeSweepsColourByColourIn2DDouble) { expect_whole_sweeps_often<double, 2>(); }
TEST(RedBlackTiled, IsWholeSweepsColourByColourIn3DDouble) { expect_whole_sweeps_often<double, 3>(); }
TEST(RedBlackTiled, IsWholeSweepsColourByColourIn1DFloat) { expect_whole_sweeps_often<float, 1>(); }
TEST(RedBlackTiled, IsWholeSweepsColourByColourIn2DFloat) { expect_whole_sweeps_often<float, 2>(); }
TEST(RedBlackTiled, IsWholeSweepsColourByColourIn3DFloat) { expect_whole_sweeps_often<float, 3>(); }

}  // namespace
}  // namespace jacobi::test
