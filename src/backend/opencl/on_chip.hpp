/// All sweeps of a call in local memory, where a group holds the whole grid.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "backend/opencl/cycles.hpp"

namespace jacobi::opencl {

/// One tile that is the grid, or as many whole problems of a batch as 32 KiB hold, 32 at most; nothing where
/// they hold none.
template <class T, int D>
std::optional<TilePlan> plan_on_chip(const Stencil<T, D>& a, const Device& device);

template <class T, int D>
class OnChip {
 public:
  /// items: of a group; zeros: chosen.
  OnChip(BoundGrid<T, D>& grid, const TilePlan& plan, const std::array<Index, 3>& items);

  /// Of every kind; the grid then has the last two iterates.
  void make(std::span<const Step> steps);

 private:
  BoundGrid<T, D>& grid_;
  Range range_;
  Index local_;
  Buffer<TileWords> tiles_;
  StepList<T, 2> steps_;
  Kernel on_chip_;
};

}  // namespace jacobi::opencl
