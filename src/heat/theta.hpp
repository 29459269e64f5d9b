/// Steps of the theta method: half a step explicitly, the rest by a solve.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "heat/problem.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/solver.hpp"

namespace jacobi::heat {

/// What solves did.
struct Solved {
  Status status = Status::converged;
  Index sweeps = 0, cycles = 0;
  std::string method = {};
  int threads = 1;
  double norm = 0, tolerance = 0;  ///< of the last one
};

template <class T, int D>
class ThetaSteps {
 public:
  explicit ThetaSteps(const Problem<T, D>& problem);

  /// From u to u + dt, which has the number `level` among the steps that are bound: those of three levels are
  /// kept. u stays where the solve did not converge. limit: stops the solve, its tolerances aside.
  void step(int level, double dt, std::vector<T>& u, const Stop& limit, Solved& solved);
  /// Binds what a step of dt needs. Throws: as Solver.
  void bind(int level, double dt, std::stop_token cancel);

 private:
  /// (I / (theta dt) + A), and who solves with it.
  struct Bound {
    std::vector<T> center;  ///< of coefficients that vary
    std::optional<Stencil<T, D>> shifted;
    double largest = 0;  ///< diagonal entry
    Choice choice;
    std::optional<Solver<T>> first, second;
  };
  Stop solves() const;
  Bound& bound(int level, double dt, std::stop_token cancel);
  bool stands_at_rounding(const Report& report, const Bound& by) const;
  double make_right_side(double dt, const Bound& by, std::span<const T> u);

  const Problem<T, D>& problem_;
  std::optional<ExplicitSteps<T, D>> explicit_;
  std::map<int, Bound> bound_;
  std::vector<T> right_side_, next_;
  std::vector<double> sources_;  ///< of f and of sides, over each part of the balance
};

}  // namespace jacobi::heat
