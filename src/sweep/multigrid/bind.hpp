#pragma once
#include <memory>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::sweep {

struct AmongRanks;

/// Lays out the stencil and its coarser grids for the plan's multigrid cycles.
/// Throws: UsageError for a cycle that cannot be, steps that are no weighted sweeps, or an operator that is
/// no diffusion; BackendError for too little memory. bare: what is given on the sides is taken to be 0.
/// first: the direction that is coarsened first, or -1; see turns_of(). among: rows are those of the slabs
/// that it gives this rank, and all ranks make the same calls; norms are of all.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_multigrid(const Stencil<T, D>& a, const Plan& plan, int threads,
                                           bool bare = false, int first = -1,
                                           const AmongRanks* among = nullptr);

/// Throws: UsageError for a plan whose multigrid no backend makes.
void require_cycles(const Plan& plan);

/// Where a full cycle from 0 starts: between the Dirichlet values given, or empty where none is.
template <class T, int D>
std::vector<T> boundary_lift(const Stencil<T, D>& a);

/// Bytes that bind_multigrid() will allocate.
template <class T, int D>
double bytes_needed(const Stencil<T, D>& a, const Plan& plan, int threads, int first = -1);

}  // namespace jacobi::sweep
