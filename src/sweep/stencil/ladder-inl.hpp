/// The kernels of all algorithms for one type and dimension, compiled once per instruction set; the including
/// file defines JACOBI_TYPE and JACOBI_DIMENSIONS.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/ladder-inl.hpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/batch/batch-inl.hpp"
#include "sweep/stencil/hierarchical/hierarchical-inl.hpp"
#include "sweep/stencil/kernels.hpp"
#include "sweep/stencil/plain/4_simd.hpp"
#include "sweep/stencil/red_black/red_black-inl.hpp"
#include "sweep/stencil/strips/strips-inl.hpp"
#include "sweep/stencil/tiles/6_tiled.hpp"
#include "sweep/stencil/wavefront/wavefront-inl.hpp"
#if JACOBI_HAS_OPENMP
#include "sweep/stencil/plain/5_threads.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {  // the same name in every type's and dimension's file

template <class Rung>
PlainKernels<JACOBI_TYPE, JACOBI_DIMENSIONS> line_by_line() {
  return {Rung::advance, Rung::norms};
}

/// A template, so that branches not taken are not compiled.
template <class T, int D>
GridKernels<T, D> all_kernels() {
  GridKernels<T, D> all;
  all.plain[0] = line_by_line<Textbook<T, D>>();
  all.plain[1] = line_by_line<NoCopy<T, D>>();
  all.plain[2] = line_by_line<Fused<T, D>>();
  all.plain[4] = line_by_line<Simd<T, D>>();
#if JACOBI_HAS_OPENMP
  all.plain[5] = line_by_line<Threads<T, D>>();
#endif
  all.tiles = {Tiled<T, D>::advance, Tiled<T, D>::advance_measured, Tiled<T, D>::norms};
  if constexpr (D == 2 && Strips<T>::is_able) all.strips = {riser<T>, Strips<T>::advance, Strips<T>::update};
  if constexpr (D == 2) all.batch = {Batch<T>::advance};
  if constexpr (D == 3 && has_pairs) all.wavefront = {true, WavefrontSweeps<T>::advance};
  all.hierarchical = {Hierarchical<T, D>::advance, Hierarchical<T, D>::norms};
  all.red_black = {RedBlack<T, D>::advance, RedBlack<T, D>::advance_measured, RedBlack<T, D>::norms};
  return all;
}

GridKernels<JACOBI_TYPE, JACOBI_DIMENSIONS> kernels_here() {
  return all_kernels<JACOBI_TYPE, JACOBI_DIMENSIONS>();
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(kernels_here);

template <>
GridKernels<JACOBI_TYPE, JACOBI_DIMENSIONS> dispatched_kernels<JACOBI_TYPE, JACOBI_DIMENSIONS>() {
  return HWY_DYNAMIC_DISPATCH(kernels_here)();
}

}  // namespace jacobi::sweep
#endif
