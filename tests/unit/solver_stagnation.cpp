/// Standing still is told from being slow.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

using std::numbers::pi;

template <class T>
Report stagnate(double relative, Norm norm) {
  const auto a = poisson<T, 2>({23, 17});
  std::vector<T> b(a.rows()), x(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<T>(1 + std::sin(static_cast<double>(i * i)));
  return Solver<T>(a, plain(), backend("serial")).solve(b, x, {.relative = relative, .norm = norm});
}

TEST(Solver, SaysStagnatedAtTheRoundingFloor) {
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update}) {
    const Report r = stagnate<double>(1e-20, norm);
    // an update may also become 0 exactly, which meets every tolerance
    if (r.norm_final > 0) {
      EXPECT_EQ(r.status, Status::stagnated) << name(norm);
    }
    EXPECT_LT(r.sweeps, 100'000);
    EXPECT_LT(r.norm_final, 1e-10 * r.norm_initial);
  }
  EXPECT_EQ(stagnate<double>(1e-20, Norm::residual).status, Status::stagnated);
}

TEST(Solver, SaysStagnatedInFloatForAToleranceOfDouble) {
  const Report r = stagnate<float>(1e-12, Norm::residual);
  EXPECT_EQ(r.status, Status::stagnated);
  EXPECT_GT(r.norm_final, r.tolerance);
  EXPECT_LT(r.norm_final, 1e-3 * r.norm_initial);
}

/// Contraction 1 - 1e-6 per sweep.
template <class T>
Report creep(bool smooth, Norm norm) {
  const Index n = 2220;
  const auto a = poisson<T, 1>({n});
  std::vector<T> b(n), x(n);
  for (Index i = 0; i < n; ++i) b[i] = static_cast<T>(smooth ? std::sin(pi * a.grid().coordinate(0, i)) : 1);
  return Solver<T>(a, plain(), backend("serial")).solve(b, x, {.norm = norm, .max_sweeps = 30'000});
}

TEST(Solver, DoesNotCallSlownessStagnation) {
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update})
    for (const bool smooth : {true, false}) {
      const Report r = creep<double>(smooth, norm);
      EXPECT_EQ(r.status, Status::sweep_limit) << name(norm) << smooth;
      EXPECT_EQ(r.sweeps, 30'000);
    }
  const Report r = creep<double>(true, Norm::residual);
  ASSERT_TRUE(r.contraction.has_value());
  EXPECT_NEAR(1 - *r.contraction, 1e-6, 2e-9);
}

TEST(Solver, DoesNotCallSlownessStagnationInFloat) {
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_update}) {
    const Report r = creep<float>(true, norm);
    EXPECT_EQ(r.status, Status::sweep_limit) << name(norm);
    EXPECT_EQ(r.sweeps, 30'000);
  }
}

TEST(Solver, DoesNotCallSlownessStagnationAtALargeCadence) {
  const auto a = poisson<double, 1>({2220});
  std::vector<double> b(2220, 1.0), x(2220);
  const Report r = Solver<double>(a, plain(), backend("serial"))
                       .solve(b, x, {.norm = Norm::max_residual, .max_sweeps = 30'000, .check_every = 1000});
  EXPECT_EQ(r.status, Status::sweep_limit);
}

TEST(Solver, WaitsForTransportToArrive) {
  const Index n = 3000;
  const auto a = tridiagonal<double>(n, -1, 1, 0);
  for (const Norm norm : {Norm::residual, Norm::update, Norm::max_residual, Norm::max_update})
    for (const Index cadence : {0, 1}) {
      std::vector<double> b(n), x(n);
      b[0] = 1;  // the update is one unit vector that wanders through
      const Report r =
          Solver<double>(a, plain(), backend("serial")).solve(b, x, {.norm = norm, .check_every = cadence});
      EXPECT_EQ(r.status, Status::converged) << name(norm) << cadence;
      EXPECT_GE(r.sweeps, n);
      EXPECT_LT(r.sweeps, n + 200);
      EXPECT_EQ(x, std::vector<double>(n, 1.0));
    }
}

TEST(Solver, WaitsForTransportInTwoDimensions) {
  const auto a = pentadiagonal<double>({900, 3}, -1, 1, 0, 0, 0);
  std::vector<double> b(a.rows()), x(a.rows());
  b[900] = 1;
  const Report r = Solver<double>(a, plain(), backend("serial")).solve(b, x);
  EXPECT_EQ(r.status, Status::converged);
}

TEST(Solver, SaysStagnatedForAnIterationThatOscillatesForEver) {
  const auto a = tridiagonal<double>(2, -1, 1, -1);  // D^-1 R swaps the two unknowns: radius 1
  std::vector<double> b{1, -1}, x{0.5, 3};
  const Report r = Solver<double>(a, plain(), backend("serial")).solve(b, x, {.max_sweeps = 1'000'000});
  EXPECT_EQ(r.status, Status::stagnated);
}

}  // namespace
}  // namespace jacobi
