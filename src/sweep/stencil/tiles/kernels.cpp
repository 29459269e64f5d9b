/// The kernels of skewed tiles, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/tiles/tiles.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/tiles/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/skewing/bands-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, int D>
struct MakeTilesKernels {
  static TilesKernels<T, D> table() {
    return {Tiled<T, D>::advance, Tiled<T, D>::advance_measured, Tiled<T, D>::norms};
  }
};

Tables<TilesKernels> tiles_here() { return make_tables<TilesKernels, MakeTilesKernels>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_GRID_KERNELS(tiles, TilesKernels)

}  // namespace jacobi::sweep
#endif
