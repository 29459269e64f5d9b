/// The device's ladder.
#pragma once
#include <memory>
#include <string>

#include "backend/cuda/many.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cuda {

/// The rung named, or the best for the grid; none is classic. Throws: UsageError naming those there are.
template <class T, int D>
std::unique_ptr<ManySweeps<T, D>> rung_for(BoundGrid<T, D>&, const Plan& plan) {
  if (plan.rung.empty() || plan.rung == "classic") return nullptr;
  throw UsageError("there is no rung '" + plan.rung + "' on a device: choose classic");
}

}  // namespace jacobi::cuda
