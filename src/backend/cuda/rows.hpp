/// Unknowns without a grid on a device: their vectors, and what becomes of a row's residual.
#pragma once
#include "backend/cuda/norms.hpp"
#include "jacobi/method.hpp"
#include "sweep/step_kind.hpp"

namespace jacobi::cuda {

/// Vectors of a sweep, each filled up with zeros to `leading` values. Of several right-hand sides one vector
/// follows the other, so that each is read as if it were alone.
template <class T>
struct Rows {
  Index rows = 0, leading = 0;
  int copies = 1;
  const T *b = nullptr, *scale = nullptr;  ///< scale: 1 / divisor, the same for all right-hand sides
};

/// One launch: a sweep from u to out by *step or, without a step, a norm of u. parts: of the update's norm or
/// of that one; none: not wanted.
template <class T>
struct RowTask {
  const T* u = nullptr;
  T* out = nullptr;
  const Step* step = nullptr;
  Want want = Want::update;
  Partial* parts = nullptr;
};

/// Takes the residual r of row i, unknown p, in the order of every rung of the host; returns what is
/// measured.
template <class T>
JACOBI_DEVICE double finish(const Rows<T>& w, const RowTask<T>& task, Index i, Index p, T r) {
  const T correction = r * w.scale[i];
  if (!task.step) return static_cast<double>(task.want == Want::residual ? r : correction);
  const Step step = *task.step;
  const sweep::StepKind kind = sweep::kind_of(step);
  const T x = task.u[p];
  T value = x + correction;
  if (kind != sweep::StepKind::plain) value = fused(static_cast<T>(step.omega), correction, x);
  if (kind == sweep::StepKind::three_term) {
    const T before = task.out[p];
    value = fused(static_cast<T>(step.rho), value - before, before);
  }
  task.out[p] = value;
  return static_cast<double>(value - x);
}

/// Sum over a warp, the same bits in all its lanes: by halves.
template <class T>
JACOBI_DEVICE T sum_of_lanes(T value, unsigned lanes = lanes_of_warp) {
  for (unsigned distance = lanes / 2; distance > 0; distance /= 2) value += shuffle_xor(value, distance);
  return value;
}

/// A matrix on a device and the kernels that take its residuals.
template <class T>
class RowKernels {
 public:
  virtual ~RowKernels() = default;
  virtual void launch(const Rows<T>& w, const RowTask<T>& task) = 0;
  virtual Index parts() const = 0;   ///< of a norm
  virtual double bytes() const = 0;  ///< of the matrix, read by a sweep
  virtual std::string blocking() const { return {}; }
  /// Whether make() makes all sweeps in one launch.
  virtual bool persistent() const { return false; }
  /// The iterates start in u; the newest ends in v where `count` is odd. parts: of the last update's norm.
  virtual void make(const Rows<T>&, T* /*u*/, T* /*v*/, const Step*, Index /*count*/, Partial* /*parts*/) {}
  virtual Index parts_of_make() const { return 0; }
};

}  // namespace jacobi::cuda
