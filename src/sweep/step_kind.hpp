#pragma once
#include "jacobi/method.hpp"

namespace jacobi::sweep {

/// plain: the value itself; weighted: fma(omega, value - u, u); three_term: fma(rho, weighted - out, out).
/// undivided, where the diagonal d varies and the residual is not divided by it: fma(omega d, value - u, u);
/// no step asks for it, but the divisor of a plan does.
enum class StepKind { plain, weighted, three_term, undivided };

constexpr StepKind kind_of(const Step& step) {
  if (step.rho != 1) return StepKind::three_term;
  return step.omega != 1 ? StepKind::weighted : StepKind::plain;
}

}  // namespace jacobi::sweep
