#include "jacobi/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/blocks.hpp"
#include "core/dense_entries.hpp"
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

template <class T>
double backward_error(const Csr<T>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range([&]<class Sum>(Sum) {
    return a.visit([&](auto offsets, auto columns, auto values) {
      const auto add = [&](LargestShare& part, Index first, Index last) {
        for (Index i = first; i < last; ++i) {
          Sum sum(b[i]);
          for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum.subtract(values[k], x[columns[k]]);
          part.add(sum);
        }
      };
      return gathered_by_blocks<LargestShare>(blocks_over(a), add);
    });
  });
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

template <class T>
double backward_error(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range([&]<class Sum>(Sum) {
    const auto add = [&](LargestShare& part, Index first, Index last) {
      for (Index p = first; p < last; ++p) {
        Sum sum(b[p]);
        a.each_entry(p, [&](Index q, T c) { sum.subtract(c, x[q]); });
        part.add(sum);
      }
    };
    return gathered_by_blocks<LargestShare>(RowGroups(a.rows()), add);
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
