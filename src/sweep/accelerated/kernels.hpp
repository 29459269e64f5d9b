/// The loops of accelerated methods over one run of unknowns, compiled once per instruction set.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "core/long_sum.hpp"
#include "core/over_ranks.hpp"
#include "jacobi/measure.hpp"
#include "jacobi/norms.hpp"
#include "sweep/field.hpp"

namespace jacobi::sweep {

/// What one pass sums up: up to three inner products and a largest magnitude, in double.
struct Sums {
  std::array<double, 3> dot{};
  double max = 0;
  Sums& operator+=(const Sums& more) {
    for (std::size_t k = 0; k < dot.size(); ++k) dot[k] += more.dot[k];
    max = more.max > max ? more.max : max;
    return *this;
  }
  /// Of the vector whose squares are dot[0].
  Norms norms() const { return {std::sqrt(dot[0]), std::isnan(dot[0]) ? dot[0] : max}; }
};

/// Each sum rounded once; those that nobody added to cost nothing.
inline Sums total_of(std::span<const Sums> parts) {
  Sums total;
  std::array<bool, 3> is_used{};
  for (const Sums& part : parts) {
    for (std::size_t k = 0; k < 3; ++k) is_used[k] |= part.dot[k] != 0;
    total.max = std::max(total.max, part.max);
  }
  for (std::size_t k = 0; k < 3; ++k)
    if (is_used[k])
      total.dot[k] =
          sum_rounded_once(static_cast<Index>(parts.size()), [=](Index s) { return parts[s].dot[k]; });
  return total;
}

/// S = D^-1 and the weights of a field's inner product (., .)_w: arrays, or none for `same` and for 1.
template <class T>
struct Factors {
  const T* scale;
  T same;
  const T* weight;
  const T* rows = nullptr;  ///< U: what residuals are multiplied by before they are measured; none for 1
};
template <class T>
Factors<T> factors_of(const Field<T>& field) {
  return {field.reciprocals(), field.reciprocal(), field.weights()};
}

/// The same with U = D^-1 where rows differ so much in size that sums of residuals would see the large ones
/// only.
template <class T>
Factors<T> factors_by_rows(const Field<T>& field) {
  Factors<T> by = factors_of(field);
  if (!by.scale) return by;
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (Index s = 0; s < field.pieces(); ++s)
    for (Index i = field.piece(s).first; i < field.piece(s).first + field.piece(s).count; ++i) {
      const double size = std::abs(static_cast<double>(by.scale[i]));
      least = std::min(least, size);
      largest = std::max(largest, size);
    }
  if (const Shares* const shares = field.shares()) {
    largest = max_over(*shares->ranks, largest);
    least = least_over(*shares->ranks, least);
  }
  if (largest > most_row_spread * least) by.rows = by.scale;
  return by;
}

/// Unknowns of a run that inner() adds up at once.
inline constexpr Index unknowns_at_once = 256;

/// Sums come in the order in which they are written.
template <class T>
struct Kernels {
  /// (a, b)_w
  Sums (*dot)(Run run, const T* weight, const T* a, const T* b);
  /// (U a, U b), (U a, U a)
  Sums (*dot_two)(Run run, const Factors<T>& by, const T* a, const T* b);
  /// x += alpha p; r -= alpha w; (r, r), (r, S r)_w, max |r|
  Sums (*descend)(Run run, const Factors<T>& by, T alpha, const T* p, const T* w, T* x, T* r);
  /// p = S r + beta p; (p, p), max |p|. beta = 0: p is not read
  Sums (*turn)(Run run, const Factors<T>& by, T beta, const T* r, T* p);
  /// r = fresh; (U r, U r), (r, S r)_w, squares of what U r changed by, max |U r|
  Sums (*renew)(Run run, const Factors<T>& by, const T* fresh, T* r);
  /// p = r + beta (p - omega v); y = S p; (y, y), max |y|. beta = 0: p and v are not read
  Sums (*turn_two)(Run run, const Factors<T>& by, T beta, T omega, const T* r, const T* v, T* p, T* y);
  /// x += factor y; r -= factor u; (U r, U r), (U r, U q), max |U r|
  Sums (*step)(Run run, const Factors<T>& by, T factor, const T* y, const T* u, const T* q, T* x, T* r);
  /// f_new = S r; df = f_new - f; f = f_new, r coming in df; (U r, U r), max |U r|
  Sums (*measure)(Run run, const Factors<T>& by, T* df, T* f);
  /// Adds up (df_i, df_j) for i < fresh, i <= j < columns, then (df_i, f) for all columns.
  void (*inner)(Run run, Index fresh, Index columns, const T* const* df, const T* f, double* sums);
  /// d = omega f - sum over k of g_k (dx_k + omega df_k); x += d; kept = d; (d, d), max |d|
  Sums (*combine)(Run run, T omega, const T* f, Index columns, const double* g, T* const* dx, T* const* df,
                  T* x, T* kept);
};

/// For the instruction set in force.
template <class T>
Kernels<T> kernels();

}  // namespace jacobi::sweep
