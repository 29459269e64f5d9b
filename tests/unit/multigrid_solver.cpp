/// Multigrid as a plan of the solver: how fast, how accurate, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "core/asked.hpp"
#include "core/executed.hpp"
#include "jacobi/jacobi.hpp"
#include "random.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using std::numbers::pi;

constexpr Multigrid v_cycle{2, 1, 1, false};
using enum BoundaryKind;
using Kinds = std::array<BoundaryKind, 2>;
constexpr Kinds all_kinds[] = {{dirichlet, dirichlet},
                               {neumann, neumann},
                               {periodic, periodic},
                               {dirichlet, neumann},
                               {neumann, dirichlet}};

template <class T, int D>
Sides<T, D> sides_of(const std::array<Kinds, D>& kinds) {
  Sides<T, D> sides;
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e) sides[d][e].kind = kinds[d][e];
  return sides;
}

/// Largest factor by which one of `count` cycles after the first two multiplies the residual.
template <class T, int D>
double worst_factor(const Stencil<T, D>& a, const Multigrid& cycle = v_cycle, int count = 6,
                    unsigned seed = 1) {
  const Plan plan = multigrid(a, cycle);
  const auto sweeper = backend("serial")->bind(Operator<T>(a), plan);
  const std::vector<T> b(a.rows());
  std::vector<T> x = test::random_values<T>(a.rows(), -1, 1, seed);
  sweeper->load(b, x);
  std::vector<Step> steps;
  for (Index n = 0; n < cycle.pre + cycle.post; ++n) steps.push_back(plan.method.step(n, {}));
  double worst = 0, before = 0;
  for (int c = 0; c < count + 2; ++c) {
    const double here = sweeper->advance(steps, Want::residual).l2;
    if (c > 1 && before > 0) worst = std::max(worst, here / before);
    before = here;
  }
  return worst;
}

TEST(Multigrid, ConvergesAlikeForEveryNumberOfUnknowns) {
  for (Index n = 2; n <= 70; ++n) EXPECT_LT(worst_factor(poisson<double, 2>({n, n})), 0.3) << n;
  for (const auto& [nx, ny] : {std::pair<Index, Index>{5, 1000}, {1000, 5}, {1, 300}, {97, 31}, {256, 255}})
    EXPECT_LT(worst_factor(poisson<double, 2>({nx, ny})), 0.35) << nx << " x " << ny;
}

TEST(Multigrid, ConvergesAlikeForEveryKindOfSides) {
  for (const Kinds& x : all_kinds)
    for (const Kinds& y : all_kinds)
      for (const Index n : {33, 36}) {
        const auto grid = make_grid<double, 2>({n, n + 7}, {0, 0}, {1, 1.2}, sides_of<double, 2>({x, y}));
        EXPECT_LT(worst_factor(poisson(grid)), 0.33) << n << ", kinds " << &x - all_kinds << &y - all_kinds;
      }
}

TEST(Multigrid, ConvergesInOneAndThreeDimensionsAndInFloat) {
  EXPECT_LT(worst_factor(poisson<double, 1>(std::array<Index, 1>{1000})), 0.25);
  for (const Index n : {15, 24}) EXPECT_LT(worst_factor(poisson<double, 3>({n, n + 1, n})), 0.45) << n;
  EXPECT_LT(worst_factor(poisson<float, 2>({63, 60}), v_cycle, 3), 0.3);
  EXPECT_LT(worst_factor(poisson<float, 3>({15, 20, 17}), v_cycle, 3), 0.45);
}

TEST(Multigrid, WCyclesAndMoreSmoothingConvergeFaster) {
  const auto a = poisson<double, 2>({64, 64});
  const double v = worst_factor(a);
  EXPECT_LT(worst_factor(a, {2, 1, 2, false}), v);
  EXPECT_LT(worst_factor(a, {3, 2, 1, false}), 0.8 * v);
}

