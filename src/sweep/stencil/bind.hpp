#pragma once
#include <memory>

#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::sweep {

/// Lays the stencil out for `threads` threads and the plan's rung (empty: tiled).
/// Throws: UsageError for an unknown rung; BackendError for one that is not compiled in, or too little
/// memory.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads);

/// Bytes that bind() will allocate.
template <class T, int D>
double bytes_needed(const Stencil<T, D>& a);

}  // namespace jacobi::sweep
