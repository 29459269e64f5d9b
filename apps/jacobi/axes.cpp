#include "axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/in_order.hpp"
#include "core/metric.hpp"
#include "core/nearest.hpp"
#include "expression.hpp"
#include "fields.hpp"
#include "jacobi/error.hpp"
#include "named.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

constexpr std::array<const char*, 3> axis_options = {"--axis-x", "--axis-y", "--axis-z"};

bool is_periodic(const Box& box, int d) { return box.sides[d][0].kind == BoundaryKind::periodic; }

Coordinates read_coordinates(const std::string& text) {
  const std::vector<std::string> names(coordinate_names.begin(), coordinate_names.end());
  const auto found = std::ranges::find(names, text.empty() ? names.front() : text);
  if (found == names.end())
    throw UsageError(
        fmt::format("--coordinates {}: take cartesian, polar or cylindrical{}", text, hint_for(text, names)));
  return static_cast<Coordinates>(found - names.begin());
}

std::vector<double> from_formula(const Box& box, int d, const std::string& text) {
  Expression map(axis_options[d], text, 0);
  const Index intervals = intervals_of(box, d);
  std::vector<double> at;
  for (Index i = 0; i <= intervals; ++i) {
    const double s = static_cast<double>(i) / static_cast<double>(intervals);
    at.push_back(map({s, 0, 0}));
    if (i > 0 && !(at[i] > at[i - 1]))
      throw InputError(fmt::format("{} '{}': the map must increase, and is {} at s = {:g} after {}",
                                   axis_options[d], text, at[i], s, at[i - 1]));
  }
  return at;
}

std::vector<double> from_file(Box& box, int d, const std::string& text, bool unsaid) {
  return named(axis_options[d], text, [&] {
    io::NpyArray array = finite_array(text);
    if (array.shape.size() != 1)
      throw InputError(
          fmt::format("shape {}: coordinates are an array of one dimension", shape_in_words(array.shape)));
    if (unsaid) box.points[d] += std::ssize(array.values) - 1 - intervals_of(box, d);
    const Index expected = intervals_of(box, d) + 1;
    if (std::ssize(array.values) != expected || box.points[d] < 3)
      throw InputError(fmt::format(
          "{} coordinates{}", array.values.size(),
          unsaid                ? ": at least 3 points are needed"
          : is_periodic(box, d) ? fmt::format(" for {} points: {} are needed, the last where the period ends",
                                              box.points[d], expected)
                                : fmt::format(" for {} points", expected)));
    if (const std::size_t i = first_out_of_order(array.values); i < array.values.size())
      throw InputError(fmt::format("coordinates must increase, and {} follows {} at point {}",
                                   array.values[i], array.values[i - 1], i + 1));
    return std::move(array.values);
  });
}

/// Throws: UsageError where --domain says something else.
void set_ends(Box& box, int d, const BoxText& text) {
  const double low = box.axes[d].front(), high = box.axes[d].back();
  constexpr double alike = 1e-9;
  const double most = alike * (high - low);
  if (!text.domain.empty() && (std::abs(box.lower[d] - low) > most || std::abs(box.upper[d] - high) > most))
    throw UsageError(
        fmt::format("--domain '{}' and {} '{}', which runs from {:g} to {:g}: leave --domain out",
                    text.domain, axis_options[d], text.axes[d], low, high));
  box.lower[d] = low;
  box.upper[d] = high;
}

/// Throws: UsageError for a radius that cannot be meant, and a value given at r = 0.
void set_axis_of_cylinder(Box& box, bool said) {
  const bool angle = box.coordinates == Coordinates::polar || box.dimensions == 3;
  if (box.coordinates == Coordinates::polar && box.dimensions != 2)
    throw UsageError(fmt::format(
        "--coordinates polar: r and an angle are of 2 dimensions, not {}; take cylindrical", box.dimensions));
  if (is_periodic(box, 0)) throw UsageError("--bc: x is the radius here and cannot be periodic");
  if (box.lower[0] < 0)
    throw UsageError(
        fmt::format("--coordinates: x is the radius and begins at {:g}: it must be >= 0", box.lower[0]));
  if (box.lower[0] > 0) return;
  if (angle)
    throw UsageError(
        "--coordinates: x is the radius and begins at 0, where all angles meet: begin beside it, as with "
        "--domain "
        "0.01:1x0:6.283");
  SideText& side = box.sides[0][0];
  const bool flows = side.kind != BoundaryKind::neumann || !side.parts.empty() ||
                     (!side.values.empty() && side.values != "0");
  if (said && flows)
    throw UsageError("--bc: x- lies at r = 0, where nothing flows and u is not given: leave it out");
  side = {BoundaryKind::neumann, {}};
}

}  // namespace

