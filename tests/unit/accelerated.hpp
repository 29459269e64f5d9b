/// What the tests of accelerated methods share: systems, and methods in their plainest form.
#pragma once
#include <cmath>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::test {

/// Symmetric positive definite: a network of random conductances, each node a little grounded.
inline Csr<double> symmetric_matrix(Index n, unsigned seed) {
  Random make(seed);
  std::vector<Entry<double>> entries;
  std::vector<double> sum(static_cast<std::size_t>(n), 0.1);
  for (Index i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) {
      const Index j = make.integer(0, n - 1);
      if (j == i) continue;
      const double value = make.real(0.1, 2);
      entries.push_back({i, j, -value});
      entries.push_back({j, i, -value});
      sum[i] += value;
      sum[j] += value;
    }
  for (Index i = 0; i < n; ++i) entries.push_back({i, i, sum[i]});
  return Csr<double>::from_entries(n, entries);
}

/// I + c S, S skew with 1 beside the diagonal: plain Jacobi has the factors 2 c i cos, and diverges from c =
/// 1/2 on.
inline Csr<double> skew_matrix(Index n, double c) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, 1.0});
    if (i > 0) entries.push_back({i, i - 1, -c});
    if (i + 1 < n) entries.push_back({i, i + 1, c});
  }
  return Csr<double>::from_entries(n, entries);
}

inline std::vector<double> times(const Csr<double>& a, const std::vector<double>& x) {
  std::vector<double> y(x.size());
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) y[i] += values[k] * x[columns[k]];
  });
  return y;
}

inline double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// Iterations of conjugate gradients with z = D^-1 r, from 0, until ||r|| <= tolerance ||b||.
inline Index naive_cg(const Csr<double>& a, const std::vector<double>& b, double tolerance) {
  std::vector<double> r = b, p(b.size());
  const auto scaled = [&] {
    std::vector<double> z = r;
    for (Index i = 0; i < a.rows(); ++i) z[i] /= a.diagonal(i);
    return z;
  };
  p = scaled();
  double rz = inner(r, p);
  for (Index n = 1; n < 10'000; ++n) {
    const std::vector<double> w = times(a, p);
    const double alpha = rz / inner(p, w);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * w[i];
    if (std::sqrt(inner(r, r)) <= tolerance * std::sqrt(inner(b, b))) return n;
    const std::vector<double> z = scaled();
    const double next = inner(r, z);
    for (std::size_t i = 0; i < r.size(); ++i) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  return -1;
}

/// A grid with Dirichlet sides as rows.
inline Csr<double> rows_of(const Stencil<double, 2>& a) {
  std::vector<Entry<double>> entries;
  const Index nx = a.grid().unknowns[0];
  for (Index p = 0; p < a.rows(); ++p) {
    entries.push_back({p, p, a.center(p)});
    if (p % nx > 0) entries.push_back({p, p - 1, a.off(Direction::west, p)});
    if (p % nx + 1 < nx) entries.push_back({p, p + 1, a.off(Direction::east, p)});
    if (p >= nx) entries.push_back({p, p - nx, a.off(Direction::south, p)});
    if (p + nx < a.rows()) entries.push_back({p, p + nx, a.off(Direction::north, p)});
  }
  return Csr<double>::from_entries(a.rows(), entries);
}

template <class T>
Dense<T> dense_of(const Csr<double>& a, Layout layout = Layout::row_major) {
  const Index n = a.rows();
  std::vector<T> values(static_cast<std::size_t>(n * n));
  a.visit([&](auto offsets, auto columns, auto entries) {
    for (Index i = 0; i < n; ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        values[layout == Layout::row_major ? i * n + columns[k] : columns[k] * n + i] =
            static_cast<T>(entries[k]);
  });
  return Dense<T>::own(std::move(values), n, layout);
}

inline Csr<float> in_float(const Csr<double>& a) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    using I = typename decltype(columns)::value_type;
    return Csr<float>::own<I>({offsets.begin(), offsets.end()}, {columns.begin(), columns.end()},
                              {values.begin(), values.end()});
  });
}

/// All notes in one.
inline std::string notes_of(const Report& r) {
  std::string all;
  for (const std::string& note : r.notes) all += note + '\n';
  return all;
}

template <class T>
Report solved(const Operator<T>& a, const Method& method, const std::vector<T>& b, std::vector<T>& x,
              const Stop& stop = {}, const char* on = "threads:2") {
  x.assign(b.size(), T(0));
  return Solver<T>(a, method, backend(on)).solve(b, x, stop);
}

}  // namespace jacobi::test
