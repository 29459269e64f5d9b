/// Passes over rows on all cores, in fixed blocks: the same bits for any number of threads.
#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "core/long_sum.hpp"
#include "core/team.hpp"
#include "core/teams.hpp"
#include "core/walk.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

inline constexpr Index block_rows = 2048;  ///< of a block, at most

struct RowGroups {
  RowGroups(Index all, Index at_once = block_rows) : rows(all), size(at_once) {}
  Index count() const { return (rows + size - 1) / size; }
  Index rows, size;
};

/// Of a matrix: of fewer rows where these are long.
template <class Matrix>
RowGroups blocks_over(const Matrix& a) {
  constexpr Index entries = 65536;
  return {a.rows(), std::clamp<Index>(entries * a.rows() / std::max<Index>(1, a.entries()), 1, block_rows)};
}

/// run(block, first, last) for every block of rows; on one core where that is too little to share.
template <class Run>
void for_blocks(RowGroups blocks, Run&& run) {
  const Index count = blocks.count();
  parallel_chunks(count >= 32 ? whole_team() : 1, count, 8,
                  [&](Index from, Index to) {  // rows differ in length
                    for (Index s = from; s < to; ++s)
                      run(s, s * blocks.size, std::min(blocks.rows, (s + 1) * blocks.size));
                  });
}

/// least = min(least, i), most = max(most, i), as told by any core.
inline void keep_least(std::atomic<Index>& least, Index i) {
  Index seen = least;
  while (i < seen && !least.compare_exchange_weak(seen, i)) {
  }
}

inline void keep_most(std::atomic<Index>& most, Index i) {
  Index seen = most;
  while (i > seen && !most.compare_exchange_weak(seen, i)) {
  }
}

/// What add(part, first, last) gathers in the Part of a block, put together in a Whole, in order.
template <class Part, class Whole = Part, class Add>
Whole gathered_by_blocks(RowGroups blocks, Add&& add) {
  std::vector<Part> parts(static_cast<std::size_t>(blocks.count()));
  for_blocks(blocks, [&](Index s, Index first, Index last) {
    Part part{};
    add(part, first, last);
    parts[s] = part;
  });
  Whole whole;
  for (const Part& part : parts) whole.add(part);
  return whole;
}

/// K sums over rows: add(first, last) -> array of K. Those of blocks are added without rounding.
template <std::size_t K, class Add>
std::array<double, K> sum_blocks(RowGroups blocks, Add&& add) {
  using Part = std::array<double, K>;
  struct Whole {
    void add(const Part& part) {
      for (std::size_t k = 0; k < K; ++k) sums[k].add(part[k]);
    }
    std::array<LongSum, K> sums;
  };
  const auto add_to = [&](Part& part, Index first, Index last) { part = add(first, last); };
  const Whole whole = gathered_by_blocks<Part, Whole>(blocks, add_to);
  Part sum;
  for (std::size_t k = 0; k < K; ++k) sum[k] = whole.sums[k].value();
  return sum;
}

/// Norms of the vector whose entries in a block add(part, first, last) adds to the part.
template <class Add>
Norms norms_by_blocks(RowGroups blocks, Add&& add) {
  return gathered_by_blocks<Accumulated, Accumulated::Whole>(blocks, add).norms();
}
/// Norms of the vector with entries value(i).
template <class Value>
Norms norms_over(RowGroups blocks, Value&& value) {
  return norms_by_blocks(blocks,
                         [&](Accumulated& part, Index first, Index last) { part.add(first, last, value); });
}

}  // namespace jacobi
