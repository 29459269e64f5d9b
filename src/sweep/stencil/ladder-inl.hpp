/// All rungs for one type and dimension, compiled once per instruction set; the including file defines
/// JACOBI_TYPE and JACOBI_DIMENSIONS.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/ladder-inl.hpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/tiles/6_tiled.hpp"
#include "sweep/stencil/hierarchical/hierarchical-inl.hpp"
#include "sweep/stencil/red_black/red_black-inl.hpp"
#if JACOBI_HAS_OPENMP
#include "sweep/stencil/plain/5_threads.hpp"
#endif
#if JACOBI_HAS_PARALLEL_ALGORITHMS
#include "sweep/stencil/parallel/3_parallel.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {  // the same name in every type's and dimension's file

template <class Rung>
RungFunctions<JACOBI_TYPE, JACOBI_DIMENSIONS> functions_of() {
  return {Rung::advance, Rung::norms};
}

RungFunctions<JACOBI_TYPE, JACOBI_DIMENSIONS> functions_here(int number) {
  using T = JACOBI_TYPE;
  constexpr int D = JACOBI_DIMENSIONS;
  switch (number) {
    case 0:
      return functions_of<Textbook<T, D>>();
    case 1:
      return functions_of<NoCopy<T, D>>();
    case 2:
      return functions_of<Fused<T, D>>();
#if JACOBI_HAS_PARALLEL_ALGORITHMS
    case 3:
      return functions_of<Parallel<T, D>>();
#endif
    case 4:
      return functions_of<Simd<T, D>>();
#if JACOBI_HAS_OPENMP
    case 5:
      return functions_of<Threads<T, D>>();
#endif
    case 6:
      return {Tiled<T, D>::advance, Tiled<T, D>::norms, Tiled<T, D>::advance_measured,
              Lifted<T>::is_able ? riser<T> : Riser{}, D == 3 && has_pairs};
    case 7:
      return functions_of<Hierarchical<T, D>>();
    case 8:
      return {RedBlack<T, D>::advance, RedBlack<T, D>::norms, Tiled<T, D>::advance_measured};
  }
  return {nullptr, nullptr};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(functions_here);

template <>
RungFunctions<JACOBI_TYPE, JACOBI_DIMENSIONS> rung_functions<JACOBI_TYPE, JACOBI_DIMENSIONS>(int number) {
  return HWY_DYNAMIC_DISPATCH(functions_here)(number);
}

}  // namespace jacobi::sweep
#endif
