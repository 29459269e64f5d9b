/// An algorithm that sweeps a dense matrix, and what the registry hands it.
#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "jacobi/dense.hpp"
#include "sweep/dense/workspace.hpp"
#include "sweep/matrix/algorithm.hpp"

namespace jacobi::sweep {

/// Numbers of rungs.
enum DenseNumber { blas_rung = 6, fused_rung, paired_rung };

template <class T>
struct DenseCase {
  const Dense<T>& a;
  const Plan& plan;
  int threads;

  DenseView<T> view(const Rung& rung) const {
    return {
        a.data(),      a.order(), a.leading(), a.layout() == Layout::row_major, rung.parallel ? threads : 1,
        a.copies() > 1};
  }
};

template <class T>
using DenseAlgorithm = MatrixAlgorithm<T, DenseCase<T>>;
template <class T>
using DenseAlgorithms = MatrixAlgorithms<T, DenseCase<T>>;

template <class T>
Suitable suits_copies(const DenseCase<T>& c, const Rung& rung) {
  if (c.a.copies() == 1 || rung.several) return {};
  return {fmt::format("rung '{}' sweeps for one right-hand side; {} go with {}", rung.name, c.a.copies(),
                      names_of_some(dense_rungs(), " or ", [](const Rung& one) { return one.several; }))};
}

/// Vectors, whichever the algorithm.
template <class T>
double bytes_of_vectors(const DenseCase<T>& c) {
  const double lines = c.a.copies() > 1 ? static_cast<double>(most_copies<T>) : 1;
  return (10 + vectors_of(c.plan)) * lines * static_cast<double>(c.a.order()) * sizeof(T);
}

/// Whether the rung that pairs sweeps is taken where none is named: for matrices larger than most L2 caches.
/// By the matrix alone, whatever the machine and the threads, since it decides about bits.
inline bool is_paired_by_default(Index rows, std::size_t entry_size, bool by_rows, Index copies) {
  const std::size_t least_bytes = by_rows ? 8 << 20 : 4 << 20;
  return copies == 1 && static_cast<std::size_t>(rows * rows) * entry_size >= least_bytes;
}

/// The rung that is taken where none is named.
inline const Rung& default_dense_rung(Index rows, std::size_t entry_size, bool by_rows, Index copies) {
  const int number = is_paired_by_default(rows, entry_size, by_rows, copies) ? paired_rung : fused_rung;
  return *std::ranges::find(dense_rungs(), number, &Rung::number);
}

}  // namespace jacobi::sweep
