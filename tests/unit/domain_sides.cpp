/// Robin sides are of second order, and parts of sides are as good as sides.
#include <gtest/gtest.h>

#include <cmath>

#include "core/walk.hpp"
#include "domain_errors.hpp"
#include "jacobi/domain.hpp"

namespace jacobi::test {
namespace {

/// u = the sum over d of sin((d + 1) x_d + 0.3), whose derivatives are written down.
double sum_of_sines(std::span<const double> x) {
  double sum = 0;
  for (std::size_t d = 0; d < x.size(); ++d) sum += std::sin(static_cast<double>(d + 1) * x[d] + 0.3);
  return sum;
}

template <int D>
PerDirection<double, D> place(const Grid<double, D>& grid, const PerDirection<Index, D>& at) {
  PerDirection<double, D> x;
  for (int d = 0; d < D; ++d) x[d] = grid.coordinate(d, at[d]);
  return x;
}

/// With du/dn + alpha u = beta on all sides, alpha from side to side another one and growing along it; k = 3
/// as diffusion() takes it, where asked.
template <int D>
double error_of_robin(Index points, bool diffuses) {
  PerDirection<Index, D> n;
  n.fill(points);
  PerDirection<double, D> lower{}, upper;
  upper.fill(1);
  Sides<double, D> sides;
  for (auto& pair : sides) pair[0].kind = pair[1].kind = BoundaryKind::neumann;
  const Grid<double, D> grid = make_grid<double, D>(n, lower, upper, sides);
  const double k = diffuses ? 3 : 1;
  const std::vector<double> ks(static_cast<std::size_t>(grid.rows()), k);
  const Stencil<double, D> box = diffuses ? diffusion<double, D>(grid, ks) : poisson(grid);
  DomainPoints<double> robin;
  for (int side = 0; side < 2 * D; ++side) {
    const int d = side / 2;
    std::vector<double> alpha, beta;
    for (Index s = 0; s < box.side_points(side); ++s) {
      const auto x = place(grid, position(grid, box.side_unknown(side, s)));
      const double slope = (d + 1) * std::cos((d + 1) * x[d] + 0.3);
      alpha.push_back(side + x[(d + 1) % D]);
      beta.push_back(k * (side % 2 == 0 ? -slope : slope) + alpha.back() * sum_of_sines(x));
    }
    add_robin<double, D>(box, side, alpha, beta, robin);
  }
  std::vector<double> b, right;
  walk(grid, [&](Index, const PerDirection<Index, D>& at) {
    const auto x = place(grid, at);
    right.push_back(sum_of_sines(x));
    double f = 0;
    for (int d = 0; d < D; ++d) f += k * (d + 1) * (d + 1) * std::sin((d + 1) * x[d] + 0.3);
    b.push_back(f);
  });
  Stop stop;
  stop.relative = 1e-11;
  const auto found = solve(Domain<double, D>(box, std::move(robin)), b, stop);
  EXPECT_TRUE(found.report.converged());
  EXPECT_LE(found.report.cycles.value_or(99), D == 3 ? 14 : 11);
  double worst = 0;
  for (Index p = 0; p < grid.rows(); ++p) worst = std::max(worst, std::abs(found.x[p] - right[p]));
  return worst;
}

template <int D>
void expect_robin_of_second_order(const std::vector<Index>& grids) {
  for (const bool diffuses : {false, true}) {
    std::vector<double> h, errors;
    for (const Index n : grids) {
      h.push_back(1 / static_cast<double>(n - 1));
      errors.push_back(error_of_robin<D>(n, diffuses));
    }
    EXPECT_NEAR(fitted_order(h, errors), 2, 0.1) << D;
  }
}

TEST(DomainSides, RobinIsOfSecondOrderIn1D) { expect_robin_of_second_order<1>({17, 29, 47, 81, 129}); }
TEST(DomainSides, RobinIsOfSecondOrderIn2D) { expect_robin_of_second_order<2>({17, 25, 37, 57, 81}); }
TEST(DomainSides, RobinIsOfSecondOrderIn3D) { expect_robin_of_second_order<3>({9, 13, 17, 23, 31}); }

}  // namespace
}  // namespace jacobi::test
