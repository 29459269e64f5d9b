/// `jacobi poisson` on a stencil of the whole box: --stencil compact, --tensor.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "io/vector_file.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "poisson_plan.hpp"
#include "progress.hpp"
#include "sweep/box/bind.hpp"

namespace jacobi::cli {

/// Throws: UsageError for options that sweeps of box stencils do not go with.
inline void require_box_sweeps(const PoissonOptions& o) {
  const char* const what = o.copies > 1     ? "--copies"
                           : o.tile.given() ? "--tile"
                           : o.dry_run      ? "--dry-run"
                           : o.method == "red-black" || o.method == "cyclic-chebyshev"
                               ? "a method of two colours"
                               : nullptr;
  if (what)
    throw UsageError(fmt::format(
        "{} is for stars of neighbours: with {} leave it out, as in jacobi poisson --points 65 {}", what,
        o.problem.boxed_by(), o.problem.boxed_example()));
}

/// jacobi::solve(), or where a signal ended it while sweeps were prepared, the start and a report of no
/// sweep.
template <class T, class Run>
[[gnu::always_inline]] inline Report solve_or_interrupted(const RunOptions& o, const Choice& choice,
                                                          std::vector<T>& x, const Stop& stop, Run&& run) {
  try {
    return jacobi::solve<T>(choice, x, stop, run);
  } catch (const Interrupted&) {
    const auto on = o.make_backend();
    Report r;
    r.status = Status::interrupted;
    r.method = choice.plan.name();
    r.backend = on->name();
    r.threads = on->threads();
    r.precision = sizeof(T) == sizeof(double) ? "double" : "float";
    r.unknowns = static_cast<Index>(x.size());
    r.norm_initial = r.norm_final = r.tolerance = r.reference_norm = std::numeric_limits<double>::quiet_NaN();
    return r;
  }
}

/// finish(problem, x, report) writes what is asked for, and returns the exit code.
template <class T, int D, class Finish>
int solve_boxed(PoissonOptions& o, const Box& box, Finish&& finish) {
  const BoxedProblem<T, D> made = make_boxed_problem<T, D>(box, o.problem);
  const Problem<T, D>& shown = made.shown;
  const Choice choice = o.schedule.empty() ? choose_asked(o, made.a)
                                           : Choice{{scheduled(io::read_vector<double>(o.schedule)), o.rung}};
  if (o.run.talks()) fmt::print("{}, box stencil\n", describe_grid(shown, box));
  std::vector<T> x = shown.x;
  Watch watch(o.run.shown());
  Stop whole = o.stop.make();
  o.checkpoint.apply(whole);
  const auto run = [&](const Plan& plan, const Stop& until) {
    Solver<T> solver(made.a, plan, o.run.make_backend(), watch.token());
    Stop stop = until;
    stop.progress = [&](const Progress& p) { return watch(p); };
    return solver.solve(shown.b, x, stop);
  };
  Report report = solve_or_interrupted(o.run, choice, x, whole, run);
  watch.clear();
  o.checkpoint.tell(report.status, report.notes);
  return finish(shown, x, report);
}

}  // namespace jacobi::cli
