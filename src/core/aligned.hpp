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

/// Asks for huge pages: fewer faults and address translations where the system grants them. Not for a last
/// one of which less than half is used: the system would clear all of that.
inline void ask_huge_pages([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_HUGEPAGE)
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t skipped = -reinterpret_cast<std::uintptr_t>(start) % page;  // up to a whole page
  if (bytes > huge_page && bytes % huge_page < huge_page / 2) bytes -= bytes % huge_page;
  if (skipped < bytes) madvise(static_cast<char*>(start) + skipped, bytes - skipped, MADV_HUGEPAGE);
#endif
}

/// Takes pages from the system, as a first touch would, but all at once: a fault apiece takes twice as long.
inline void populate([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) {
#if defined(MADV_POPULATE_WRITE)
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t before = reinterpret_cast<std::uintptr_t>(start) % page;
  if (bytes >= 4 * page) madvise(static_cast<char*>(start) - before, before + bytes, MADV_POPULATE_WRITE);
#endif
}

}  // namespace jacobi
