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
/// The cycles of `a` that precondition products of `field`, an operator on the same grid, over ranks where
/// these are given; the bytes they take. singular: the constants are that operator's null space. Throws: as
/// bind_multigrid().
template <class T, int D>
std::unique_ptr<Preconditioning<T>> cycles_of(Field<T>& field, const Stencil<T, D>& a, const Plan& plan,
                                              int threads, bool singular, const AmongRanks* among = nullptr);
template <class T, int D>
double bytes_of_cycles(const Stencil<T, D>& a, const Plan& plan, int threads);

/// Bytes that bind() will allocate, and how many of them it goes without where memory lacks: lines in strips,
/// and what lies before the planes of a grid in 3D that is swept in one array.
template <class T, int D>
double bytes_to_bind(const Stencil<T, D>& a, const Plan& plan, int threads);
template <class T, int D>
double bytes_if_free(const Stencil<T, D>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
