/// All dense rungs and the products for one type, compiled once per instruction set; the including file
/// defines JACOBI_TYPE.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/ladder-inl.hpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/dense/6_blas.hpp"
#include "sweep/dense/8_paired.hpp"
#include "sweep/dense/product.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {  // the same name in every type's file

template <class Kernel>
DenseRung<JACOBI_TYPE> dense_functions_of() {
  return {DenseSweep<JACOBI_TYPE, Kernel>::advance, DenseSweep<JACOBI_TYPE, Kernel>::norms};
}

DenseRung<JACOBI_TYPE> dense_functions_here(int number) {
  using T = JACOBI_TYPE;
  switch (number) {
    case 0:
      return dense_functions_of<TextbookEntries<T>>();
    case 1:
      return dense_functions_of<SimdEntries<T, 1>>();
    case 2:
      return dense_functions_of<SimdEntries<T, 2>>();
    case 3:
      return dense_functions_of<SimdEntries<T, 4>>();
    case 4:
      return dense_functions_of<SimdEntries<T, 8>>();
    case 5:
      return dense_functions_of<SimdEntries<T, 8, true>>();
    case 6:
      return dense_functions_of<BlasEntries<T>>();
    case 7:
      return dense_functions_of<FusedEntries<T>>();
    case 8:
      return {PairedSweep<T>::advance, PairedSweep<T>::norms};
  }
  return {nullptr, nullptr};
}

void product_of_rows(const DenseWorkspace<JACOBI_TYPE>& shared, Index first, Index last, const JACOBI_TYPE* b,
                     const JACOBI_TYPE* x, JACOBI_TYPE* y, bool negative) {
  DenseWorkspace<JACOBI_TYPE> w = shared;
  w.b = b;
  w.r = y;
  FusedEntries<JACOBI_TYPE>::residuals(w, x, first, last);
  if (negative)
    for (Index i = first; i < last; ++i) y[i] = -y[i];
}

DenseProducts<JACOBI_TYPE> dense_products_here() { return {product_of_rows, target_name(HWY_TARGET)}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(dense_functions_here);
HWY_EXPORT(dense_products_here);

template <>
DenseRung<JACOBI_TYPE> dense_rung_functions<JACOBI_TYPE>(int number) {
  return HWY_DYNAMIC_DISPATCH(dense_functions_here)(number);
}
template <>
DenseProducts<JACOBI_TYPE> dense_products<JACOBI_TYPE>() {
  return HWY_DYNAMIC_DISPATCH(dense_products_here)();
}

}  // namespace jacobi::sweep
#endif
