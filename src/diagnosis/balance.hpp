/// An inner product in which a badly scaled M is not lopsided.
#pragma once
#include "diagnosis/vectors.hpp"

namespace jacobi::diagnosis {

/// Weights t_i^2, t powers of two, so that rows and columns of T M T^-1 have about the same size; empty where
/// M needs none. M is similar to that matrix, and its eigenvalues are found more exactly there.
/// Source: Osborne, J. ACM 7 (1960) 338. Cost: 24 passes over the entries on one core.
Vector balance(const Csr<double>& a, View diagonal);

}  // namespace jacobi::diagnosis
