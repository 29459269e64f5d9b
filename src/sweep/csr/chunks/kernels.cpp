/// The kernels of rows in chunks, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/csr/chunks/chunks.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/csr/chunks/chunks-inl.hpp"
#include <hwy/foreach_target.h>

#include "sweep/csr/chunks/chunks-inl.hpp"

namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(chunks, ChunksKernels)

}  // namespace jacobi::sweep
