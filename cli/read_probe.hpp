/// What `jacobi bench dense` holds sweeps against: reading the matrix and doing nothing with it.
#pragma once
#include <memory>

#include "jacobi/dense.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi::cli {

/// A "sweep" reads all entries, each thread its part. values: aligned to 64 bytes.
template <class T>
std::unique_ptr<Sweeper<T>> read_probe(const Dense<T>& a, int threads);

}  // namespace jacobi::cli
