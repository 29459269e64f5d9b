/// The coarsest level, dense and factored.
#pragma once
#include <span>
#include <vector>

#include "sweep/amg/rows.hpp"

namespace jacobi::sweep::amg {

/// G with A G A = A, where A is singular too: unknowns whose pivots are rounding are 0 in A^-1 b, as one of
/// each part of a graph without boundary is. A symmetric: L D L^T, and G is symmetric. Else L U with rows
/// exchanged.
class Factored {
 public:
  Factored() = default;
  template <class T>
  Factored(const Rows<T>& a, bool symmetric);

  Index rows() const { return rows_; }
  Index dropped() const { return dropped_; }  ///< pivots taken for 0
  /// x = G b; both may be the same.
  template <class T>
  void solve(const T* b, T* x);
  double bytes() const { return static_cast<double>(factor_.size()) * sizeof(double); }

 private:
  double& at(Index i, Index j) { return factor_[static_cast<std::size_t>(i * rows_ + j)]; }
  void factor_symmetric();
  void factor_general();

  Index rows_ = 0, dropped_ = 0;
  bool symmetric_ = true;
  std::vector<double> factor_, inverse_, work_;  ///< inverse: of pivots; 0 of those dropped
  std::vector<Index> order_;                     ///< rows as they were exchanged
};

}  // namespace jacobi::sweep::amg
