#include "core/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/clock.hpp"
#include "core/coefficients.hpp"
#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "core/notes.hpp"
#include "core/null_space.hpp"
#include "core/require.hpp"
#include "core/tested_norm.hpp"
#include "core/timing.hpp"
#include "core/words.hpp"
#include "jacobi/measure.hpp"
#include "jacobi/predict.hpp"
#include "jacobi/solver.hpp"
#include "sweep/stencil/bind.hpp"

namespace jacobi {

namespace {

/// How large u can become by its sides alone: the largest Dirichlet value, or derivative times length.
template <class T, int D>
double size_from_sides(const Grid<T, D>& grid) {
  double size = 0;
  for (int d = 0; d < D; ++d)
    for (const Side<T>& side : grid.sides[d])
      for (const T value : side.values) {
        const bool flux = side.kind == BoundaryKind::neumann;
        const double length = flux ? grid.spacing[d] * static_cast<double>(grid.unknowns[d]) : 1;
        size = std::max(size, std::abs(static_cast<double>(value)) * length);
      }
  return size;
}

/// Whether the weight of every sweep is the same, known, and divides by D or by l1's divisors.
bool has_one_weight(const Plan& plan) {
  const Method& method = plan.method;
  return !plan.multigrid() && !plan.amg() && !accelerated(method) && method.rate == 0 && method.period == 1;
}

/// Whether the method is that one, preconditioned by no more than the diagonal.
bool by_products_alone(const Plan& plan, Acceleration how) {
  return plan.method.acceleration == how && !plan.multigrid() && !plan.amg();
}

/// As far as rounding lets it be known: of a singular matrix, whose sweeps may converge all the same.
bool is_one(double radius) { return std::abs(1 - radius) < 1e-13; }

void take(Forecast& f, const Executed& ran) {
  f.rung = ran.rung;
  f.algorithm = ran.algorithm.empty() ? ran.rung : ran.algorithm;
  f.threads = ran.threads;
}

/// schedule: weights in turn, 1 of others.
Note below_rounding(const Forecast& f, Index schedule, bool single) {
  const std::string of = single ? "float" : "double", cure = single ? ", or take --precision double" : "";
  const double tolerance = f.prediction.tolerance, floor = f.rounding_floor;
  if (schedule == 1) return note(notes::below_rounding, tolerance, of, floor, "ask for less" + cure);
  return note(notes::below_rounding, tolerance, fmt::format("{} and {} weights in turn", of, schedule), floor,
              "take a shorter --period, chebyshev or cg, or ask for less" + cure);
}

}  // namespace

template <class T, int D>
double bytes_to_solve(const Stencil<T, D>& a, const Choice& choice, int threads) {
  const double n = static_cast<double>(a.rows());
  const double vectors = 3 + choice.fallback.has_value() + a.singular();
  const double coefficients = a.is_constant() ? 0 : 2 * D + 1;
  return bytes_of_the_process + n * sizeof(T) * (vectors + coefficients) +
         sweep::bytes_to_bind(a, choice.plan, threads);
}

/// A value rounded is off by epsilon / 4 on average; a maximum is met by the full half.
template <class T, int D>
double rounding_floor_of_mode(const Stencil<T, D>& a, std::span<const T> b, const Stop& stop) {
  Accumulated f, ones;
  double diagonal = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    const double center = std::abs(static_cast<double>(a.center(p)));
    f.add(b[p] / center);
    ones.add(1);
    diagonal = std::max(diagonal, center);
  }
  const double u = pick(f.norms(), stop.norm) / a.slowest_mode() +
                   size_from_sides(a.grid()) * pick(ones.norms(), stop.norm);
  const bool largest = stop.norm == Norm::max_residual || stop.norm == Norm::max_update;
  const double rounding = std::numeric_limits<T>::epsilon() / (largest ? 2 : 4);
  if (is_scaled(tested_norm(a, stop.norm))) return rounding * u;
  return rounding * (diagonal * u + pick(a.rhs_norms(b, false), stop.norm));
}

