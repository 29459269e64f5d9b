/// The method that is chosen, and what happens where it does not do what was expected.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/walk.hpp"
#include "jacobi/distributed.hpp"
#include "jacobi/jacobi.hpp"
#include "random.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;

/// Solves with what choose() takes.
template <int D>
Report solved(const Stencil<double, D>& a, std::vector<double>& x, const Stop& stop = {}) {
  const std::vector<double> b(a.rows(), 1.0);
  x.resize(b.size());
  return solve<double>(choose(a, stop), x, stop, [&](const Plan& plan, const Stop& until) {
    return Solver<double>(a, plan).solve(b, x, until);
  });
}

TEST(Automatic, TakesMultigridOnAGrid) {
  std::vector<double> x;
  for (const double tolerance : {1e-4, 1e-8, 1e-12}) {
    std::ranges::fill(x, 0.0);
    const auto a = poisson<double, 2>({61, 90});
    const Report r = solved(a, x, {.relative = tolerance});
    EXPECT_EQ(r.status, Status::converged);
    EXPECT_EQ(r.method, "multigrid");
    EXPECT_LE(*r.cycles, 20) << tolerance;
    ASSERT_EQ(r.notes.size(), 1u);
    EXPECT_PRED2(contains, r.notes[0], "method auto: full multigrid");
    EXPECT_LE(a.residual_norms(std::vector<double>(x.size(), 1.0), x).l2, r.tolerance);
  }
}

/// -div(k grad u) where k is 1 but for discs that conduct better: multigrid hardly converges.
Stencil<double, 2> discs(Index n, double conductivity) {
  Grid<double, 2> grid;
  grid.unknowns = {n, n};
  grid.spacing = {1.0 / static_cast<double>(n + 1), 1.0 / static_cast<double>(n + 1)};
  std::vector<double> k(static_cast<std::size_t>((n + 2) * (n + 2)), 1.0);
  for (Index y = 0; y < n + 2; ++y)
    for (Index x = 0; x < n + 2; ++x)
      if ((x / 7 + y / 7) % 2 == 0) k[y * (n + 2) + x] = conductivity;
  return diffusion<double, 2>(grid, k);
}

/// A backend without cycles and inner products.
TEST(Automatic, TakesWhatTheBackendMakes) {
  const Methods sweeps_only{.multigrid = false, .products = false};
  const auto a = poisson<double, 2>({61, 90});
  const Choice by_bounds = choose(a, {}, sweeps_only);
  EXPECT_EQ(by_bounds.plan.method.name, "chebyshev");
  EXPECT_FALSE(by_bounds.plan.multigrid() || by_bounds.fallback);
  EXPECT_PRED2(contains, by_bounds.reason, "no multigrid");
  EXPECT_EQ(by_bounds.plan.method.rate, chebyshev(bounds(a)).rate);
  EXPECT_EQ(choose(a, {}, sweeps_only,
                   [] {
                     return Range{0.5, 2};
                   })
                .plan.method.rate,
            chebyshev({0.5, 2}).rate);
  const Choice estimated = choose(discs(64, 1e4), {}, sweeps_only);
  EXPECT_EQ(estimated.plan.method.name, "chebyshev");
  ASSERT_TRUE(estimated.fallback);
  EXPECT_EQ(estimated.fallback->method.name, "plain");
  const Choice cycles = choose(a, {}, {.multigrid = true, .products = false});
  EXPECT_TRUE(cycles.plan.multigrid());
  EXPECT_FALSE(cycles.fallback) << "which takes inner products";
}

/// Coefficients with the sign of the diagonal are no diffusion: neither cycles nor an order of modes fit
/// them.
TEST(Automatic, TakesProductsWhereNeighboursHaveTheSignOfTheDiagonal) {
  const Grid<double, 1> line = make_grid<double, 1>({42}, {0}, {1}, {});
  const auto a = Stencil<double, 1>::constant(line, 3.0, {1.0, 1.0});
  const Range range = bounds(a);
  EXPECT_NEAR(range.low, 1 - 2 * std::cos(std::numbers::pi / 41) / 3, 1e-12);
  EXPECT_NEAR(range.high, 1 + 2 * std::cos(std::numbers::pi / 41) / 3, 1e-12);
  std::vector<double> x;
  const Report r = solved(a, x, {.norm = Norm::residual});
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.method, "cg");
  EXPECT_EQ(choose(a, {}, {.multigrid = true, .products = false}).plan.method.name, "chebyshev");
  const auto indefinite = Stencil<double, 1>::constant(line, 1.5, {-1.0, -1.0});
  EXPECT_EQ(choose(indefinite, {}, {.multigrid = true, .products = false}).plan.method.name, "plain");
  const Grid<double, 2> grid = make_grid<double, 2>({11, 14}, {0, 0}, {1, 1}, {});
  const Range mixed = bounds(Stencil<double, 2>::constant(grid, 5.0, {-1.0, -1.0, 1.0, 1.0}));
  const double most = 2 * (std::cos(std::numbers::pi / 10) + std::cos(std::numbers::pi / 13)) / 5;
  EXPECT_NEAR(mixed.low, 1 - most, 1e-12);
  EXPECT_NEAR(mixed.high, 1 + most, 1e-12);
}

