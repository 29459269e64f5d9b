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

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "relax.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

namespace {

/// Rows first ... last - 1 and their columns lie within the matrix. Told of many at once, by loops without
/// branches.
template <class T, class I>
bool lie_within(const python::GivenRows<T, I>& a, Index first, Index last) {
  using Unsigned = std::make_unsigned_t<I>;  // what is below 0 is too large as well
  bool ascend = a.offsets[first] >= 0 && a.offsets[last] <= a.entries;
  for (Index i = first; i < last; ++i) ascend &= a.offsets[i] <= a.offsets[i + 1];
  if (!ascend) return false;
  Unsigned most = 0;
  for (Index k = a.offsets[first]; k < a.offsets[last]; ++k)
    most = std::max(most, static_cast<Unsigned>(a.columns[k]));
  return static_cast<std::uint64_t>(most) < static_cast<std::uint64_t>(a.rows);
}

}  // namespace

template <class T, class I>
python::Swept sweep_given_rows(const python::GivenRows<T, I>& a, const T* u, T* out, Index first,
                               Index last) {
  constexpr Index looked_at = 64;  // rows at once, whose columns stay in L1
  const I* const columns = a.columns;
  const T* const values = a.values;
  bool finite = true;
  for (Index i = first, known = first; i < last; ++i) {
    if (i == known) {
      known = std::min(last, i + looked_at);
      if (!lie_within(a, i, known)) known = i + 1;
      if (!lie_within(a, i, known)) return {i, finite};
    }
    T r = a.b[i];
    Index at = 0, found = 0;
    for (Index k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      r = Scalar<T>::fma(-values[k], u[columns[k]], r);
      at = columns[k] == i ? k : at;
      found += columns[k] == i;
    }
    T diagonal = found > 0 ? values[at] : 0;
    if (found > 1) {  // several entries in one place
      diagonal = 0;
      for (Index k = a.offsets[i]; k < a.offsets[i + 1]; ++k) diagonal += columns[k] == i ? values[k] : 0;
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
