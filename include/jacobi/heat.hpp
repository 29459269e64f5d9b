/// Diffusion in time on a grid: du/dt = div(k grad u) - c u + f.
#pragma once
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "jacobi/backend.hpp"
#include "jacobi/checkpoint.hpp"
#include "jacobi/domain.hpp"
#include "jacobi/export.hpp"
#include "jacobi/note.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// explicit_euler: u <- u + dt (f - A u), a weighted Jacobi sweep; of order 1, stable up to largest_step().
/// theta: (I + theta dt A) u_new = (I - (1 - theta) dt A) u + dt f, solved in every step; stable for every
/// dt.
enum class HeatScheme { explicit_euler, theta };

struct HeatOptions {
  HeatScheme scheme = HeatScheme::theta;
  /// 1/2, Crank-Nicolson, of order 2, to 1, implicit Euler, of order 1. Where u begins with jumps and dt is
  /// large beside h^2, theta = 1/2 lets them ring for a while.
  double theta = 0.5;
  /// A step is solved until the 2-norm of the residual is at most so many times what it is at the old value.
  /// So the errors of all solves together are at most about so many times dt ||f - A u||, added up over the
  /// steps: far below the error of a step, unless u changes by less than 1e-4 of itself per step.
  double relative = 1e-8;
  /// Above 0, for theta: dt is doubled and halved, so that the error of a step, estimated from one step
  /// beside two of half the length, is at most so many times max |u|. The two of half the length count.
  double step_tolerance = 0;
  std::string rung = {};  ///< of explicit sweeps; empty: the best
};

struct HeatProgress {
  Index steps = 0;  ///< made in all
  double time = 0;
  double seconds = 0;
};

/// When run() ends early; u is then that after the last whole step.
struct HeatStop {
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Called between steps, every 0.1 to 0.2 s; returning false interrupts. May be empty.
  std::function<bool(const HeatProgress&)> progress = {};
  std::stop_token cancel = {};
};

/// What one call of run() did.
struct HeatReport {
  /// converged: all steps were made, and each solve met its tolerance. Another status of a solve: a step
  /// could not be solved for, a note says which; u is that before it.
  Status status = Status::converged;
  std::string scheme;     ///< "explicit-euler", "theta"
  double theta = 0;       ///< 0 of explicit Euler
  std::string method;     ///< of the solves; of explicit Euler "weighted"
  std::string algorithm;  ///< that made explicit sweeps
  std::string backend;
  int threads = 1;
  std::string precision;
  Index unknowns = 0;
  double step = 0;     ///< dt; where it changes, the last one
  Index steps = 0;     ///< made; of a step tolerance those that count
  Index rejected = 0;  ///< steps that were made anew, shorter
  double time = 0;     ///< reached
  Index sweeps = 0;    ///< in all, those of solves included
  Index cycles = 0;    ///< of solves
  double seconds = 0, seconds_setup = 0;
  double lups = 0;  ///< unknowns times sweeps per second
  /// Sum of u times the volumes of cells, half ones at Neumann sides: without a flux over sides, c and f it
  /// stays, to rounding.
  double content_initial = 0, content_final = 0;
  std::optional<ErrorNorms> error = {};  ///< filled by whoever knows the solution
  std::vector<Note> notes = {};

  bool finished() const { return status == Status::converged; }
};

/// The report in a few lines, as to_text() of a solve; and as JSON, schema 1.
JACOBI_API std::string to_text(const HeatReport& report);
JACOBI_API std::string to_json(const HeatReport& report);

/// The largest dt for which explicit Euler is stable: 2 / lambda_max of A. exact: for constant coefficients,
/// alike on both sides; else lambda_max is Gershgorin's bound, the largest sum of magnitudes in a row, and
/// somewhat longer steps may be stable too. Cost: a pass over coefficients that vary.
struct StableStep {
  double step = 0;
  bool exact = false;
};
template <class T, int D>
JACOBI_API StableStep largest_step(const Stencil<T, D>& a);

/// Bytes that Heat takes at most, made and run, the operator's own arrays aside. Cost: none to speak of.
template <class T, int D>
JACOBI_API double bytes_of_heat(const Stencil<T, D>& a, const HeatOptions& options, const Backend& on);

/// A state u of du/dt = f - A u that goes on in steps of dt:
///   Heat<double, 2> heat(poisson(grid), f, u, 1e-4);
///   const HeatReport report = heat.run(1000);
///   heat.u();
/// A, f and the values on sides are constant in time. k explicit steps are k weighted sweeps of one call,
/// many per visit to the cache where the rung makes so. Solvers of a dt are bound once. Steps have the same
/// bits for every number of threads, and however many a call makes.
/// Memory: see bytes_of_heat(): three vectors, the sweeps; of theta two vectors and the solver, of
/// step_tolerance up to three.
template <class T, int D>
class JACOBI_API Heat {
 public:
  /// f, u: rows() values each. a: as Stencil::variable, its arrays stay while this lives.
  /// Throws: UsageError for lengths, a dt not above 0, a theta outside [1/2, 1], or an explicit dt above
  /// largest_step(), naming that; InputError for values that are not finite; as Backend::bind.
  Heat(const Stencil<T, D>& a, std::span<const T> f, std::span<const T> u, double dt,
       const HeatOptions& options = {}, std::shared_ptr<const Backend> on = backend());
  /// f as before Domain::fold(); parts without a given value keep their heat, and a point that touches
  /// nothing keeps its value. u() is as Domain::show() leaves it.
  Heat(const Domain<T, D>& domain, std::span<const T> f, std::span<const T> u, double dt,
       const HeatOptions& options = {}, std::shared_ptr<const Backend> on = backend());
  ~Heat();
  Heat(Heat&&) noexcept;
  Heat& operator=(Heat&&) noexcept;

  /// Goes on by so many times dt, or to so many times dt after the start; with a step tolerance in longer or
  /// shorter steps, to the same time. Throws: UsageError for a time that has passed.
  HeatReport run(Index steps, const HeatStop& stop = {});
  HeatReport run_to(Index steps, const HeatStop& stop = {});
  std::vector<T> u() const;
  double time() const;
  Index whole_steps() const;  ///< times dt that have passed since the start, rounded down
  /// As in HeatReport.
  double content() const;

  /// All that is needed to go on with the same bits.
  Snapshot keep() const;
  /// Throws: InputError where it is of another problem, dt or scheme.
  void resume(const Snapshot& snapshot);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jacobi
