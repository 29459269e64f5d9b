#include "sweep/csr/product.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/csr/product.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/csr/6_sliced.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, class Column>
void product_of_chunks(const SparseWorkspace<T>& w, const Column* columns, Index piece, const T* b,
                       const T* x, T* y, bool negative) {
  const typename Vector<T>::Tag tag;
  Streams<T, Column> m(w, columns);
  m.b = b - piece * piece_rows;
  if (negative)
    for_vectors(m, piece, x, [&](Index p, auto r) HWY_ATTR { hn::StoreU(hn::Neg(r), tag, y + p); });
  else
    for_vectors(m, piece, x, [&](Index p, auto r) HWY_ATTR { hn::StoreU(r, tag, y + p); });
}

template <class T>
void chunks_here(const SparseWorkspace<T>& w, Index piece, const T* b, const T* x, T* y, bool negative) {
  const Chunks<T>& m = w.chunks;
  m.narrow ? product_of_chunks(w, m.narrow.get(), piece, b, x, y, negative)
           : product_of_chunks(w, m.wide.get(), piece, b, x, y, negative);
}

template <class T>
void slices_here(const SparseWorkspace<T>& w, Index slab, const T* b, const T* x, T* y, bool negative) {
  const Index first = slab * slab_rows, last = std::min(w.rows, first + slab_rows);
  std::copy(b, b + (last - first), y + first);
  for (Index slice = 0; slice < w.slices.slices; ++slice) add_slice(w.slices, slab, slice, x, y);
  if (negative)
    for (Index i = first; i < last; ++i) y[i] = -y[i];
}

SparseProducts<double> double_here() {
  return {chunks_here<double>, slices_here<double>, target_name(HWY_TARGET)};
}
SparseProducts<float> float_here() {
  return {chunks_here<float>, slices_here<float>, target_name(HWY_TARGET)};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(double_here);
HWY_EXPORT(float_here);

template <>
SparseProducts<double> sparse_products<double>() {
  return HWY_DYNAMIC_DISPATCH(double_here)();
}
template <>
SparseProducts<float> sparse_products<float>() {
  return HWY_DYNAMIC_DISPATCH(float_here)();
}

}  // namespace jacobi::sweep
#endif
