/// Sparse matrices to try things on.
#pragma once
#include <string>
#include <vector>

#include "jacobi/csr.hpp"

namespace jacobi::cli {

/// Minus the Laplacian on a grid of `points` unknowns in 1, 2 or 3 directions, times h^2: 2 D on the
/// diagonal, -1 for neighbours. `varied`: a conductance in [1, 2) for every pair of neighbours instead of 1.
template <class T>
Csr<T> grid_matrix(const std::vector<Index>& points, bool varied = false);

/// Strictly dominant: per_row entries in each of n rows, all but the diagonal at random places, negative.
template <class T>
Csr<T> random_matrix(Index n, Index per_row);

/// I - 0.85 P^T of PageRank on a random graph of 2^scale pages and 16 links for each, whose degrees follow a
/// power law. P: a surfer takes one of the page's links; pages without one lose him.
/// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", 2004, with the quarters
/// (0.57, 0.19, 0.19, 0.05) of Graph500.
template <class T>
Csr<T> power_law_matrix(int scale);

}  // namespace jacobi::cli
