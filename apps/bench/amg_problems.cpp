#include "amg_problems.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>

#include "delaunay.hpp"
#include "jacobi/plan.hpp"
#include "matrices.hpp"

namespace jacobi::cli {

namespace {

using Entries = std::vector<Entry<double>>;
using Point3 = std::array<double, 3>;

Index side_of(Index unknowns, int dimension) {
  return std::max<Index>(2, std::llround(std::pow(static_cast<double>(unknowns), 1.0 / dimension)));
}

/// w (u_i - u_j)^2; an index below 0 is given as 0.
void join(Entries& entries, Index i, Index j, double w) {
  if (i >= 0) entries.push_back({i, i, w});
  if (j >= 0) entries.push_back({j, j, w});
  if (i < 0 || j < 0) return;
  entries.push_back({i, j, -w});
  entries.push_back({j, i, -w});
}

/// -div(k grad u) on n x n points, 0 around; k(x, y) of a point, and how much more along x.
Csr<double> grid_of(Index n, double along_x, const std::function<double(Index, Index)>& k) {
  Entries entries;
  const auto at = [&](Index x, Index y) { return x < 0 || y < 0 || x >= n || y >= n ? -1 : y * n + x; };
  const auto between = [&](Index x, Index y, Index x2, Index y2) {
    const double one = k(std::clamp<Index>(x, 0, n - 1), std::clamp<Index>(y, 0, n - 1)),
                 other = k(std::clamp<Index>(x2, 0, n - 1), std::clamp<Index>(y2, 0, n - 1));
    return 2 * one * other / (one + other);
  };
  for (Index y = 0; y < n; ++y)
    for (Index x = -1; x < n; ++x) {
      join(entries, at(x, y), at(x + 1, y), along_x * between(x, y, x + 1, y));
      join(entries, at(y, x), at(y, x + 1), between(y, x, y, x + 1));
    }
  return Csr<double>::from_entries(n * n, entries);
}

Csr<double> jumps(Index n, double high) {
  return grid_of(n, 1, [=](Index x, Index y) { return (x * 8 / n + y * 8 / n) % 2 == 0 ? 1.0 : high; });
}

/// Bilinear elements for the tensor of 1 along a direction and `weak` across.
Csr<double> rotated(Index n, double weak, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  const double xx = c * c + weak * s * s, yy = s * s + weak * c * c, xy = (1 - weak) * c * s;
  Entries entries;
  for (Index y = 0; y < n; ++y)
    for (Index x = 0; x < n; ++x)
      for (Index dy = -1; dy <= 1; ++dy)
        for (Index dx = -1; dx <= 1; ++dx) {
          if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n) continue;
          const double mass_x = dx == 0 ? 4 : 1, mass_y = dy == 0 ? 4 : 1;
          const double stiff_x = dx == 0 ? 2 : -1, stiff_y = dy == 0 ? 2 : -1;
          const double value =
              (xx * stiff_x * mass_y + yy * stiff_y * mass_x) / 6 - xy * static_cast<double>(dx * dy) / 2;
          entries.push_back({y * n + x, (y + dy) * n + x + dx, value});
        }
  return Csr<double>::from_entries(n * n, entries);
}

/// Laplacian of the triangulation of scattered points, those on the hull given as 0.
Csr<double> triangulated(Index n) {
  const Triangulation t = delaunay(n + 2);
  std::vector<Index> number(t.points.size(), -1);
  Index rows = 0;
  for (std::size_t p = 0; p < t.points.size(); ++p)
    if (!t.on_hull[p]) number[p] = rows++;
  Entries entries;
  for (const auto& [i, j] : t.edges) join(entries, number[i], number[j], 1);
  return Csr<double>::from_entries(rows, entries);
}

/// Where point (x, y, z) of a grid lies once moved a little.
Point3 moved(Index x, Index y, Index z) {
  const auto shift = [](std::uint64_t seed) {
    seed = (seed ^ (seed >> 29)) * 0xbf58476d1ce4e5b9U;
    return static_cast<double>((seed ^ (seed >> 32)) % 1000) / 1000 * 0.3 - 0.15;
  };
  const auto seed = static_cast<std::uint64_t>((z * 4099 + y) * 4099 + x) * 3;
  return {static_cast<double>(x) + shift(seed), static_cast<double>(y) + shift(seed + 1),
          static_cast<double>(z) + shift(seed + 2)};
}

/// Linear elements on cubes split into six tetrahedra each, around points that are moved a little.
Csr<double> tetrahedra(Index n) {
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  const auto number = [&](const std::array<Index, 3>& p) {
    const bool inside = std::ranges::all_of(p, [&](Index q) { return q >= 0 && q < n; });
    return inside ? (p[2] * n + p[1]) * n + p[0] : -1;
  };
  Entries entries;
  for (Index z = -1; z < n; ++z)
    for (Index y = -1; y < n; ++y)
      for (Index x = -1; x < n; ++x)
        for (const auto& order : orders) {
          std::array<std::array<Index, 3>, 4> corner;
          corner[0] = {x, y, z};
          for (int k = 0; k < 3; ++k) {
            corner[k + 1] = corner[k];
            ++corner[k + 1][order[k]];
          }
          std::array<Point3, 4> at;
          for (int k = 0; k < 4; ++k) at[k] = moved(corner[k][0], corner[k][1], corner[k][2]);
          std::array<Point3, 3> edge;
          for (int k = 0; k < 3; ++k)
            for (int d = 0; d < 3; ++d) edge[k][d] = at[k + 1][d] - at[0][d];
          const auto cross = [](const Point3& u, const Point3& v) {
            return Point3{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
          };
          const auto dot = [](const Point3& u, const Point3& v) {
            return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
          };
          std::array<Point3, 4> slope{};  // gradients times six volumes
          for (int k = 0; k < 3; ++k) {
            slope[k + 1] = cross(edge[(k + 1) % 3], edge[(k + 2) % 3]);
            for (int d = 0; d < 3; ++d) slope[0][d] -= slope[k + 1][d];
          }
          const double volume = std::abs(dot(edge[0], slope[1])) / 6;
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
              if (number(corner[i]) >= 0 && number(corner[j]) >= 0)
                entries.push_back(
                    {number(corner[i]), number(corner[j]), dot(slope[i], slope[j]) / (36 * volume)});
        }
  return Csr<double>::from_entries(n * n * n, entries);
}

/// Laplacian of the undirected graph of links, 1e-3 added to the diagonal.
Csr<double> power_law(Index unknowns) {
  int scale = 4;
  while ((Index(2) << scale) <= unknowns) ++scale;
  const Csr<double> links = power_law_matrix<double>(scale);
  std::vector<std::pair<Index, Index>> edges;
  links.visit([&](auto offsets, auto columns, auto) {
    for (Index i = 0; i < links.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        if (const Index j = columns[k]; j != i) edges.emplace_back(std::min(i, j), std::max(i, j));
  });
  std::ranges::sort(edges);
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  Entries entries;
  for (const auto& [i, j] : edges) join(entries, i, j, 1);
  for (Index i = 0; i < links.rows(); ++i) entries.push_back({i, i, 1e-3});
  return Csr<double>::from_entries(links.rows(), entries);
}

/// Stiffness of a cube of side 1 with trilinear displacements, by 2 x 2 x 2 points of Gauss; Young's modulus
/// 1, Poisson's ratio 0.3.
std::array<std::array<double, 24>, 24> stiffness_of_cube() {
  constexpr double poisson = 0.3, lambda = poisson / ((1 + poisson) * (1 - 2 * poisson)),
                   mu = 1 / (2 * (1 + poisson));
  std::array<std::array<double, 24>, 24> k{};
  for (int g = 0; g < 8; ++g) {
    Point3 at;
    for (int d = 0; d < 3; ++d) at[d] = 0.5 + ((g >> d & 1) != 0 ? 0.5 : -0.5) / std::numbers::sqrt3;
    std::array<Point3, 8> slope;
    for (int c = 0; c < 8; ++c)
      for (int d = 0; d < 3; ++d) {
        slope[c][d] = 1;
        for (int e = 0; e < 3; ++e) {
          const bool high = (c >> e & 1) != 0;
          slope[c][d] *= e == d ? (high ? 1 : -1) : (high ? at[e] : 1 - at[e]);
        }
      }
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        const double same = slope[a][0] * slope[b][0] + slope[a][1] * slope[b][1] + slope[a][2] * slope[b][2];
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            k[3 * a + i][3 * b + j] += (lambda * slope[a][i] * slope[b][j] + mu * slope[a][j] * slope[b][i] +
                                        (i == j ? mu * same : 0)) /
                                       8;
      }
  }
  return k;
}

/// n x n x n points of an elastic block, clamped beside x = 0.
AmgProblem elasticity(Index n) {
  const auto k = stiffness_of_cube();
  Entries entries;
  const auto number = [&](Index x, Index y, Index z) { return x < 0 ? -1 : (z * n + y) * n + x; };
  for (Index z = 0; z + 1 < n; ++z)
    for (Index y = 0; y + 1 < n; ++y)
      for (Index x = -1; x + 1 < n; ++x)
        for (int a = 0; a < 8; ++a)
          for (int b = 0; b < 8; ++b) {
            const Index p = number(x + (a & 1), y + (a >> 1 & 1), z + (a >> 2 & 1)),
                        q = number(x + (b & 1), y + (b >> 1 & 1), z + (b >> 2 & 1));
            for (int i = 0; i < 3 && p >= 0 && q >= 0; ++i)
              for (int j = 0; j < 3; ++j) entries.push_back({3 * p + i, 3 * q + j, k[3 * a + i][3 * b + j]});
          }
  std::vector<double> coordinates;
  for (Index p = 0; p < n * n * n; ++p)
    for (const Index c : {p % n + 1, p / n % n, p / n / n})
      coordinates.push_back(static_cast<double>(c) / static_cast<double>(n));
  AmgProblem problem{Csr<double>::from_entries(3 * n * n * n, entries)};
  problem.options.block = 3;
  problem.options.near_null =
      std::make_shared<const std::vector<std::vector<double>>>(rigid_body_modes(coordinates, 3));
  return problem;
}

/// Diffusion and a wind along both directions, a hundred times as strong per side, differences upwind.
Csr<double> convection(Index n) {
  Entries entries;
  const double wind = 100.0 / static_cast<double>(n);
  for (Index p = 0; p < n * n; ++p) {
    entries.push_back({p, p, 4 + 2 * wind});
    if (p % n > 0) entries.push_back({p, p - 1, -1 - wind});
    if (p % n + 1 < n) entries.push_back({p, p + 1, -1.0});
    if (p >= n) entries.push_back({p, p - n, -1 - wind});
    if (p + n < n * n) entries.push_back({p, p + n, -1.0});
  }
  return Csr<double>::from_entries(n * n, entries);
}

}  // namespace

const std::vector<AmgProblemKind>& amg_problems() {
  static const std::vector<AmgProblemKind> kinds = {
      {"5-point",
       [](Index n) -> AmgProblem {
         return {grid_matrix<double>({side_of(n, 2), side_of(n, 2)})};
       }},
      {"7-point",
       [](Index n) -> AmgProblem {
         const Index side = side_of(n, 3);
         return {grid_matrix<double>({side, side, side})};
       }},
      {"delaunay", [](Index n) -> AmgProblem { return {triangulated(side_of(n, 2))}; }},
      {"tetrahedra", [](Index n) -> AmgProblem { return {tetrahedra(side_of(n, 3))}; }},
      {"anisotropic",
       [](Index n) -> AmgProblem {
         return {grid_of(side_of(n, 2), 1000, [](Index, Index) { return 1.0; })};
       }},
      {"jump-1e4", [](Index n) -> AmgProblem { return {jumps(side_of(n, 2), 1e4)}; }},
      {"jump-1e6", [](Index n) -> AmgProblem { return {jumps(side_of(n, 2), 1e6)}; }},
      {"rotated", [](Index n) -> AmgProblem { return {rotated(side_of(n, 2), 1e-3, std::numbers::pi / 6)}; }},
      {"power-law", [](Index n) -> AmgProblem { return {power_law(n)}; }},
      {"elasticity", [](Index n) { return elasticity(side_of(std::max<Index>(24, n / 3), 3)); }},
      {"convection", [](Index n) -> AmgProblem {
         return {convection(side_of(n, 2)), {}, false};
       }}};
  return kinds;
}

}  // namespace jacobi::cli
