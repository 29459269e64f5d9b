/// The kernels of lines in strips, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/strips/strips.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/strips/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/strips/strips-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T>
StripsKernels<T> strips_of() {
  if constexpr (Strips<T>::is_able)
    return {register_tile<T>, Strips<T>::advance, Strips<T>::update, Strips<T>::take_lines};
  return {};
}

TypeTables<StripsKernels> strips_here() { return {strips_of<double>(), strips_of<float>()}; }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_TYPE_KERNELS(strips, StripsKernels)

}  // namespace jacobi::sweep
#endif
