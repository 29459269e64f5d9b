/// Rung paired begins each sweep in the one before: whatever comes between two of them, the bits are the
/// same.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "instruction_sets.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/solver.hpp"
#include "ladder/dense_cases.hpp"
#include "ladder/run.hpp"
#include "sweep/dense/algorithm.hpp"

namespace jacobi::test {
namespace {

template <class T>
std::unique_ptr<Sweeper<T>> paired(const DenseCase<T>& c, int threads) {
  return backend("threads:" + std::to_string(threads))->bind(Operator<T>(c.a), {plain(), "paired"});
}

template <class T>
std::vector<T> iterate_of(const Sweeper<T>& sweeper) {
  std::vector<T> x(static_cast<std::size_t>(sweeper.rows()));
  sweeper.store(x);
  return x;
}

template <class T>
void for_cases(const std::function<void(const DenseCase<T>&)>& visit) {
  for (const Index n : {1, 20, 64, 129, 200, 331, 400})
    for (const Layout layout : {Layout::row_major, Layout::column_major}) visit({n, layout, n % 5});
}

template <class T>
void expect_calls_do_not_matter() {
  for_cases<T>([](const DenseCase<T>& c) {
    for (const int threads : {1, 2, 3})
      for (int kind = 0; kind < 3; ++kind) {
        const auto sweeper = paired(c, threads);
        const std::vector<Step> steps = make_steps(kind, 9);
        const auto expected = swept(*sweeper, c.b, c.x, kind, 9);
        const Norms last = sweeper->norms(Want::update), left = sweeper->norms(Want::residual);
        sweeper->load(c.b, c.x);
        std::size_t done = 0;
        for (const auto& [count, want] :
             {std::pair{1, Want::nothing}, std::pair{2, Want::residual}, std::pair{1, Want::update},
              std::pair{0, Want::correction}, std::pair{3, Want::correction}, std::pair{2, Want::update}}) {
          sweeper->advance(std::span(steps).subspan(done, static_cast<std::size_t>(count)), want);
          if (want == Want::update) sweeper->norms(Want::residual);
          done += static_cast<std::size_t>(count);
        }
        EXPECT_TRUE(same_bits(expected, iterate_of(*sweeper))) << c.name << ", steps " << kind;
        EXPECT_EQ(sweeper->norms(Want::update).l2, last.l2) << c.name;
        EXPECT_EQ(sweeper->norms(Want::residual).l2, left.l2) << c.name;
        EXPECT_EQ(sweeper->executed().sweeps, 18);
      }
  });
}

TEST(DensePaired, CallsAndNormsBetweenSweepsDoNotMatter) {
  for (const std::string& set : sets_to_try()) {
    const Forced forced(set);
    expect_calls_do_not_matter<double>();
    expect_calls_do_not_matter<float>();
  }
}

TEST(DensePaired, GoesOnFromARestoredIterate) {
  for_cases<double>([](const DenseCase<double>& c) {
    for (const int before : {2, 3}) {
      const auto sweeper = paired(c, 2);
      const auto expected = swept(*sweeper, c.b, c.x, 0, before + 2);
      swept(*sweeper, c.b, c.x, 0, before);
      sweeper->save();
      sweeper->advance(make_steps(0, 3), Want::update);
      sweeper->restore();
      sweeper->advance(make_steps(0, 2), Want::nothing);
      EXPECT_TRUE(same_bits(expected, iterate_of(*sweeper))) << c.name;
    }
  });
}

/// Where all unknowns are 0 no product is taken: the same as after a sweep that leaves them there.
TEST(DensePaired, StartsFromZeroWithoutReading) {
  for_cases<double>([](const DenseCase<double>& c) {
    const auto sweeper = paired(c, 2);
    const std::vector<double> zero(c.x.size());
    const auto expected = swept(*sweeper, c.b, zero, 0, 4);
    sweeper->load(c.b, zero);
    sweeper->advance(std::vector<Step>{{0, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, Want::nothing);
    EXPECT_TRUE(same_bits(expected, iterate_of(*sweeper))) << c.name;
  });
}

TEST(DensePaired, IsTheDefaultWhereMatricesAreLarge) {
  const auto rung = [](Index rows, std::size_t size, bool by_rows = true, Index copies = 1) {
    return std::string(sweep::is_paired_by_default(rows, size, by_rows, copies) ? "paired" : "fused");
  };
  EXPECT_EQ(rung(1023, 8), "fused");
  EXPECT_EQ(rung(1024, 8), "paired");
  EXPECT_EQ(rung(1024, 4), "fused");
  EXPECT_EQ(rung(1024, 4, false), "paired");
  EXPECT_EQ(rung(2048, 2), "paired");
  EXPECT_EQ(rung(1024, 8, true, 2), "fused");
  const DenseCase<double> large(1024, Layout::row_major, 0), small(300, Layout::row_major, 0);
  for (const auto* c : {&large, &small}) {
    const auto sweeper = backend("serial")->bind(Operator<double>(c->a), Plan());
    sweeper->advance({}, Want::nothing);
    EXPECT_EQ(sweeper->executed().rung, rung(c->a.rows(), 8));
  }
}

/// Accelerated methods change the iterate by themselves: nothing begun of the one before may be told of it.
TEST(DensePaired, NormsOfAcceleratedMethodsAreThoseOfTheirIterate) {
  const DenseCase<double> c(725, Layout::column_major, 0);
  ASSERT_TRUE(sweep::is_paired_by_default(725, sizeof(double), false, 1));
  const auto sweeper = backend("threads:2")->bind(Operator<double>(c.a), {bicgstab()});
  sweeper->load(c.b, c.x);
  for (const int steps : {0, 1, 2}) {
    sweeper->advance(std::vector<Step>(static_cast<std::size_t>(steps)), Want::nothing);
    const auto x = iterate_of(*sweeper);
    const double expected = c.a.residual_norms(c.b, x).l2;
    EXPECT_NEAR(sweeper->norms(Want::residual).l2, expected, 1e-9 * expected + 1e-10) << steps;
  }
}

TEST(DensePaired, ReadsHalfOfTheMatrix) {
  const DenseCase<double> c(1000, Layout::column_major, 0);
  const double bytes = paired(c, 1)->bytes_per_update(),
               all = backend("serial")->bind(Operator<double>(c.a), {plain(), "fused"})->bytes_per_update();
  EXPECT_LT(bytes, 0.6 * all);
  EXPECT_GT(bytes, 0.5 * all);
}

}  // namespace
}  // namespace jacobi::test
