#include "jacobi/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/coefficients.hpp"
#include "core/instantiate.hpp"

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
  if (stop.reference == Reference::initial) {
    rest.reference = Reference::none;
    rest.absolute = first.tolerance;
  }
  return rest;
}

bool has_failed(const Report& report, const Choice& choice, const Stop& stop) {
  if (report.status == Status::sweep_limit) return choice.most_sweeps < stop.max_sweeps;
  return report.status == Status::diverged || report.status == Status::breakdown;
}

}  // namespace

template <class T, int D>
Choice choose(const Stencil<T, D>& a, const Stop& stop) {
  if (a.is_constant() && !symmetric_and_constant(a))
    return {plain(), "method auto: plain sweeps, since the operator is no symmetric diffusion"};
  if (a.rows() == 1) return {plain(), "method auto: a plain sweep, which solves for one unknown"};
  Choice choice{multigrid(a), "method auto: full multigrid, which takes about as many cycles on any grid"};
  choice.most_sweeps = most_cycles(stop) * (choice.plan.multigrid->pre + choice.plan.multigrid->post);
  choice.fallback = Plan(cg());
  return choice;
}

template <class T>
Report solve(const Choice& choice, std::span<T> x, const Stop& stop, const RunPlan& run) {
  const std::vector<T> start(choice.fallback ? x.begin() : x.end(), x.end());
  Stop limited = stop;
  limited.max_sweeps = std::min(stop.max_sweeps, choice.most_sweeps);
  Report first = run(choice.plan, limited);
  if (!choice.reason.empty()) first.notes.insert(first.notes.begin(), choice.reason);
  if (!choice.fallback || !has_failed(first, choice, stop)) return first;

  const bool better = !x.empty() && first.norm_final < first.norm_initial;
  if (!better) std::ranges::copy(start, x.begin());
  Report second = run(*choice.fallback, rest_of(stop, first));
  second.reference = first.reference;
  second.reference_norm = first.reference_norm;
  second.seconds_setup += first.seconds + first.seconds_setup;
  const std::string failed = fmt::format(
      "warning: {} {} after {} sweeps, its norm {:.3g} of {:.3g} at the start; method {} went on from {}",
      first.method,
      first.status == Status::sweep_limit ? "had not converged as expected" : name(first.status),
      first.sweeps, first.norm_final, first.norm_initial, second.method,
      better ? "its iterate" : "the initial iterate");
  second.notes.insert(second.notes.begin(), {choice.reason, failed});
  return second;
}

#define JACOBI_INSTANTIATE(T, D) template Choice choose<T, D>(const Stencil<T, D>&, const Stop&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

template Report solve<double>(const Choice&, std::span<double>, const Stop&, const RunPlan&);
template Report solve<float>(const Choice&, std::span<float>, const Stop&, const RunPlan&);

}  // namespace jacobi
