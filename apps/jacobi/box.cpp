#include "box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "axes.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;  // of parentheses: formulas may hold the separator
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == separator && depth <= 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// The text before the first separator and after it, blanks around both taken away; .second empty without
/// one.
std::pair<std::string, std::string> halves(const std::string& text, char separator) {
  const std::size_t at = text.find(separator);
  return {trim(text.substr(0, at)), at == text.npos ? "" : trim(text.substr(at + 1))};
}

}  // namespace

std::vector<Index> read_sizes(const char* option, const std::string& text) {
  std::vector<Index> sizes;
  for (const std::string& part : split(text, 'x')) {
    const std::string wrong = part.empty() ? "a size is missing" : read_whole(part, sizes.emplace_back());
    if (!wrong.empty())
      throw UsageError(fmt::format("{} '{}': {}; write one size, or one per direction as in 512x300", option,
                                   text, wrong));
  }
  if (sizes.size() > 3) throw UsageError(fmt::format("{} '{}': at most 3 directions", option, text));
  return sizes;
}

namespace {

/// One end of an interval of --domain.
double read_end(const std::string& text, const std::string& domain) {
  double value = 0;
  const std::string wrong = read_finite(text, value);
  if (!wrong.empty())
    throw UsageError(
        fmt::format("--domain '{}': {}; write low:high per direction, as in 0:1x0:2", domain, wrong));
  return value;
}

/// "0:1x0:2"; one interval holds for every direction.
void read_domain(Box& box, const std::string& text) {
  const auto parts = split(text, 'x');
  if (parts.size() != 1 && parts.size() != static_cast<std::size_t>(box.dimensions))
    throw UsageError(fmt::format("--domain '{}' has {} for {}", text,
                                 counted(static_cast<Index>(parts.size()), "interval"),
                                 counted(box.dimensions, "dimension")));
  for (int d = 0; d < box.dimensions; ++d) {
    const auto [low, high] = halves(parts[parts.size() == 1 ? 0 : d], ':');
    box.lower[d] = read_end(low, text);
    box.upper[d] = read_end(high, text);
  }
}

/// "robin:ALPHA,BETA where FORMULA" and its kin.
SidePart read_part(const std::string& item, const std::string& condition) {
  const auto refuse = [&](const std::string& why) {
    return UsageError(fmt::format("--bc '{}': {}", item, why));
  };
  SidePart part;
  part.text = condition;
  const std::size_t at = condition.find(" where ");
  if (at != condition.npos) part.where = trim(condition.substr(at + 7));
  const std::string what = trim(condition.substr(0, at));
  const auto [kind, values] = halves(what, ':');
  part.values = values;
  if (values.empty() && kind != what) throw refuse("a value is missing after ':'");
  if (kind == "neumann") {
    part.kind = SidePart::Kind::neumann;
  } else if (kind == "robin") {
    const auto both = split(values, ',');
    if (both.size() != 2 || trim(both[0]).empty() || trim(both[1]).empty())
      throw refuse("write robin:ALPHA,BETA, for k du/dn + ALPHA u = BETA");
    part = {SidePart::Kind::robin, trim(both[0]), trim(both[1]), part.where, condition};
  } else if (kind != "dirichlet") {
    throw refuse("write dirichlet:VALUE, neumann:VALUE, robin:ALPHA,BETA or periodic");
  }
  return part;
}

/// Sides are separated by semicolons, or by commas where there are none: the comma of robin:ALPHA,BETA is not
/// one of those.
std::vector<std::string> conditions(const std::string& text) {
  if (text.find(';') != text.npos) return split(text, ';');
  std::vector<std::string> items;
  for (const std::string& one : split(text, ',')) {
    const bool goes_on = !items.empty() && items.back().find("robin:") != items.back().npos &&
                         items.back().find(',') == items.back().npos;
    if (goes_on)
      items.back() += "," + one;
    else
      items.push_back(one);
  }
  return items;
}

/// One side of what was written for it, part after part.
SideText side_of(const std::vector<SidePart>& parts) {
  const SidePart& first = parts.front();
  if (parts.size() == 1 && first.where.empty() && first.kind != SidePart::Kind::robin)
    return {first.kind == SidePart::Kind::neumann ? BoundaryKind::neumann : BoundaryKind::dirichlet,
            first.values};
  return {BoundaryKind::neumann, {}, parts};
}

/// "x=periodic,y-=neumann:0": axis, optionally one of its ends, and what holds there.
void read_conditions(Box& box, const std::string& text) {
  std::array<std::array<std::vector<SidePart>, 2>, 3> given;
  for (const std::string& item : conditions(text)) {
    const auto [side, condition] = halves(item, '=');
    const int d = side.empty() ? -1 : side[0] - 'x';
    const std::string end = side.empty() ? "" : side.substr(1);
    if (condition.empty() || d < 0 || d > 2 || (end != "" && end != "-" && end != "+"))
      throw UsageError(fmt::format("--bc '{}': write a side (x, x-, x+, y, ...) = condition", item));
    if (d >= box.dimensions)
      throw UsageError(
          fmt::format("--bc '{}': the problem has only {}", item, counted(box.dimensions, "dimension")));
    const bool periodic = condition == "periodic";
    const SidePart part = periodic ? SidePart{} : read_part(item, condition);
    for (const int e : {0, 1}) {
      if (end == (e == 0 ? "+" : "-")) continue;
      std::vector<SidePart>& parts = given[d][e];
      const bool is_full = !parts.empty() && (periodic || parts.back().where.empty());
      if (is_full)
        throw UsageError(
            fmt::format("--bc '{}': side {}{} is given twice", text, "xyz"[d], e == 0 ? '-' : '+'));
      parts.push_back(part);
      box.said[d][e] = true;
      box.sides[d][e] = periodic ? SideText{BoundaryKind::periodic, {}} : side_of(parts);
    }
  }
  for (int d = 0; d < box.dimensions; ++d) {
    const auto is_periodic = [](const SideText& side) { return side.kind == BoundaryKind::periodic; };
    if (is_periodic(box.sides[d][0]) != is_periodic(box.sides[d][1]))
      throw UsageError(fmt::format(
          "--bc '{0}': direction {1} is periodic on one side only: write {1}=periodic", text, "xyz"[d]));
  }
}

}  // namespace

