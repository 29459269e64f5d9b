#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::sweep {

/// Lays the stencil out for `threads` threads and the plan's rung (empty: tiled).
/// Throws: UsageError for an unknown rung; BackendError for one that is not compiled in, or too little
/// memory.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, int threads);

template <class T, int D>
class GridField;
/// The memory of an accelerated method. Throws: BackendError where there is too little.
template <class T, int D>
std::unique_ptr<GridField<T, D>> bind_field(const Stencil<T, D>& a, const Plan& plan, int threads);

struct AmongRanks;
template <class T>
class Field;
template <class T>
class Preconditioning;
/// Of a plan with a preconditioner, for vectors of the field. Throws: as bind_multigrid().
template <class T, int D>
std::unique_ptr<Preconditioning<T>> cycles_for(Field<T>& field, const Stencil<T, D>& a, const Plan& plan,
                                               int threads, const AmongRanks* among = nullptr);

/// Bytes that bind() will allocate, and how many of them it goes without where memory lacks: lines in strips,
/// and what lies before the planes of a grid in 3D that is swept in one array.
template <class T, int D>
double bytes_to_bind(const Stencil<T, D>& a, const Plan& plan, int threads);
template <class T, int D>
double bytes_if_free(const Stencil<T, D>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
