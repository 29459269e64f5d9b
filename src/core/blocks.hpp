/// Passes over rows on all cores, summed in fixed blocks: the same bits for any number of threads.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "core/walk.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

inline constexpr Index block_rows = 2048;

inline Index blocks_of(Index rows) { return (rows + block_rows - 1) / block_rows; }

/// run(block, first, last) for every block of rows; on one core where that is too little to share.
template <class Run>
void for_blocks(Index rows, Run&& run) {
  const Index blocks = blocks_of(rows);
#pragma omp parallel for schedule(dynamic, 8) if (blocks >= 32)  // rows differ in length
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

/// Norms of the vector with entries value(i).
template <class Value>
Norms norms_over(Index rows, Value&& value) {
  std::vector<Accumulated> parts(static_cast<std::size_t>(blocks_of(rows)));
  for_blocks(rows, [&](Index s, Index first, Index last) {
    Accumulated part;
    for (Index i = first; i < last; ++i) part.add(value(i));
    parts[s] = part;
  });
  Accumulated sum;
  for (const Accumulated& part : parts) sum.add(part);
  return sum.norms();
}

}  // namespace jacobi
