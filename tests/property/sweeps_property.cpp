/// Sweeps of random operators against the definition, x <- x + omega D^-1 (b - A x), by a dense matrix.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "property/random_operator.hpp"
#include "unit/stencil_dense.hpp"

namespace jacobi {
namespace {

using test::Random;

/// n sweeps in double, and the largest number met.
std::vector<double> naive(const test::DenseSystem& m, const std::vector<double>& b, std::vector<double> x,
                          double omega, Index n, double& scale) {
  for (Index sweep = 0; sweep < n; ++sweep) {
    const auto step = m.over_diagonal(m.residual(b, x));
    for (std::size_t i = 0; i < m.rows; ++i) {
      scale = std::max({scale, std::abs(x[i]), std::abs(step[i])});
      x[i] += omega * step[i];
    }
  }
  return x;
}

template <class T>
std::vector<double> in_double(const std::vector<T>& v) {
  return {v.begin(), v.end()};
}

template <class T>
std::vector<T> swept(const Operator<T>& a, const Plan& plan, const std::string& where,
                     const std::vector<T>& b, std::vector<T> x, Index n) {
  Solver<T>(a, plan, backend(where)).solve(b, x, {.relative = 0, .max_sweeps = n});
  return x;
}

template <class T, int D>
void sweep_and_compare(unsigned seed) {
  SCOPED_TRACE(seed);
  Random random(seed);
  const test::RandomOperator<T, D> made(random, D == 1 ? 20 : D == 2 ? 12 : 6, random.real(1, 1.5));
  const Stencil<T, D>& a = *made;
  const auto b = random.vector<T>(static_cast<std::size_t>(a.rows()));
  const auto x = random.vector<T>(static_cast<std::size_t>(a.rows()));
  const Index n = random.integer(1, 25);
  const double omega = random.integer(0, 1) ? 1 : random.real(0.2, 1);
  const Plan plan = omega == 1 ? plain() : weighted(omega);
  const auto serial = swept<T>(a, plan, "serial", b, x, n);

  const auto m = test::dense(a);
  double scale = test::norms_of(m.over_diagonal(m.folded(b))).max;
  const auto expected = naive(m, in_double(b), in_double(x), omega, n, scale);
  const double eps = static_cast<double>(std::numeric_limits<T>::epsilon());
  const double bound = static_cast<double>(n) * (4 * D + 6) * eps * scale;
  for (std::size_t i = 0; i < m.rows; ++i)
    EXPECT_NEAR(static_cast<double>(serial[i]), expected[i], bound) << "unknown " << i << " after " << n;

  for (const char* where : {"threads:1", "threads:2", "threads:3", "threads:4"})
    EXPECT_EQ(swept<T>(a, plan, where, b, x, n), serial) << where;
}

template <class T>
void sweep_all() {
  for (unsigned seed = 0; seed < 30; ++seed) {
    sweep_and_compare<T, 1>(seed);
    sweep_and_compare<T, 2>(seed);
    sweep_and_compare<T, 3>(seed);
  }
}

TEST(Property, ThreadsSweepAsTheDenseDefinitionInDouble) { sweep_all<double>(); }
TEST(Property, ThreadsSweepAsTheDenseDefinitionInFloat) { sweep_all<float>(); }

TEST(Property, ThreadsShareALineOfManyPiecesAndGiveTheSameNorms) {
  const auto a = poisson<double, 1>({50'001});  // several pieces of a line
  Random random(3);
  const auto b = random.vector<double>(50'001);
  std::vector<std::vector<double>> results;
  std::vector<Report> reports;
  for (const char* where : {"serial", "threads:1", "threads:2", "threads:3", "threads:4"})
    for (const Norm norm : {Norm::update}) {
      std::vector<double> x(50'001);
      reports.push_back(Solver<double>(a, plain(), backend(where))
                            .solve(b, x, {.norm = norm, .max_sweeps = 50, .check_every = 5}));
      results.push_back(x);
    }
  for (std::size_t i = 1; i < results.size(); ++i) {
    EXPECT_EQ(results[i], results[0]);
    for (std::size_t j = 0; j < reports[0].history.size(); ++j)
      EXPECT_EQ(reports[i].history[j].norm, reports[0].history[j].norm) << i << ", " << j;
  }
}

}  // namespace
}  // namespace jacobi