TEST(Multigrid, CoarsensOnlyStrongDirections) {
  for (const double strength : {1000.0, 30.0, 3.0, 2.1, 1.5, 1e-3})
    for (const bool last : {false, true}) {
      Grid<double, 2> grid = unit_grid<double, 2>({70, 61});
      grid.spacing[last ? 1 : 0] *= std::sqrt(strength);
      EXPECT_LT(worst_factor(poisson(grid)), 0.42) << strength;
    }
  Grid<double, 3> grid = unit_grid<double, 3>({20, 21, 22});
  grid.spacing[1] /= 30;
  grid.spacing[2] *= 30;
  EXPECT_LT(worst_factor(poisson(grid)), 0.42);
  grid.sides =
      sides_of<double, 3>({Kinds{periodic, periodic}, Kinds{neumann, neumann}, Kinds{dirichlet, neumann}});
  EXPECT_LT(worst_factor(poisson(grid)), 0.42);
}

TEST(Multigrid, SolvesABatchInOneDirection) {
  const auto a = batch(poisson<double, 1>(std::array<Index, 1>{100}), 7);
  EXPECT_LT(worst_factor(a), 0.25);
}

TEST(Multigrid, SolvesOnCoefficientsOfEitherSign) {
  const auto a = Stencil<double, 2>::constant(unit_grid<double, 2>({30, 31}), -4.5, {1, 1, 1, 1});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  const Report r = Solver<double>(a, multigrid(a), backend("serial")).solve(b, x, {.relative = 1e-10});
  EXPECT_TRUE(r.converged());
  EXPECT_LE(a.residual_norms(b, x).l2, 1e-10 * a.rhs_norms(b, false).l2);
}

/// Errors of u = f(coordinates) for -laplacian u + reaction u: after one full cycle, and converged.
struct Errors {
  double once = 0, converged = 0;
};
template <int D>
Errors errors_of(const std::array<Kinds, D>& kinds, Index points, double reaction) {
  std::array<Index, D> n;
  std::array<double, D> low, high;
  for (int d = 0; d < D; ++d) {
    n[d] = points + 3 * d;
    low[d] = 0;
    high[d] = 1;
  }
  Sides<double, D> sides = sides_of<double, D>(kinds);
  const auto u = [](const std::array<double, D>& at) {
    double value = 1;
    for (int d = 0; d < D; ++d) value *= std::sin(2 * pi * at[d] + 0.5 + d);
    return value;
  };
  const auto slope = [](const std::array<double, D>& at, int d) {  // du/d(at[d])
    double value = 2 * pi;
    for (int e = 0; e < D; ++e)
      value *= e == d ? std::cos(2 * pi * at[e] + 0.5 + e) : std::sin(2 * pi * at[e] + 0.5 + e);
    return value;
  };
  const Grid<double, D> bare = make_grid<double, D>(n, low, high, sides);
  std::vector<double> exact, b;
  std::array<Index, D> at{};
  for (Index p = 0; p < bare.rows(); ++p) {
    std::array<double, D> x;
    for (int d = 0; d < D; ++d) x[d] = bare.coordinate(d, at[d]);
    exact.push_back(u(x));
    b.push_back((4 * D * pi * pi + reaction) * u(x));
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        if (at[d] != (e == 0 ? 0 : bare.unknowns[d] - 1) || kinds[d][e] == periodic) continue;
        auto side = x;
        side[d] = e;
        sides[d][e].values.push_back(kinds[d][e] == dirichlet ? u(side) : (e == 0 ? -1 : 1) * slope(side, d));
      }
    for (int d = 0; d < D && ++at[d] == bare.unknowns[d]; ++d) at[d] = 0;
  }
  const auto a = poisson<double, D>(make_grid<double, D>(n, low, high, sides), reaction);
  Errors errors;
  Solver<double> solver(a, multigrid(a), backend("serial"));
  for (double* error : {&errors.once, &errors.converged}) {
    std::vector<double> x(b.size());
    Stop stop{.relative = 1e-10};
    if (error == &errors.once) stop.max_sweeps = 3;
    const Report r = solver.solve(b, x, stop);
    EXPECT_EQ(r.converged(), error != &errors.once);
    for (std::size_t p = 0; p < x.size(); ++p) *error = std::max(*error, std::abs(x[p] - exact[p]));
  }
  return errors;
}