bool lacks_example(const std::string& refusal) {
  return refusal.starts_with("--bc") && refusal.find("for example") == refusal.npos;
}

std::string with_example_of_sides(const std::string& refusal, int dimensions) {
  const auto names = [&](const char* word) { return refusal.find(word) != refusal.npos; };
  const char* example = dimensions == 1   ? "x-=neumann:0,x+=dirichlet:1"
                        : dimensions == 2 ? "x=periodic,y-=neumann:0,y+=dirichlet:1"
                                          : "x=periodic,y-=neumann:0,z+=dirichlet:1";
  if (names("robin:")) example = "x-=robin:2,0";
  if (names(" where ") || names("'where'"))
    example = dimensions == 1 ? "x-=dirichlet:1 where x<0.5; x-=neumann:0"
                              : "x-=dirichlet:1 where y<0.5; x-=neumann:0";
  if (names("radius") || names("r = 0")) example = "x+=dirichlet:1";
  return fmt::format("{}; for example --bc '{}'", refusal, example);
}

bool Box::has_parts() const {
  for (const auto& pair : sides)
    for (const SideText& side : pair)
      if (!side.parts.empty()) return true;
  return false;
}

bool Box::is_plain() const {
  for (const auto& at : axes)
    if (!at.empty()) return false;
  return coordinates == Coordinates::cartesian;
}

Box read_box(const BoxText& text) {
  Box box;
  if (!text.points.empty() && !text.interior.empty())
    throw UsageError("give --points or --interior, not both");
  const bool interior = !text.interior.empty();
  const auto sizes = interior ? read_sizes("--interior", text.interior)
                              : read_sizes("--points", text.points.empty() ? "512" : text.points);
  box.dimensions = sizes.size() > 1 ? static_cast<int>(sizes.size()) : text.dim == 0 ? 2 : text.dim;
  if (text.dim != 0 && text.dim != box.dimensions)
    throw UsageError(fmt::format("--dim {} contradicts the {} sizes given", text.dim, sizes.size()));
  if (!text.domain.empty()) read_domain(box, text.domain);
  if (!text.bc.empty()) with_example(box.dimensions, [&] { read_conditions(box, text.bc); });
  const bool unsaid = text.points.empty() && !interior;
  for (int d = 0; d < box.dimensions; ++d) {
    const Index size = sizes[sizes.size() == 1 ? 0 : d];
    const bool periodic = box.sides[d][0].kind == BoundaryKind::periodic;
    if (size > std::numeric_limits<Index>::max() / 2)
      throw UsageError(
          fmt::format("{} {}: more than any memory holds", interior ? "--interior" : "--points", size));
    if (interior && size < 1)
      throw UsageError(fmt::format("--interior {}: at least 1 point is needed", size));
    box.points[d] = interior && !periodic ? size + 2 : size;
    if (box.points[d] < 3)
      throw UsageError(fmt::format("{} {}: at least 3 points are needed {}",
                                   interior ? "--interior" : "--points", size,
                                   periodic ? "in a periodic direction" : "(boundary included)"));
  }
  with_example(box.dimensions, [&] { read_axes(box, text, unsaid); });
  return box;
}

nlohmann::ordered_json to_json(const Box& box) {
  nlohmann::ordered_json json;
  for (int d = 0; d < box.dimensions; ++d) {
    json["points"].push_back(box.points[d]);
    json["domain"].push_back({box.lower[d], box.upper[d]});
  }
  constexpr const char* kinds[] = {"dirichlet", "neumann", "periodic"};
  for (int k = 0; k < 2 * box.dimensions; ++k) {
    const SideText& side = box.sides[k / 2][k % 2];
    const std::string name = std::string(1, "xyz"[k / 2]) + (k % 2 == 0 ? '-' : '+');
    std::vector<std::string> parts(side.parts.size());
    std::ranges::transform(side.parts, parts.begin(), &SidePart::text);
    if (parts.empty())
      parts.push_back(kinds[static_cast<int>(side.kind)] + (side.values.empty() ? "" : ":" + side.values));
    json["sides"][name] = fmt::format("{}", fmt::join(parts, "; "));
  }
  add_axes(json, box);
  return json;
}

}  // namespace jacobi::cli
