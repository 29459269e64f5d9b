#include "poisson_plan.hpp"

#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "io/vector_file.hpp"
#include "jacobi/predict.hpp"
#include "report/json.hpp"

namespace jacobi::cli {

namespace {

constexpr double singular_omega = 0.9;  // damps the mode of eigenvalue -1, costs the slow ones 10 %

/// Whether nothing was said that only sweeps of the grid itself know.
bool leaves_open(const PoissonOptions& o) {
  return o.method == "auto" && !o.omega && o.rung.empty() && !o.tile.given() && o.copies == 1;
}

/// The longest period up to 512 whose floor of rounding errors lies below the tolerance; the
/// shortest, 8, where none does, and 512 where nothing is asked for.
template <class T, int D>
Index fitting_period(const Outlook<T, D>& outlook) {
  constexpr Index most = 512, least = 8;
  const Range spectrum = outlook.spectrum();
  const double floor = 2 * outlook.floor();  // which is an average
  const double tolerance = outlook.tolerance();
  for (Index period = most; period >= least; period /= 2)
    if (scheduled(spectrum, period).growth * floor <= tolerance) return period;
  return tolerance > 0 ? least : most;
}

}  // namespace

nlohmann::ordered_json problem_asked(const PoissonOptions& o, const Box& box) {
  nlohmann::ordered_json json = to_json(box);
  json["copies"] = o.copies;
  const ProblemText& t = o.problem;
  for (const auto& [name, text] : {std::pair{"rhs", &t.rhs},
                                   {"boundary", &t.boundary},
                                   {"diffusion", &t.diffusion},
                                   {"reaction", &t.reaction},
                                   {"exact", &t.exact},
                                   {"initial", &t.initial}})
    json[name] = or_null(*text);
  return {{"problem", std::move(json)}};
}

template <class T, int D>
Choice choose_plan(const PoissonOptions& o, const Problem<T, D>& problem) {
  const Stop stop = o.stop.make();
  return choose_plan(
      o,
      Outlook<T, D>{
          problem.a, [&] { return bounds(problem.a); },
          [&] { return rounding_floor_of_mode<T, D>(problem.a, problem.b, stop); },
          [&] { return predict<T>(Operator<T>(problem.a), plain(), problem.b, problem.x, stop).tolerance; }});
}

template <class T, int D>
Choice choose_plan(const PoissonOptions& o, const Outlook<T, D>& outlook) {
  const Stencil<T, D>& a = outlook.a;
  const bool singular = a.singular();
  if (leaves_open(o)) return choose(a, o.stop.make(), o.run.make_backend()->methods(), outlook.spectrum);
  if (const auto method = o.named(outlook.spectrum)) {
    Plan plan{*method, o.rung};
    if (o.multigrid.preconditions()) plan.preconditioner = o.multigrid.make();
    if (o.method == "cg" && !plan.preconditioner)
      plan.method.rate = chebyshev(outlook.spectrum()).rate;  // which it is at least as good as
    return {plan,
            o.method == "plain" && singular
                ? "without a Dirichlet side plain Jacobi keeps the chequerboard mode for ever: if it does "
                  "not converge, take --method auto"
                : ""};
  }
  if (o.method == "multigrid") {
    Plan plan = o.multigrid.plan(a, o.omega);
    plan.rung = o.rung;
    return {plan};
  }
  if (!o.schedule.empty()) return {{scheduled(io::read_vector<double>(o.schedule)), o.rung}};
  if (o.method == "scheduled")
    return {{scheduled(outlook.spectrum(), o.period ? *o.period : fitting_period(outlook)), o.rung}};
  if (singular)
    return {{weighted(singular_omega), o.rung},
            "method auto: without a Dirichlet side plain Jacobi keeps the chequerboard mode for ever, so the "
            "sweeps are weighted with omega 0.9"};
  return {{plain(), o.rung}};
}

#define JACOBI_INSTANTIATE(T, D)                                                  \
  template Choice choose_plan<T, D>(const PoissonOptions&, const Outlook<T, D>&); \
  template Choice choose_plan<T, D>(const PoissonOptions&, const Problem<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
