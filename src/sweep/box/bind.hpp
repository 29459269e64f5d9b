/// Sweeps and products of a box stencil.
#pragma once
#include <memory>
#include <span>

#include "jacobi/box_stencil.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

std::span<const Rung> box_rungs();

/// Throws: UsageError for a plan that a box stencil does not go with, or an unknown rung; InputError where cg
/// finds A not symmetric; BackendError for too little memory.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const BoxStencil<T>& a, const Plan& plan, int threads);

/// Bytes that will be allocated.
template <class T>
double bytes_to_bind(const BoxStencil<T>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
