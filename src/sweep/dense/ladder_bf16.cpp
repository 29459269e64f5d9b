/// Rung fused on a matrix stored in bf16.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/ladder_bf16.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/dense/7_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

DenseRung<float, Bf16> bf16_functions_here() {
  using Sweep = DenseSweep<float, FusedEntries<float, Bf16>>;
  return {Sweep::advance, Sweep::norms};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(bf16_functions_here);

DenseRung<float, Bf16> bf16_functions() { return HWY_DYNAMIC_DISPATCH(bf16_functions_here)(); }

}  // namespace jacobi::sweep
#endif
