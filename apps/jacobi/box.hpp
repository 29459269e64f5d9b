/// The geometry options of `poisson` as plain data: points, domain and what holds on each side.
#pragma once
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "jacobi/grid.hpp"

namespace jacobi::cli {

/// One side as written: kind and the formula of its values.
struct SideText {
  BoundaryKind kind = BoundaryKind::dirichlet;
  std::string values;  ///< empty: --boundary (dirichlet) or 0 (neumann)
};

struct Box {
  int dimensions = 2;
  std::array<Index, 3> points{};
  std::array<double, 3> lower{0, 0, 0}, upper{1, 1, 1};
  std::array<std::array<SideText, 2>, 3> sides;
};

/// What the user wrote; empty strings and 0 mean "not given".
struct BoxText {
  int dim = 0;
  std::string points, interior, domain, bc;
};

/// Throws: UsageError naming the option and what is wrong with it.
Box read_box(const BoxText& text);
/// Points, domain and sides as JSON: {"points": [512, 300], "domain": [[0, 1], [0, 2]], "sides": {"x-":
/// "dirichlet", "y+": "neumann:0", ...}}.
nlohmann::ordered_json to_json(const Box& box);
/// "512x300": at most 3 whole numbers. Throws: UsageError naming the option.
std::vector<Index> read_sizes(const char* option, const std::string& text);

}  // namespace jacobi::cli
