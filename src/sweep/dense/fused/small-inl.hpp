// A matrix of one piece on one thread: all sweeps of a call in one function, residuals in registers. What
// others do between two sweeps takes as long as a sweep of so few rows.
#if defined(JACOBI_DENSE_SMALL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_SMALL_INL
#undef JACOBI_DENSE_SMALL_INL
#else
#define JACOBI_DENSE_SMALL_INL
#endif

#include "sweep/dense/fused/columns-inl.hpp"
#include "sweep/dense/fused/rows-inl.hpp"

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

/// By columns, `Count` vectors of rows, after as many times eight and four as come before these.
template <int Count, class T>
void small_columns(DenseWorkspace<T>& w, std::span<const Step> steps) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), rows = w.rows, leading = w.leading;
  const Index last = ((rows + lanes - 1) / lanes - Count) * lanes;
  const auto all = hn::FirstN(d, hn::Lanes(d)),
             some = hn::FirstN(d, static_cast<std::size_t>(rows - last - (Count - 1) * lanes));
  const T *const a = w.a, *const b = w.b;
  small_sweeps(w, steps, [&](const T* x, auto settle) HWY_ATTR {
    const auto settle_some = [&](auto vectors, Index i, auto inside) HWY_ATTR {
      constexpr int count = decltype(vectors)::value;
      typename A::V r[count];
      masked_vectors<count>(a + i, leading, rows, b + i, x, inside, r);
      JACOBI_UNROLL
      for (int m = 0; m < count; ++m) settle(i + m * lanes, r[m]);
    };
    Index i = 0;
    if constexpr (8 * hn::MaxLanes(d) < dense_piece) {
      for (; i + 8 * lanes <= last; i += 8 * lanes) settle_some(std::integral_constant<int, 8>(), i, all);
      if (i < last) settle_some(std::integral_constant<int, 4>(), i, all);
    }
    settle_some(std::integral_constant<int, Count>(), last, some);
  });
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
  return has_masked_loads || w.rows % lanes == 0;
}

template <class T>
void small_sweeps(DenseWorkspace<T>& w, std::span<const Step> steps) {
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  if (w.by_rows) return small_rows(w, steps);
  Index last = (w.rows + lanes - 1) / lanes;
  while (last > 11) last -= 8;
  with_count<8>(last > 8 ? last - 4 : last,
                [&](auto count) HWY_ATTR { small_columns<decltype(count)::value>(w, steps); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
