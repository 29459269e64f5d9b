/// Cycles for one type and dimension, compiled once per instruction set; the including file defines
/// JACOBI_TYPE and JACOBI_DIMENSIONS.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/multigrid/multigrid-inl.hpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/multigrid/cycle-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {  // the same name in every type's and dimension's file

MultigridFunctions<JACOBI_TYPE, JACOBI_DIMENSIONS> cycles_here() {
  using Cycles = MultigridCycles<JACOBI_TYPE, JACOBI_DIMENSIONS>;
  return {Cycles::advance, Cycles::norms};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(cycles_here);

template <>
MultigridFunctions<JACOBI_TYPE, JACOBI_DIMENSIONS> multigrid_functions<JACOBI_TYPE, JACOBI_DIMENSIONS>() {
  return HWY_DYNAMIC_DISPATCH(cycles_here)();
}

}  // namespace jacobi::sweep
#endif
