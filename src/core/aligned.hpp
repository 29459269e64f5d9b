/// Arrays that begin where the hardware likes it.
#pragma once
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

}  // namespace jacobi
