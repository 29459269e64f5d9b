/// An algorithm that sweeps a matrix, as the registries of csr and dense list it; and how one is selected.
#pragma once
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/field.hpp"
#include "sweep/rungs.hpp"
#include "sweep/suitable.hpp"

namespace jacobi::sweep {

/// A rung by itself. Case: a matrix `a`, a `plan` and a number of `threads`, with what suits() finds out for
/// make().
template <class T, class Case>
struct MatrixAlgorithm {
  Rung rung;
  /// Of a plan that names the rung: whether it can be. Of one that names none: whether it is the best.
  Suitable (*suits)(Case& c, const Rung& rung);
  double (*bytes)(const Case& c);  ///< of memory that is taken
  std::unique_ptr<Sweeper<T>> (*make)(Case& c, const Rung& rung);
  /// Products for accelerated methods, if it has them.
  std::unique_ptr<Field<T>> (*field)(Case& c, const Rung& rung) = nullptr;
};

/// From the plainest to the best.
template <class T, class Case>
using MatrixAlgorithms = std::vector<MatrixAlgorithm<T, Case>>;

template <class T, class Case>
std::vector<Rung> rungs_of(const MatrixAlgorithms<T, Case>& all) {
  std::vector<Rung> rungs;
  for (const auto& one : all) rungs.push_back(one.rung);
  return rungs;
}

/// The one whose rung the plan names, or the best one that suits; for accelerated methods, of those with
/// products.
/// Throws: UsageError with the reason where it does not suit; BackendError where memory lacks.
template <class T, class Case>
const MatrixAlgorithm<T, Case>& select(const MatrixAlgorithms<T, Case>& all, Case& c) {
  Suitable suitable;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    if (accelerated(c.plan.method) && !one->field) continue;
    if (!c.plan.rung().empty() && c.plan.rung() != one->rung.name) continue;
    require_memory(one->bytes(c), "the sweeps");
    suitable = one->suits(c, one->rung);
    if (suitable) return *one;
  }
  throw UsageError(suitable.why_not);
}

/// Throws: as select(); UsageError for an accelerated method beside a rung, or of a matrix that does not
/// suit it.
template <class T, class Case>
std::unique_ptr<Sweeper<T>> bind_selected(const MatrixAlgorithms<T, Case>& all, Case& c) {
  if (accelerated(c.plan.method)) require_alone(c.plan);
  const MatrixAlgorithm<T, Case>& selected = select(all, c);
  if (!accelerated(c.plan.method)) return selected.make(c, selected.rung);
  auto field = selected.field(c, selected.rung);
  if (c.plan.method.acceleration == Acceleration::cg) require_symmetric(c.a);
  return accelerate<T>(std::move(field), c.plan.method);
}

}  // namespace jacobi::sweep
