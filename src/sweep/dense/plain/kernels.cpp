/// The kernels of plain dense rungs, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/dense/plain/plain.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/dense/plain/plain-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/dense/plain/plain-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(dense_plain, DensePlainKernels)

}  // namespace jacobi::sweep
