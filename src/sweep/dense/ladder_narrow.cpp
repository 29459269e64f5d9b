/// Rungs fused and paired on a copy of the matrix in float or bf16, packed for rung paired.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/ladder_narrow.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/dense/8_paired.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class S>
DenseRung<float, S> packed_functions() {
  using Sweep = PairedSweep<float, S, true>;
  return {Sweep::advance, Sweep::norms};
}

DenseRung<float, Bf16> bf16_functions_here(int number) {
  using Sweep = DenseSweep<float, FusedEntries<float, Bf16>>;
  if (number == 8) return packed_functions<Bf16>();
  return {Sweep::advance, Sweep::norms};
}
DenseRung<float> packed_floats_here() { return packed_functions<float>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(bf16_functions_here);
HWY_EXPORT(packed_floats_here);

template <>
DenseRung<float, Bf16> narrow_rung_functions<Bf16>(int number) {
  return HWY_DYNAMIC_DISPATCH(bf16_functions_here)(number);
}
template <>
DenseRung<float> narrow_rung_functions<float>(int number) {
  return number == 8 ? HWY_DYNAMIC_DISPATCH(packed_floats_here)() : dense_rung_functions<float>(number);
}

}  // namespace jacobi::sweep
#endif
