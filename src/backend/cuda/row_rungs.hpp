/// The device's ladders on matrices: an entry per rung, from the plainest to the best.
#pragma once
#include <memory>
#include <ranges>
#include <string>

#include "backend/cuda/rows.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"
#include "sweep/suitable.hpp"

namespace jacobi::cuda {

template <class T>
using Kernels = std::unique_ptr<RowKernels<T>>;

template <class T, class Matrix>
struct RowRung {
  const char* name;
  bool in_graphs;  ///< many launches at once
  /// Of a plan that names the rung: whether it can be. Of one that names none: whether it is the best.
  sweep::Suitable (*suits)(const Matrix& a, const Plan& plan, int device);
  Kernels<T> (*make)(const Stream& stream, const Matrix& a);
};

template <class Matrix>
sweep::Suitable suits_always(const Matrix&, const Plan&, int) {
  return {};
}

/// The rung named, or the best that suits. Throws: UsageError for one that there is not, or that is not for
/// the matrix.
template <class Rungs, class Matrix>
const auto& rung_for(const Rungs& rungs, const Matrix& a, const Plan& plan, int device,
                     const char* matrices) {
  std::string names;
  for (const auto& rung : std::views::reverse(rungs)) {
    names = rung.name + (names.empty() ? "" : ", " + names);
    if (!plan.rung.empty() && plan.rung != rung.name) continue;
    const sweep::Suitable suitable = rung.suits(a, plan, device);
    if (suitable) return rung;
    if (!plan.rung.empty()) throw UsageError(suitable.why_not);
  }
  throw UsageError("there is no rung '" + plan.rung + "' for " + matrices + " on a device: choose one of " +
                   names);
}

}  // namespace jacobi::cuda
