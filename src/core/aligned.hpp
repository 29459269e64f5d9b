/// Arrays that begin where the hardware likes it.
#pragma once
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace jacobi {

struct FreeAligned {
  void operator()(void* p) const { std::free(p); }
};
template <class T>
using AlignedArray = std::unique_ptr<T[], FreeAligned>;

/// `count` values, not set, at a multiple of `alignment` bytes (a power of two); empty where memory lacks.
template <class T>
AlignedArray<T> aligned_array(std::size_t count, std::size_t alignment) {
  const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
  return AlignedArray<T>(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
}

inline constexpr std::size_t huge_page = std::size_t(2) << 20;

/// Asks for huge pages: fewer faults and address translations where the system grants them.
inline void ask_huge_pages([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(start) % page;  // up to a whole page
  if (skipped < bytes) madvise(static_cast<char*>(start) + skipped, bytes - skipped, MADV_HUGEPAGE);
#endif
}

}  // namespace jacobi
