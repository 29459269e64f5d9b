/// What `jacobi bench dense` holds sweeps against: reading the matrix and doing nothing with it.
#pragma once
#include <memory>

#include "core/executed.hpp"
#include "jacobi/dense.hpp"

namespace jacobi::cli {

/// Whether whole blocks of what is read at once make up the matrix, or all but a sixty-fourth of it.
template <class T>
bool can_probe(const Dense<T>& a);

/// A "sweep" reads all entries, each thread its part. Needs can_probe(a), values aligned to 64 bytes.
template <class T>
std::unique_ptr<Sweeper<T>> read_probe(const Dense<T>& a, int threads);

}  // namespace jacobi::cli
