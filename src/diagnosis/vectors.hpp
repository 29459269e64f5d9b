/// Vectors of a diagnosis, and the passes that it makes over them and the rows.
#pragma once
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/aligned.hpp"
#include "core/blocks.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::diagnosis {

/// Leaves new values unset, so that the pass that sets them is the first to touch their memory; in huge
/// pages.
template <class T>
struct Unset : std::allocator<T> {
  template <class U>
  struct rebind {            // NOLINT(readability-identifier-naming): the standard's
    using other = Unset<U>;  // NOLINT(readability-identifier-naming)
  };
  T* allocate(std::size_t count) {
    const bool huge = count * sizeof(T) >= huge_page;
    AlignedArray<T> array = aligned_array<T>(count, huge ? huge_page : alignof(std::max_align_t));
    if (!array) throw std::bad_alloc();
    if (huge)  // the last one too: the array has been rounded up to it
      ask_huge_pages(array.get(), (count * sizeof(T) + huge_page - 1) / huge_page * huge_page);
    return array.release();
  }
  void deallocate(T* p, std::size_t /*count*/) { FreeAligned()(p); }
  template <class U>
  void construct(U* p) {
    ::new (static_cast<void*>(p)) U;
  }
  template <class U, class... Values>
  void construct(U* p, Values&&... values) {
    ::new (static_cast<void*>(p)) U(std::forward<Values>(values)...);
  }
};

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

using Vector = std::vector<double, Unset<double>>;  ///< Vector(n) is not set
using View = std::span<const double>;

/// sum_i weight_i x_i y_i; weight 1 where there are no weights.
double dot(View weights, View x, View y);

/// y = x - S^-1 A x = S^-1 ((S - D) x - R x) for a diagonal matrix S; plain Jacobi's M for S = D. Returns
/// dot(weights, x, y).
double iterate(const Csr<double>& a, View diagonal, View scale, View weights, View x, std::span<double> y);

/// D^-1 (b - A x).
Vector correction(const Csr<double>& a, View diagonal, View b, View x);

/// D^-1 b.
Vector quotients(View b, View diagonal);

/// Reproducible values in (-1, 1).
Vector random_vector(Index rows);

}  // namespace jacobi::diagnosis
