/// Operators known by their products: what is solved, and to which bits.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "unit/accelerated.hpp"
#include "unit/products_of.hpp"

namespace jacobi {
namespace {

using test::Line;
using test::notes_of;
using test::products_of;
using test::ProductsOf;
using test::Random;
using test::random_values;
using test::solved;
using test::without_diagonal;

/// 4 on the diagonal and -1 for each of four random neighbours: every sum below is exact for whole numbers.
template <class T>
Csr<T> whole_numbers(Index n, unsigned seed) {
  Random random(seed);
  std::vector<Entry<T>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, T(4)});
    for (int k = 0; k < 3; ++k)
      if (const Index j = random.integer(0, n - 1); j != i) entries.push_back({i, j, T(-1)});
  }
  return Csr<T>::from_entries(n, entries);
}

template <class T>
std::vector<T> swept(Sweeper<T>& sweeper, const std::vector<T>& b, const std::vector<T>& x,
                     const std::vector<Step>& steps) {
  sweeper.load(b, x);
  sweeper.advance(steps, Want::nothing);
  std::vector<T> end(x.size());
  sweeper.store(end);
  return end;
}

template <class T>
void expect_bits_of_rung_0(Index n, const std::vector<Step>& steps) {
  const Csr<T> a = whole_numbers<T>(n, 7);
  std::vector<T> b(static_cast<std::size_t>(n)), x(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = T(static_cast<int>(i % 5) - 2), x[i] = T(i % 3);
  const auto rung_0 = backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
  const std::vector<T> right = swept(*rung_0, b, x, steps);
  for (const char* on : {"serial", "threads:2", "threads:5"}) {
    const auto sweeper = backend(on)->bind(Operator<T>(products_of(a)), Plan(plain()));
    EXPECT_EQ(swept(*sweeper, b, x, steps), right) << on << ", " << n << " rows";
  }
}

/// Where sums are exact no order of them matters, and all bits are those of the plainest rung.
TEST(MatrixFree, SweepsHaveTheBitsOfRungZero) {
  const std::vector<Step> plain_steps(6), weighted_steps(5, Step{0.5, 1}),
      three_term{{0.75, 1}, {0.75, 1.25}, {0.5, 1.5}};
  for (const Index n : {1, 2, 511, 512, 513, 4000}) {
    expect_bits_of_rung_0<double>(n, plain_steps);
    expect_bits_of_rung_0<double>(n, weighted_steps);
    expect_bits_of_rung_0<double>(n, three_term);
    expect_bits_of_rung_0<float>(n, std::vector<Step>(4));
  }
}

TEST(MatrixFree, NormsAreThoseOfTheVectors) {
  const Csr<double> a = whole_numbers<double>(1500, 3);
  const std::vector<double> b(1500, 1.0), x(1500, 1.0);
  const auto one = backend("threads:3")->bind(Operator<double>(products_of(a)), Plan(plain()));
  const auto other = backend("serial")->bind(Operator<double>(a), {plain(), "fused"});
  for (const auto& sweeper : {one.get(), other.get()}) sweeper->load(b, x);
  for (const Want want : {Want::residual, Want::correction}) {
    EXPECT_EQ(one->norms(want).l2, other->norms(want).l2);
    EXPECT_EQ(one->norms(want).max, other->norms(want).max);
  }
  const Norms here = one->advance(std::vector<Step>(3), Want::update),
              there = other->advance(std::vector<Step>(3), Want::update);
  EXPECT_EQ(here.l2, there.l2);
  EXPECT_EQ(here.max, there.max);
  EXPECT_EQ(one->norms(Want::update).l2, here.l2);
}

/// Iterates and norms of every method for any number of threads.
TEST(MatrixFree, BitsDoNotDependOnTheNumberOfThreads) {
  const Csr<double> a = test::symmetric_matrix(5000, 11);
  const auto b = random_values<double>(5000, -1, 1, 4);
  for (const Method& method :
       {plain(), weighted(0.8), chebyshev({0.01, 1.99}), cg(), bicgstab(), anderson()}) {
    std::vector<double> serial, x;
    const Stop stop{.relative = 1e-30, .max_sweeps = 40};
    const Report alone = solved<double>(products_of(a), method, b, serial, stop, "serial");
    for (const char* on : {"threads:2", "threads:3"}) {
      const Report r = solved<double>(products_of(a), method, b, x, stop, on);
      EXPECT_EQ(x, serial) << method.name << ", " << on;
      EXPECT_EQ(r.norm_final, alone.norm_final) << method.name << ", " << on;
      EXPECT_EQ(r.sweeps, alone.sweeps);
    }
  }
}

template <class T>
Csr<T> random_system(Random& random, bool symmetric) {
  const Index n = random.integer(1, 60);
  std::vector<Entry<T>> entries;
  std::vector<double> sum(static_cast<std::size_t>(n), random.real(0.1, 1));
  const double sign = random.integer(0, 3) == 0 ? -1 : 1;
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      const Index j = random.integer(0, n - 1);
      const double value = random.real(-1, 1);
      if (j == i) continue;
      entries.push_back({i, j, static_cast<T>(value)});
      sum[i] += std::abs(value);
      if (!symmetric) continue;
      entries.push_back({j, i, static_cast<T>(value)});
      sum[j] += std::abs(value);
    }
  for (Index i = 0; i < n; ++i) entries.push_back({i, i, static_cast<T>(sign * sum[i])});
  return Csr<T>::from_entries(n, entries);
}

