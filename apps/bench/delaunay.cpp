#include "delaunay.hpp"

#include <algorithm>
#include <random>

namespace jacobi::cli {

namespace {

/// Corners against the clock, and the triangle across the edge opposite of each; -1: there is none.
struct Triangle {
  std::array<Index, 3> corner, beside{-1, -1, -1};
};

using Points = std::vector<std::array<double, 2>>;

/// Above 0: d lies within the circle through a, b and c.
double within(const Points& p, Index a, Index b, Index c, Index d) {
  const auto row = [&](Index i) {
    const double x = p[i][0] - p[d][0], y = p[i][1] - p[d][1];
    return std::array<double, 3>{x, y, x * x + y * y};
  };
  const auto u = row(a), v = row(b), w = row(c);
  return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

int place_of(const std::array<Index, 3>& of, Index what) {
  return static_cast<int>(std::ranges::find(of, what) - of.begin());
}

/// The edge across from corner k of triangle t, between a and b, becomes that between the corners c and d
/// across from it, unless it is one of Delaunay's. Returns whether it did.
bool flip(const Points& points, std::vector<Triangle>& all, Index t, int k) {
  const Index s = all[t].beside[k];
  if (s < 0) return false;
  const int l = place_of(all[s].beside, t);
  const Index c = all[t].corner[k], a = all[t].corner[(k + 1) % 3], b = all[t].corner[(k + 2) % 3],
              d = all[s].corner[l];
  if (!(within(points, c, a, b, d) > 1e-12)) return false;
  const Index across_b = all[t].beside[(k + 2) % 3], across_a = all[t].beside[(k + 1) % 3];  // edges c a, b c
  const Index to_a = all[s].beside[place_of(all[s].corner, b)],
              to_b = all[s].beside[place_of(all[s].corner, a)];  // edges a d, d b
  all[t] = {{c, a, d}, {to_a, s, across_b}};
  all[s] = {{c, d, b}, {to_b, across_a, t}};
  if (to_a >= 0) all[to_a].beside[place_of(all[to_a].beside, s)] = t;
  if (across_a >= 0) all[across_a].beside[place_of(all[across_a].beside, t)] = s;
  return true;
}

}  // namespace

Triangulation delaunay(Index n) {
  Triangulation found;
  std::mt19937_64 engine(1);
  const auto draw = [&] { return static_cast<double>(engine() >> 11) * 0x1p-53 * 0.5 - 0.25; };
  for (Index y = 0; y < n; ++y)
    for (Index x = 0; x < n; ++x) {
      const double at_x = static_cast<double>(x) + draw();
      found.points.push_back({at_x, static_cast<double>(y) + draw()});
      found.on_hull.push_back(x == 0 || y == 0 || x + 1 == n || y + 1 == n);
    }
  std::vector<Triangle> all;
  const auto cell = [&](Index x, Index y) { return 2 * (y * (n - 1) + x); };
  for (Index y = 0; y + 1 < n; ++y)
    for (Index x = 0; x + 1 < n; ++x) {
      const Index p = y * n + x, low = cell(x, y), high = low + 1;
      all.push_back(
          {{p, p + 1, p + n}, {high, x > 0 ? cell(x - 1, y) + 1 : -1, y > 0 ? cell(x, y - 1) + 1 : -1}});
      all.push_back({{p + 1 + n, p + n, p + 1},
                     {low, x + 2 < n ? cell(x + 1, y) : -1, y + 2 < n ? cell(x, y + 1) : -1}});
    }
  std::vector<std::pair<Index, int>> open;
  for (Index t = 0; t < static_cast<Index>(all.size()); ++t)
    for (int k = 0; k < 3; ++k) open.emplace_back(t, k);
  while (!open.empty()) {
    const auto [t, k] = open.back();
    open.pop_back();
    const Index s = all[t].beside[k];
    if (!flip(found.points, all, t, k)) continue;
    for (int edge = 0; edge < 3; ++edge) {
      open.emplace_back(t, edge);
      open.emplace_back(s, edge);
    }
  }
  for (Index t = 0; t < static_cast<Index>(all.size()); ++t)
    for (int k = 0; k < 3; ++k)
      if (all[t].beside[k] < t)
        found.edges.emplace_back(all[t].corner[(k + 1) % 3], all[t].corner[(k + 2) % 3]);
  return found;
}

}  // namespace jacobi::cli