namespace {

/// What will keep the solve from its end.
void add_notes(Forecast& f, const Stop& stop, bool single) {
  const Plan& plan = f.choice.plan;
  const bool schedule = plan.method.growth > 1 && !plan.multigrid();
  if (schedule) f.rounding_floor *= plan.method.growth;
  const Prediction& p = f.prediction;
  if (!std::isfinite(p.norm_initial))
    f.notes.push_back(note(notes::start_not_finite, cure_of_overflow));
  else if (p.tolerance > 0 && p.tolerance < f.rounding_floor)
    f.notes.push_back(below_rounding(f, schedule ? plan.method.period : 1, single));
  if (p.sweeps && *p.sweeps > static_cast<double>(stop.max_sweeps))
    f.notes.push_back(note(notes::limit_first, counted(stop.max_sweeps, "sweep")));
  if (p.sweeps && *p.sweeps * f.seconds_per_sweep > stop.max_seconds)
    f.notes.push_back(note(notes::limit_first, in_time(stop.max_seconds)));
}

bool has_to_fall(const Prediction& p) {
  return p.tolerance > 0 && p.norm_initial > p.tolerance && std::isfinite(p.norm_initial);
}

/// Cycles that would not end in time go on as what `auto` holds in reserve.
void hand_over(Forecast& f) {
  Prediction& p = f.prediction;
  const Choice& choice = f.choice;
  const auto most = static_cast<double>(choice.most_sweeps);
  const bool unlimited = choice.most_sweeps == std::numeric_limits<Index>::max();
  if (!choice.fallback || unlimited || !has_to_fall(p) || (p.sweeps && *p.sweeps <= most)) return;
  p.sweeps = most;
  f.notes.push_back(note(notes::handed_over, counted(choice.most_sweeps, "sweep"), choice.fallback->name()));
}

/// Multigrid's cycles, counted from the start of what is seen on, which says more than a usual rate. Where
/// coefficients vary, the first ones are the fastest: so many are looked at.
template <class T, int D>
void count_cycles(Forecast& f, Norm norm, const SeenGrid<T, D>& seen, const SeenGrid<T, D>& timed,
                  Sweeper<T>& timed_sweeper, const Backend& on) {
  constexpr double enough = 0.05;  // seconds
  const Index least = seen.a.is_constant() ? 1 : 6;
  Prediction& p = f.prediction;
  const double initial = pick(seen.a.residual_norms(seen.b, seen.x, is_scaled(norm)), norm);
  const bool falls = has_to_fall(p);
  const double tolerance = falls ? p.tolerance / p.norm_initial * initial : 0;
  const Method& method = f.choice.plan.method;
  if (&seen.a != &timed.a) {
    const auto sweeper = on.bind(seen.a, f.choice.plan);
    const SeenCycles cycles = see_cycles<T>(*sweeper, method, seen.b, seen.x, norm, tolerance, enough, least);
    if (falls) p.sweeps = cycles.sweeps;
    f.seconds_per_sweep =
        see_cycles<T>(timed_sweeper, method, timed.b, timed.x, norm, 0, enough).seconds_per_sweep;
    return;
  }
  double seconds = 0;
  int solves = 0;  // their mean, since a solve's first cycles cost more than those that follow
  for (double taken = 0; solves == 0 || taken < enough; ++solves) {
    const Clock::time_point begin = Clock::now();
    const SeenCycles cycles =
        see_cycles<T>(timed_sweeper, method, seen.b, seen.x, norm, tolerance, enough, least);
    taken += seconds_since(begin);
    if (solves == 0 && falls) p.sweeps = cycles.sweeps;
    seconds += cycles.seconds_per_sweep;
  }
  f.seconds_per_sweep = seconds / solves;
}

}  // namespace