/// Some backends make products and no cycles.
TEST(Automatic, TakesProductsWhereThereAreNoCycles) {
  EXPECT_EQ(choose(poisson<double, 2>({61, 90}), {}, {.multigrid = false, .products = true}).plan.method.name,
            "cg");
}

/// Coefficients that vary and are not symmetric, on a backend of cycles alone.
TEST(Automatic, TakesNoCyclesOfWhatTheyDoNotSuitWhereThereAreNoProducts) {
  const auto like = poisson<double, 2>({9, 9});
  const std::vector<double> center(81, 4.0), west(81, -2.0), east(81, -0.5), across(81, -0.75);
  const auto a = Stencil<double, 2>::variable(like.grid(), center, {west, east, across, across});
  EXPECT_EQ(choose(a).plan.method.name, "bicgstab");
  const Choice choice = choose(a, {}, {.multigrid = true, .products = false});
  EXPECT_EQ(choice.plan.method.name, "chebyshev");
  EXPECT_FALSE(choice.plan.multigrid());
  EXPECT_PRED2(contains, choice.reason, "no symmetric diffusion, which multigrid needs, and this backend");
  ASSERT_TRUE(choice.fallback);
  EXPECT_EQ(choice.fallback->method.name, "plain");
}

/// Of whose matrix sweeps of every kind diverge.
TEST(Automatic, RefusesInWordsWhereOnlyProductsAreLeftAndThereAreNone) {
  constexpr int n = 60;
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<double> values;
  for (int i = 0; i < n; ++i) {
    for (const auto& [step, value] : {std::pair{0, 1.0}, {1, 2.0}, {7, -1.5}}) {
      columns.push_back((i + step) % n);
      values.push_back(value);
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  const auto a = Csr<double>::own(std::move(offsets), std::move(columns), std::move(values));
  const std::vector<double> b(n, 1.0);
  const Diagnosis d = diagnose<double>(a, b, std::vector<double>(n), {});
  EXPECT_EQ(choose(d).plan.method.name, "bicgstab");
  try {
    choose(d, {}, 1, {.multigrid = true, .products = false});
    FAIL() << "is not refused";
  } catch (const BackendError& error) {
    EXPECT_PRED2(contains, error.what(), "takes inner products, which this backend does not make");
    EXPECT_PRED2(contains, error.what(), "take backend 'threads'");
  }
}

TEST(Automatic, FallsBackOnceWithAWarning) {
  const auto a = discs(64, 1e4);
  std::vector<double> x;
  const Report r = solved(a, x, {.norm = Norm::residual});
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.method, "cg");
  ASSERT_GE(r.notes.size(), 2u);
  EXPECT_PRED2(contains, r.notes[0], "method auto: full multigrid");
  EXPECT_PRED2(contains, r.notes[1], "multigrid had not converged as expected after");
  EXPECT_PRED2(contains, r.notes[1], "method cg went on from the initial iterate");
  EXPECT_LE(a.residual_norms(std::vector<double>(x.size(), 1.0), x).l2, r.tolerance);
}

/// Plain sweeps keep the chequerboard of a grid that is periodic both ways, and stand there.
TEST(Automatic, GoesOnWhereSweepsStandFarAboveRounding) {
  Sides<double, 2> sides;
  for (auto& pair : sides)
    for (auto& side : pair) side.kind = BoundaryKind::periodic;
  const auto a = poisson(make_grid<double, 2>({16, 16}, {0, 0}, {1, 1}, sides));
  std::vector<double> b = test::random_values<double>(a.rows(), -1, 1, 3), x(a.rows());
  double mean = 0;
  for (const double value : b) mean += value / static_cast<double>(b.size());
  for (double& value : b) value -= mean;
  const Report r = solve<double>({plain(), "", 100'000, Plan(bicgstab())}, x, {.relative = 1e-8},
                                 [&](const Plan& plan, const Stop& stop) {
                                   return Solver<double>(a, plan, backend("serial")).solve(b, x, stop);
                                 });
  EXPECT_TRUE(r.converged()) << name(r.status) << " " << r.norm_final;
  EXPECT_EQ(r.method, "bicgstab");
}

/// Runs that end as they are told.
struct Told {
  std::vector<Status> statuses;
  std::vector<Plan> plans = {};
  std::vector<Stop> stops = {};
  std::vector<double> starts = {};
  double end = 0;
  Reference reference = Reference::rhs;  ///< said by each report
  double backward_error = 1e-9, stands_at = 1e-9;

  Report run(const Plan& plan, const Stop& stop, std::vector<double>& x) {
    plans.push_back(plan);
    stops.push_back(stop);
    starts.push_back(x[0]);
    Report r;
    r.status = statuses.at(plans.size() - 1);
    r.method = plan.method.name;
    r.reference = reference;
    r.sweeps = std::min<Index>(stop.max_sweeps, 50);
    r.seconds = 3;
    r.lups = plans.size() == 1 ? 20 : 30;
    r.tolerance = r.status == Status::stagnated ? 1e-12 : 1e-3;
    r.norm_initial = 10;
    r.norm_final = r.status == Status::diverged ? 1e9 : r.status == Status::stagnated ? stands_at : 5;
    r.backward_error = backward_error;
    x[0] = 6 + static_cast<double>(plans.size());
    return r;
  }
  Report solve(const Choice& choice, const Stop& stop) {
    std::vector<double> x{2};
    const Report r =
        jacobi::solve<double>(choice, x, stop, [&](const Plan& p, const Stop& s) { return run(p, s, x); });
    end = x[0];
    return r;
  }
};

const Choice by_two = {plain(), "why", 50, Plan(cg())};

TEST(Automatic, GoesOnFromTheIterateAndWithWhatIsLeftOfTheLimits) {
  Told told{{Status::sweep_limit, Status::converged}};
  const Report r =
      told.solve(by_two, {.reference = Reference::initial, .max_sweeps = 120, .max_seconds = 10});
  ASSERT_EQ(told.plans.size(), 2u);
  EXPECT_EQ(told.stops[0].max_sweeps, 50);
  EXPECT_EQ(told.stops[1].max_sweeps, 70);
  EXPECT_EQ(told.stops[1].max_seconds, 7);
  EXPECT_EQ(told.stops[1].reference, Reference::none);
  EXPECT_EQ(told.stops[1].absolute, 1e-3);
  EXPECT_EQ(told.starts, (std::vector<double>{2, 7}));
  EXPECT_EQ(r.method, "cg");
  EXPECT_EQ(r.seconds, 6);
  EXPECT_EQ(r.lups, 25);
  EXPECT_EQ(r.seconds_setup, 0);
  EXPECT_EQ(r.sweeps, 100);
  EXPECT_EQ(r.norm_initial, 10);
  EXPECT_EQ(told.end, 8);
}

TEST(Automatic, KeepsTheToleranceThatARightHandSideOfZeroGave) {
  Told told{{Status::sweep_limit, Status::converged}};
  told.reference = Reference::initial;
  told.solve(by_two, {});
  ASSERT_EQ(told.stops.size(), 2u);
  EXPECT_EQ(told.stops[1].reference, Reference::none);
  EXPECT_EQ(told.stops[1].absolute, 1e-3);
}

TEST(Automatic, ReturnsTheBetterIterateOfTheTwo) {
  Told told{{Status::sweep_limit, Status::diverged}};
  const Report r = told.solve(by_two, {});
  EXPECT_EQ(r.status, Status::diverged);
  EXPECT_EQ(told.end, 7);
  EXPECT_EQ(r.norm_final, 5);
  EXPECT_PRED2(contains, r.notes.back(), "the iterate before it is returned");
}

TEST(Automatic, StartsAnewWhereTheFirstMethodDiverged) {
  Told told{{Status::diverged, Status::converged}};
  const Report r = told.solve(by_two, {});
  EXPECT_EQ(told.starts, (std::vector<double>{2, 2}));
  EXPECT_PRED2(contains, r.notes[1], "diverged after 50 sweeps");
  EXPECT_PRED2(contains, r.notes[1], "from the initial iterate");
}

/// Where every row is solved to its rounding no other method helps, however large the norm is.
TEST(Automatic, StaysWhereRoundingHoldsTheNorm) {
  for (const double error : {1e-15, 1e-13}) {
    Told told{{Status::stagnated, Status::converged}};
    told.stands_at = 1e-3;
    told.backward_error = error;
    const Report r = told.solve(by_two, {});
    EXPECT_EQ(told.plans.size(), error < 2e-15 ? 1u : 2u);
    EXPECT_EQ(r.status, error < 2e-15 ? Status::stagnated : Status::converged);
  }
}

TEST(Automatic, NeverTriesAThirdTimeNorWhereTheLimitIsTheUsers) {
  Told twice{{Status::breakdown, Status::breakdown}};
  EXPECT_EQ(twice.solve(by_two, {}).status, Status::breakdown);
  EXPECT_EQ(twice.plans.size(), 2u);
  for (const Status status : {Status::converged, Status::interrupted, Status::time_limit, Status::stagnated,
                              Status::not_finite, Status::sweep_limit}) {
    Told once{{status}};
    EXPECT_EQ(once.solve(by_two, {.max_sweeps = 50}).status, status);
    EXPECT_EQ(once.plans.size(), 1u) << name(status);
  }
}

TEST(Automatic, SweepsOnceForOneUnknown) {
  std::vector<double> x;
  const Report r = solved(poisson<double, 2>({1, 1}), x);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.sweeps, 1);
}

TEST(Automatic, SweepsWhereTheOperatorIsNoDiffusion) {
  const auto a = tridiagonal<double>(40, -1, 3, -1.5);
  std::vector<double> x;
  const Report r = solved(a, x);
  EXPECT_EQ(r.status, Status::converged);
  EXPECT_EQ(r.method, "plain");
}

}  // namespace
}  // namespace jacobi
