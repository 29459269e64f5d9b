#include "dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/coefficients.hpp"
#include "core/instantiate.hpp"
#include "core/memory.hpp"
#include "core/null_space.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/measure.hpp"
#include "jacobi/predict.hpp"
#include "numbers.hpp"
#include "report.hpp"
#include "timing.hpp"

namespace jacobi::cli {

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

}  // namespace

/// A value rounded is off by epsilon / 4 on average; a maximum is met by the full half.
template <class T, int D>
double rounding_floor(const Problem<T, D>& problem, const Stop& stop) {
  const Stencil<T, D>& a = problem.a;
  Accumulated f;
  double diagonal = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    const double center = std::abs(static_cast<double>(a.center(p)));
    f.add(problem.b[p] / center);
    diagonal = std::max(diagonal, center);
  }
  Accumulated ones;
  for (Index p = 0; p < a.rows(); ++p) ones.add(1);
  const double u = pick(f.norms(), stop.norm) / a.slowest_mode() +
                   size_from_sides(a.grid()) * pick(ones.norms(), stop.norm);
  const bool largest = stop.norm == Norm::max_residual || stop.norm == Norm::max_update;
  const double rounding = std::numeric_limits<T>::epsilon() / (largest ? 2 : 4);
  if (is_scaled(tested_norm(a, stop.norm))) return rounding * u;
  return rounding * (diagonal * u + pick(a.rhs_norms(problem.b, false), stop.norm));
}

namespace {

std::vector<std::string> warnings(const Prediction& p, double seconds, double floor, Index schedule,
                                  const Stop& stop, bool single) {
  std::vector<std::string> notes;
  if (!std::isfinite(p.norm_initial))
    notes.push_back("the norm overflows at the initial iterate: " + std::string(cure_of_overflow));
  else if (p.tolerance > 0 && p.tolerance < floor)
    notes.push_back(fmt::format(
        "the tolerance {:.2e} is below what rounding in {}{} allows, about {:.0e}: the solve may "
        "stagnate; {}{}",
        p.tolerance, single ? "float" : "double",
        schedule > 1 ? fmt::format(" and {} weights in turn", schedule) : "", floor,
        schedule > 1 ? "take a shorter --period, chebyshev or cg, or ask for less" : "ask for less",
        single ? ", or take --precision double" : ""));
  if (p.sweeps && *p.sweeps > static_cast<double>(stop.max_sweeps))
    notes.push_back(fmt::format("the limit of {} comes first", counted(stop.max_sweeps, "sweep")));
  if (p.sweeps && seconds > stop.max_seconds)
    notes.push_back(fmt::format("the limit of {} comes first", in_time(stop.max_seconds)));
  return notes;
}

/// Everything that is said, in either form.
struct Forecast {
  Prediction prediction;
  Executed ran;
  double bytes_per_sweep = 0, seconds_per_sweep = 0, seconds = 0, floor = 0;
  bool one_mode = false;  ///< all that is known of the spectrum: it bounds the slowest one from one side only
};

nlohmann::ordered_json as_json(const DryRun& what, const Forecast& f, Index unknowns) {
  const Prediction& p = f.prediction;
  nlohmann::ordered_json json;
  json["schema"] = 1;
  json["dry_run"] = true;
  json["unknowns"] = unknowns;
  json["memory_bytes"] = what.memory;
  json["rung"] = f.ran.rung;
  json["algorithm"] = f.ran.algorithm.empty() ? f.ran.rung : f.ran.algorithm;
  json["bytes_per_sweep"] = f.bytes_per_sweep;
  json["spectral_radius"] = or_null(p.spectral_radius);
  json["spectral_radius_exact"] = p.exact;
  json["tolerance"] = p.tolerance;
  json["rounding_floor"] = f.floor;
  json["predicted_sweeps"] = p.sweeps ? nlohmann::ordered_json(*p.sweeps) : nullptr;
  json["seconds_per_sweep"] = f.seconds_per_sweep;
  json["predicted_seconds"] = p.sweeps ? nlohmann::ordered_json(f.seconds) : nullptr;
  json["notes"] = what.notes;
  return json;
}

std::string prediction_in_words(const Forecast& f) {
  const Prediction& p = f.prediction;
  if (p.sweeps)
    return fmt::format(
        "predicted: {}{:.0f} sweep{}, {}, from norm {:.4e} to {:.4e}, if the error is all in {}",
        f.one_mode ? "at least " : "", *p.sweeps, *p.sweeps == 1 ? "" : "s", in_time(f.seconds),
        p.norm_initial, p.tolerance,
        f.one_mode ? "one smooth mode: where coefficients vary sharply there are slower ones, by far"
                   : "the slowest mode (the usual worst case)");
  return fmt::format("no prediction of sweeps: {}", !std::isfinite(p.norm_initial) ? "the norm is not finite"
                                                    : !(p.tolerance > 0)           ? "the tolerance is 0"
                                                    : std::isnan(p.spectral_radius)
                                                        ? "the method follows the right-hand side, not a rate"
                                                        : "the spectral radius is not below 1");
}

void print(const DryRun& what, const Forecast& f) {
  fmt::print("{}\n  memory {}; {} moved per sweep; measured {} per sweep ({}, {})\n", what.description,
             in_words(what.memory), in_words(f.bytes_per_sweep), in_time(f.seconds_per_sweep),
             rung_in_words(f.ran.rung, f.ran.algorithm), counted(f.ran.threads, "thread"));
  const double radius = f.prediction.spectral_radius;
  if (!std::isnan(radius))
    fmt::print("  {} of the {} iteration: {} ({})\n",
               accelerated(what.plan.method) ? "bound of the factor per sweep" : "spectral radius",
               what.plan.multigrid ? "multigrid" : what.plan.method.name,
               radius > 1     ? fmt::format("{:.6g}", radius)
               : radius > 0.5 ? fmt::format("1 - {:.4e}", 1 - radius)
                              : fmt::format("{:.3g}", radius),
               accelerated(what.plan.method)
                   ? f.one_mode ? "Chebyshev's, estimated from one smooth mode" : "Chebyshev's"
               : what.plan.multigrid ? "per sweep, usual for a Laplacian"
               : what.plan.method.growth > 1 && what.plan.method.rate == 0 ? "the most over the spectrum"
               : f.prediction.exact                                        ? "closed form"
                                                                           : "at least, by one smooth mode");
  fmt::print("  {}\n", prediction_in_words(f));
  for (const std::string& note : what.notes) fmt::print("  note: {}\n", note);
}

}  // namespace

