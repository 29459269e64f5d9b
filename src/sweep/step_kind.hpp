#pragma once

namespace jacobi::sweep {

/// plain: the value itself; weighted: fma(omega, value - u, u); three_term: fma(rho, weighted - out, out).
enum class StepKind { plain, weighted, three_term };

}  // namespace jacobi::sweep
