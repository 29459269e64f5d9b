/// The device's ladder: classic, graph, on-chip, tiled.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "backend/cuda/batch.hpp"
#include "backend/cuda/graph.hpp"
#include "backend/cuda/plane.hpp"
#include "backend/cuda/space.hpp"
#include "backend/cuda/steps.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"

namespace jacobi::cuda {

inline std::string what_for(const std::string& name) {
  return "Dirichlet sides and coefficients that do not vary; " +
         std::string(name == "tiled" ? "2D or 3D" : "1D or 2D, and not larger than the chip");
}

/// Of the ladder's names, where it is for this grid.
template <class T, int D>
std::unique_ptr<ManySweeps<T, D>> make_rung(const std::string& name, BoundGrid<T, D>& grid,
                                            const Plan& plan) {
  [[maybe_unused]] const bool three_term = is_three_term(plan.method);
  if (name == "graph") return std::make_unique<GraphSweeps<T, D>>(grid);
  if constexpr (D < 3)
    if (name == "on-chip" && LineSweeps<T, D>::fits(grid)) return std::make_unique<LineSweeps<T, D>>(grid);
  if constexpr (D == 3)
    if (name == "tiled" && TiledSpace<T>::fits(grid))
      return std::make_unique<TiledSpace<T>>(grid, three_term);
  if constexpr (D == 2) {
    const bool on_chip = name == "on-chip" || name == "on-chip-barrier";
    if (on_chip && OnChipTiles<T>::fits(grid))
      return std::make_unique<OnChipTiles<T>>(grid, name != "on-chip", three_term);
    if (name == "tiled" && TiledPlane<T>::fits(grid))
      return std::make_unique<TiledPlane<T>>(grid, plan.blocking.sweeps, three_term);
  }
  return nullptr;
}

/// The rung named, or the best for the grid that takes the method's steps; none is classic. Throws:
/// UsageError for one that there is not, or that is not for this grid.
template <class T, int D>
std::unique_ptr<ManySweeps<T, D>> rung_for(BoundGrid<T, D>& grid, const Plan& plan) {
  if (plan.rung == "classic") return nullptr;
  const std::array<std::string, 4> ladder = {"on-chip", "on-chip-barrier", "tiled", "graph"};
  for (const std::string& name : ladder) {
    if (!plan.rung.empty() && plan.rung != name) continue;
    auto rung = make_rung(name, grid, plan);
    const bool makes_all = rung && (!is_three_term(plan.method) || rung->takes(StepKind::three_term));
    if (makes_all || (rung && !plan.rung.empty())) return rung;
    if (!plan.rung.empty())
      throw UsageError("rung '" + name + "' is not for this grid on this device (" + what_for(name) +
                       "): leave the rung out, or take graph");
  }
  throw UsageError("there is no rung '" + plan.rung +
                   "' on a device: choose one of classic, graph, on-chip, on-chip-barrier, tiled");
}

}  // namespace jacobi::cuda
