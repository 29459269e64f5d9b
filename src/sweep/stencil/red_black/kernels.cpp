/// The kernels of red-black sweeps, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/red_black/red_black.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/red_black/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/red_black/red_black-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, int D>
struct MakeRedBlackKernels {
  static RedBlackKernels<T, D> table() {
    return {RedBlack<T, D>::advance, RedBlack<T, D>::advance_measured, RedBlack<T, D>::norms};
  }
};

Tables<RedBlackKernels> red_black_here() { return make_tables<RedBlackKernels, MakeRedBlackKernels>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_GRID_KERNELS(red_black, RedBlackKernels)

}  // namespace jacobi::sweep
#endif
