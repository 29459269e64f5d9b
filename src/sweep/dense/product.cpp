#include "sweep/dense/product.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/product.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/dense/7_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T>
void rows_here(const DenseWorkspace<T>& shared, Index first, Index last, const T* b, const T* x, T* y,
               bool negative) {
  DenseWorkspace<T> w = shared;
  w.b = b;
  w.r = y;
  FusedEntries<T>::residuals(w, x, first, last);
  if (negative)
    for (Index i = first; i < last; ++i) y[i] = -y[i];
}

DenseProducts<double> double_rows_here() { return {rows_here<double>, target_name(HWY_TARGET)}; }
DenseProducts<float> float_rows_here() { return {rows_here<float>, target_name(HWY_TARGET)}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(double_rows_here);
HWY_EXPORT(float_rows_here);

template <>
DenseProducts<double> dense_products<double>() {
  return HWY_DYNAMIC_DISPATCH(double_rows_here)();
}
template <>
DenseProducts<float> dense_products<float>() {
  return HWY_DYNAMIC_DISPATCH(float_rows_here)();
}

}  // namespace jacobi::sweep
#endif
