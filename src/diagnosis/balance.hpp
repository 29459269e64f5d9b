/// An inner product in which a badly scaled M is not lopsided.
#pragma once
#include "diagnosis/vectors.hpp"

namespace jacobi::diagnosis {

/// Weights t_i^2, t powers of two, so that rows and columns of T M T^-1 have about the same size within each
/// strongly connected component, and entries between components are at most about 1; empty where M needs
/// none. M is similar to that matrix, and its eigenvalues are found more exactly there. thorough: where the
/// rows look balanced, too. Source: Osborne, J. ACM 7 (1960) 338, one row after the other. Cost: two passes
/// over the entries on one core and, where M needs it, Tarjan's and up to 16 to 48.
Vector balance(const Csr<double>& a, View diagonal, bool thorough);

}  // namespace jacobi::diagnosis
