/// The kernels of 3D grids in one array, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/wavefront/wavefront.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/wavefront/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/wavefront/wavefront-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T>
WavefrontKernels<T> wavefront_of() {
  if constexpr (has_pairs) return {true, WavefrontSweeps<T>::advance};
  return {};
}

TypeTables<WavefrontKernels> wavefront_here() { return {wavefront_of<double>(), wavefront_of<float>()}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(wavefront, WavefrontKernels)

}  // namespace jacobi::sweep
#endif
