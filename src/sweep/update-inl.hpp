/// What becomes of an unknown when its residual is known: the same for all operators without a grid.
#if defined(JACOBI_UPDATE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_UPDATE_INL
#undef JACOBI_UPDATE_INL
#else
#define JACOBI_UPDATE_INL
#endif

#include <hwy/highway.h>

#include "sweep/matrix/workspace.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// A step with its weights in T.
template <class T>
struct Weights {
  explicit Weights(const Step& step)
      : kind(kind_of(step)), omega(static_cast<T>(step.omega)), rho(static_cast<T>(step.rho)) {}
  StepKind kind;
  T omega, rho;
};

/// The new value of a row, or of a vector of rows: c its correction r s, x its old one, before() reads out.
template <class A, class T, class Before>
HWY_INLINE typename A::V updated(const Weights<T>& step, typename A::V c, typename A::V x, Before&& before) {
  if (step.kind == StepKind::plain) return A::add(x, c);
  const auto value = A::fma(A::set(step.omega), c, x);
  if (step.kind == StepKind::weighted) return value;
  const auto old = before();
  return A::fma(A::set(step.rho), A::sub(value, old), old);
}

/// || u - v || over some rows, one after the other.
template <class T>
Partial update_over(const RowWorkspace<T>& w, const Run& rows) {
  const T *u = w.u + rows.first, *v = w.v + rows.first;
  return sum_up(rows.count, [&](Index i) HWY_ATTR { return static_cast<double>(u[i] - v[i]); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