template <class T>
void expect_solutions_of_rows(unsigned seed, double relative) {
  Random random(seed);
  const bool symmetric = random.integer(0, 1) == 0;
  const Csr<T> a = random_system<T>(random, symmetric);
  const std::vector<T> b = random.vector<T>(a.rows());
  std::vector<Method> methods{plain(), weighted(0.7), bicgstab(), anderson()};
  if (symmetric) methods.insert(methods.end(), {cg(), chebyshev({0.005, 2})});
  for (const Method& method : methods) {
    std::vector<T> free, rows;
    const Stop stop{.relative = relative};
    const Report r = solved<T>(products_of(a), method, b, free, stop, "serial");
    const Report right = solved<T>(a, method, b, rows, stop, "serial");
    ASSERT_TRUE(r.converged()) << method.name << ", seed " << seed << ": " << name(r.status) << notes_of(r);
    EXPECT_LE(a.residual_norms(b, free).l2, 1.1 * r.tolerance) << method.name << ", seed " << seed;
    EXPECT_NEAR(r.norm_initial, right.norm_initial, 1e-5 * right.norm_initial);
    EXPECT_FALSE(r.backward_error) << "|A| |x| is not known";
    double size = 0, error = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
      size = std::max(size, static_cast<double>(std::abs(rows[i])));
      error = std::max(error, static_cast<double>(std::abs(free[i] - rows[i])));
    }
    EXPECT_LE(error, 2e4 * relative * size) << method.name << ", seed " << seed;  // dominant by 0.1 at least
  }
}

TEST(MatrixFree, SolvesTwoHundredSystemsAsTheirRowsAreSolved) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    expect_solutions_of_rows<double>(seed, 1e-10);
    expect_solutions_of_rows<float>(seed, 1e-4);
  }
}

