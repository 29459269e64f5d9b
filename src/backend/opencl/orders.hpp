/// The order of operations, run on text: rung 0's template, on values that are the words for them, yields the
/// expressions that kernels compute.
#pragma once
#include <string>

#include "sweep/stencil/order/sources.hpp"

namespace jacobi::opencl {

/// Lines of #define: PLAIN, WEIGHTED, THREE_TERM of the unknown at p, in u, out, g, c0 ... c5 or c, s1, s2,
/// omega, rho; "PLAIN fma(c0, (u[p - 1] + u[p + 1]), g[p])".
std::string orders_of_grid(sweep::Kind kind, int dimensions);

/// PLAIN, WEIGHTED, THREE_TERM of a row in x, correction, before, omega, rho.
std::string orders_of_rows();

}  // namespace jacobi::opencl
