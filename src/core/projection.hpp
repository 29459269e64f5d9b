/// Stop::project_rhs of matrices: right-hand sides that have a solution.
#pragma once
#include <string>
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/solve.hpp"

namespace jacobi {

/// What was taken from right-hand sides.
template <class T>
struct Projection {
  Columns<T> given;           ///< as they were; empty where nothing was removed
  std::vector<double> means;  ///< subtracted from each
};

/// Subtracts from every right-hand side its mean where each column of A sums to 0, up to rounding: what is
/// left is orthogonal to ones, the left null vector. Cost: a pass over the entries, two over each.
template <class T>
Projection<T> project_rhs(const Csr<T>& a, Columns<T>& b);

/// What was removed, and what that leaves of the right-hand side as given once x is known.
template <class T>
std::string removed_in_words(const Projection<T>& projection, const Csr<T>& a, const Columns<T>& x);

}  // namespace jacobi
