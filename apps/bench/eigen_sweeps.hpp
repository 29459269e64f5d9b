/// The yardstick of `jacobi bench csr`: x = D^-1 (b - R x) as a user of Eigen writes it.
#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::cli {

/// Plain steps only; Eigen's own threads. Reports itself as rung "eigen".
template <class T>
std::unique_ptr<Sweeper<T>> eigen_sweeps(const Csr<T>& a, int threads);

}  // namespace jacobi::cli
