#pragma once
#include "jacobi/method.hpp"

namespace jacobi::sweep {

/// plain: the value itself; weighted: fma(omega, value - u, u); three_term: fma(rho, weighted - out, out).
enum class StepKind { plain, weighted, three_term };

constexpr StepKind kind_of(const Step& step) {
  if (step.rho != 1) return StepKind::three_term;
  return step.omega != 1 ? StepKind::weighted : StepKind::plain;
}

}  // namespace jacobi::sweep
