/// All sparse rungs for one type, compiled once per instruction set; the including file defines JACOBI_TYPE.
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/csr/ladder-inl.hpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/csr/5_blocked.hpp"
#include "sweep/csr/6_sliced.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {  // the same name in every type's file

template <class Rung>
SparseRung<JACOBI_TYPE> functions_of() {
  return {Rung::advance, Rung::norms};
}

SparseRung<JACOBI_TYPE> functions_here(int number) {
  using T = JACOBI_TYPE;
  switch (number) {
    case 0:
      return functions_of<TextbookRows<T>>();
    case 1:
      return functions_of<FusedRows<T>>();
    case 2:
      return functions_of<SimdRows<T>>();
    case 3:
    case 4:
      return functions_of<TeamRows<T>>();
    case 5:
      return functions_of<BlockedRows<T>>();
    case 6:
      return functions_of<SlicedRows<T>>();
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
SparseRung<JACOBI_TYPE> sparse_rung_functions<JACOBI_TYPE>(int number) {
  return HWY_DYNAMIC_DISPATCH(functions_here)(number);
}

}  // namespace jacobi::sweep
#endif