TEST(MatrixFree, ConjugateGradientsTakeAsManySweepsAsOnRows) {
  const Csr<double> a = test::symmetric_matrix(900, 3);
  const auto b = random_values<double>(900, -1, 1, 5);
  std::vector<double> x;
  const Index naive = test::naive_cg(a, b, 1e-8);
  const Report r = solved<double>(products_of(a), cg(), b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_NEAR(r.sweeps, naive, 1);
  EXPECT_EQ(r.rung, "products");
  EXPECT_NE(r.plan.find("preconditioned by the diagonal"), std::string::npos) << r.plan;
}

/// What "converged" costs: a product for each sweep, and a few to begin and to end with.
TEST(MatrixFree, ProductsAreFewerThanSixteenBesideTheSweeps) {
  const Csr<double> a = test::symmetric_matrix(900, 3);
  const std::vector<double> b(900, 1.0);
  for (const Method& method : {cg(), bicgstab(), anderson(), chebyshev({0.01, 2})}) {
    const auto counted = std::make_shared<Index>(0);
    const ProductsOf<double> products{a};
    std::vector<double> x(900), diagonal = products.diagonal();
    const MatrixFree<double> free(
        900, [&](auto in, auto out) { ++*counted, products.apply(in, out); }, diagonal);
    const Report r = Solver<double>(free, method).solve(b, x, {.check_every = 10});
    ASSERT_TRUE(r.converged()) << method.name;
    const Index renewals = r.sweeps / 10 + (method.name == "chebyshev" ? r.checks : 0);
    EXPECT_LT(*counted - r.sweeps - renewals, 16) << method.name;
    EXPECT_GT(*counted, r.sweeps) << method.name;  // the residual was computed from scratch
  }
}

TEST(MatrixFree, AStructWithProductsIsEnough) {
  const MatrixFree<double> a{Line{50}};
  const std::vector<double> b(50, 1.0);
  const Solution<double> found = solve(a, b);
  EXPECT_TRUE(found.report.converged());
  for (std::size_t i = 0; i < 50; ++i)  // t (51 - t) / 2
    EXPECT_NEAR(found.x[i], static_cast<double>((i + 1) * (50 - i)) / 2, 1e-4);
  EXPECT_EQ(multiply(a, found.x).size(), 50u);
}

/// A choice is made from estimates: a slow system by cg, where A looks symmetric, else by bicgstab.
TEST(MatrixFree, MethodAutoTakesWhatProductsAdvise) {
  std::vector<double> b(2000, 1.0);
  const Solution<double> slow = solve(MatrixFree<double>{Line{2000}}, b, {.max_sweeps = 5000});
  EXPECT_EQ(slow.report.method, "cg") << notes_of(slow.report);
  EXPECT_TRUE(slow.report.converged());
  const Csr<double> easy = whole_numbers<double>(2000, 1);
  const Solution<double> fast = solve(products_of(easy), b);
  EXPECT_TRUE(fast.report.converged()) << notes_of(fast.report);
  EXPECT_LE(easy.residual_norms(b, fast.x).l2, fast.report.tolerance);
  const Solution<double> skew = solve(products_of(test::skew_matrix(2000, 3)), b);
  EXPECT_EQ(skew.report.method, "bicgstab") << notes_of(skew.report);
}

TEST(MatrixFree, SolvesForSeveralRightHandSides) {
  const Csr<double> a = test::symmetric_matrix(300, 9);
  const Columns<double> b{random_values<double>(300, -1, 1, 1), random_values<double>(300, -1, 1, 2)};
  const Solutions<double> found = solve(products_of(a), b);
  ASSERT_EQ(found.report.columns.size(), 2u);
  for (std::size_t c = 0; c < 2; ++c)
    EXPECT_LE(a.residual_norms(b[c], found.x[c]).l2, found.report.columns[c].tolerance);
  EXPECT_FALSE(found.report.backward_error);
}

TEST(MatrixFree, TakesEveryNorm) {
  const MatrixFree<double> a{Line{40}};
  const std::vector<double> b(40, 1.0);
  for (const Norm norm :
       {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update, Norm::scaled_residual})
    for (const Method& method : {weighted(0.9), cg()}) {
      std::vector<double> x(40);
      const Report r = Solver<double>(a, method).solve(b, x, {.norm = norm});
      EXPECT_TRUE(r.converged()) << name(norm) << ", " << method.name;
      EXPECT_EQ(r.norm, norm);
    }
}

/// Rows in units far apart: the diagonal tells.
TEST(MatrixFree, TestsRowsInTheirOwnUnitsWhereTheDiagonalVaries) {
  const std::vector<Entry<double>> entries{{0, 0, 1e6}, {0, 1, 1e5}, {1, 0, 0.1}, {1, 1, 1}};
  const auto a = products_of(Csr<double>::from_entries(2, entries));
  std::vector<double> x(2);
  const Report r = Solver<double>(a, bicgstab()).solve(std::vector<double>{1e6, 1}, x);
  EXPECT_EQ(r.norm, Norm::scaled_residual);
  EXPECT_TRUE(r.converged());
}

/// What rounding of the products keeps a norm at is said to be rounding.
TEST(MatrixFree, StandsStillWhereProductsAreRounded) {
  const Csr<float> a = test::in_float(test::symmetric_matrix(300, 2));
  const std::vector<float> b(300, 1.0F);
  std::vector<float> x;
  const Report r =
      solved<float>(products_of(a), weighted(0.9), b, x, {.relative = 1e-9, .max_sweeps = 200000});
  EXPECT_EQ(r.status, Status::stagnated) << notes_of(r);
  EXPECT_LT(r.norm_final, 1e-4 * r.norm_initial);
}

TEST(MatrixFree, ATinyAndAHugeSystemAreSolvedInOtherUnits) {
  for (const double size : {1e-200, 1e200}) {
    std::vector<double> b(30, size), x;
    const Report r = solved<double>(MatrixFree<double>{Line{30}}, cg(), b, x);
    EXPECT_TRUE(r.converged()) << size;
    EXPECT_NEAR(x[0] / size, 15, 1e-6);
  }
}

TEST(MatrixFree, AForecastIsMeasured) {
  const MatrixFree<double> a{Line{3000}};
  const std::vector<double> b(3000, 1.0), x(3000);
  const Diagnosis d = diagnose<double>(a, b, x);
  const Forecast f = forecast<double>(a, d, choose(d), b, x, {}, backend("serial"));
  EXPECT_EQ(f.choice.plan.method.name, "cg");
  EXPECT_GT(f.seconds_per_sweep, 0);
  EXPECT_EQ(f.unknowns, 3000);
}

TEST(MatrixFree, SweepsAsAPreconditionerAreLinear) {
  const auto sweeper = backend("serial")->bind(Operator<double>(MatrixFree<double>{Line{4}}), Plan(plain()));
  Preconditioner<double> m(*sweeper, plain(), 1);
  std::vector<double> z(4);
  m.apply(std::vector<double>{2, 4, 6, 8}, z);
  EXPECT_EQ(z, (std::vector<double>{1, 2, 3, 4}));
}

/// One struct whose values change between solves.
TEST(MatrixFree, ValuesChangedReadsTheDiagonalAgain) {
  struct Scaled {
    const double* factor;
    std::size_t rows() const { return 3; }
    void apply(std::span<const double> x, std::span<double> y) const {
      for (std::size_t i = 0; i < 3; ++i) y[i] = *factor * x[i];
    }
    std::vector<double> diagonal() const { return std::vector<double>(3, *factor); }
  };
  double factor = 2;
  Solver<double> solver(MatrixFree<double>(Scaled{&factor}), Plan(plain()));
  std::vector<double> x(3);
  for (const double now : {2.0, 8.0}) {
    factor = now;
    solver.values_changed();
    std::ranges::fill(x, 0.0);
    EXPECT_EQ(solver.solve(std::vector<double>(3, 16.0), x).sweeps, 1);
    EXPECT_EQ(x[0], 16 / now);
  }
}

TEST(MatrixFree, TheDiagonalIsAskedForByAsManyProductsAsRows) {
  const Csr<double> a = test::symmetric_matrix(60, 5);
  const MatrixFree<double> free = without_diagonal(a), whole = free.with_diagonal();
  EXPECT_FALSE(free.knows_diagonal());
  ASSERT_TRUE(whole.knows_diagonal() && whole.asked_for_diagonal());
  for (Index i = 0; i < 60; ++i) EXPECT_EQ(whole.diagonal(i), a.diagonal(i));
  std::vector<double> x, right;
  const std::vector<double> b(60, 1.0);
  const Report asked = solved<double>(free, weighted(0.9), b, x);
  solved<double>(products_of(a), weighted(0.9), b, right);
  EXPECT_EQ(x, right);
  EXPECT_NE(notes_of(asked).find("it was asked for by 60 products"), std::string::npos) << notes_of(asked);
}

TEST(MatrixFree, ConjugateGradientsAndBiCgStabGoWithoutADiagonal) {
  const Csr<double> a = test::symmetric_matrix(1500, 5);
  const std::vector<double> b(1500, 1.0);
  for (const Method& method : {cg(), bicgstab()}) {
    std::vector<double> x;
    const Report r = solved<double>(without_diagonal(a), method, b, x);
    EXPECT_TRUE(r.converged()) << method.name;
    EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance);
    EXPECT_NE(r.plan.find("without a preconditioner"), std::string::npos) << r.plan;
    EXPECT_NE(notes_of(r).find("no diagonal was given"), std::string::npos);
  }
  const Solution<double> found = solve(without_diagonal(a), b);
  EXPECT_EQ(found.report.method, "cg");
  EXPECT_TRUE(found.report.converged());
}

}  // namespace
}  // namespace jacobi
