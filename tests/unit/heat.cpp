/// Steps in time against exact solutions: orders, stability, what is conserved, what is refused.
#include "jacobi/heat.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "random.hpp"
#include "unit/heat.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi::test {
namespace {

using io_test::contains;
using io_test::message_of;
using std::numbers::pi;

constexpr double half_wave = 2 * pi * pi;  // eigenvalue of sin(pi x) sin(pi y)

template <int D>
std::vector<double> half_waves(const Grid<double, D>& grid) {
  std::vector<double> u(static_cast<std::size_t>(grid.rows()), 1);
  walk(grid, [&](Index p, const Position<D>& at) {
    for (int d = 0; d < D; ++d) u[p] *= std::sin(pi * grid.coordinate(d, at[d]));
  });
  return u;
}

double largest(const std::vector<double>& u) {
  double most = 0;
  for (const double value : u) most = std::max(most, std::abs(value));
  return most;
}

/// The slope of log(error) over log(size), by least squares.
double order_of(const std::vector<double>& sizes, const std::vector<double>& errors) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const double x = std::log(sizes[i]), y = std::log(errors[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/// Order in time, against the exact solution in time of the equations on one grid.
double order_in_time(const HeatOptions& o, const std::vector<Index>& counts, double end) {
  const auto a = poisson<double, 2>({15, 15});
  const std::vector<double> u = half_waves(a.grid()), f(u.size());
  const double h = 1.0 / 16, s = std::sin(pi * h / 2), eigenvalue = 8 * s * s / (h * h);
  std::vector<double> sizes, errors;
  for (const Index count : counts) {
    Heat<double, 2> heat(a, f, u, end / static_cast<double>(count), o, backend("serial"));
    EXPECT_TRUE(heat.run(count).finished());
    EXPECT_NEAR(heat.time(), end, 1e-15);
    const std::vector<double> x = heat.u();
    const double exact = std::exp(-eigenvalue * end);
    double error = 0;
    for (std::size_t p = 0; p < u.size(); ++p) error = std::max(error, std::abs(x[p] - exact * u[p]));
    sizes.push_back(end / static_cast<double>(count));
    errors.push_back(error);
  }
  return order_of(sizes, errors);
}

TEST(Heat, IsOfOrderOneInTimeByEuler) {
  EXPECT_NEAR(order_in_time(explicit_euler(), {400, 800, 1600}, 0.1), 1, 0.1);
  EXPECT_NEAR(order_in_time(theta(1), {100, 200, 400}, 0.1), 1, 0.1);
}

TEST(Heat, IsOfOrderTwoInTimeByCrankNicolson) {
  EXPECT_NEAR(order_in_time(theta(0.5), {10, 20, 40, 80}, 0.1), 2, 0.1);
}

/// u = U + exp(-2 pi^2 t) times half waves, U = x (1 - x) y (1 - y) + 1 on the sides and for ever.
TEST(Heat, IsOfOrderTwoInSpace) {
  std::vector<double> sizes, errors;
  for (const Index n : {7, 15, 31, 63}) {
    Grid<double, 2> grid = unit_grid<double, 2>({n, n});
    for (auto& pair : grid.sides)
      for (auto& side : pair) side.values = {1};
    const auto a = poisson(grid);
    std::vector<double> u = half_waves(grid), f(u.size()), exact(u.size());
    const double h = grid.spacing[0], end = 0.05;
    const Index count = 2 * (n + 1);
    walk(grid, [&](Index p, const Position<2>& at) {
      const double x = grid.coordinate(0, at[0]), y = grid.coordinate(1, at[1]);
      const double steady = 1 + x * (1 - x) * y * (1 - y);
      f[p] = 2 * (x * (1 - x) + y * (1 - y));
      exact[p] = steady + std::exp(-half_wave * end) * u[p];
      u[p] += steady;
    });
    Heat<double, 2> heat(a, f, u, end / static_cast<double>(count), {}, backend("threads:2"));
    EXPECT_TRUE(heat.run(count).finished());
    const std::vector<double> x = heat.u();
    double error = 0;
    for (std::size_t p = 0; p < x.size(); ++p) error = std::max(error, std::abs(x[p] - exact[p]));
    sizes.push_back(h);
    errors.push_back(error);
  }
  EXPECT_NEAR(order_of(sizes, errors), 2, 0.1);
}

/// u = exp(-t) g, g = 2 + cos(pi x): k = (1 + x) / 20 and the c for which that solves without f.
TEST(Heat, IsOfOrderTwoInSpaceWhereCoefficientsVary) {
  std::vector<double> sizes, errors;
  for (const bool is_explicit : {false, true}) {
    sizes.clear(), errors.clear();
    for (const Index n : {17, 33, 65}) {
      Sides<double, 1> sides;
      for (auto& side : sides[0]) side.kind = BoundaryKind::neumann;
      const auto grid = make_grid<double, 1>({n}, {0}, {1}, sides);
      std::vector<double> k(n), c(n), u(n);
      const std::vector<double> f(n);
      for (Index i = 0; i < n; ++i) {
        const double x = grid.coordinate(0, i), g = 2 + std::cos(pi * x);
        k[i] = (1 + x) / 20;
        c[i] = 1 + (-k[i] * pi * pi * std::cos(pi * x) - pi * std::sin(pi * x) / 20) / g;
        u[i] = g;
      }
      const auto a = diffusion<double, 1>(grid, k, c);
      const Index count = is_explicit ? (n - 1) * (n - 1) : n - 1;
      Heat<double, 1> heat(a, f, u, 0.5 / static_cast<double>(count),
                           is_explicit ? explicit_euler() : HeatOptions{});
      EXPECT_TRUE(heat.run(count).finished());
      const std::vector<double> x = heat.u();
      double error = 0;
      for (Index i = 0; i < n; ++i) error = std::max(error, std::abs(x[i] - std::exp(-0.5) * u[i]));
      sizes.push_back(grid.spacing[0]);
      errors.push_back(error);
    }
    EXPECT_NEAR(order_of(sizes, errors), 2, 0.1) << is_explicit;
  }
}

/// With points outside at 0, against the exponential of the matrix.
TEST(Heat, FollowsTheExponentialOfTheMatrixInAMask) {
  const auto box = poisson<double, 2>({9, 8});
  DomainPoints<double> points;
  Random dice(3);
  for (Index p = 0; p < box.rows(); ++p)
    points.kinds.push_back(dice.integer(0, 3) == 0 ? PointKind::outside : PointKind::unknown);
  const Domain<double, 2> domain(box, points);
  const auto& a = domain.a();
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(a.rows(), a.rows());
  walk(a.grid(), [&](Index p, const Position<2>& at) {
    matrix(p, p) = a.center(p);
    for (int k = 0; k < 4; ++k)
      if (const Index q = neighbour(a.grid(), p, at, k); q >= 0) matrix(p, q) += a.off(k, p);
  });
  std::vector<double> u = dice.vector<double>(a.rows(), 0, 1);
  const std::vector<double> f(u.size());
  domain.start(u);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solved(matrix);
  const double end = 0.02;
  const Eigen::VectorXd exact =
      solved.eigenvectors() *
      ((-end * solved.eigenvalues().array()).exp().matrix().asDiagonal() *
       (solved.eigenvectors().transpose() * Eigen::Map<const Eigen::VectorXd>(u.data(), a.rows())));
  std::vector<double> errors;
  for (const Index count : {100, 200}) {
    Heat<double, 2> heat(domain, f, u, end / static_cast<double>(count));
    EXPECT_TRUE(heat.run(count).finished());
    const std::vector<double> x = heat.u();
    double error = 0;
    for (Index p = 0; p < a.rows(); ++p)
      if (domain.kind(p) == PointKind::unknown)
        error = std::max(error, std::abs(x[p] - exact[p]));
      else
        EXPECT_TRUE(std::isnan(x[p]));
    errors.push_back(error);
  }
  EXPECT_LT(errors[0], 1e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4, 0.2);
}

TEST(Heat, RefusesAnExplicitStepThatIsTooLarge) {
  const auto a = poisson<double, 2>({31, 20});
  const std::vector<double> u = random_values<double>(a.rows(), -1, 1, 1), f(u.size());
  const StableStep most = largest_step(a);
  EXPECT_TRUE(most.exact);
  Heat<double, 2> heat(a, f, u, most.step, explicit_euler());
  heat.run(5000);
  EXPECT_LE(largest(heat.u()), 40);  // what is left is the fastest mode, of the size that it began with
  const std::string refusal =
      message_of<UsageError>([&] { Heat<double, 2>(a, f, u, 1.05 * most.step, explicit_euler()); });
  EXPECT_TRUE(contains(refusal, "too large for explicit Euler"));
  const std::size_t at = refusal.find("here is ");
  ASSERT_NE(at, refusal.npos);
  const double named = std::stod(refusal.substr(at + 8));
  EXPECT_LE(named, most.step);
  EXPECT_NEAR(named, most.step, 1e-5 * most.step);
  Heat<double, 2>(a, f, u, named, explicit_euler());

  // a twentieth more is unstable indeed
  const auto sweeper = backend("serial")->bind(Operator<double>(a), weighted(0.5));
  sweeper->load(f, u);
  sweeper->advance(std::vector<Step>(500, Step{1.05 * most.step * a.center(0), 1}), Want::nothing);
  std::vector<double> grown(u.size());
  sweeper->store(grown);
  EXPECT_GT(largest(grown), 1e6);
}

TEST(Heat, TakesGershgorinsBoundWhereCoefficientsVary) {
  const auto grid = unit_grid<double, 1>({30});
  std::vector<double> k(32);
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = i < 16 ? 1 : 50;
  const auto a = diffusion<double, 1>(grid, k);
  const StableStep most = largest_step(a);
  EXPECT_FALSE(most.exact);
  const std::vector<double> u = random_values<double>(a.rows(), -1, 1, 1), f(u.size());
  Heat<double, 1> heat(a, f, u, most.step, explicit_euler());
  heat.run(20000);
  EXPECT_LE(largest(heat.u()), 1);
  EXPECT_TRUE(
      contains(message_of<UsageError>([&] { Heat<double, 1>(a, f, u, 1.01 * most.step, explicit_euler()); }),
               "Gershgorin"));
}

template <class T>
void expect_conserved(const HeatOptions& o, double dt, double allowed) {
  Sides<T, 2> sides;
  for (auto& side : sides[0]) side.kind = BoundaryKind::neumann;
  for (auto& side : sides[1]) side.kind = BoundaryKind::periodic;
  const auto grid = make_grid<T, 2>({33, 24}, {0, 0}, {1, 2}, sides);
  std::vector<T> k = random_values<T>(grid.rows(), 0.5, 2, 3);
  const std::vector<T> u = random_values<T>(grid.rows(), 0, 1, 1), f(u.size());
  for (const auto& a : {poisson(grid), diffusion<T, 2>(grid, k)}) {
    Heat<T, 2> heat(a, f, u, dt, o);
    const HeatReport r = heat.run(200);
    EXPECT_TRUE(r.finished());
    EXPECT_NEAR(r.content_initial, 1, 0.1);  // the mean 1/2 on an area of 2
    EXPECT_NEAR(r.content_final, r.content_initial, allowed * r.content_initial);
    EXPECT_EQ(r.content_final, heat.content());
  }
}

TEST(Heat, ConservesHeatToRounding) {
  expect_conserved<double>(explicit_euler(), 5e-5, 1e-13);
  expect_conserved<double>(theta(0.5), 1e-3, 1e-14);
  expect_conserved<double>(theta(1), 1e-2, 1e-14);
  expect_conserved<float>(explicit_euler(), 5e-5, 1e-5);
  expect_conserved<float>(theta(0.5), 1e-3, 1e-5);
}

/// Two insulated rooms, one of which is heated, and a point by itself.
TEST(Heat, KeepsTheHeatOfEachInsulatedPart) {
  Sides<double, 2> sides;
  for (auto& pair : sides)
    for (auto& side : pair) side.kind = BoundaryKind::neumann;
  const auto grid = make_grid<double, 2>({21, 11}, {0, 0}, {2, 1}, sides);
  DomainPoints<double> points;
  points.insulated = true;
  points.kinds.assign(grid.rows(), PointKind::outside);
  std::vector<double> u(grid.rows()), f(grid.rows());
  double wanted[2] = {0, 0}, size[2] = {0, 0};
  const auto a = poisson(grid);
  const Index alone = 5 * 21 + 10;
  walk(grid, [&](Index p, const Position<2>& at) {
    if (at[0] == 9 || at[0] == 10 || at[0] == 11) return;
    points.kinds[p] = PointKind::unknown;
    const int room = at[0] > 10;
    u[p] = grid.coordinate(1, at[1]);
    f[p] = room;
    wanted[room] += a.weight(p) * (u[p] + 0.5 * f[p]);
    size[room] += a.weight(p);
  });
  points.kinds[alone] = PointKind::unknown;
  u[alone] = 7;
  const Domain<double, 2> domain(a, points);
  EXPECT_EQ(domain.pockets().size(), 3U);
  for (const HeatOptions& o : {explicit_euler(), theta(0.5)}) {
    Heat<double, 2> heat(domain, f, u, 0.001, o);
    EXPECT_TRUE(heat.run(500).finished());
    const std::vector<double> x = heat.u();
    double found[2] = {0, 0};
    walk(grid, [&](Index p, const Position<2>& at) {
      if (points.kinds[p] == PointKind::unknown && p != alone) found[at[0] > 10] += a.weight(p) * x[p];
    });
    for (int room : {0, 1}) EXPECT_NEAR(found[room] / size[room], wanted[room] / size[room], 1e-12);
    EXPECT_NEAR(x[alone], 7, 1e-9);
    EXPECT_TRUE(std::isnan(x[alone + 1]));
  }
}

/// Where nothing changes any more, the tolerance of a step is that of rounding.
TEST(Heat, StandsStillAtTheSteadyState) {
  const auto in_float = poisson<float, 2>({60, 60});
  const std::vector<float> f(in_float.rows(), 1.0F), u(f.size());
  Heat<float, 2> heat(in_float, f, u, 0.05, theta(1));
  const HeatReport in_float_report = heat.run(100);
  EXPECT_TRUE(in_float_report.finished()) << to_text(in_float_report);
  const auto in_double = poisson<double, 2>({60, 60});
  const std::vector<double> fd(f.size(), 1.0), ud(f.size());
  Heat<double, 2> exact(in_double, fd, ud, 0.05, theta(1));
  EXPECT_TRUE(exact.run(200).finished());
  const Solution<double> steady = solve(in_double, fd);
  const std::vector<double> x = exact.u();
  const std::vector<float> xf = heat.u();
  for (std::size_t p = 0; p < x.size(); ++p) {
    EXPECT_NEAR(x[p], steady.x[p], 1e-8);
    EXPECT_NEAR(xf[p], steady.x[p], 1e-5);
  }
}

TEST(Heat, FollowsAStepTolerance) {
  const auto a = poisson<double, 2>({31, 31});
  const std::vector<double> u = half_waves(a.grid()), f(u.size());
  const double h = 1.0 / 32, s = std::sin(pi * h / 2), eigenvalue = 8 * s * s / (h * h), end = 0.512;
  std::vector<double> errors;
  std::vector<Index> steps;
  for (const double tolerance : {1e-4, 1e-6}) {
    HeatOptions o;
    o.step_tolerance = tolerance;
    Heat<double, 2> heat(a, f, u, end / 64, o);
    const HeatReport r = heat.run(64);
    EXPECT_TRUE(r.finished());
    EXPECT_NEAR(r.time, end, 1e-14);
    const double exact = std::exp(-eigenvalue * end);
    errors.push_back(std::abs(largest(heat.u()) / largest(u) / exact - 1));
    steps.push_back(r.steps);
    EXPECT_LT(errors.back(), tolerance * static_cast<double>(r.steps));
  }
  EXPECT_GT(steps[1], 2 * steps[0]);
  EXPECT_LT(errors[1], errors[0] / 10);
}

}  // namespace
}  // namespace jacobi::test
