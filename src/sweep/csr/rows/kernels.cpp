/// The kernels of compressed rows, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/csr/rows/rows.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/csr/rows/rows-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/csr/rows/rows-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(rows, RowsKernels)

}  // namespace jacobi::sweep
