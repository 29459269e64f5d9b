/// Operator, plan and backend put together: solves as often as wanted.
#pragma once
#include <memory>
#include <span>
#include <stop_token>

#include "jacobi/backend.hpp"
#include "jacobi/export.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// Solves A x = b by sweeps. Solving again, with another b or from the x before, reuses everything that the
/// constructor made. A Solver serves one thread at a time; different Solvers may run in different threads at
/// once, also on the same operator and backend. Values that an operator views change between solves only.
template <class T>
class JACOBI_API Solver {
  static_assert(Real<T>, "jacobi computes in float and double");

 public:
  /// Binds the operator. Throws: UsageError without a backend, for a method without steps or with options
  /// out of range; Interrupted where `cancel` asks for it, between passes over the operator; as
  /// Backend::bind.
  explicit Solver(Operator<T> a, Plan plan = {}, std::shared_ptr<const Backend> on = backend(),
                  std::stop_token cancel = {});
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  /// b: rows values; x: initial iterate in, solution (or last iterate) out, in memory that neither b nor the
  /// operator's arrays lie in: all of these are read until the end. Not converging is a status, not an
  /// exception. A singular operator (no Dirichlet side, no reaction) needs a b whose weighted mean is 0 up to
  /// rounding, or to discretisation error if there is a Neumann side; that much is removed, the solution's
  /// mean is set to 0, and a note says so. Status and norms are then those of the problem so changed.
  /// Throws: UsageError for lengths that do not fit, an x that shares memory with what is read, or a
  /// tolerance that can end nothing; InputError naming the entry for NaN or infinity in b or x, or a b that
  /// no solution exists for.
  Report solve(std::span<const T> b, std::span<T> x, const Stop& stop = {});

  /// To be called after values of the matrix that the operator views were changed in place, as in time steps:
  /// sweepers keep copies of them, and without the call solve for a mixture of both. What follows is what a
  /// new Solver would do, to the bit of every iterate; but what depends on structure alone (order and layout
  /// of rows, blocks, memory) is kept. A matrix that is a grid, or becomes one or ceases to be one, is
  /// compared again. Cost: a pass over the entries, and one to compare them with a grid; of narrower dense
  /// matrices the copy; multigrid, red-black sweeps and devices bind anew. Throws: InputError for an entry
  /// that is not finite, a diagonal entry that is 0, or, with method cg, a matrix that is not symmetric any
  /// more; BackendError where memory lacks. It has then to be called again, with values that can be solved
  /// for, before solve(). References to sweeper() hold no longer.
  void values_changed();

  const Operator<T>& matrix() const;
  /// The bound operator, for tune(); whatever it is made to do between two solves changes neither of them.
  Sweeper<T>& sweeper();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jacobi
