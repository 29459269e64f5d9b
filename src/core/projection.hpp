/// Stop::project_rhs of matrices: right-hand sides that have a solution.
#pragma once
#include <vector>

#include "jacobi/csr.hpp"
#include "jacobi/report.hpp"
#include "jacobi/solve.hpp"

namespace jacobi {

/// Right-hand sides as they were given, and those that are solved for: the same, or where that is asked for
/// without their means.
template <class T>
class Projection {
 public:
  /// asked: subtracts from every right-hand side its mean where each column of A sums to 0, up to rounding:
  /// what is left is orthogonal to ones, the left null vector. a and given must outlive this. Cost where
  /// asked: a pass over the entries, three over each right-hand side.
  Projection(const Csr<T>& a, const Columns<T>& given, bool asked);
  Projection(const Projection&) = delete;
  Projection& operator=(const Projection&) = delete;

  const Columns<T>& b() const { return means_.empty() ? given_ : without_; }
  /// Where asked, a note of what was removed, and what that leaves of the right-hand side as given.
  void tell(Report& report, const Columns<T>& x) const;

 private:
  const Csr<T>& a_;
  const Columns<T>& given_;
  const bool asked_;
  Columns<T> without_;
  std::vector<double> means_;  ///< subtracted from each; empty where nothing was
};

}  // namespace jacobi
