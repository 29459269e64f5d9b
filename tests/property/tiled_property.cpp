/// Whatever the size, sides, coefficients, tile, depth, steps and threads: tiles give the bits of rung 0.
#include <gtest/gtest.h>

#include <cstring>

#include "core/executed.hpp"
#include "ladder/cases.hpp"
#include "random.hpp"
#include "share.hpp"

namespace jacobi::test {
namespace {

template <int D>
std::array<Index, D> draw_size(Random& dice) {
  constexpr Index longest = D == 1 ? 3000 : D == 2 ? 90 : 30;
  std::array<Index, D> n;
  for (Index& size : n) size = dice.integer(0, 4) == 0 ? dice.integer(1, 4) : dice.integer(2, longest);
  return n;
}

template <int D>
Blocking draw_blocking(Random& dice, const std::array<Index, D>& n) {
  Blocking b;
  for (int d = 0; d < D; ++d) b.tile[d] = dice.integer(1, n[d] + 3);
  b.sweeps = dice.integer(1, 12);
  return b;
}

/// Steps of changing kinds: runs of plain, weighted and three-term ones.
std::vector<Step> draw_steps(Random& dice) {
  std::vector<Step> steps(static_cast<std::size_t>(dice.integer(1, 40)));
  Index kind = 0;
  for (std::size_t j = 0; j < steps.size(); ++j) {
    if (dice.integer(0, 9) == 0) kind = dice.integer(0, 2);
    if (kind > 0) steps[j].omega = 0.01 * static_cast<double>(dice.integer(50, 120));
    if (kind > 1 && j > 0) steps[j].rho = 0.01 * static_cast<double>(dice.integer(90, 170));
  }
  return steps;
}

template <class T>
struct Reached {
  std::vector<T> x;
  Norms update;
};

template <class T>
Reached<T> run(const Operator<T>& a, const Plan& plan, int threads, const std::vector<T>& b,
               const std::vector<T>& x, const std::vector<Step>& steps) {
  const auto sweeper = backend("threads:" + std::to_string(threads))->bind(a, plan);
  sweeper->load(b, x);
  Reached<T> reached{std::vector<T>(x.size()), sweeper->advance(steps, Want::update)};
  sweeper->store(reached.x);
  EXPECT_EQ(sweeper->executed().sweeps, static_cast<Index>(steps.size()));
  return reached;
}

/// Norms after every step agree with single sweeps of rung 0; going back to a saved iterate forgets the rest.
/// Returns their 2-norms.
template <class T>
std::vector<double> expect_measured_alike(const Operator<T>& a, const Plan& plan, int threads,
                                          const std::vector<T>& b, const std::vector<T>& x,
                                          const std::vector<Step>& steps) {
  const auto right = backend("serial")->bind(a, {plain(), "textbook"});
  const auto tiled = backend("threads:" + std::to_string(threads))->bind(a, plan);
  right->load(b, x);
  tiled->load(b, x);
  std::vector<Norms> expected(steps.size()), found(steps.size());
  right->advance_measured(steps, expected);
  tiled->save();
  tiled->advance_measured(steps, found);
  for (std::size_t j = 0; j < steps.size(); ++j) {
    EXPECT_NEAR(found[j].l2, expected[j].l2, 1e-12 * expected[j].l2) << "step " << j << " on " << threads;
    EXPECT_EQ(found[j].max, expected[j].max) << "step " << j << " on " << threads;
  }
  std::vector<T> end(x.size()), back(x.size());
  right->store(end);
  tiled->store(back);
  EXPECT_EQ(std::memcmp(end.data(), back.data(), x.size() * sizeof(T)), 0);
  tiled->restore();
  tiled->store(back);
  EXPECT_EQ(std::memcmp(x.data(), back.data(), x.size() * sizeof(T)), 0);
  EXPECT_EQ(tiled->executed().sweeps, 0);
  std::vector<double> norms;
  for (const Norms& one : found) norms.push_back(one.l2);
  return norms;
}

template <class T, int D>
void expect_tiles_equal_textbook(unsigned seed) {
  Random dice(seed);
  const auto n = draw_size<D>(dice);
  std::vector<std::vector<T>> keep;
  keep.reserve(100);
  const Grid<T, D> grid = make_case_grid<T, D>(n, static_cast<int>(dice.integer(0, kind_variants - 1)));
  const Operator<T> a =
      make_case_operator(grid, static_cast<int>(dice.integer(0, coefficient_kinds<D> - 1)), keep);
  auto b = random_values<T>(grid.rows(), -1, 1, seed);
  if (dice.integer(0, 2) == 0) b.assign(b.size(), T(0.7));
  const auto x = random_values<T>(grid.rows(), -1, 1, seed + 1);
  const auto steps = draw_steps(dice);
  const Blocking blocking = draw_blocking<D>(dice, n);
  std::string said = std::to_string(D) + "D, seed " + std::to_string(seed) + ", tile";
  for (const Index size : blocking.tile) said += " " + std::to_string(size);
  SCOPED_TRACE(said + ", " + std::to_string(blocking.sweeps) + " sweeps per block");
  const auto right = run(a, {plain(), "textbook"}, 1, b, x, steps);
  double first = 0;
  std::vector<double> first_measured;
  for (const int threads : {1, 2, 3, 5}) {
    const auto tiled = run(a, {plain(), "tiled", blocking}, threads, b, x, steps);
    EXPECT_EQ(std::memcmp(tiled.x.data(), right.x.data(), x.size() * sizeof(T)), 0) << threads << " threads";
    EXPECT_NEAR(tiled.update.l2, right.update.l2, 1e-12 * right.update.l2) << threads << " threads";
    EXPECT_EQ(tiled.update.max, right.update.max) << threads << " threads";
    if (threads == 1) first = tiled.update.l2;
    EXPECT_EQ(tiled.update.l2, first) << threads << " threads";
    const auto measured = expect_measured_alike(a, {plain(), "tiled", blocking}, threads, b, x, steps);
    if (threads == 1) first_measured = measured;
    EXPECT_EQ(measured, first_measured) << threads << " threads";
  }
}

template <class T, int D>
void expect_tiles_equal_textbook_often() {
  for (unsigned seed = 1; seed <= drawn(60) && !testing::Test::HasFailure(); ++seed)
    expect_tiles_equal_textbook<T, D>(seed);
}

TEST(Tiled, EqualsTextbookIn1DDouble) { expect_tiles_equal_textbook_often<double, 1>(); }
TEST(Tiled, EqualsTextbookIn2DDouble) { expect_tiles_equal_textbook_often<double, 2>(); }
TEST(Tiled, EqualsTextbookIn3DDouble) { expect_tiles_equal_textbook_often<double, 3>(); }
TEST(Tiled, EqualsTextbookIn1DFloat) { expect_tiles_equal_textbook_often<float, 1>(); }
TEST(Tiled, EqualsTextbookIn2DFloat) { expect_tiles_equal_textbook_often<float, 2>(); }
TEST(Tiled, EqualsTextbookIn3DFloat) { expect_tiles_equal_textbook_often<float, 3>(); }

/// Sizes around those of a vector, and a steady g, which the loop of the constant right-hand side takes.
template <class T, int D>
void expect_one_g_to_change_nothing(const std::array<Index, D>& n) {
  const Operator<T> a = poisson<T, D>(n);
  Index rows = 1;
  for (const Index size : n) rows *= size;
  const std::vector<T> b(static_cast<std::size_t>(rows), T(3)), x = random_values<T>(rows, -1, 1, 5);
  const std::vector<Step> steps(45);
  const auto right = run(a, {plain(), "textbook"}, 1, b, x, steps);
  for (const int threads : {1, 2, 3})
    EXPECT_EQ(run(a, {plain(), "tiled"}, threads, b, x, steps).x, right.x) << threads << " threads";
}

TEST(Tiled, OneValueOfTheRightHandSideGivesTheSameBits) {
  for (const Index n : {1, 7, 8, 9, 100}) {
    expect_one_g_to_change_nothing<double, 1>({30 * n});
    expect_one_g_to_change_nothing<double, 2>({n, 61});
    expect_one_g_to_change_nothing<float, 2>({n, 61});
    expect_one_g_to_change_nothing<double, 3>({n, 17, 13});
  }
}

/// The first `changed` steps are weighted, those after them plain.
template <class T>
void expect_batch_equals_textbook(Index rows, Index copies, int sweeps, int changed) {
  const auto one = poisson<T, 1>({rows});
  const Operator<T> all = batch(one, copies);
  const auto b = random_values<T>(rows * copies, -1, 1, 3), x = random_values<T>(rows * copies, -1, 1, 4);
  std::vector<Step> steps(static_cast<std::size_t>(sweeps));
  for (int s = 0; s < std::min(changed, sweeps); ++s)
    steps[static_cast<std::size_t>(s)].omega = 0.8 + 0.01 * s;
  const auto together = run(all, {plain(), "tiled"}, 2, b, x, steps);
  for (Index c = 0; c < copies; ++c) {
    std::vector<T> b1, x1, found;
    for (Index i = 0; i < rows; ++i) {
      b1.push_back(b[c + copies * i]);
      x1.push_back(x[c + copies * i]);
      found.push_back(together.x[c + copies * i]);
    }
    EXPECT_EQ(run(Operator<T>(one), {plain(), "textbook"}, 1, b1, x1, steps).x, found)
        << "copy " << c << " of " << copies << ", " << rows << " rows, " << sweeps << " sweeps, " << changed
        << " of them weighted";
  }
}

TEST(Tiled, OfABatchGivesEveryProblemTheBitsItHasAlone) {
  for (const Index rows : {1, 2, 11, 17, 18, 19, 20, 21, 22, 23, 24, 203})
    for (const int sweeps :
         {1, 5, 9, 16, 37}) {  // 9: with five levels at once five, two and one, then the last
      expect_batch_equals_textbook<double>(rows, 21, sweeps, 0);
      expect_batch_equals_textbook<double>(rows, 3, sweeps, 1);
      expect_batch_equals_textbook<double>(rows, 8, sweeps, 19);
      expect_batch_equals_textbook<float>(rows, 1, sweeps, 0);
      expect_batch_equals_textbook<float>(rows, 21, sweeps, 37);
    }
}

TEST(Tiled, SaysWhetherABatchIsSweptByColumns) {
  for (const Index rows : {17, 18}) {
    const Operator<double> all = batch(poisson<double, 1>({rows}), 9);
    const auto sweeper = backend("serial")->bind(all, {plain(), "tiled"});
    const std::vector<double> zeros(static_cast<std::size_t>(rows * 9));
    sweeper->load(zeros, zeros);
    sweeper->advance(std::vector<Step>(20), Want::nothing);
    EXPECT_EQ(sweeper->executed().blocking.find("column of a batch") != std::string::npos, rows == 18);
  }
}

TEST(Tiled, ReturnsTheFirstIterateThatSatisfiesTheTest) {
  const auto a = poisson<double, 2>({37, 23});
  const std::vector<double> b(a.rows(), 1.0);
  for (const double tolerance : {1e-3, 1e-4, 3e-5, 1e-6, 7e-8, 1e-9})
    for (const Norm norm : {Norm::update, Norm::max_update}) {
      std::vector<double> expected(b.size()), x(b.size());
      const Stop stop{.absolute = tolerance, .norm = norm, .reference = Reference::none, .check_every = 1};
      const Report right =
          Solver<double>(a, {plain(), "textbook"}, backend("serial")).solve(b, expected, stop);
      for (const Blocking& blocking : {Blocking{}, Blocking{{8, 2}, 3}}) {
        x.assign(x.size(), 0);
        const Report r =
            Solver<double>(a, {plain(), "tiled", blocking}, backend("threads:2")).solve(b, x, stop);
        EXPECT_EQ(r.status, Status::converged);
        EXPECT_EQ(r.sweeps, right.sweeps) << tolerance;
        EXPECT_EQ(r.checks, r.sweeps);
        EXPECT_EQ(x, expected);
        EXPECT_NEAR(r.norm_final, right.norm_final, 1e-13 * right.norm_final);
      }
    }
}

TEST(Tiled, RefusesABlockingThatCannotBe) {
  const Operator<double> a = poisson<double, 2>({20, 20});
  for (const Blocking& wrong :
       {Blocking{{-1, 4}, 8}, Blocking{{0, 4}, 8}, Blocking{{16, 0}, 8}, Blocking{{16, 4}, -8}})
    EXPECT_THROW(backend("serial")->bind(a, {plain(), "tiled", wrong}), UsageError);
}

}  // namespace
}  // namespace jacobi::test
