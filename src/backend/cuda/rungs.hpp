/// The device's ladder on grids: an entry per rung that makes many sweeps, the best one first. What remains
/// is classic, a launch per sweep.
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

template <class T, int D>
Many<T, D> make_on_chip(BoundGrid<T, D>& grid, const Plan& plan) {
  if constexpr (D < 3)
    if (LineSweeps<T, D>::fits(grid)) return std::make_unique<LineSweeps<T, D>>(grid);
  if constexpr (D == 2)
    if (OnChipTiles<T>::fits(grid))
      return std::make_unique<OnChipTiles<T>>(grid, false, is_three_term(plan.method));
  return nullptr;
}

template <class T, int D>
Many<T, D> make_on_chip_barrier(BoundGrid<T, D>& grid, const Plan& plan) {
  if constexpr (D == 2)
    if (OnChipTiles<T>::fits(grid))
      return std::make_unique<OnChipTiles<T>>(grid, true, is_three_term(plan.method));
  return nullptr;
}

template <class T, int D>
Many<T, D> make_tiled(BoundGrid<T, D>& grid, const Plan& plan) {
  if constexpr (D == 2)
    if (TiledPlane<T>::fits(grid))
      return std::make_unique<TiledPlane<T>>(grid, plan.blocking().sweeps, is_three_term(plan.method));
  if constexpr (D == 3)
    if (TiledSpace<T>::fits(grid)) return std::make_unique<TiledSpace<T>>(grid, is_three_term(plan.method));
  return nullptr;
}

template <class T, int D>
Many<T, D> make_graph(BoundGrid<T, D>& grid, const Plan&) {
  return std::make_unique<GraphSweeps<T, D>>(grid);
}

template <class T, int D>
struct DeviceRung {
  const char* name;
  bool is_classic;     ///< by classic launches, whose blocks plans may size
  const char* is_for;  ///< which grids, beside those whose sides are Dirichlet and coefficients do not vary
  Many<T, D> (*make)(BoundGrid<T, D>& grid, const Plan& plan);
};

template <class T, int D>
inline constexpr std::array<DeviceRung<T, D>, 4> device_rungs = {
    {{"on-chip", false, "1D or 2D, and not larger than the chip", make_on_chip<T, D>},
     {"on-chip-barrier", false, "1D or 2D, and not larger than the chip", make_on_chip_barrier<T, D>},
     {"tiled", false, "2D or 3D", make_tiled<T, D>},
     {"graph", true, "any", make_graph<T, D>}}};

/// Threads of a block that the plan asks for, where its rung makes classic launches.
template <class T, int D>
std::array<Index, 3> block_of(const Plan& plan) {
  bool is_classic = plan.rung() == TakenRung<T, D>().name;
  for (const DeviceRung<T, D>& rung : device_rungs<T, D>)
    is_classic |= rung.is_classic && plan.rung() == rung.name;
  return is_classic ? plan.blocking().tile : std::array<Index, 3>{};
}

/// The rung named, or the best for the grid that takes the method's steps. Throws: UsageError for one that
/// there is not, or that is not for this grid.
template <class T, int D>
TakenRung<T, D> rung_for(BoundGrid<T, D>& grid, const Plan& plan) {
  const TakenRung<T, D> classic;
  if (plan.rung() == classic.name) return {};
  for (const DeviceRung<T, D>& rung : device_rungs<T, D>) {
    if (!plan.rung().empty() && plan.rung() != rung.name) continue;
    Many<T, D> many = rung.make(grid, plan);
    const bool makes_all = many && (!is_three_term(plan.method) || many->takes(StepKind::three_term));
    if (makes_all || (many && !plan.rung().empty())) return {rung.name, rung.is_classic, std::move(many)};
    if (!plan.rung().empty())
      throw UsageError("rung '" + plan.rung() +
                       "' is not for this grid on this device (Dirichlet sides and coefficients that do not "
                       "vary; " +
                       rung.is_for + "): leave the rung out, or take graph");
  }
  std::string names = classic.name;
  for (const DeviceRung<T, D>& rung : device_rungs<T, D>) names += std::string(", ") + rung.name;
  throw UsageError("there is no rung '" + plan.rung() + "' on a device: choose one of " + names);
}

}  // namespace jacobi::cuda
