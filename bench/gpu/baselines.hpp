/// What a user would write with NVIDIA's libraries: a product by cuBLAS or cuSPARSE, then an update.
#pragma once
#include <memory>
#include <span>

#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"

namespace jacobi::bench {

/// Plain sweeps on a device. No norms are taken: those would cost another pass. Bytes: the matrix and 6 words
/// per unknown.
template <class T>
class Baseline {
 public:
  virtual ~Baseline() = default;
  /// Sweeps from 0; seconds of one by events, without transfers.
  virtual double seconds_per_sweep(Index sweeps) = 0;
  virtual void store(std::span<T> x) const = 0;
};

/// Null where the library was not there when this was built. Throws: BackendError.
template <class T>
std::unique_ptr<Baseline<T>> gemv_and_update(const Dense<T>& a, std::span<const T> b);
template <class T>
std::unique_ptr<Baseline<T>> spmv_and_update(const Csr<T>& a, std::span<const T> b);

}  // namespace jacobi::bench
