/// The geometry options of `poisson` as plain data: points, domain and what holds on each side.
#pragma once
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jacobi/error.hpp"
#include "jacobi/grid.hpp"

namespace jacobi::cli {

/// What holds on a part of a side, as written.
struct SidePart {
  enum class Kind { dirichlet, neumann, robin };
  Kind kind = Kind::dirichlet;
  std::string values;  ///< of robin alpha; empty: --boundary (dirichlet) or 0 (neumann)
  std::string beta;    ///< of robin
  std::string where;   ///< empty: everywhere
  std::string text;    ///< as it was written
};

/// One side as written: kind and the formula of its values; or the parts it has, the first one that fits a
/// point holds there. Its points are then unknowns, and kind is neumann.
struct SideText {
  BoundaryKind kind = BoundaryKind::dirichlet;
  std::string values;  ///< empty: --boundary (dirichlet) or 0 (neumann)
  std::vector<SidePart> parts = {};
};

struct Box {
  int dimensions = 2;
  std::array<Index, 3> points{};
  std::array<double, 3> lower{0, 0, 0}, upper{1, 1, 1};
  std::array<std::array<SideText, 2>, 3> sides;
  std::array<std::array<bool, 2>, 3> said = {};  ///< which of them --bc names
  std::array<std::vector<double>, 3> axes = {};  ///< as AxisPoints::at
  Coordinates coordinates = Coordinates::cartesian;
  bool has_parts() const;
  /// Whether points are equally spaced and equations those of lengths.
  bool is_plain() const;
};

/// What the user wrote; empty strings and 0 mean "not given".
struct BoxText {
  int dim = 0;
  std::string points, interior, domain, bc;
  std::array<std::string, 3> axes = {};
  std::string coordinates = {};
};

/// Throws: UsageError naming the option and what is wrong with it.
Box read_box(const BoxText& text);
/// Points, domain and sides as JSON: {"points": [512, 300], "domain": [[0, 1], [0, 2]], "sides": {"x-":
/// "dirichlet", "y+": "neumann:0", ...}, "coordinates": "cartesian", "axes": [{"min": 0, "max": 1,
/// "smallest_spacing": 0.1, "largest_spacing": 0.1}, ...]}.
nlohmann::ordered_json to_json(const Box& box);
/// "512x300": at most 3 whole numbers. Throws: UsageError naming the option.
std::vector<Index> read_sizes(const char* option, const std::string& text);

/// Whether it refuses --bc without an example to be copied.
bool lacks_example(const std::string& refusal);
/// The refusal with one, of a grid of so many dimensions, and of the kind of condition that it names.
std::string with_example_of_sides(const std::string& refusal, int dimensions);

/// make(), whose refusal of --bc, if it throws one, ends with an example.
template <class Make>
auto with_example(int dimensions, Make&& make) {
  try {
    return make();
  } catch (const UsageError& error) {
    if (!lacks_example(error.what())) throw;
    throw UsageError(with_example_of_sides(error.what(), dimensions));
  } catch (const InputError& error) {
    if (!lacks_example(error.what())) throw;
    throw InputError(with_example_of_sides(error.what(), dimensions));
  }
}

/// The grid of a box, without values on its sides. Throws: as make_grid.
template <class T, int D>
Grid<T, D> grid_of(const Box& box) {
  PerDirection<Index, D> points;
  PerDirection<double, D> lower, upper;
  Sides<T, D> sides;
  for (int d = 0; d < D; ++d) {
    points[d] = box.points[d];
    lower[d] = box.lower[d];
    upper[d] = box.upper[d];
    for (int e = 0; e < 2; ++e) sides[d][e].kind = box.sides[d][e].kind;
  }
  const Grid<T, D> grid = make_grid<T, D>(points, lower, upper, sides);
  if (box.is_plain()) return grid;
  PerDirection<std::vector<double>, D> axes;
  for (int d = 0; d < D; ++d) axes[d] = box.axes[d];
  return on_axes(grid, axes, box.coordinates);
}

}  // namespace jacobi::cli
