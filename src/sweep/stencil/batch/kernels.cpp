/// The kernels of a batch of 1D problems, once per instruction set.
#include "sweep/stencil/kernels.hpp"
#include "sweep/stencil/batch/batch.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/batch/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/batch/batch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

std::tuple<BatchKernels<double>, BatchKernels<float>> batch_here() {
  return {{Batch<double>::advance}, {Batch<float>::advance}};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(batch_here);

template <class T>
BatchKernels<T> batch_kernels() {
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  return std::get<BatchKernels<T>>(HWY_DYNAMIC_DISPATCH(batch_here)());
}

template BatchKernels<double> batch_kernels<double>();
template BatchKernels<float> batch_kernels<float>();

}  // namespace jacobi::sweep
#endif
