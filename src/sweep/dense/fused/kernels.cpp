/// The kernels of rung fused, once per instruction set: of entries as they are given, and in bf16.
#include "sweep/kernels.hpp"
#include "sweep/dense/fused/fused.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/fused/fused-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/dense/fused/fused-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_ENTRY_KERNELS(fused, FusedKernels)

}  // namespace jacobi::sweep
