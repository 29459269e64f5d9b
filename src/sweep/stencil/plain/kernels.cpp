/// The kernels of sweeps line after line, once per instruction set.
#include "sweep/kernels.hpp"
#include "sweep/stencil/plain/plain.hpp"

#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/plain/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/plain/4_simd.hpp"
#include "sweep/stencil/plain/5_threads.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <class T, int D>
struct MakePlainKernels {
  template <class Rung>
  static constexpr OfRung<T, D> of = {Rung::advance, Rung::norms};

  static PlainKernels<T, D> table() {
    PlainKernels<T, D> all;
    all.rungs[0] = of<Textbook<T, D>>;
    all.rungs[1] = of<NoCopy<T, D>>;
    all.rungs[2] = of<Fused<T, D>>;
    all.rungs[4] = of<Simd<T, D>>;
    all.rungs[5] = of<Threads<T, D>>;
    return all;
  }
};

Tables<PlainKernels> plain_here() { return make_tables<PlainKernels, MakePlainKernels>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

JACOBI_DEFINE_GRID_KERNELS(plain, PlainKernels)

}  // namespace jacobi::sweep
#endif
