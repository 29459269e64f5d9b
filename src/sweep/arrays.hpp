/// Memory that is swept.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/aligned.hpp"
#include "core/cancel.hpp"
#include "core/memory.hpp"
#include "core/team.hpp"
#include "jacobi/error.hpp"
#include "jacobi/types.hpp"

namespace jacobi::sweep {

inline constexpr Index alignment = 64;

/// `count` zeros, aligned, first touched by the threads that will sweep them, block by block. In huge pages,
/// where the system grants them, if `huge` and there are that many: lines of a grid that lie pages apart, and
/// entries gathered from everywhere, else wait for address translation
/// (docs/lab/2026-11-28-tried-on-grids.md). Throws: BackendError where memory lacks; Interrupted.
template <class T>
AlignedArray<T> swept_array(Index count, int threads, bool huge = true) {
  throw_if_cancelled();  // the first touch is most of the time that a binding takes
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  AlignedArray<T> array =
      aligned_array<T>(static_cast<std::size_t>(count), bytes >= huge_page ? huge_page : alignment);
  if (!array)
    throw BackendError(fmt::format("no memory for an array of {}", in_words(static_cast<double>(bytes))));
  if (huge && bytes >= huge_page) ask_huge_pages(array.get(), bytes);
  constexpr std::size_t lives_in_cache = std::size_t(4) << 20;  // whose pages one thread is as fast to take
  run_team(bytes < lives_in_cache ? 1 : threads, [&, start = array.get()](const Member& me) {
    const auto [first, last] = me.part(count);
    populate(start + first, static_cast<std::size_t>(last - first) * sizeof(T));
    std::fill(start + first, start + last, T{});
  });
  return array;
}

/// What a side adds to b at one unknown.
template <class T>
struct Source {
  Index at;  ///< where it lies in memory, counted from the first unknown
  T value;
};

/// Arrays that one sweep goes over. They start a few cache lines apart modulo the page: a store to one must
/// not look like the neighbour's load to the processor.
template <class T>
class Arrays {
 public:
  /// As swept_array().
  T* take(Index count, int threads, bool huge = true) {
    constexpr Index page = 4096 / sizeof(T), apart = 17 * alignment / sizeof(T);
    const Index shift = apart * static_cast<Index>(arrays_.size()) % page;
    arrays_.push_back(swept_array<T>(count + shift, threads, huge));
    return arrays_.back().get() + shift;
  }

 private:
  std::vector<AlignedArray<T>> arrays_;
};

}  // namespace jacobi::sweep
