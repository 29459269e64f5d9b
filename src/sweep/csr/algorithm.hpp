/// An algorithm that sweeps a sparse matrix, and what the registry hands it.
#pragma once
#include <any>
#include <cstdint>
#include <limits>

#include "jacobi/csr.hpp"
#include "sweep/matrix/algorithm.hpp"
#include "sweep/matrix/workspace.hpp"

namespace jacobi::sweep {

/// A piece is the unit of work and of summation for norms, whatever the threads.
inline constexpr Index piece_rows = 512;

/// More rows cannot be told by 32 bits.
inline constexpr Index most_places = std::numeric_limits<std::int32_t>::max() - piece_rows;

/// A matrix to be swept.
template <class T>
struct SparseCase {
  const Csr<T>& a;
  const Plan& plan;
  int threads;
  std::any found = {};  ///< by suits() of an algorithm, for its make()

  bool names_no_rung() const { return plan.rung().empty(); }
};

template <class T>
using SparseAlgorithm = MatrixAlgorithm<T, SparseCase<T>>;
template <class T>
using SparseAlgorithms = MatrixAlgorithms<T, SparseCase<T>>;

/// Of algorithms that copy the matrix.
template <class T>
double bytes_of_copy(const SparseCase<T>& c) {
  return static_cast<double>(c.a.entries()) * (sizeof(T) + 4) +
         (5 + vectors_of(c.plan)) * static_cast<double>(c.a.rows()) * sizeof(T);
}

}  // namespace jacobi::sweep
