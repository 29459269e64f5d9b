/// Sweeps as a preconditioner for another solver.
#pragma once
#include <span>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi {

/// z = M^-1 r: so many sweeps from 0 on A z = r. With weights omega_1 ... omega_k in any order M^-1 = (I -
/// product of (I - omega_j D^-1 A)) A^-1: symmetric where A is, and positive definite where that product is
/// below 1 at every eigenvalue of D^-1 A, as for one sweep, for an odd number of plain ones, and for any
/// number that converges. Red-black sweeps are linear too, but M^-1 is not symmetric then. A view: the
/// sweeper, which applying loads anew, must live as long.
template <class T>
class JACOBI_API Preconditioner {
 public:
  /// steps: the weights in the order of their use. Throws: UsageError for none; for a sweeper whose map is
  /// not linear (is_linear()) or has boundary values other than 0 (bind the operator without them).
  Preconditioner(Sweeper<T>& sweeper, std::vector<Step> steps);
  /// The first `sweeps` of a method. Throws: also for less than 1.
  Preconditioner(Sweeper<T>& sweeper, const Method& method, Index sweeps);

  Index rows() const { return sweeper_.rows(); }
  /// r in, z out: rows values each. Throws: UsageError for other lengths. Cost: the sweeps, and a copy in and
  /// out; allocates nothing.
  void apply(std::span<const T> r, std::span<T> z);

 private:
  Sweeper<T>& sweeper_;
  std::vector<Step> steps_;
  std::vector<T> zero_;
};

}  // namespace jacobi
