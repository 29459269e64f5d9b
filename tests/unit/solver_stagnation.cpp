/// Standing still is told from being slow.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "core/stagnation.hpp"
#include "jacobi/jacobi.hpp"
#include "unit/io_temporary.hpp"

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
    EXPECT_EQ(r.status, Status::stagnated) << name(norm);  // also where the update became 0
    EXPECT_GT(r.norm_final, r.tolerance);
    EXPECT_LT(r.sweeps, 100'000);
    EXPECT_LT(r.norm_final, 1e-10 * r.norm_initial);
  }
}

/// f = 1 on 65 x 65 points in float, until the update meets an absolute tolerance.
struct FloatUpdate {
  Stencil<float, 2> a = poisson<float, 2>({63, 63});
  std::vector<float> b = std::vector<float>(63 * 63, 1), x = std::vector<float>(63 * 63);

  Report solve(double tolerance, Norm norm, const Method& method, Index cadence) {
    x.assign(x.size(), 0);
    const Stop stop{
        .absolute = tolerance, .norm = norm, .reference = Reference::none, .check_every = cadence};
    return Solver<float>(a, method, backend("serial")).solve(b, x, stop);
  }
  double scaled_residual(Norm norm) const {
    const Norms norms = a.residual_norms(b, x, true);
    return norm == Norm::update ? norms.l2 : norms.max;
  }
};

TEST(Solver, TakesNoRoundedUpdateOfFloatForConvergence) {
  FloatUpdate problem;
  for (const Norm norm : {Norm::update, Norm::max_update})
    for (const Index cadence : {30, 1}) {
      const Report r = problem.solve(1e-9, norm, plain(), cadence);
      EXPECT_EQ(r.status, Status::stagnated) << name(norm);
      EXPECT_EQ(*r.update_norm, 0);  // which the sweeps saw below the tolerance
      EXPECT_DOUBLE_EQ(r.norm_final, problem.scaled_residual(norm));
      EXPECT_GT(r.norm_final, r.tolerance);
      EXPECT_EQ(r.history.back().norm, r.norm_final);
      EXPECT_LT(r.sweeps, 20'000);
      EXPECT_PRED2(io_test::contains, r.notes.at(0), "rounding in float");
      EXPECT_PRED2(io_test::contains, r.notes.at(0), "from scratch");
    }
}

TEST(Solver, MeetsAnUpdateToleranceOfFloatAlsoFromScratch) {
  FloatUpdate problem;
  int converged = 0;
  for (const double omega : {1.0, 0.8})
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 3e-7, 1.5e-7, 1e-7, 3e-8}) {
      const Report r = problem.solve(tolerance, Norm::update, omega == 1 ? plain() : weighted(omega), 1);
      converged += r.converged();
      EXPECT_EQ(r.converged(), problem.scaled_residual(Norm::update) <= tolerance) << tolerance;
      EXPECT_TRUE(r.converged() || r.status == Status::stagnated) << name(r.status);
    }
  EXPECT_GE(converged, 6);
  EXPECT_LE(converged, 12);
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
      EXPECT_LE(r.sweeps, n + 400);  // the next check
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
  EXPECT_PRED2(io_test::contains, r.notes.at(0), "does not contract");
}

/// Updates that meet the tolerance by rounding alone are refused sweep after sweep: looking back over many of
/// them each time would take minutes here.
TEST(Solver, DoesNotLookBackForEverAtTheRoundingFloor) {
  const auto a = poisson<float, 2>({58, 58});
  const std::vector<float> b(static_cast<std::size_t>(a.rows()), 1.0F);
  const Stop stop{.relative = 1e-5, .norm = Norm::max_update, .check_every = 1};
  std::vector<float> expected(b.size()), x(b.size());
  const Report right = Solver<float>(a, {plain(), "simd"}, backend("serial")).solve(b, expected, stop);
  const Report tiled = Solver<float>(a, {plain(), "tiled"}, backend("serial")).solve(b, x, stop);
  EXPECT_EQ(tiled.status, right.status);
  EXPECT_EQ(tiled.sweeps, right.sweeps);
  EXPECT_EQ(x, expected);
}

