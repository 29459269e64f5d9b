/// The kernels of C++ parallel algorithms, once per instruction set.
#include "sweep/stencil/kernels.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/parallel/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#if JACOBI_HAS_PARALLEL_ALGORITHMS
#include "sweep/stencil/parallel/3_parallel.hpp"
#else
#include "sweep/stencil/parallel/parallel.hpp"
#endif

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, int D>
struct MakeParallelKernels {
  static ParallelKernels<T, D> table() {
#if JACOBI_HAS_PARALLEL_ALGORITHMS
    return {Parallel<T, D>::advance, Parallel<T, D>::norms};
#else
    return {};
#endif
  }
};

Tables<ParallelKernels> parallel_here() { return make_tables<ParallelKernels, MakeParallelKernels>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(parallel_here);

template <class T, int D>
ParallelKernels<T, D> parallel_kernels() {
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  return std::get<ParallelKernels<T, D>>(HWY_DYNAMIC_DISPATCH(parallel_here)());
}

#define JACOBI_INSTANTIATE(T, D) template ParallelKernels<T, D> parallel_kernels<T, D>();
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
#endif
