/// A Delaunay triangulation of scattered points.
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi::cli {

struct Triangulation {
  std::vector<std::array<double, 2>> points;
  std::vector<bool> on_hull;  ///< points at the rim
  std::vector<std::pair<Index, Index>> edges;
};

/// Of a point in each cell of an n x n grid, at most a quarter of a cell from the middle, by a fixed seed:
/// the diagonals of cells, flipped until no circle around a triangle holds another point. Source: Lawson,
/// "Software for C1 surface interpolation", 1977.
Triangulation delaunay(Index n);

}  // namespace jacobi::cli
