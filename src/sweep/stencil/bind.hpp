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

/// Bytes that bind() will allocate, but for what lets many sweeps go over the arrays at once.
template <class T, int D>
double bytes_needed(const Stencil<T, D>& a);
/// Bytes beside them where a grid in 3D is swept in one array.
template <class T, int D>
double bytes_in_place(const Stencil<T, D>& a, const Plan& plan);

}  // namespace jacobi::sweep
