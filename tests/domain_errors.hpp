/// Errors of solutions that are known, over grids that become finer.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "core/walk.hpp"
#include "jacobi/domain.hpp"

namespace jacobi::test {

/// The slope of log(error) over log(h) that fits best.
inline double fitted_order(const std::vector<double>& h, const std::vector<double>& error) {
  const auto n = static_cast<double>(h.size());
  double x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double a = std::log(h[i]), b = std::log(error[i]);
    x += a;
    y += b;
    xx += a * a;
    xy += a * b;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

/// Of a ball of radius 0.4 in the unit box, points outside at 0 or insulated: u = (R^2 - r^2) / (2 D), or
/// cos(pi r / R) less its mean. Errors are root mean squares.
template <int D>
double order_of(const std::vector<Index>& interior, bool insulated) {
  constexpr double radius = 0.4, pi = std::numbers::pi;
  std::vector<double> spacing, errors;
  for (const Index n : interior) {
    PerDirection<Index, D> size;
    size.fill(n);
    const Stencil<double, D> box = poisson<double, D>(size);
    DomainPoints<double> points;
    points.insulated = insulated;
    std::vector<double> b, right;
    walk(box.grid(), [&](Index, const PerDirection<Index, D>& at) {
      double square = 0;
      for (int d = 0; d < D; ++d) square += std::pow(box.grid().coordinate(d, at[d]) - 0.5, 2);
      const double r = std::sqrt(square), s = pi / radius;
      points.kinds.push_back(r < radius ? PointKind::unknown : PointKind::outside);
      right.push_back(insulated ? std::cos(s * r) : (radius * radius - square) / (2 * D));
      b.push_back(!insulated ? 1
                  : r == 0   ? D * s * s
                             : s * s * std::cos(s * r) + (D - 1) * s * std::sin(s * r) / r);
    });
    const Domain<double, D> domain(box, std::move(points));
    Stop stop;
    stop.relative = 1e-10;
    stop.project_rhs = true;
    const auto found = solve(domain, b, stop);
    domain.finish(right);
    double sum = 0;
    for (Index p = 0; p < box.rows(); ++p)
      if (domain.kind(p) == PointKind::unknown) sum += std::pow(found.x[p] - right[p], 2);
    spacing.push_back(box.grid().spacing[0]);
    errors.push_back(std::sqrt(sum / static_cast<double>(domain.unknowns())));
  }
  return fitted_order(spacing, errors);
}

}  // namespace jacobi::test