TEST(Solver, ObservesTheContractionOfWeightedUpdatesFromTheFirstOn) {
  const auto a = poisson<double, 2>({98, 98});
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
  std::vector<double> x(b.size());
  const Report r = Solver<double>(a, weighted(0.1), backend("serial"))
                       .solve(b, x, {.norm = Norm::update, .max_sweeps = 100, .check_every = 100});
  ASSERT_TRUE(r.contraction);
  EXPECT_GT(*r.contraction, 0.999);
}

/// D^-1 (D - A): `next` beside the diagonal, `back` from the last row to the first unknown.
Csr<double> cycle(Index n, double next, double back) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, 1.0});
    if (i + 1 < n) entries.push_back({i, i + 1, -next});
  }
  entries.push_back({n - 1, 0, -back});
  return Csr<double>::from_entries(n, entries);
}

TEST(Solver, WaitsForTheEndOfGrowthWhereItIsToldTo) {
  const Index n = 20;
  std::vector<Entry<double>> entries;  // upper triangular: the iteration matrix to the power n is zero
  std::vector<double> b;               // for a solution of ones
  for (Index i = 0; i < n; ++i) {
    for (Index j = i; j < n; ++j) entries.push_back({i, j, i == j ? 1.0 : 1e3});
    b.push_back(1 + 1e3 * static_cast<double>(n - 1 - i));
  }
  const auto solve = [&](const Stop& stop) {
    std::vector<double> x(b.size());
    return Solver<double>(Csr<double>::from_entries(n, entries), plain()).solve(b, x, stop);
  };
  EXPECT_EQ(solve({.check_every = 1}).status, Status::diverged);
  const Report r = solve({.growth = std::numeric_limits<double>::infinity(), .check_every = 1});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_LT(r.sweeps, 2 * n);
  EXPECT_EQ(solve({}).status, Status::converged);  // the early checks do not judge growth
  EXPECT_THROW(solve({.growth = 1}), UsageError);
}

TEST(Solver, KnowsTheRoundingFloorOfAMatrixThatAmplifies) {
  const Index n = 8;
  const double next = 30, back = std::pow(0.5, n) / std::pow(next, n - 1);  // spectral radius 1/2
  const Csr<double> a = cycle(n, next, back);
  std::vector<double> b(n), x(n);
  for (Index i = 0; i < n; ++i) b[i] = 1 / (3.0 + static_cast<double>(i));
  const Report r = Solver<double>(a, plain())
                       .solve(b, x,
                              {.relative = 1e-15,
                               .max_sweeps = 1'000'000,
                               .growth = std::numeric_limits<double>::infinity()});
  EXPECT_TRUE(r.status == Status::stagnated || r.status == Status::converged) << name(r.status);
  EXPECT_LT(r.sweeps, 100'000);
}

/// A method with inner products may let its norm rise and fall: the least one counts.
TEST(Stagnation, SeesThatTheLeastNormFallsNoMore) {
  const auto ends_at = [](auto&& norm_after) -> Index {
    Stagnation stagnation(nullptr, 1000);
    for (Index n = 100; n <= 4'000'000; n += 100) {
      stagnation.stands(n, norm_after(n), norm_after(n), [] { return 0.0; });
      if (stagnation.wanders(n)) return n;
    }
    return 0;
  };
  const auto wave = [](Index n) { return 2 + std::sin(static_cast<double>(n * n % 1009)); };
  EXPECT_GT(ends_at(wave), 0);
  EXPECT_LT(ends_at(wave), 40'000);
  EXPECT_EQ(ends_at([&](Index n) { return wave(n) * std::exp(-3e-6 * static_cast<double>(n)); }), 0);
  const Index late =
      ends_at([&](Index n) { return wave(n) + 1e3 * std::exp(-1e-4 * static_cast<double>(n)); });
  EXPECT_GT(late, 120'000) << "while it falls it does not wander";
}

}  // namespace
}  // namespace jacobi
