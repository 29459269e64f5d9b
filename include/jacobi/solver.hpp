/// Operator, plan and backend put together: solves as often as wanted.
#pragma once
#include <memory>
#include <span>

#include "jacobi/backend.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Solves A x = b by sweeps. Solving again, with another b or from the x before, reuses everything that the
/// constructor made. A Solver serves one thread at a time; different Solvers may run in different threads at
/// once, also on the same operator and backend, which are immutable.
template <class T>
class Solver {
 public:
  /// Binds the operator. Throws: UsageError without a backend, for a method without steps or with options
  /// out of range; as Backend::bind.
  explicit Solver(Operator<T> a, Plan plan = {}, std::shared_ptr<const Backend> on = backend());
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// b: rows values; x: initial iterate in, solution (or last iterate) out. Not converging is a status, not
  /// an exception. A singular operator (no Dirichlet side, no reaction) needs a b whose weighted mean is 0 up
  /// to rounding, or to discretisation error if there is a Neumann side; that much is removed, the solution's
  /// mean is set to 0, and a note says so. Status and norms are then those of the problem so changed.
  /// Throws: UsageError for lengths that do not fit or a tolerance that can end nothing; InputError naming
  /// the entry for NaN or infinity in b or x, or a b that no solution exists for.
  Report solve(std::span<const T> b, std::span<T> x, const Stop& stop = {});

  const Operator<T>& matrix() const;
  /// The bound operator, for tune(); whatever it is made to do between two solves changes neither of them.
  Sweeper<T>& sweeper();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jacobi
