/// All algorithms that sweep a dense matrix. Which one does is chosen here, once, when it is bound.
#pragma once
#include <memory>

#include "sweep/dense/algorithm.hpp"

namespace jacobi::sweep {

template <class T>
const DenseAlgorithms<T>& dense_algorithms();

/// Sweeps over the matrix where it is, which must outlive the sweeper, by the plan's rung (empty: the best
/// one for the matrix), or over a copy whose entries are stored narrower as the plan says.
/// Throws: InputError naming the first row with a zero diagonal; UsageError for an unknown rung, or one that
/// does not suit; BackendError for too little memory, or rung blas without a BLAS.
template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int threads);

}  // namespace jacobi::sweep
