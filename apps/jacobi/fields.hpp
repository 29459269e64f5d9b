/// Values on grids, from formulas or files.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "box.hpp"
#include "core/walk.hpp"
#include "expression.hpp"
#include "io/npy.hpp"
#include "io/vanished.hpp"
#include "jacobi/error.hpp"
#include "named.hpp"

namespace jacobi::cli {

/// Also of what is refused by name.
inline bool is_file(const std::string& text) {
  return text.ends_with(".png") || text.ends_with(".npy") || text.ends_with(".npy.gz") ||
         text.ends_with(".npz");
}

/// The box of all points, Dirichlet sides included, and where its unknowns start.
template <class T, int D>
struct AllPoints {
  AllPoints(const Grid<T, D>& unknowns, const Box& box) : grid(unknowns) {
    for (int d = 0; d < D; ++d) {
      grid.unknowns[d] = box.points[d];
      grid.origin[d] = box.lower[d];
      grid.axes[d].first = 0;
      first[d] = unknowns.sides[d][0].kind == BoundaryKind::dirichlet ? 1 : 0;
    }
  }
  Index index(const Position<D>& unknown) const {
    Index p = 0;
    for (int d = D - 1; d >= 0; --d) p = p * grid.unknowns[d] + unknown[d] + first[d];
    return p;
  }
  Grid<T, D> grid;
  Position<D> first{};
};

/// The points of side k: one layer at the end of the box.
template <class T, int D>
Grid<T, D> face_of(Grid<T, D> grid, const Box& box, int k) {
  grid.unknowns[k / 2] = 1;
  grid.origin[k / 2] = k % 2 == 0 ? box.lower[k / 2] : box.upper[k / 2];
  grid.axes[k / 2].at.clear();
  return grid;
}

template <class T, int D>
std::array<double, 3> coordinates(const Grid<T, D>& grid, const Position<D>& at) {
  std::array<double, 3> point{};
  for (int d = 0; d < D; ++d) point[d] = grid.coordinate(d, at[d]);
  return point;
}

template <class V, class T, int D>
std::vector<V> evaluate(const Grid<T, D>& grid, const char* option, const std::string& text,
                        std::optional<double> time = {}) {
  Expression formula(option, text, D, time);
  std::vector<V> values(static_cast<std::size_t>(grid.rows()));
  io::Vanished<V> look;
  walk(grid, [&](Index p, const Position<D>& at) {
    const double value = formula(coordinates(grid, at));
    values[p] = static_cast<V>(value);
    look.add(value, values[p]);
    if (!std::isfinite(values[p]))
      throw InputError(
          fmt::format("{} '{}' overflows single precision at point {}", option, text, grid.name(p)));
  });
  if (const std::string fault = look.fault(); !fault.empty())
    throw InputError(fmt::format("{} '{}': {}", option, text, fault));
  return values;
}

template <class T, int D>
std::vector<std::size_t> shape_of(const Grid<T, D>& grid) {
  return {grid.unknowns.rbegin(), grid.unknowns.rend()};
}

inline std::string shape_in_words(const std::vector<std::size_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

inline io::NpyArray finite_array(const std::string& path) {
  io::NpyArray array = io::read_npy(path);
  const auto bad =
      std::find_if_not(array.values.begin(), array.values.end(), [](double v) { return std::isfinite(v); });
  if (bad != array.values.end())
    throw InputError(fmt::format("entry {} is {}", bad - array.values.begin() + 1, *bad));
  return array;
}

/// Values at the unknowns: a formula, which may hold a time t where there is one, or a file of the unknowns'
/// or of all points' shape.
template <class V, class T, int D>
std::vector<V> at_unknowns(const Grid<T, D>& grid, const Box& box, const char* option,
                           const std::string& text, std::optional<double> time = {}) {
  if (!is_file(text)) return evaluate<V>(grid, option, text, time);
  return named(option, text, [&] {
    io::NpyArray array = finite_array(text);
    const AllPoints<T, D> all(grid, box);
    if (array.shape != shape_of(grid) && array.shape != shape_of(all.grid))
      throw InputError(fmt::format("shape {} fits neither all points {} nor the unknowns {}",
                                   shape_in_words(array.shape), shape_in_words(shape_of(all.grid)),
                                   shape_in_words(shape_of(grid))));
    std::vector<V> given = io::narrowed<V>(std::move(array.values), text);
    if (array.shape == shape_of(grid)) return given;
    std::vector<V> values(static_cast<std::size_t>(grid.rows()));
    walk(grid, [&](Index p, const Position<D>& at) { values[p] = given[all.index(at)]; });
    return values;
  });
}

/// Values on all points: a formula, or a file of that shape.
template <class T, int D>
std::vector<T> at_points(const Grid<T, D>& grid, const Box& box, const char* option,
                         const std::string& text) {
  const AllPoints<T, D> all(grid, box);
  if (!is_file(text)) return evaluate<T>(all.grid, option, text);
  return named(option, text, [&] {
    io::NpyArray array = finite_array(text);
    if (array.shape != shape_of(all.grid))
      throw InputError(fmt::format("shape {} must be that of all points, {}", shape_in_words(array.shape),
                                   shape_in_words(shape_of(all.grid))));
    return io::narrowed<T>(std::move(array.values), text);
  });
}

}  // namespace jacobi::cli
