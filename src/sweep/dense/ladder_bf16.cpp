/// Rungs fused and paired on a matrix stored in bf16.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/ladder_bf16.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/dense/8_paired.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

DenseRung<float, Bf16> bf16_functions_here(int number) {
  using Sweep = DenseSweep<float, FusedEntries<float, Bf16>>;
  using Paired = PairedSweep<float, Bf16>;
  if (number == 8) return {Paired::advance, Paired::norms};
  return {Sweep::advance, Sweep::norms};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(bf16_functions_here);

DenseRung<float, Bf16> bf16_functions(int number) {
  return HWY_DYNAMIC_DISPATCH(bf16_functions_here)(number);
}

}  // namespace jacobi::sweep
#endif
