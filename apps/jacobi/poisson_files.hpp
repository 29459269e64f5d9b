/// What commands on grids show of a solution: its error, a picture, a file for ParaView.
#pragma once
#include <fmt/format.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "box.hpp"
#include "io/heatmap.hpp"
#include "io/vti.hpp"
#include "problem.hpp"
#include "report.hpp"

namespace jacobi::cli {

/// Values that are not outside.
template <class T, int D>
std::vector<T> inside_of(const Problem<T, D>& problem, std::span<const T> x) {
  std::vector<T> inside(x.begin(), x.end());
  if (!problem.domain) return inside;
  inside.clear();
  for (Index p = 0; p < std::ssize(x); ++p)
    if (problem.domain->kind(p) != PointKind::outside) inside.push_back(x[p]);
  return inside;
}

/// The distance to the known solution at the unknowns, where there is one.
template <class T, int D>
std::optional<ErrorNorms> error_of(const Problem<T, D>& problem, std::span<const T> x) {
  if (!problem.exact) return {};
  const auto& exact = *problem.exact;
  if (problem.domain) {
    std::vector<T> same(exact.begin(), exact.end());
    problem.domain->finish(std::span<T>(same));  // which fixes the means that nothing else determines
    ErrorSum sum;
    for (Index p = 0; p < std::ssize(x); ++p)
      if (problem.domain->kind(p) == PointKind::unknown) sum.add(same[p], x[p]);
    return sum.norms();
  }
  double shift = 0;  // a singular problem determines u up to a constant: compare with mean 0
  if (problem.a.singular()) {
    double sum = 0, weights = 0;
    for (Index p = 0; p < problem.a.rows(); ++p) {
      sum += problem.a.weight(p) * exact[p];
      weights += problem.a.weight(p);
    }
    shift = sum / weights;
  }
  ErrorSum sum;
  for (std::size_t p = 0; p < exact.size(); ++p) sum.add(exact[p] - shift, x[p]);
  return sum.norms();
}

/// What the picture shows: a curve in 1D, the plane in 2D, the middle plane in 3D.
struct Plane {
  std::vector<double> values;
  std::size_t nx = 1, ny = 1;
  io::HeatmapLabels labels;
};

template <class T>
Plane plane_of(const PointField<T>& field, const Box& box, const std::string& title) {
  const std::size_t nx = box.points[0], ny = box.dimensions > 1 ? box.points[1] : 1;
  const std::size_t plane = box.dimensions == 3 ? static_cast<std::size_t>(box.points[2]) / 2 : 0;
  const auto from = field.values.begin() + static_cast<Index>(plane * nx * ny);
  std::string text = title;
  if (box.dimensions == 3)
    text += fmt::format(
        ", plane z = {:.4g}",
        box.lower[2] + (box.upper[2] - box.lower[2]) * static_cast<double>(plane) /
                           static_cast<double>(box.points[2] -
                                               (box.sides[2][0].kind == BoundaryKind::periodic ? 0 : 1)));
  const auto last = [&](int d) {  // a periodic direction ends one spacing before its upper end
    const double n = static_cast<double>(box.points[d]);
    return box.sides[d][0].kind == BoundaryKind::periodic
               ? box.lower[d] + (box.upper[d] - box.lower[d]) * (n - 1) / n
               : box.upper[d];
  };
  return {{from, from + static_cast<Index>(nx * ny)},
          nx,
          ny,
          {text, box.lower[0], last(0), box.lower[1], last(1)}};
}

/// For ParaView and its kin.
template <class T, int D>
void write_vti(const std::string& path, const PointField<T>& field, const Box& box, const Stencil<T, D>& a) {
  std::array<std::size_t, 3> points{1, 1, 1};
  std::array<double, 3> origin{}, spacing{1, 1, 1};
  for (int d = 0; d < D; ++d) {
    points[d] = box.points[d];
    origin[d] = box.lower[d];
    spacing[d] = a.grid().spacing[d];
  }
  io::write_vti<T>(path, field.values, points, origin, spacing, "u");
}

}  // namespace jacobi::cli
