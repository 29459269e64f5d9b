/// The judge is judged: extended precision against closed forms and against what other tests rest on.
#include <gtest/gtest.h>

#include <cmath>

#include "honest/asks.hpp"
#include "honest/checks.hpp"
#include "honest/radius.hpp"
#include "jacobi/solver.hpp"
#include "unit/diagnosis_matrices.hpp"
#include "unit/stencil_dense.hpp"

namespace jacobi::honest {
namespace {

TEST(HonestReference, RootsAreRightFarBeyondTheRangeOfDouble) {
  Quad large = 3;
  for (int i = 0; i < 7; ++i) large *= static_cast<Quad>(1e300);
  for (const Quad v : {Quad(2), Quad(1e-300) * Quad(1e-300) * Quad(7), large}) {
    const Quad root = root_of(v);
    EXPECT_LT(in_double(size_of(root * root - v) / v), 1e-32);
  }
}

TEST(HonestReference, SolvesWhatDoubleCannot) {  // the Hilbert matrix of 10 rows: condition 1.6e13
  constexpr std::size_t n = 10;
  System s(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      s.at(i, j) = 1 / static_cast<Quad>(i + j + 1);
      s.b[i] += s.at(i, j) * static_cast<Quad>(j + 1);
    }
  const std::optional<Quads> x = solve(s);
  ASSERT_TRUE(x);
  for (std::size_t j = 0; j < n; ++j) EXPECT_NEAR(in_double((*x)[j]), static_cast<double>(j + 1), 1e-15);
  EXPECT_GT(least_pivot(s), 0);
  for (std::size_t j = 0; j < n; ++j) s.at(n - 1, j) = s.at(0, j) + s.at(1, j);
  EXPECT_FALSE(solve(s));
}

/// Not a symmetric one, whatever its units.
TEST(HonestReference, RadiiEncloseThoseOfADenseSolver) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const Index n = random.integer(1, 8);
    const std::vector<double> entries = Entries(random, n, Shape::general).take();
    const std::vector<double> units = draw_scale(random, n, true, 8);
    diagnosis_test::Rows rows(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(n)));
    std::vector<double> scaled = entries;
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < rows.size(); ++j) {
        rows[i][j] = entries[i * rows.size() + j];
        scaled[i * rows.size() + j] *= units[j];
      }
    const double right = diagnosis_test::jacobi_radius(diagnosis_test::matrix(rows));
    const System s = system_of(scaled, std::vector<double>(rows.size()));
    const Radius found = radius_of(s, s.centre, units, 12);
    EXPECT_LE(found.low, right * (1 + 1e-6) + 1e-3);  // triangles have one of 0, which no solver finds
    EXPECT_GE(found.high, right * (1 - 1e-6) - 1e-3);
    EXPECT_LE(found.high, found.low * 1.02 + 0.2);
  }
}

template <class T, int D>
void compare_with_dense(unsigned seed) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const test::RandomOperator<T, D> a(random, D == 3 ? 3 : 5, 1.1);
  const std::vector<T> b = random.vector<T>((*a).rows());
  const System s = system_of(*a, b);
  const test::DenseSystem right = test::dense(*a);
  const std::vector<double> folded = right.folded(b);
  for (std::size_t i = 0; i < s.n; ++i) {
    EXPECT_NEAR(in_double(s.b[i]), folded[i], 1e-13 * in_double(s.given[i]));
    EXPECT_EQ(in_double(s.centre[i]), right.diagonal[i]);
    for (std::size_t j = 0; j < s.n; ++j)
      EXPECT_NEAR(in_double(s.at(i, j)), right.at(i, j), 1e-14) << i << " " << j;
  }
}

TEST(HonestReference, GridsAreThoseOfTheDenseOracle) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    compare_with_dense<double, 1>(seed);
    compare_with_dense<double, 2>(seed);
    compare_with_dense<float, 3>(seed);
  }
}

/// A judge that lets everything pass is none: every number of a true report, bent, is found out.
TEST(HonestReference, FindsOutWhatIsFalse) {
  Random random(1);
  Problem<double> p;
  p.entries = {4, 1, 2, 5};
  p.b = {1, 2};
  p.x = {0, 0};
  p.a = Dense<double>::own(p.entries, 2);
  p.system = system_of(p.entries, p.b);
  const Stop stop{.relative = 1e-6, .norm = Norm::residual};
  std::vector<double> x = p.x;
  Report r = Solver<double>(*p.a, plain(), backend("serial")).solve(p.b, x, stop);
  const auto faults = [&](const Report& report, const std::vector<double>& at) {
    return Checks<double>(p, stop, report, at).run().size();
  };
  ASSERT_TRUE(r.converged());
  EXPECT_EQ(faults(r, x), 0u);
  EXPECT_GT(faults(r, {x[0] * 1.0001, x[1]}), 0u);
  const auto bent = [&](auto&& bend) {
    Report other = r;
    bend(other);
    return faults(other, x);
  };
  EXPECT_GT(bent([](Report& o) { o.tolerance *= 1.001; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.norm_final *= 1.001; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.norm_initial *= 1.001; }), 0u);
  EXPECT_GT(bent([](Report& o) { *o.residual_norm *= 1.001; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.status = Status::stagnated; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.status = Status::diverged; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.status = Status::not_finite; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.backward_error = 0.5; }), 0u);
  EXPECT_GT(bent([](Report& o) { o.notes.push_back("whose norm is -nan"); }), 0u);
  EXPECT_GT(bent([](Report& o) { o.notes.push_back("A is singular"); }), 0u);
}

}  // namespace
}  // namespace jacobi::honest
