/// The kernels of box stencils, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/box/box.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/box/box-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/box/box-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(box, BoxKernels)

}  // namespace jacobi::sweep
