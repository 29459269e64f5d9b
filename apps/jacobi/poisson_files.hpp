/// What commands on grids show of a solution: its error, a picture, a file for ParaView.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "axes.hpp"
#include "box.hpp"
#include "core/null_space.hpp"
#include "io/atomic_file.hpp"
#include "io/heatmap.hpp"
#include "io/vti.hpp"
#include "io/words.hpp"
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
  if (problem.a.singular()) shift = weighted_mean<T, D, double>(problem.a, exact);
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

/// As pictures need it: rows, or columns, of values at equal distances, linear between those of a box.
inline Plane with_equal_distances(const Plane& plane, const Box& box) {
  constexpr std::size_t most = 1001;  // of which pictures show each
  Plane result{{}, most, plane.ny == 1 ? 1 : most, plane.labels};
  struct Place {
    std::size_t from;
    double part;
  };
  const auto places = [&](int d, std::size_t count) {
    std::vector<Place> all;
    if (count == 1) return std::vector<Place>{{0, 0}};
    const std::vector<double> at = points_of(box, d);
    for (std::size_t i = 0; i < count; ++i) {
      const double x =
          at.front() + (at.back() - at.front()) * static_cast<double>(i) / static_cast<double>(count - 1);
      const auto q =
          std::clamp<Index>(std::ranges::upper_bound(at, x) - at.begin() - 1, 0, std::ssize(at) - 2);
      all.push_back({static_cast<std::size_t>(q), std::clamp((x - at[q]) / (at[q + 1] - at[q]), 0.0, 1.0)});
    }
    return all;
  };
  const auto between = [](double low, double high, double part) {
    return part == 0 ? low : part == 1 ? high : (1 - part) * low + part * high;
  };
  const std::vector<Place> xs = places(0, result.nx), ys = places(1, result.ny);
  for (const Place& y : ys)
    for (const Place& x : xs) {
      const auto row = [&](std::size_t j) {
        const auto first = plane.values.begin() + static_cast<Index>(j * plane.nx + x.from);
        return between(*first, x.part == 0 ? 0 : *(first + 1), x.part);
      };
      result.values.push_back(y.part == 0 ? row(y.from) : between(row(y.from), row(y.from + 1), y.part));
    }
  return result;
}

template <class T>
Plane plane_of(const PointField<T>& field, const Box& box, const std::string& title) {
  const std::size_t nx = box.points[0], ny = box.dimensions > 1 ? box.points[1] : 1;
  const std::size_t plane = box.dimensions == 3 ? static_cast<std::size_t>(box.points[2]) / 2 : 0;
  const auto from = field.values.begin() + static_cast<Index>(plane * nx * ny);
  std::string text = title;
  if (box.dimensions == 3)
    text += fmt::format(", plane z = {:.4g}", point_of(box, 2, static_cast<Index>(plane)));
  const auto last = [&](int d) {  // a periodic direction ends one spacing before its upper end
    return d < box.dimensions ? point_of(box, d, box.points[d] - 1) : box.upper[d];
  };
  Plane drawn{{from, from + static_cast<Index>(nx * ny)},
              nx,
              ny,
              {text, box.lower[0], last(0), box.lower[1], last(1)}};
  if (box.axes[0].empty() && box.axes[1].empty()) return drawn;
  drawn.labels.title += ", between points interpolated";
  return with_equal_distances(drawn, box);
}

/// A line per point: x, y, z as far as there are dimensions, and u.
template <class T>
void write_csv(const std::string& path, const PointField<T>& field, const Box& box) {
  const std::array<std::vector<double>, 3> at = places_of(box);
  io::write_atomically(path, [&](std::ostream& out) {
    for (int d = 0; d < box.dimensions; ++d) out << "xyz"[d] << ',';
    out << "u\n";
    std::size_t p = 0;
    for (const double z : at[2])
      for (const double y : at[1])
        for (const double x : at[0]) {
          const std::array<double, 3> place{x, y, z};
          for (int d = 0; d < box.dimensions; ++d) out << fmt::format("{},", place[d]);
          out << fmt::format("{}\n", field.values[p++]);
        }
  });
}

/// For ParaView and its kin.
template <class T, int D>
void write_vti(const std::string& path, const PointField<T>& field, const Box& box, const Stencil<T, D>& a) {
  if (io::lower_case(path).ends_with(".vtr")) {
    io::write_vtr<T>(path, field.values, places_of(box), "u");
    return;
  }
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
