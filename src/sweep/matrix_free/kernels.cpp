/// The passes after a product, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/matrix_free/sweeps.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/matrix_free/sweeps-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/matrix_free/sweeps-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(free, FreeKernels)

}  // namespace jacobi::sweep
