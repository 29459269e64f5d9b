/// Matrices for algebraic multigrid: graphs, grids as plain rows, and what may go wrong with them.
#pragma once
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::test {

/// A graph's edges with weights, as a Laplacian with `shift` added to the diagonal.
struct Edges {
  Index nodes = 0;
  std::vector<Entry<double>> entries = {};

  void join(Index i, Index j, double weight) {
    entries.push_back({i, j, -weight});
    entries.push_back({j, i, -weight});
    entries.push_back({i, i, weight});
    entries.push_back({j, j, weight});
  }
  void shift(Index i, double by) { entries.push_back({i, i, by}); }
  Csr<double> matrix() const { return Csr<double>::from_entries(nodes, entries); }
};

/// Each node joined to a few near ones, some far ones, and to a hub now and then.
inline Edges random_graph(Random& random, Index nodes, double shift) {
  Edges g{nodes};
  std::set<std::pair<Index, Index>> known;
  const Index degree = random.integer(1, 5);
  const bool wild = random.integer(0, 1) == 1;
  for (Index i = 0; i < nodes; ++i) {
    g.shift(i, shift);
    for (Index k = 0; k < degree; ++k) {
      const Index reach = random.integer(0, 9) == 0 ? nodes : 20;
      Index j = random.integer(0, 19) == 0 ? nodes / 2 : (i + random.integer(1, reach)) % nodes;
      if (j == i || !known.insert(std::minmax(i, j)).second) continue;
      g.join(i, j, wild ? std::pow(10, random.real(-3, 3)) : 1.0);
    }
  }
  return g;
}

/// -Laplace on nx x ny x nz points, 0 around; weights along x, y and z.
inline Csr<double> grid_rows(Index nx, Index ny, Index nz = 1, double wx = 1, double wy = 1, double wz = 1) {
  std::vector<Entry<double>> entries;
  const auto at = [&](Index x, Index y, Index z) { return (z * ny + y) * nx + x; };
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x) {
        const Index i = at(x, y, z);
        entries.push_back({i, i, 2 * (wx + wy + (nz > 1 ? wz : 0))});
        const auto join = [&](bool there, Index j, double w) {
          if (there) entries.push_back({i, j, -w});
        };
        join(x > 0, i - 1, wx);
        join(x + 1 < nx, i + 1, wx);
        join(y > 0, i - nx, wy);
        join(y + 1 < ny, i + nx, wy);
        join(z > 0, i - nx * ny, wz);
        join(z + 1 < nz, i + nx * ny, wz);
      }
  return Csr<double>::from_entries(nx * ny * nz, entries);
}

/// Row-major.
struct Full {
  Index rows = 0, columns = 0;
  std::vector<double> value;
  Full(Index n, Index m) : rows(n), columns(m), value(static_cast<std::size_t>(n * m)) {}
  double& at(Index i, Index j) { return value[static_cast<std::size_t>(i * columns + j)]; }
  double at(Index i, Index j) const { return value[static_cast<std::size_t>(i * columns + j)]; }
};

inline Full operator*(const Full& a, const Full& b) {
  Full c(a.rows, b.columns);
  for (Index i = 0; i < a.rows; ++i)
    for (Index k = 0; k < a.columns; ++k)
      for (Index j = 0; a.at(i, k) != 0 && j < b.columns; ++j) c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

inline Full transposed(const Full& a) {
  Full t(a.columns, a.rows);
  for (Index i = 0; i < a.rows; ++i)
    for (Index j = 0; j < a.columns; ++j) t.at(j, i) = a.at(i, j);
  return t;
}

inline Full full_of(const Csr<double>& a) {
  Full f(a.rows(), a.rows());
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) f.at(i, columns[k]) += values[k];
  });
  return f;
}

/// x of f x = b, by Gauss's elimination with pivots.
inline std::vector<double> solved_densely(Full f, std::vector<double> b) {
  const Index n = f.rows;
  for (Index j = 0; j < n; ++j) {
    Index best = j;
    for (Index i = j + 1; i < n; ++i)
      if (std::abs(f.at(i, j)) > std::abs(f.at(best, j))) best = i;
    for (Index k = 0; k < n; ++k) std::swap(f.at(best, k), f.at(j, k));
    std::swap(b[best], b[j]);
    for (Index i = j + 1; i < n; ++i) {
      const double factor = f.at(i, j) / f.at(j, j);
      for (Index k = j; k < n; ++k) f.at(i, k) -= factor * f.at(j, k);
      b[i] -= factor * b[j];
    }
  }
  for (Index i = n; i-- > 0;) {
    for (Index k = i + 1; k < n; ++k) b[i] -= f.at(i, k) * b[k];
    b[i] /= f.at(i, i);
  }
  return b;
}

/// Of a square with `side` points along each direction, in squares * squares squares whose coefficients are 1
/// and `high` by turns.
inline Csr<double> squares_of(Index side, Index squares, double high) {
  Edges jumps{side * side};
  const auto k = [&](Index p) {
    return (p / side * squares / side + p % side * squares / side) % 2 == 0 ? 1.0 : high;
  };
  for (Index p = 0; p < side * side; ++p) {
    if (p % side < side - 1) jumps.join(p, p + 1, 2 / (1 / k(p) + 1 / k(p + 1)));
    if (p / side < side - 1) jumps.join(p, p + side, 2 / (1 / k(p) + 1 / k(p + side)));
    if (p % side == 0) jumps.shift(p, k(p));
  }
  return jumps.matrix();
}

}  // namespace jacobi::test
