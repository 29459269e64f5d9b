/// Passes of multigrid cycles against the cycle written down once more, and against each other.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "ladder/naive_multigrid.hpp"
#include "ladder/run.hpp"
#include "random.hpp"
#include "random_laplacian.hpp"

namespace jacobi {
namespace {

using test::NaiveMultigrid;
using test::Random;
using test::random_laplacian;
using test::sides_of;

/// Random, and compatible where the operator is singular.
template <class T, int D>
std::vector<T> right_side(Random& random, const Stencil<T, D>& a) {
  std::vector<T> b = random.vector<T>(a.rows()), folded(b.size());
  if (!a.singular()) return b;
  a.fold(b, folded);
  double sum = 0, weights = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    sum += a.weight(p) * folded[p];
    weights += a.weight(p);
  }
  for (T& value : b) value -= static_cast<T>(sum / weights);
  return b;
}

template <class T, int D>
std::vector<T> cycles(const Stencil<T, D>& a, const Plan& plan, const std::vector<T>& b,
                      const std::vector<T>& x, int count, int threads = 1) {
  const auto sweeper =
      backend(threads == 1 ? "serial" : "threads:" + std::to_string(threads))->bind(Operator<T>(a), plan);
  sweeper->load(b, x);
  std::vector<Step> steps;
  Step step;
  for (Index n = 0; n < count * sweeper->sweeps_per_cycle(); ++n)
    steps.push_back(step = plan.method.step(n, step));
  sweeper->advance(steps, Want::nothing);
  std::vector<T> result(b.size());
  sweeper->store(result);
  return result;
}

template <class V>
double size_of(const V& values) {
  double most = 0;
  for (const auto value : values) most = std::max(most, std::abs(static_cast<double>(value)));
  return most;
}

/// Largest difference; of a singular operator, whose cycles leave the mean to rounding, up to a constant.
template <class T, int D, class V>
double distance(const Stencil<T, D>& a, const std::vector<T>& here, const V& there) {
  double mean = 0, weights = 0, off = 0;
  for (Index p = 0; p < a.rows() && a.singular(); ++p) {
    mean += a.weight(p) * (here[p] - there[p]);
    weights += a.weight(p);
  }
  if (weights > 0) mean /= weights;
  for (Index p = 0; p < a.rows(); ++p) off = std::max(off, std::abs(here[p] - there[p] - mean));
  return off;
}

template <class T, int D>
void expect_the_naive_cycles(unsigned seed, Index most, int cases) {
  Random random(seed);
  for (int one = 0; one < cases / std::min(JACOBI_TEST_SHARE, 5); ++one) {
    const bool from_zero = random.integer(0, 1) == 0;  // a full cycle then lifts what is given on the sides
    const auto a = random_laplacian<T, D>(random, most, from_zero);
    const Multigrid cycle{random.integer(0, 3), random.integer(1, 3), random.integer(1, 2),
                          random.integer(0, 1) == 1};
    Plan plan = multigrid(a, cycle);
    const auto b = right_side(random, a);
    const auto x = from_zero ? std::vector<T>(a.rows()) : random.vector<T>(a.rows());
    const int count = static_cast<int>(random.integer(1, 2));
    const std::vector<T> here = cycles<T, D>(a, plan, b, x, count);
    std::vector<T> folded(b.size());
    a.fold(b, folded);
    std::vector<double> weights;
    for (Index j = 0; j < cycle.pre + cycle.post; ++j) weights.push_back(plan.method.step(j, {}).omega);
    NaiveMultigrid<D> naive(a, cycle);
    std::vector<double> there =
        naive.run({folded.begin(), folded.end()}, {x.begin(), x.end()}, weights, count);
    const double bound = (sizeof(T) == 8 ? 1e-12 : 2e-3) * std::max(1.0, size_of(there));
    const double off = distance<T, D>(a, here, there);
    ASSERT_LE(off, bound) << "case " << one << ": " << a.grid().unknowns[0] << " unknowns along x, "
                          << a.rows() << " in all, V(" << cycle.pre << "," << cycle.post << "), visits "
                          << cycle.visits << ", full " << cycle.full << ", levels " << naive.levels();
  }
}

TEST(MultigridLadder, MakesTheCyclesOfItsReferenceIn1D) {
  expect_the_naive_cycles<double, 1>(1, 90, 150);
  expect_the_naive_cycles<float, 1>(2, 90, 40);
}
TEST(MultigridLadder, MakesTheCyclesOfItsReferenceIn2D) {
  expect_the_naive_cycles<double, 2>(3, 40, 150);
  expect_the_naive_cycles<float, 2>(4, 40, 40);
}
TEST(MultigridLadder, MakesTheCyclesOfItsReferenceIn3D) {
  expect_the_naive_cycles<double, 3>(5, 14, 100);
  expect_the_naive_cycles<float, 3>(6, 14, 30);
}

TEST(MultigridLadder, ReferenceTellsAWrongCycle) {  // else the tests above could not fail
  const auto a = poisson<double, 2>({21, 18});
  const std::vector<double> b(a.rows(), 1.0), x(a.rows());
  const Plan plan = multigrid(a, {2, 1, 1, false});
  std::vector<double> weights;
  for (Index j = 0; j < 3; ++j) weights.push_back(plan.method.step(j, {}).omega);
  const std::vector<double> here = cycles<double, 2>(a, plan, b, x, 1);
  for (const Multigrid& wrong :
       {Multigrid{2, 1, 2, false}, Multigrid{2, 1, 1, true}, Multigrid{1, 2, 1, false}}) {
    const auto there = NaiveMultigrid<2>(a, wrong).run(b, x, weights, 1);
    double off = 0;
    for (std::size_t p = 0; p < here.size(); ++p) off = std::max(off, std::abs(here[p] - there[p]));
    EXPECT_GT(off, 1e-6 * size_of(there));
  }
}

/// The same operator with one array per coefficient.
template <class T, int D>
struct Spread {
  std::vector<std::vector<T>> arrays;
  Stencil<T, D> make(const Stencil<T, D>& a) {
    std::array<std::span<const T>, 2 * D> off;
    for (int k = 0; k <= 2 * D; ++k)
      arrays.emplace_back(static_cast<std::size_t>(a.rows()), k == 2 * D ? a.center(0) : a.off(k, 0));
    for (int k = 0; k < 2 * D; ++k) off[k] = arrays[k];
    return Stencil<T, D>::variable(a.grid(), arrays[2 * D], off);
  }
};

template <int D>
void expect_the_constant_cycles(unsigned seed, Index most, int cases) {
  Random random(seed);
  for (int one = 0; one < cases; ++one) {
    const auto a = random_laplacian<double, D>(random, most);
    Spread<double, D> spread;
    const auto variable = spread.make(a);
    const Plan plan = multigrid(a, {2, 1, random.integer(1, 2), false});
    const auto b = right_side(random, a), x = random.vector<double>(a.rows());
    const auto here = cycles<double, D>(a, plan, b, x, 2), there = cycles<double, D>(variable, plan, b, x, 2);
    ASSERT_LE((distance<double, D>(a, here, there)), 1e-11 * std::max(1.0, size_of(here)))
        << "case " << one << ", " << a.rows() << " unknowns";
  }
}

TEST(MultigridLadder, GivesEqualCoefficientsInArraysTheSameCycles) {
  expect_the_constant_cycles<1>(7, 90, 60);
  expect_the_constant_cycles<2>(8, 40, 60);
  expect_the_constant_cycles<3>(9, 14, 40);
}

template <class T, int D>
void expect_same_bits(const Stencil<T, D>& a, Index visits) {
  Random random(11);
  const auto b = random.vector<T>(a.rows()), x = random.vector<T>(a.rows());
  const Plan plan = multigrid(a, {2, 1, visits, true});
  std::vector<T> first;
  Norms norms;
  for (const int threads : {1, 2, 3, 8}) {
    const auto sweeper = backend("threads:" + std::to_string(threads))->bind(Operator<T>(a), plan);
    sweeper->load(b, x);
    std::vector<Step> steps;
    for (Index n = 0; n < 7; ++n) steps.push_back(plan.method.step(n, {}));  // two cycles and a sweep
    const Norms here = sweeper->advance(steps, Want::residual);
    EXPECT_EQ(sweeper->executed().threads, threads);
    std::vector<T> values(b.size());
    sweeper->store(values);
    if (threads == 1) {
      first = values;
      norms = here;
    }
    EXPECT_EQ(std::memcmp(values.data(), first.data(), values.size() * sizeof(T)), 0)
        << threads << " threads";
    EXPECT_EQ(here.l2, norms.l2);
    EXPECT_EQ(here.max, norms.max);
  }
}

TEST(MultigridLadder, HasTheSameBitsOnAnyNumberOfThreads) {
  for (const Index kind : {0, 1, 2, 3}) {
    const Sides<double, 2> sides{sides_of<double>(kind), sides_of<double>(kind)};
    expect_same_bits(poisson(make_grid<double, 2>({150, 141}, {0, 0}, {1, 1}, sides), 1), 1 + kind % 2);
  }
  Spread<float, 2> spread;
  expect_same_bits(spread.make(poisson<float, 2>({150, 140})), 1);
  const Sides<double, 3> sides{sides_of<double>(2), sides_of<double>(3), sides_of<double>(2)};
  expect_same_bits(poisson(make_grid<double, 3>({20, 27, 40}, {0, 0, 0}, {1, 1, 1}, sides)), 1);
}

}  // namespace
}  // namespace jacobi
