// One row's update, the order of operations of src/sweep/csr/rows, whose bits these are where columns ascend:
//   r = fma(-a_ij, x_j, ...) over the entries of row i as they lie there, begun with b_i;
//   plain: x_i + r s; weighted: fma(omega, r s, x_i); s = 1 / a_ii, rounded once.
// Bytes per row with e entries: e (value + column), offset, b, and x in and out.
#if defined(PYJACOBI_RELAX_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PYJACOBI_RELAX_INL
#undef PYJACOBI_RELAX_INL
#else
#define PYJACOBI_RELAX_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "relax.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, class I>
python::Swept sweep_given_rows(const python::GivenRows<T, I>& a, const T* u, T* out, Index first,
                               Index last) {
  const auto rows = static_cast<std::uint64_t>(a.rows);
  bool finite = true;
  for (Index i = first; i < last; ++i) {
    const Index begin = a.offsets[i], end = a.offsets[i + 1];
    if (begin < 0 || end < begin || end > a.entries) return {i, finite};
    T r = a.b[i], diagonal = 0;
    for (Index k = begin; k < end; ++k) {
      const auto j = static_cast<Index>(a.columns[k]);
      if (static_cast<std::uint64_t>(j) >= rows) return {i, finite};  // below 0 too
      const T value = a.values[k];
      r = Scalar<T>::fma(-value, u[j], r);
      if (j == i) diagonal += value;
    }
    const T s = static_cast<T>(1 / static_cast<double>(diagonal));
    if (!std::isfinite(s)) return {i, finite};
    const T c = r * s;
    const T now = a.weighted ? Scalar<T>::fma(a.omega, c, u[i]) : u[i] + c;
    finite &= std::abs(now) <= std::numeric_limits<T>::max();
    out[i] = now;
  }
  return {last, finite};
}

namespace {

template <class T>
python::GivenRowsKernels<T> given_rows_table() {
  return {&sweep_given_rows<T, std::int32_t>, &sweep_given_rows<T, std::int64_t>};
}

TypeTables<python::GivenRowsKernels> given_rows_here() {
  return {given_rows_table<double>(), given_rows_table<float>()};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