template <int D>
void expect_second_order(const std::array<Kinds, D>& kinds, Index points) {
  const Errors coarse = errors_of<D>(kinds, points, 1), fine = errors_of<D>(kinds, 2 * points, 1);
  EXPECT_NEAR(std::log2(coarse.converged / fine.converged), 2, 0.35)
      << "kinds of x " << int(kinds[0][0]) << int(kinds[0][1]);
  EXPECT_LT(fine.once, (D < 3 ? 2.6 : 8) * fine.converged) << "one full cycle is near discretisation error";
}

TEST(Multigrid, IsAccurateToSecondOrderForEveryKindOfSides) {
  for (const Kinds& x : all_kinds) {
    expect_second_order<1>({x}, 32);
    for (const Kinds& y : all_kinds) expect_second_order<2>({x, y}, 32);
    expect_second_order<3>({x, Kinds{dirichlet, neumann}, Kinds{periodic, periodic}}, 16);
  }
}

/// k of the point (x, y) at all grid points, boundary included.
template <class Field>
Stencil<double, 2> diffusion_of(Index n, Field&& k) {
  std::vector<double> values;
  for (Index j = 0; j < n + 2; ++j)
    for (Index i = 0; i < n + 2; ++i)
      values.push_back(k(static_cast<double>(i) / static_cast<double>(n + 1),
                         static_cast<double>(j) / static_cast<double>(n + 1)));
  return diffusion<double, 2>(unit_grid<double, 2>({n, n}), values);
}

TEST(Multigrid, ConvergesWhereCoefficientsVary) {
  for (const Index n : {63, 64, 100}) {
    const auto smooth = [](double x, double y) { return std::exp(4 * std::sin(6 * x) * std::cos(5 * y)); };
    EXPECT_LT(worst_factor(diffusion_of(n, smooth)), 0.7) << n << ", by a factor of 3000";
    const auto half = [](double x, double) { return x > 0.5 ? 1e4 : 1.0; };
    EXPECT_LT(worst_factor(diffusion_of(n, half), v_cycle, 20), 0.87) << n << ", jump across a line";
    const auto hole = [](double x, double y) { return std::hypot(x - 0.5, y - 0.5) < 0.3 ? 1e-4 : 1.0; };
    EXPECT_LT(worst_factor(diffusion_of(n, hole), v_cycle, 20), 0.87) << n << ", a disc that conducts less";
    const auto disc = [](double x, double y) { return std::hypot(x - 0.5, y - 0.5) < 0.3 ? 1e4 : 1.0; };
    EXPECT_LT(worst_factor(diffusion_of(n, disc), v_cycle, 20), 1.001) << n << ", slow, but no divergence";
  }
}

TEST(Multigrid, SolvesSingularProblemsUpToTheirMean) {
  for (const Kinds& kinds : {all_kinds[1], all_kinds[2]})
    for (const Index n : {32, 37}) {
      const auto a =
          poisson(make_grid<double, 2>({n, n}, {0, 0}, {1, 1}, sides_of<double, 2>({kinds, kinds})));
      ASSERT_TRUE(a.singular());
      std::vector<double> b(a.rows()), x(a.rows(), 3.0);
      for (Index p = 0; p < a.rows(); ++p)
        b[p] = std::cos(2 * pi * a.grid().coordinate(0, p % n)) *
               std::cos(2 * pi * a.grid().coordinate(1, p / n));
      const Report r = Solver<double>(a, multigrid(a), backend("serial")).solve(b, x, {.relative = 1e-9});
      EXPECT_TRUE(r.converged()) << name(r.status);
      EXPECT_LE(r.sweeps, 3 * 16);
      double sum = 0;
      for (Index p = 0; p < a.rows(); ++p) sum += a.weight(p) * x[p];
      EXPECT_NEAR(sum, 0, 1e-11 * static_cast<double>(a.rows()));
      for (Index p = 0; p < a.rows(); ++p) EXPECT_NEAR(x[p], b[p] / (8 * pi * pi), 2e-4);
    }
}