Index intervals_of(const Box& box, int d) { return box.points[d] - (is_periodic(box, d) ? 0 : 1); }

void read_axes(Box& box, const BoxText& text, bool unsaid) {
  box.coordinates = read_coordinates(text.coordinates);
  for (int d = 0; d < 3; ++d) {
    const std::string& axis = text.axes[d];
    if (axis.empty()) continue;
    if (d >= box.dimensions)
      throw UsageError(
          fmt::format("{}: the problem has only {}", axis_options[d], counted(box.dimensions, "dimension")));
    box.axes[d] = is_file(axis) ? from_file(box, d, axis, unsaid) : from_formula(box, d, axis);
    set_ends(box, d, text);
  }
  if (box.coordinates != Coordinates::cartesian) set_axis_of_cylinder(box, box.said[0][0]);
}

double point_of(const Box& box, int d, Index i) {
  if (!box.axes[d].empty()) return box.axes[d][i];
  return box.lower[d] +
         (box.upper[d] - box.lower[d]) * static_cast<double>(i) / static_cast<double>(intervals_of(box, d));
}

std::vector<double> points_of(const Box& box, int d) {
  std::vector<double> at;
  for (Index i = 0; i < box.points[d]; ++i) at.push_back(point_of(box, d, i));
  return at;
}

std::array<std::vector<double>, 3> places_of(const Box& box) {
  std::array<std::vector<double>, 3> at{{{0}, {0}, {0}}};
  for (int d = 0; d < box.dimensions; ++d) at[d] = points_of(box, d);
  return at;
}

Spacings spacings_of(const Box& box, int d) {
  const double h = (box.upper[d] - box.lower[d]) / static_cast<double>(intervals_of(box, d));
  const auto& at = box.axes[d];
  if (at.empty()) return {h, h};
  Spacings found{at[1] - at[0], at[1] - at[0]};
  for (std::size_t i = 1; i < at.size(); ++i) {
    found.smallest = std::min(found.smallest, at[i] - at[i - 1]);
    found.largest = std::max(found.largest, at[i] - at[i - 1]);
  }
  return found;
}

std::string spacings_in_words(const Box& box) {
  std::vector<std::string> words;
  for (int d = 0; d < box.dimensions; ++d) {
    const Spacings h = spacings_of(box, d);
    words.push_back(box.axes[d].empty() ? fmt::format("{:.6g}", h.largest)
                                        : fmt::format("{:.3g} to {:.3g}", h.smallest, h.largest));
  }
  return fmt::format("{}", fmt::join(words, " x "));
}

std::vector<double> resampled(const std::vector<double>& at, Index intervals) {
  std::vector<double> fewer;
  if (at.empty()) return fewer;
  const double ratio = static_cast<double>(at.size() - 1) / static_cast<double>(intervals);
  for (Index i = 0; i < intervals; ++i) {
    const double place = ratio * static_cast<double>(i);
    const auto q = static_cast<std::size_t>(place);
    fewer.push_back(at[q] + (place - static_cast<double>(q)) * (at[q + 1] - at[q]));
  }
  fewer.push_back(at.back());
  return fewer;
}

void add_axes(nlohmann::ordered_json& json, const Box& box) {
  json["coordinates"] = coordinate_names[static_cast<std::size_t>(box.coordinates)];
  for (int d = 0; d < box.dimensions; ++d) {
    const Spacings h = spacings_of(box, d);
    json["axes"].push_back({{"min", box.lower[d]},
                            {"max", box.upper[d]},
                            {"smallest_spacing", h.smallest},
                            {"largest_spacing", h.largest}});
  }
}

}  // namespace jacobi::cli