template <class T, int D>
WholeGrid whole_of(const SeenGrid<T, D>& grid, const Choice& choice, const Stop& stop, int threads) {
  const Stencil<T, D>& a = grid.a;
  return {static_cast<double>(a.rows()), bytes_to_solve(a, choice, threads), tested_norm(a, stop.norm),
          outset_of<T, D>(a, grid.b, grid.x, stop), symmetric_and_constant(a)};
}

template <class T, int D>
Forecast forecast(const WholeGrid& whole, const Choice& choice, const SeenGrid<T, D>& seen,
                  const SeenGrid<T, D>& timed, const Stop& stop, const Backend& on) {
  const Plan& plan = choice.plan;
  const auto sweeper = on.bind(timed.a, plan);
  const double share = whole.rows / static_cast<double>(timed.a.rows());
  Forecast f;
  f.choice = choice;
  f.unknowns = static_cast<Index>(whole.rows);
  f.one_mode = !plan.multigrid() && !whole.exact;
  f.memory = whole.memory;
  f.prediction = predicted(plan, stop, whole.norm, whole.outset, whole.exact);
  f.rounding_floor = whole.outset.floor;
  if (plan.multigrid()) {
    count_cycles(f, whole.norm, seen, timed, *sweeper, on);
    hand_over(f);
  } else {
    f.seconds_per_sweep = seconds_per_sweep<T>(*sweeper, plan.method, stop, timed.b, timed.x);
  }
  f.seconds_per_sweep *= share;
  f.bytes_per_sweep = whole.rows * sweeper->bytes_per_update() * (plan.method.red_black ? 0.5 : 1);
  take(f, sweeper->executed());
  add_notes(f, stop, sizeof(T) == sizeof(float));
  return f;
}

template <class T, int D>
Forecast forecast(const Stencil<T, D>& a, const Choice& choice, std::span<const T> given,
                  std::span<const T> x, const Stop& stop, const Backend& on) {
  require_finite(a, given, "b");
  require_finite(a, x, "x");
  std::vector<T> b(given.begin(), given.end());
  if (a.singular()) make_compatible<T, D>(a, b, stop.project_rhs);
  const SeenGrid<T, D> seen{a, b, x};
  return forecast<T, D>(whole_of(seen, choice, stop, on.threads()), choice, seen, seen, stop, on);
}

std::optional<double> predicted_radius(const Diagnosis& d, const Plan& plan) {
  if (!has_one_weight(plan)) return {};
  if (plan.method.divisor == Divisor::l1) return d.l1_radius;
  if (!d.eigenvalues) return {};
  const double omega = plan.method.step(0, {}).omega;
  return std::max(std::abs(1 - omega * d.eigenvalues->low), std::abs(1 - omega * d.eigenvalues->high));
}

Advised kind_of_sweeps(const Plan& plan) {
  if (!has_one_weight(plan)) return Advised::none;
  if (plan.method.divisor == Divisor::l1) return Advised::l1;
  return plan.method.step(0, {}).omega == 1 ? Advised::plain : Advised::weighted;
}

std::optional<double> predicted_sweeps(const Diagnosis& d, const Choice& choice, Norm norm) {
  const Method& method = choice.plan.method;
  if (by_products_alone(choice.plan, Acceleration::cg)) return sweeps_of_cg(d);
  if (by_products_alone(choice.plan, Acceleration::bicgstab)) return d.products_sweeps;
  const Advised kind = kind_of_sweeps(choice.plan);
  if (kind == Advised::none) return {};
  if (kind == Advised::plain) return d.predicted_sweeps;
  if (!choice.reason.empty()) return kind == d.method ? d.method_sweeps : std::nullopt;
  const std::optional<double> radius = predicted_radius(d, choice.plan);
  if (!radius || is_one(*radius)) return {};
  const double weight = is_update(norm) && method.divisor != Divisor::l1 ? method.step(0, {}).omega : 1;
  return sweeps_between(weight * d.norm_initial, d.tolerance, is_update(norm), *radius);
}

