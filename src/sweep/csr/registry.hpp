/// All algorithms that sweep a sparse matrix. Which one does is chosen here, once, when it is bound.
#pragma once
#include <memory>

#include "sweep/csr/algorithm.hpp"

namespace jacobi::sweep {

template <class T>
const SparseAlgorithms<T>& sparse_algorithms();

/// Lays the matrix out for `threads` threads and the plan's rung (empty: the best one for the matrix).
/// The rungs textbook and fused read the matrix where it is: it must outlive the sweeper.
/// Throws: InputError naming the first row with a zero diagonal; UsageError for an unknown rung or one that
/// does not suit the matrix, saying why; BackendError for too little memory.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Csr<T>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