template <class T, int D>
int dry_run(Problem<T, D> problem, DryRun what, const RunOptions& run) {
  if (problem.a.singular()) make_compatible<T, D>(problem.a, problem.b, what.stop.project_rhs);
  const Operator<T> a = problem.a;
  const auto sweeper = run.make_backend()->bind(a, what.plan);
  Forecast f;
  f.one_mode = !what.plan.multigrid && !symmetric_and_constant(problem.a);
  f.prediction = predict<T>(a, what.plan, problem.b, problem.x, what.stop);
  f.seconds_per_sweep = seconds_per_sweep<T>(*sweeper, problem.b, problem.x);
  f.bytes_per_sweep = static_cast<double>(problem.a.rows()) * sweeper->bytes_per_update() *
                      (what.plan.method.red_black ? 0.5 : 1);
  f.seconds = f.prediction.sweeps.value_or(0) * f.seconds_per_sweep;
  f.ran = sweeper->executed();
  const bool schedule = what.plan.method.growth > 1 && !what.plan.multigrid;
  f.floor = rounding_floor(problem, what.stop) * (schedule ? what.plan.method.growth : 1);
  for (std::string& note : warnings(f.prediction, f.seconds, f.floor, schedule ? what.plan.method.period : 1,
                                    what.stop, sizeof(T) == sizeof(float)))
    what.notes.push_back(std::move(note));
  if (!run.json.empty()) write_text(run.json, json_text(as_json(what, f, problem.a.rows())));
  if (run.talks()) print(what, f);
  return Exit::converged;
}

#define JACOBI_INSTANTIATE(T, D)                                           \
  template double rounding_floor<T, D>(const Problem<T, D>&, const Stop&); \
  template int dry_run<T, D>(Problem<T, D>, DryRun, const RunOptions&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