namespace {

/// Sweeps of cycles, or of what they precondition, as the first ones go; nothing where these do not contract.
template <class T>
std::optional<double> sweeps_seen(Sweeper<T>& sweeper, const Method& method, std::span<const T> b,
                                  std::span<const T> x, const Diagnosis& d) {
  constexpr Index looked_at = 12;
  if (!(d.tolerance > 0) || !(d.norm_initial > d.tolerance)) return {};
  sweeper.load(b, x);
  const double tolerance = sweeper.norms(Want::residual).l2 * d.tolerance / d.norm_initial;
  return see_cycles<T>(sweeper, method, b, x, Norm::residual, tolerance, 0, looked_at).sweeps;
}

}  // namespace

/// What a solve takes at most is what this process has taken so far, since it has read and asked what a solve
/// does, or what it holds now and what only a solve adds: iterates and products, those of several columns as
/// the sweeps have them.
template <class T>
Forecast forecast(const Operator<T>& a, const Diagnosis& d, const Choice& choice, std::span<const T> b,
                  std::span<const T> x, const Stop& stop, const std::shared_ptr<const Backend>& on,
                  Index rhs_count) {
  Solver<T> solver(a, choice.plan, on, stop.cancel);
  Forecast f;
  f.choice = choice;
  f.diagnosis = d;
  f.unknowns = d.rows;
  f.prediction.spectral_radius =
      predicted_radius(d, choice.plan).value_or(std::numeric_limits<double>::quiet_NaN());
  f.prediction.norm_initial = d.norm_initial;
  f.prediction.tolerance = d.tolerance;
  f.prediction.sweeps = predicted_sweeps(d, choice, stop.norm);
  if (choice.plan.amg() || choice.plan.multigrid())
    f.prediction.sweeps = sweeps_seen<T>(solver.sweeper(), choice.plan.method, b, x, d);
  f.seconds_per_sweep = seconds_per_sweep<T>(solver.sweeper(), choice.plan.method, stop, b, x);
  take(f, solver.sweeper().executed());
  const double rows = static_cast<double>(d.rows), columns = static_cast<double>(rhs_count);
  const bool woven = std::holds_alternative<Dense<T>>(a) && rhs_count > 1;
  f.bytes_per_sweep = rows * solver.sweeper().bytes_per_update();
  const double vectors =  // of several columns, sparse sweeps take one after the other
      woven ? 4 * columns + 11.0 * 64 / sizeof(T) : columns + 3;
  f.memory = std::max(memory_taken_at_most(), memory_taken() + vectors * rows * sizeof(T));
  if (!choice.reason.empty()) f.notes.emplace_back(Note::Kind::choice, choice.reason);
  if (rhs_count > 1) f.notes.push_back(note(notes::first_column));
  return f;
}

#define JACOBI_INSTANTIATE(T, D)                                                                       \
  template double bytes_to_solve<T, D>(const Stencil<T, D>&, const Choice&, int);                      \
  template double rounding_floor_of_mode<T, D>(const Stencil<T, D>&, std::span<const T>, const Stop&); \
  template WholeGrid whole_of<T, D>(const SeenGrid<T, D>&, const Choice&, const Stop&, int);           \
  template Forecast forecast<T, D>(const WholeGrid&, const Choice&, const SeenGrid<T, D>&,             \
                                   const SeenGrid<T, D>&, const Stop&, const Backend&);                \
  template Forecast forecast<T, D>(const Stencil<T, D>&, const Choice&, std::span<const T>,            \
                                   std::span<const T>, const Stop&, const Backend&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(T)                                                                            \
  template Forecast forecast<T>(const Operator<T>&, const Diagnosis&, const Choice&, std::span<const T>, \
                                std::span<const T>, const Stop&, const std::shared_ptr<const Backend>&,  \
                                Index);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
