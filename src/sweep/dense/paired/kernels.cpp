/// The kernels of rung paired, once per instruction set: of entries as they are given, and of packed ones.
#include "sweep/kernels.hpp"
#include "sweep/dense/paired/paired.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/paired/paired-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/dense/paired/paired-inl.hpp"

namespace jacobi::sweep {

HWY_EXPORT(paired_here);
HWY_EXPORT(packed_here);

template <class T, class S>
PairedKernels<T, S> paired_kernels() {
  simd::chosen();
  return std::get<PairedKernels<T, S>>(HWY_DYNAMIC_DISPATCH(paired_here)());
}
template PairedKernels<double, double> paired_kernels<double, double>();
template PairedKernels<float, float> paired_kernels<float, float>();

template <class S>
PairedKernels<float, S> packed_kernels() {
  simd::chosen();
  return std::get<PairedKernels<float, S>>(HWY_DYNAMIC_DISPATCH(packed_here)());
}
template PairedKernels<float, float> packed_kernels<float>();
template PairedKernels<float, Bf16> packed_kernels<Bf16>();

}  // namespace jacobi::sweep
