/// The kernels of cycles in tiles, once per instruction set.
#include "sweep/kernels.hpp"
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

JACOBI_DEFINE_GRID_KERNELS(hierarchical, HierarchicalKernels)

}  // namespace jacobi::sweep
#endif
