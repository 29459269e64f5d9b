#include "jacobi/automatic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/coefficients.hpp"
#include "core/instantiate.hpp"
#include "core/kept.hpp"
#include "core/notes.hpp"
#include "core/tested_norm.hpp"
#include "core/words.hpp"
#include "jacobi/predict.hpp"
#include "sweep/multigrid/coarsen.hpp"

namespace jacobi {

namespace {

/// Cycles that reduce norms as much as asked at a third of the usual rate, and some more.
Index most_cycles(const Stop& stop) {
  constexpr double slow = 0.6, most_digits = 1e-15;  // (1/5)^(1/3): see usual_rate of multigrid()
  const bool relative = stop.reference != Reference::none && stop.relative > 0;
  const double factor = relative ? std::clamp(stop.relative, most_digits, 1.0) : most_digits;
  return 10 + static_cast<Index>(std::ceil(std::log(factor) / std::log(slow)));
}

/// What is left of the limits, and the tolerance of the first run where it was relative to its start.
Stop rest_of(const Stop& stop, const Report& first) {
  Stop rest = stop;
  if (stop.max_sweeps != std::numeric_limits<Index>::max()) rest.max_sweeps -= first.sweeps;
  rest.max_seconds = std::max(0.0, stop.max_seconds - first.seconds - first.seconds_setup);
  if (stop.reference == Reference::initial || first.reference == Reference::initial) {
    rest.reference = Reference::none;
    rest.absolute = first.tolerance;
  }
  return rest;
}

/// Standing still within reach of the tolerance counts as failing too: another method's rounding may let it
/// be met. So does standing far above what rounding in T explains, unless every row is solved as far as its
/// own rounding lets it be.
template <class T>
bool has_failed(const Report& report, const Choice& choice, const Stop& stop) {
  constexpr double explained = sizeof(T) == sizeof(double) ? 1e-6 : 0.1;  // of the norm at the start
  if (report.status == Status::sweep_limit) return choice.most_sweeps < stop.max_sweeps;
  if (report.status == Status::stagnated) {
    constexpr double of_rounding = 16 * std::numeric_limits<T>::epsilon();
    if (report.norm_final <= 10 * report.tolerance) return true;
    if (report.backward_error && *report.backward_error <= of_rounding) return false;
    return report.norm_final > explained * report.norm_initial;
  }
  return report.status == Status::diverged || report.status == Status::breakdown;
}

/// Of both runs: sweeps, checks, history, reference and the norm that the first began with.
void join(const Report& first, bool went_on, Report& second) {
  std::vector<HistoryEntry> history;
  if (went_on) {
    history = first.history;
    second.norm_initial = first.norm_initial;
    for (std::size_t i = 1; i < second.history.size(); ++i)
      history.push_back({second.history[i].sweeps + first.sweeps, second.history[i].norm});
    second.history = std::move(history);
  }
  second.sweeps += went_on ? first.sweeps : 0;
  const double updates = first.lups * first.seconds + second.lups * second.seconds;
  second.seconds += first.seconds;
  second.lups = second.seconds > 0 ? updates / second.seconds : 0;
  second.checks += first.checks;
  second.reference = first.reference;
  second.reference_norm = first.reference_norm;
  second.seconds_setup += first.seconds_setup;
}

/// Of the first run, what the report of both needs.
struct First {
  Status status = Status::interrupted;
  Reference reference = Reference::none;
  Index sweeps = 0, checks = 0;
  double norm_initial = 0, norm_final = 0, tolerance = 0, reference_norm = 0, residual_norm = 0,
         backward_error = 0;
};

/// Snapshots of the second run, which hold what was left by the first.
template <class T>
Stop keeping_first(Stop stop, const Report& first, std::span<const T> x) {
  if (!stop.keep) return stop;
  const First kept{first.status,
                   first.reference,
                   first.sweeps,
                   first.checks,
                   first.norm_initial,
                   first.norm_final,
                   first.tolerance,
                   first.reference_norm,
                   first.residual_norm.value_or(0),
                   first.backward_error.value_or(0)};
  const std::vector<double> start(x.begin(), x.end());
  stop.keep = [keep = stop.keep, kept, start, history = first.history](Snapshot snapshot) {
    keep_value(snapshot, "first", kept);
    keep_values(snapshot, "first history", std::span<const HistoryEntry>(history));
    snapshot.vectors["handed over"] = start;
    keep(snapshot);
  };
  return stop;
}

/// The first run of a solve that was kept in its second, whose start comes to x.
template <class T>
Report first_of(const Snapshot& snapshot, const Plan& plan, std::span<T> x) {
  First kept;
  take_value(snapshot, "first", kept);
  std::ranges::copy(vector_of(snapshot, "handed over", x.size()), x.begin());
  Report first;
  first.method = plan.name();
  first.status = kept.status;
  first.reference = kept.reference;
  first.sweeps = kept.sweeps;
  first.checks = kept.checks;
  first.norm_initial = kept.norm_initial;
  first.norm_final = kept.norm_final;
  first.tolerance = kept.tolerance;
  first.reference_norm = kept.reference_norm;
  first.residual_norm = kept.residual_norm;
  first.backward_error = kept.backward_error;
  first.history = kept_values<HistoryEntry>(snapshot, "first history");
  return first;
}

/// By Chebyshev's method, and single sweeps in reserve where the eigenvalues are no bounds for certain.
template <class T, int D>
Choice choose_chebyshev(const Stencil<T, D>& a, const std::function<Range()>& spectrum,
                        const std::string& because) {
  constexpr double damping = 0.9;  // of the chequerboard, which plain sweeps of a singular operator keep
  const Range range = spectrum ? spectrum() : bounds(a);
  if (!(range.low > 0))
    return {plain(), "method auto: plain sweeps, since the operator is not definite, and " + because};
  Choice choice{chebyshev(range),
                "method auto: Chebyshev's method by the bounds of the spectrum, since " + because};
  if (!symmetric_and_constant(a)) choice.fallback = Plan(a.singular() ? weighted(damping) : plain());
  return choice;
}

}  // namespace

template <class T, int D>
Choice choose(const Stencil<T, D>& a, const Stop& stop, const Methods& on,
              const std::function<Range()>& spectrum) {
  if (a.rows() == 1) return {plain(), "method auto: a plain sweep, which solves for one unknown"};
  if (a.is_constant() && !symmetric_and_constant(a))
    return {plain(), "method auto: plain sweeps, since the operator is no symmetric diffusion"};
  if (!on.multigrid && !on.products)
    return choose_chebyshev(a, spectrum, "this backend makes no multigrid cycles");
  if (!sweep::is_diffusion(a)) {
    const std::string because = "the coefficients are of no symmetric diffusion, which multigrid needs";
    if (!on.products)
      return choose_chebyshev(a, spectrum, because + ", and this backend makes no inner products");
    constexpr Index any = std::numeric_limits<Index>::max();
    if (a.is_constant())
      return {cg(), "method auto: conjugate gradients, since " + because, any, Plan(bicgstab())};
    return {bicgstab(), "method auto: bicgstab, since " + because, any, Plan(anderson())};
  }
  if (!on.multigrid)
    return {cg(), "method auto: conjugate gradients, since no multigrid cycles are made here"};
  const bool stretched = a.grid().is_stretched();
  if (on.products && (stretched || has_row_alone(a))) {
    Choice held =
        stretched
            ? Choice{cg_with_multigrid(),
                     "method auto: conjugate gradients preconditioned by V-cycles, since points are not "
                     "equally spaced: cycles alone take many where cells are long and thin"}
            : Choice{cg_with_multigrid({2, 2, 2, false}),
                     "method auto: conjugate gradients preconditioned by W-cycles, since some points are "
                     "no unknowns: cycles alone take more the finer the grid"};
    held.fallback = Plan(cg());
    return held;
  }
  Choice choice{multigrid(a),
                a.is_constant()
                    ? "method auto: full multigrid, which takes about as many cycles on any grid"
                    : "method auto: full multigrid, in more cycles the more sharply coefficients vary"};
  if (!on.products) return choice;
  choice.most_sweeps = most_cycles(stop) * (choice.plan.multigrid()->pre + choice.plan.multigrid()->post);
  choice.fallback = cg_with_multigrid();
  return choice;
}

template <class T>
Choice choose(const BoxStencil<T>& a) {
  if (a.rows() == 1) return {plain(), "method auto: a plain sweep, which solves for one unknown"};
  constexpr Index any = std::numeric_limits<Index>::max();
  if (!a.symmetric())
    return {bicgstab(), "method auto: bicgstab, since the box stencil is not symmetric", any,
            Plan(anderson())};
  if (!a.has_cycles())
    return {cg(), "method auto: conjugate gradients, since the box stencil is no diffusion", any,
            Plan(bicgstab())};
  return {cg_with_multigrid(),
          "method auto: conjugate gradients preconditioned by V-cycles of the star with the same second "
          "derivatives, which is spectrally equivalent to the box stencil: about as many on any grid",
          any, Plan(cg())};
}
template Choice choose<double>(const BoxStencil<double>&);
template Choice choose<float>(const BoxStencil<float>&);

template <class T>
Report solve(const Choice& choice, std::span<T> x, const Stop& stop, RunPlan run) {
  const std::vector<T> start(choice.fallback ? x.begin() : x.end(), x.end());
  Stop limited = stop;
  limited.max_sweeps = std::min(stop.max_sweeps, choice.most_sweeps);
  const bool in_second = stop.resume && stop.resume->words.contains("first");
  if (in_second && !choice.fallback)
    throw InputError("the checkpoint is of a second method, and this solve has one only");
  const Note chosen(Note::Kind::choice, choice.reason);
  Report first;
  try {
    first = in_second ? first_of(*stop.resume, choice.plan, x) : run(choice.plan, limited);
  } catch (const BackendError& error) {  // neither time nor memory is there for the levels
    if (!choice.fallback || !choice.plan.amg()) throw;
    Report second = run(*choice.fallback, stop);
    second.notes.insert(second.notes.begin(), {chosen, note(notes::no_setup, error.what(), second.method)});
    return second;
  }
  if (!choice.reason.empty()) first.notes.insert(first.notes.begin(), chosen);
  if (!in_second && (!choice.fallback || !has_failed<T>(first, choice, stop))) return first;

  const bool went_on = !x.empty() && first.norm_final < first.norm_initial;
  if (!went_on) std::ranges::copy(start, x.begin());
  const std::vector<T> handed_over(x.begin(), x.end());
  Stop rest = keeping_first<T>(rest_of(stop, first), first, handed_over);
  if (!in_second) rest.resume = nullptr;
  Report second = run(*choice.fallback, rest);
  second.notes.insert(
      second.notes.begin(),
      {chosen,
       note(notes::fallback, first.method,
            first.status == Status::sweep_limit ? "had not converged as expected" : name(first.status),
            counted(first.sweeps, "sweep"), size_in_words(first.norm_final), first.norm_initial,
            second.method, went_on ? "its iterate" : "the initial iterate")});
  const double handed_over_at = first.norm_final;
  if (went_on && !second.converged() && !(second.norm_final <= handed_over_at)) {
    std::ranges::copy(handed_over, x.begin());
    second.notes.push_back(note(notes::kept_before, second.method, size_in_words(second.norm_final)));
    second.norm_final = handed_over_at;
    second.residual_norm = first.residual_norm;
    second.backward_error = first.backward_error;
    second.update_norm = first.update_norm;
    second.update_max = first.update_max;
  }
  if (!went_on && second.status == Status::sweep_limit)
    second.notes.push_back(note(notes::shared_limit, first.sweeps, first.method));
  join(first, went_on, second);
  return second;
}

#define JACOBI_INSTANTIATE(T, D)                                                  \
  template Choice choose<T, D>(const Stencil<T, D>&, const Stop&, const Methods&, \
                               const std::function<Range()>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

template Report solve<double>(const Choice&, std::span<double>, const Stop&, RunPlan);
template Report solve<float>(const Choice&, std::span<float>, const Stop&, RunPlan);

}  // namespace jacobi
