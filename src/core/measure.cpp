#include "jacobi/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/dense_entries.hpp"
#include "core/entry_rows.hpp"
#include "core/grid_residuals.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/sized_sum.hpp"
#include "core/spread.hpp"

namespace jacobi {

namespace {

/// gather(sum) in double, or, where terms of a row could leave double's range, in long double: on x86 and on
/// 64-bit Arm under Linux that has sixteen times as many exponents.
template <class Gather>
double in_range(Gather&& gather) {
  const LargestShare share = gather(SizedSum<double>());
  return share.is_sure() ? share.value() : gather(SizedSum<long double>()).value();
}

}  // namespace

template <class T, int D>
double backward_error(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range([&]<class Sum>(Sum) {
    return gather_residuals<LargestShare, Sum>(a, b, x, all_lines(a.grid()),
                                               [](LargestShare& part, Index first, Index last, auto&& sum) {
                                                 for (; first < last; ++first) part.add(sum(first));
                                               });
  });
}

template <class A, class T>
double backward_error_by(const A& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range([&]<class Sum>(Sum) {
    return with_residuals<Sum>(a, b, x, [&](auto&& sum) {
      return gathered_by_blocks<LargestShare>(blocks_over(a),
                                              [&](LargestShare& part, Index first, Index last) {
                                                for (; first < last; ++first) part.add(sum(first));
                                              });
    });
  });
}
template <class T>
double backward_error(const Csr<T>& a, std::span<const T> b, std::span<const T> x) {
  return backward_error_by(a, b, x);
}
template <class T>
double backward_error(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x) {
  return backward_error_by(a, b, x);
}

template <class T>
double backward_error(const Dense<T>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range([&]<class Sum>(Sum) {
    std::vector<Sum> sums(b.begin(), b.end());
    for_some_rows(a, [&](Index first, Index last) {
      add_products(a, x.data(), first, last, sums.data(), [](double entry, double value) {
        Sum term;
        term.subtract(entry, value);
        return term;
      });
    });
    LargestShare largest;
    for (const Sum& sum : sums) largest.add(sum);
    return largest;
  });
}

template <class T, int D>
double row_spread(const Stencil<T, D>& a) {
  return spread_of(static_cast<Index>(a.center().size()), [&](Index p) { return a.center()[p]; });
}
template <class T>
double row_spread(const Csr<T>& a) {
  return spread_of(a.rows(), [&](Index i) { return a.diagonal(i); });
}
template <class T>
double row_spread(const Dense<T>& a) {
  return spread_of(a.rows(), [&](Index i) { return a.diagonal(i); });
}

template <class T>
double row_spread(const BoxStencil<T>&) {
  return 1;
}

#define JACOBI_INSTANTIATE(T, D)                                                                      \
  template double backward_error<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>); \
  template double row_spread<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

#define JACOBI_INSTANTIATE(Matrix, T)                                                          \
  template double backward_error<T>(const Matrix<T>&, std::span<const T>, std::span<const T>); \
  template double row_spread<T>(const Matrix<T>&);
JACOBI_INSTANTIATE(Csr, double)
JACOBI_INSTANTIATE(Csr, float)
JACOBI_INSTANTIATE(Dense, double)
JACOBI_INSTANTIATE(Dense, float)
JACOBI_INSTANTIATE(BoxStencil, double)
JACOBI_INSTANTIATE(BoxStencil, float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
