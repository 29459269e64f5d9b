/// The kernels of slices of columns, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/csr/sliced/slices.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/csr/sliced/sliced-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/csr/sliced/sliced-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(sliced, SlicedKernels)

}  // namespace jacobi::sweep
