/// What kernels see of a bound matrix, however its entries are kept.
#pragma once
#include <algorithm>
#include <span>

#include "core/executed.hpp"
#include "jacobi/method.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/field.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

/// Vectors are filled up to whole pieces with zeros.
template <class T>
struct RowWorkspace {
  Index rows = 0;
  Index pieces = 0;
  const T* b = nullptr;
  const T* scale = nullptr;  ///< 1 / divisor of each row
  T* r = nullptr;            ///< b - A x, where it is kept
  T* u = nullptr;            ///< x_n
  T* v = nullptr;            ///< x_(n-1), then x_(n+1)

  Partial* partials = nullptr;  ///< one per piece
  int threads = 1;
  Executed ran;  ///< sweeps and threads, written by the kernels

  Index unknowns() const { return rows; }
  /// Another iterate follows: sums of the one before hold no longer.
  void forget() {}
  /// The s-th piece of so many rows.
  Run piece(Index s, Index length) const { return {s * length, std::min(rows - s * length, length)}; }
  Norms total() const { return sum_of({partials, static_cast<std::size_t>(pieces)}); }
  /// Notes, where it happens, what ran.
  void record(std::size_t sweeps, int team) {
    ran.threads = team;
    ran.sweeps += static_cast<Index>(sweeps);
  }
};

/// What an algorithm is to its sweeper, for the instruction set in force.
template <class T, class W>
struct MatrixKernels {
  /// Runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
  Norms (*advance)(W& w, std::span<const Step> steps, Want want) = nullptr;
  Norms (*norms)(W& w, Want want) = nullptr;
  /// y = b - A x of these rows, or A x - b where `negative`; b at their first one, x and y as the
  /// workspace's vectors.
  void (*product)(const W& w, const Run& rows, const T* b, const T* x, T* y, bool negative) = nullptr;
  const char* simd = "";
};

/// Those of a class of kernels, compiled for the instruction set of that name.
template <class Sweep>
auto kernels_of(const char* simd) {
  MatrixKernels<typename Sweep::Value, typename Sweep::W> all{Sweep::advance, Sweep::norms, nullptr, simd};
  if constexpr (requires { Sweep::product; }) all.product = Sweep::product;
  return all;
}

}  // namespace jacobi::sweep
