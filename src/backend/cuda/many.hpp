/// A rung of the device's ladder: a way to make many sweeps.
#pragma once
#include <string>

#include "backend/cuda/bound.hpp"
#include "jacobi/method.hpp"

namespace jacobi::cuda {

template <class T, int D>
class ManySweeps {
 public:
  virtual ~ManySweeps() = default;
  virtual const char* name() const = 0;
  /// Makes sweeps with these steps (host, device: the same ones). The newest iterate ends in grid.u; what
  /// grid.v then holds is nobody's business, unless three-term steps are among those it takes().
  virtual void make(std::span<const Step> steps, const Step* on_device) = 0;
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
