/// Sweeps over rows as they are given, once per instruction set.
#include "relax.hpp"
#include "sweep/kernels.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "relax-inl.hpp"
#include <hwy/foreach_target.h>

#include "relax-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(given_rows, python::GivenRowsKernels)

}  // namespace jacobi::sweep
