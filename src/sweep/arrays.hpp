/// Memory that is swept.
#pragma once
#include <fmt/format.h>

#include "core/aligned.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "jacobi/types.hpp"

namespace jacobi::sweep {

inline constexpr Index alignment = 64;

/// `count` zeros, aligned, first touched by the threads that will sweep them, block by block. In huge pages,
/// where the system grants them, if `huge` and there are that many: lines of a grid that lie pages apart, and
/// entries gathered from everywhere, else wait for address translation (docs/performance.md).
/// Throws: BackendError where memory lacks.
template <class T>
AlignedArray<T> swept_array(Index count, [[maybe_unused]] int threads, bool huge = true) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
  AlignedArray<T> array =
      aligned_array<T>(static_cast<std::size_t>(count), bytes >= huge_page ? huge_page : alignment);
  if (!array)
    throw BackendError(fmt::format("no memory for an array of {}", in_words(static_cast<double>(bytes))));
  if (huge && bytes >= huge_page) ask_huge_pages(array.get(), bytes);
  T* const start = array.get();
#pragma omp parallel for schedule(static) num_threads(threads)
  for (Index p = 0; p < count; ++p) start[p] = T{};
  return array;
}

}  // namespace jacobi::sweep