TEST(Multigrid, ReportsCyclesAndWork) {
  const auto a = poisson<double, 2>({127, 127});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  const Report r = Solver<double>(a, multigrid(a, v_cycle), backend("serial")).solve(b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.method, "multigrid");
  EXPECT_EQ(r.rung, "multigrid");
  ASSERT_TRUE(r.cycles && r.work);
  EXPECT_EQ(3 * *r.cycles, r.sweeps);
  EXPECT_EQ(*r.cycles, r.checks) << "tested after every cycle";
  EXPECT_LE(*r.cycles, 13);
  EXPECT_NEAR(*r.work / static_cast<double>(*r.cycles), 4 * 4.0 / 3 + 1, 0.2)
      << "3 sweeps and a residual on all grids, and a residual measured";
  EXPECT_PRED2(contains, r.plan, "V(2,1) cycles on 7 grids, from 16129 unknowns to 1");
}

TEST(Multigrid, FullCyclesNeedFewer) {
  const auto a = poisson<double, 2>({127, 127});
  std::vector<double> b(a.rows(), 1.0), x(a.rows()), y(a.rows());
  const Report full = Solver<double>(a, multigrid(a), backend("serial")).solve(b, x);
  const Report plain = Solver<double>(a, multigrid(a, v_cycle), backend("serial")).solve(b, y);
  EXPECT_LE(*full.cycles + 2, *plain.cycles);
  EXPECT_GT(*full.work / static_cast<double>(*full.cycles), *plain.work / static_cast<double>(*plain.cycles));
  for (double& value : x) value += 1e-3;  // full cycles start from any iterate
  EXPECT_LE(*Solver<double>(a, multigrid(a), backend("serial")).solve(b, x).cycles + 2, *plain.cycles);
}

TEST(Multigrid, KeepsToLimitsOfSweepsAndCanGoBack) {
  const auto a = poisson<double, 2>({40, 41});
  const std::vector<double> b(a.rows(), 1.0), zero(a.rows());
  const Plan plan = multigrid(a);
  std::vector<double> x(a.rows()), y(a.rows());
  const Report r =
      Solver<double>(a, plan, backend("serial")).solve(b, x, {.relative = 1e-14, .max_sweeps = 8});
  EXPECT_EQ(r.status, Status::sweep_limit);
  EXPECT_EQ(r.sweeps, 8);
  EXPECT_EQ(r.cycles, 2);
  const auto sweeper = backend("serial")->bind(Operator<double>(a), plan);
  std::vector<Step> steps;
  for (Index n = 0; n < 8; ++n) steps.push_back(plan.method.step(n, {}));
  sweeper->load(b, zero);
  sweeper->save();
  sweeper->advance(std::span(steps).first(3), Want::nothing);
  sweeper->restore();
  EXPECT_EQ(sweeper->executed().sweeps, 0);
  sweeper->advance(std::span(steps).first(3), Want::update);
  sweeper->advance(std::span(steps).subspan(3), Want::nothing);
  sweeper->store(y);
  EXPECT_EQ(x, y) << "two cycles and two sweeps, however they are asked for";
}

TEST(Multigrid, MeasuresWhatItReached) {
  Grid<double, 2> grid = unit_grid<double, 2>({40, 33});
  grid.sides[0][1] = {neumann, {0.5}};
  grid.sides[1][0].values = {2.0};
  std::vector<double> k(41 * 35);
  for (std::size_t p = 0; p < k.size(); ++p) k[p] = 1 + 0.5 * std::sin(0.1 * static_cast<double>(p));
  for (const auto& a : {poisson(grid), diffusion<double, 2>(grid, k)}) {
    const Plan plan = multigrid(a);
    const auto sweeper = backend("serial")->bind(Operator<double>(a), plan);
    const std::vector<double> b(a.rows(), 1.0);
    std::vector<double> x(a.rows(), 0.25), before(a.rows());
    sweeper->load(b, x);
    const auto expect_right = [&](const Norms& here, const Norms& there) {
      EXPECT_NEAR(here.l2, there.l2, 1e-10 * there.l2);
      EXPECT_NEAR(here.max, there.max, 1e-10 * there.max);
    };
    expect_right(sweeper->norms(Want::residual), a.residual_norms(b, x));
    std::vector<Step> steps;
    for (Index n = 0; n < 3; ++n) steps.push_back(plan.method.step(n, {}));
    const Norms residual = sweeper->advance(steps, Want::residual);
    sweeper->store(x);
    expect_right(residual, a.residual_norms(b, x));
    expect_right(sweeper->norms(Want::correction), a.residual_norms(b, x, true));
    sweeper->store(before);
    const Norms update = sweeper->advance(std::span(steps).first(1), Want::update);
    sweeper->store(x);
    Norms moved;
    for (Index p = 0; p < a.rows(); ++p) {
      moved.l2 += (x[p] - before[p]) * (x[p] - before[p]);
      moved.max = std::max(moved.max, std::abs(x[p] - before[p]));
    }
    moved.l2 = std::sqrt(moved.l2);
    expect_right(update, moved);
    expect_right(sweeper->norms(Want::update), moved);
  }
}

