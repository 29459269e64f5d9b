/// The third source's problem, in cycles.
#pragma once
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "published.hpp"

namespace jacobi::test {

inline const nlohmann::json& cycle_oracle() {
  static const nlohmann::json counts = nlohmann::json::parse(published::k_hierarchical_cycles);
  return counts;
}

/// Tiles of 32 per direction; shared: the source's overlap.
inline Tiling source_tiling(Index k, Index shared) { return {{32, 32, 1}, k, {shared / 2, shared / 2, 0}}; }

/// rhs 1, initial iterate 1, until the residual is 1e-4 of its initial 2-norm, checked every cycle.
template <class T, int D>
Report solve_in_cycles(const Stencil<T, D>& a, const Tiling& tiling, std::vector<T>& x,
                       std::shared_ptr<const Backend> on = backend()) {
  Plan plan;
  plan.by = tiling;
  const std::vector<T> b(static_cast<std::size_t>(a.rows()), T(1));
  x = b;
  Stop stop;
  stop.relative = 1e-4;
  stop.reference = Reference::initial;
  stop.check_every = 1;
  return Solver<T>(a, plan, std::move(on)).solve(b, x, stop);
}

}  // namespace jacobi::test
