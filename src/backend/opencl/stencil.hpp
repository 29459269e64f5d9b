/// Sweeps over a stencil on a device.
#pragma once
#include <memory>

#include "backend/opencl/device.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::opencl {

/// Rungs: classic (a kernel per sweep; all that a call makes are handed over at once), waiting (the host
/// waits for each), tiled (exact overlapped tiles); empty: classic. With a tiling: hierarchical. Throws:
/// UsageError for a rung that does not exist or is not for this grid, or a plan that is not for a device;
/// BackendError where memory or double lacks.
template <class T, int D>
std::unique_ptr<Sweeper<T>> bind(const Stencil<T, D>& a, const Plan& plan, const Device& device);

}  // namespace jacobi::opencl
