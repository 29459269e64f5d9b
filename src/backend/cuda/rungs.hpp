/// The device's ladder: classic, graph, on-chip, tiled.
#pragma once
#include <array>
#include <memory>
#include <string>

#include "backend/cuda/batch.hpp"
#include "backend/cuda/graph.hpp"
#include "backend/cuda/plane.hpp"
#include "backend/cuda/space.hpp"
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
  if (name == "graph") return std::make_unique<GraphSweeps<T, D>>(grid);
  if constexpr (D < 3)
    if (name == "on-chip" && LineSweeps<T, D>::fits(grid)) return std::make_unique<LineSweeps<T, D>>(grid);
  if constexpr (D == 3)
    if (name == "tiled" && TiledSpace<T>::fits(grid)) return std::make_unique<TiledSpace<T>>(grid);
  if constexpr (D == 2) {
    const bool on_chip = name == "on-chip" || name == "on-chip-barrier";
    if (on_chip && OnChipTiles<T>::fits(grid))
      return std::make_unique<OnChipTiles<T>>(grid, name != "on-chip");
    if (name == "tiled" && TiledPlane<T>::fits(grid))
      return std::make_unique<TiledPlane<T>>(grid, plan.blocking.sweeps);
  }
  return nullptr;
}

/// The rung named, or the best for the grid; none is classic. Throws: UsageError for one that there is not,
/// or that is not for this grid.
template <class T, int D>
std::unique_ptr<ManySweeps<T, D>> rung_for(BoundGrid<T, D>& grid, const Plan& plan) {
  if (plan.rung == "classic") return nullptr;
  const std::array<std::string, 4> ladder = {"on-chip", "on-chip-barrier", "tiled", "graph"};
  for (const std::string& name : ladder) {
    if (!plan.rung.empty() && plan.rung != name) continue;
    if (auto rung = make_rung(name, grid, plan)) return rung;
    if (!plan.rung.empty())
      throw UsageError("rung '" + name + "' is not for this grid on this device (" + what_for(name) +
                       "): leave the rung out, or take graph");
  }
  throw UsageError("there is no rung '" + plan.rung +
                   "' on a device: choose one of classic, graph, on-chip, on-chip-barrier, tiled");
}

}  // namespace jacobi::cuda
