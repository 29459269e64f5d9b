/// A rung of the device's ladder: a way to make many sweeps.
#pragma once
#include <string>
#include <utility>

#include "backend/cuda/bound.hpp"
#include "jacobi/method.hpp"

namespace jacobi::cuda {

/// Where sweeps go that read x_(n-1) of unknowns that others write: two arrays more, in turn with the grid's.
template <class T, int D>
class SpareIterates {
 public:
  SpareIterates(BoundGrid<T, D>& grid, bool wanted) : grid_(&grid) {
    if (wanted) next_ = {grid.another_iterate(), grid.another_iterate()};
  }
  bool exist() const { return next_.newest; }
  Iterates<T> current() const { return {grid_->u, grid_->v}; }
  Iterates<T> next() const { return next_; }
  void take_turns() {
    std::swap(grid_->u, next_.newest);
    std::swap(grid_->v, next_.before);
  }

 private:
  BoundGrid<T, D>* grid_;
  Iterates<T> next_;
};

template <class T, int D>
class ManySweeps {
 public:
  virtual ~ManySweeps() = default;
  virtual const char* name() const = 0;
  /// Makes sweeps with these steps (host, device: the same ones). The newest iterate ends in grid.u. former:
  /// the one before it in grid.v, where a three-term step looks for it, as it was at the start; else what
  /// grid.v then holds is nobody's business.
  virtual void make(std::span<const Step> steps, const Step* on_device, bool former) = 0;
  /// Whether it makes steps of this kind; others are made by classic launches.
  virtual bool takes(StepKind kind) const = 0;
  /// Of Executed.
  virtual std::string blocking() const { return {}; }
  /// Between memory and chip, per update.
  virtual double words() const = 0;
  /// Sweeps that are best made together.
  virtual Index at_once() const = 0;
};

}  // namespace jacobi::cuda
