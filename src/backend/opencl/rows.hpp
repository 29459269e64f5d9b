/// The sweeper of a matrix without a grid on a device.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/opencl/clock.hpp"
#include "backend/opencl/norms.hpp"
#include "jacobi/method.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::opencl {

/// Vectors of a sweep, each filled up with zeros to `leading` values. Of several right-hand sides one vector
/// follows the other, so that each is read as if it were alone.
template <class T>
struct RowVectors {
  Index rows = 0, leading = 0;
  int copies = 1;
  Buffer<T> u, v, b, scales;  ///< x_n and x_(n-1); scales: 1 / divisor, the same for all right-hand sides
  Index all() const { return copies * leading; }
};

/// Of residual.cl: a sweep from u to v by a step of kind 0 to 2, or the norm of the correction or residual.
template <class T>
struct RowTask {
  Int task = 0;
  T omega = 1, rho = 1;
  bool measured = false;
};

/// A matrix on a device and the kernels that take its residuals.
template <class T>
class RowKernels {
 public:
  virtual ~RowKernels() = default;
  /// Returns the number of parts of the norm, where one is measured.
  virtual Index run(const RowVectors<T>& w, const RowTask<T>& task, const NormSum& norms) = 0;
  virtual Index most_parts() const = 0;
  /// The norms of the last measured run, of kernels that make no parts.
  virtual std::optional<Norms> own_norms() const { return {}; }
  virtual double bytes() const = 0;  ///< of the matrix, read by a sweep
  virtual std::string in_words() const = 0;
};

/// What a sweeper is made of: unknown c + copies i of the host is value c leading + i on the device.
template <class T>
struct RowSystem {
  Index order = 0, leading = 0;
  int copies = 1;
  std::vector<T> scales;  ///< order values
  std::string rung;
  bool waits = false;  ///< for each sweep
  std::function<std::unique_ptr<RowKernels<T>>(const Queue&)> kernels;
};

template <class T>
std::unique_ptr<Sweeper<T>> sweeper_of_rows(RowSystem<T> system, const Device& device);

/// Items of a group: those asked for, or as many as are good for the device. Throws: UsageError for a group
/// that cannot be.
Index items_of_rows(const Device& device, Index asked);

}  // namespace jacobi::opencl
