/// The kernels of a batch of 1D problems, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/batch/batch.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/batch/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/batch/batch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

TypeTables<BatchKernels> batch_here() { return {{Batch<double>::advance}, {Batch<float>::advance}}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(batch, BatchKernels)

}  // namespace jacobi::sweep
#endif
