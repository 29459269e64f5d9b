// A matrix of one piece on one thread: all sweeps of a call in one function, residuals in registers. What
// others do between two sweeps takes as long as a sweep of so few rows.
#if defined(JACOBI_DENSE_SMALL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_SMALL_INL
#undef JACOBI_DENSE_SMALL_INL
#else
#define JACOBI_DENSE_SMALL_INL
#endif

#include "sweep/dense/columns-inl.hpp"
#include "sweep/dense/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// For each step, each_residual(x, settle), which calls settle(i, r) for the vectors of rows in their order:
/// r of rows i, i + 1, ..., 0 behind the last one.
template <class T, class EachResidual>
HWY_INLINE void small_sweeps(DenseWorkspace<T>& w, std::span<const Step> steps,
                             EachResidual&& each_residual) {
  using A = Vector<T>;
  const typename A::Tag d;
  const T* const scale = w.scale;
  T *from = w.u, *to = w.v;
  LaneSums<T> sums;
  for (const Step& weights : steps) {
    const Weights<T> step(weights);
    const bool is_last = &weights == &steps.back();
    each_residual(from, [&](Index i, typename A::V r) HWY_ATTR {
      const auto x = A::load(from + i);
      const auto value =
          updated<A>(step, A::mul(r, A::load(scale + i)), x, [&]() HWY_ATTR { return A::load(to + i); });
      hn::StoreU(value, d, to + i);
      if (is_last) sums.add(A::sub(value, x));
    });
    std::swap(from, to);
  }
  w.u = from;
  w.v = to;
  w.partials[0] = sums.total();
}

constexpr int most_small_vectors = 8;

/// By columns, `Count` vectors of rows.
template <int Count, class T>
void small_columns(DenseWorkspace<T>& w, std::span<const Step> steps) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), rows = w.rows, leading = w.leading;
  const auto inside = hn::FirstN(d, static_cast<std::size_t>(rows - (Count - 1) * lanes));
  const T *const a = w.a, *const b = w.b;
  small_sweeps(w, steps, [&](const T* x, auto settle) HWY_ATTR {
    typename A::V r[Count];
    masked_vectors<Count>(a, leading, rows, b, x, inside, r);
    JACOBI_UNROLL
    for (int m = 0; m < Count; ++m) settle(m * lanes, r[m]);
  });
}

/// The same for so many vectors, `Most` at most.
template <int Most, class T>
void small_columns(Index count, DenseWorkspace<T>& w, std::span<const Step> steps) {
  if (count == Most) return small_columns<Most>(w, steps);
  if constexpr (Most > 1) small_columns<Most - 1>(count, w, steps);
}

/// By rows, eight at once.
template <class T>
void small_rows(DenseWorkspace<T>& w, std::span<const Step> steps) {
  small_sweeps(w, steps,
               [&](const T* x, auto settle) HWY_ATTR { each_residual_of_rows(w, x, 0, w.rows, settle); });
}

/// Whether these do for a matrix of one piece: not where vectors are too short or read beyond the last row.
template <class T>
bool are_small_enough(const DenseWorkspace<T>& w) {
  if (w.by_rows) return sums_eight_rows<T, T>(w.rows);
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  return w.rows <= most_small_vectors * lanes && (has_masked_loads || w.rows % lanes == 0);
}

template <class T>
void small_sweeps(DenseWorkspace<T>& w, std::span<const Step> steps) {
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  if (w.by_rows) return small_rows(w, steps);
  small_columns<most_small_vectors>((w.rows + lanes - 1) / lanes, w, steps);
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
