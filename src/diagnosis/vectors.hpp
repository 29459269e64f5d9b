/// Passes over vectors and rows on all cores, summed in fixed blocks: the same bits for any number of
/// threads.
#pragma once
#include <algorithm>
#include <array>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/csr.hpp"

namespace jacobi::diagnosis {

/// Leaves new values unset, so that the pass that sets them is the first to touch their memory.
template <class T>
struct Unset : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Unset<U>;
  };
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Values>
  void construct(U* p, Values&&... values) {
    ::new (static_cast<void*>(p)) U(std::forward<Values>(values)...);
  }
};
using Vector = std::vector<double, Unset<double>>;  ///< Vector(n) is not set
using View = std::span<const double>;

constexpr Index block_rows = 2048;

inline Index blocks_of(Index rows) { return (rows + block_rows - 1) / block_rows; }

/// run(block, first, last) for every block of rows; on one core where that is too little to share.
template <class Run>
void for_blocks(Index rows, Run&& run) {
  const Index blocks = blocks_of(rows);
#pragma omp parallel for schedule(static) if (blocks >= 32)
  for (Index s = 0; s < blocks; ++s) run(s, s * block_rows, std::min(rows, (s + 1) * block_rows));
}

/// K sums over rows: add(first, last) -> array of K, added up in order.
template <std::size_t K, class Add>
std::array<double, K> sum_blocks(Index rows, Add&& add) {
  std::vector<std::array<double, K>> parts(static_cast<std::size_t>(blocks_of(rows)));
  for_blocks(rows, [&](Index s, Index first, Index last) { parts[s] = add(first, last); });
  std::array<double, K> sum{};
  for (const auto& part : parts)
    for (std::size_t k = 0; k < K; ++k) sum[k] += part[k];
  return sum;
}

/// sum_i weight_i x_i y_i; weight 1 where there are no weights.
double dot(View weights, View x, View y);

/// y = x - S^-1 A x = S^-1 ((S - D) x - R x) for a diagonal matrix S; plain Jacobi's M for S = D.
void iterate(const Csr<double>& a, View diagonal, View scale, View x, std::span<double> y);

/// D^-1 (b - A x).
Vector correction(const Csr<double>& a, View diagonal, View b, View x);

/// Reproducible values in (-1, 1).
Vector random_vector(Index rows);

}  // namespace jacobi::diagnosis
