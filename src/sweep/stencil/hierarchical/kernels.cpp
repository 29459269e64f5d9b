/// The kernels of cycles in tiles, once per instruction set.
#include "sweep/stencil/kernels.hpp"
#include "sweep/stencil/hierarchical/hierarchical.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/hierarchical/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/hierarchical/hierarchical-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, int D>
struct MakeHierarchicalKernels {
  static HierarchicalKernels<T, D> table() {
    return {Hierarchical<T, D>::advance, Hierarchical<T, D>::norms};
  }
};

Tables<HierarchicalKernels> hierarchical_here() {
  return make_tables<HierarchicalKernels, MakeHierarchicalKernels>();
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(hierarchical_here);

template <class T, int D>
HierarchicalKernels<T, D> hierarchical_kernels() {
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  return std::get<HierarchicalKernels<T, D>>(HWY_DYNAMIC_DISPATCH(hierarchical_here)());
}

#define JACOBI_INSTANTIATE(T, D) template HierarchicalKernels<T, D> hierarchical_kernels<T, D>();
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
#endif