std::string refusal(const Operator<double>& a, const Plan& plan) {
  return message_of<UsageError>([&] { backend("serial")->bind(a, plan); });
}

TEST(Multigrid, RefusesInWordsWhatItCannotDo) {
  const auto a = poisson<double, 2>({20, 20});
  const auto with = [&](const Multigrid& cycle) {
    Plan plan{weighted(0.8)};
    plan.by = cycle;
    return plan;
  };
  EXPECT_PRED2(contains, refusal(a, with({-1, 1})), "0 to 64 before");
  EXPECT_PRED2(contains, refusal(a, with({2, 0})), "1 to 64 after");
  EXPECT_PRED2(contains, refusal(a, with({2, 1, 3})), "3 visits");
  Plan plan = with({});
  EXPECT_PRED2(contains, message_of<UsageError>([&] { name_rung(plan, "simd"); }), "rung 'simd'");
  plan = with({});
  plan.method = chebyshev(bounds(a));
  EXPECT_PRED2(contains, refusal(a, plan), "three-term");
  EXPECT_PRED2(contains, refusal(pentadiagonal<double>({9, 9}, -1, 4, -0.5, -1, -1), with({})),
               "not symmetric");
  EXPECT_PRED2(contains, refusal(pentadiagonal<double>({9, 9}, 1, 4, 1, -1, -1), with({})), "no diffusion");
  EXPECT_PRED2(contains, refusal(pentadiagonal<double>({9, 9}, -1, 3.9, -1, -1, -1), with({})), "indefinite");
  EXPECT_THROW(chebyshev_weights({0, 2}, 3), UsageError);
  EXPECT_THROW(chebyshev_weights({0.5, 2}, 0), UsageError);
}

TEST(Multigrid, SolvesForOneUnknownInOneCycle) {
  const auto a = poisson<double, 2>({1, 1});
  const std::vector<double> b{3};
  std::vector<double> x(1);
  const Report r = Solver<double>(a, multigrid(a)).solve(b, x, {});
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(*r.cycles, 1);
}

/// What couples one unknown to its two sides need not be equal.
TEST(Multigrid, SolvesForOneUnknown) {
  std::vector<double> k(9);
  for (std::size_t p = 0; p < k.size(); ++p) k[p] = 1 + 0.5 * static_cast<double>(p);
  const auto a = diffusion<double, 2>(unit_grid<double, 2>({1, 1}), k);
  std::vector<double> b{3}, x{0};
  EXPECT_TRUE(Solver<double>(a, multigrid(a), backend("serial")).solve(b, x).converged());
  EXPECT_NEAR(x[0] * a.center(0), 3, 1e-7);
}

TEST(Multigrid, TakesSparseMatricesThatAreGridsAndRefusesOthers) {
  std::vector<Entry<double>> entries;
  constexpr Index n = 50;
  for (Index i = 0; i < n; ++i)
    for (const Index j : {i - 1, i, i + 1})
      if (j >= 0 && j < n) entries.push_back({i, j, i == j ? 2.0 : -1.0});
  Plan plan{weighted(2.0 / 3)};
  plan.by = v_cycle;
  std::vector<double> b(n, 1.0), x(n);
  const Report r = Solver<double>(Csr<double>::from_entries(n, entries), plan).solve(b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.rung, "multigrid");
  entries.push_back({0, 30, -0.1});
  EXPECT_PRED2(contains,
               message_of<UsageError>([&] { Solver<double>(Csr<double>::from_entries(n, entries), plan); }),
               "multigrid is for grids");
}

}  // namespace
}  // namespace jacobi
