/// Vectors of a diagnosis, and the passes that it makes over them and the rows.
#pragma once
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "core/blocks.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::diagnosis {

/// While one lives, large memory that its thread frees is kept, and handed out again for the same size: the
/// system clears new pages more slowly than most passes run.
class Recycling {
 public:
  Recycling();
  ~Recycling();
  Recycling(const Recycling&) = delete;
  Recycling& operator=(const Recycling&) = delete;
};

/// Memory in huge pages where it is large, recycled where it may be. Throws: std::bad_alloc.
void* take_memory(std::size_t bytes);
void give_memory(void* p, std::size_t bytes);

/// Leaves new values unset, so that the pass that sets them is the first to touch their memory.
template <class T>
struct Unset : std::allocator<T> {
  template <class U>
  struct rebind {            // NOLINT(readability-identifier-naming): the standard's
    using other = Unset<U>;  // NOLINT(readability-identifier-naming)
  };
  T* allocate(std::size_t count) { return static_cast<T*>(take_memory(count * sizeof(T))); }
  void deallocate(T* p, std::size_t count) { give_memory(p, count * sizeof(T)); }
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

/// use(i, j, value) for every entry off the diagonal that is not zero, row by row on one core.
template <class Use>
void each_off_diagonal(const Csr<double>& a, Use&& use) {
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        if (columns[k] != i && values[k] != 0) use(i, Index(columns[k]), values[k]);
  });
}

/// sum_i weight_i x_i y_i over rows first ... last - 1; weight 1 where there are no weights.
inline double dot(View weights, View x, View y, Index first, Index last) {
  double sum = 0;
  if (weights.empty()) {
    for (Index i = first; i < last; ++i) sum += x[i] * y[i];
  } else {
    for (Index i = first; i < last; ++i) sum += weights[i] * x[i] * y[i];
  }
  return sum;
}
double dot(View weights, View x, View y);

/// y = x - S^-1 A x = S^-1 ((S - D) x - R x) for a diagonal matrix S; plain Jacobi's M for S = D. Returns
/// dot(weights, x, y).
double iterate(const Csr<double>& a, View diagonal, View scale, View weights, View x, std::span<double> y);

bool zero(View x);

/// D^-1 (b - A x); x may be empty, and is 0 then.
Vector correction(const Csr<double>& a, View diagonal, View b, View x);

/// sign(a_ii) sum_j |a_ij|
Vector l1_divisors(const Csr<double>& a, View diagonal);

/// Reproducible values in (-1, 1), of the same size in the inner product of the weights.
Vector random_vector(Index rows, View weights = {});

}  // namespace jacobi::diagnosis
