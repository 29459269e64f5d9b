#include "core/asked.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "jacobi/predict.hpp"

namespace jacobi {

namespace {

using Asked = AskedMethod;
using Spectrum = std::function<Range()>;

constexpr Index default_period = 32;    // of weights, where nothing says how many digits they may cost
constexpr double singular_omega = 0.9;  // damps the mode of eigenvalue -1, costs the slow ones 10 %

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

/// In the order in which they are listed.
const NamedMethod method_table[] = {
    {"auto", on_grids | on_matrices | with_omega | with_multigrid | with_amg | by_spectrum, nullptr},
    {"plain", on_grids | on_matrices, [](const Asked&, const Spectrum&) { return plain(); }},
    {"red-black", on_grids | on_matrices, [](const Asked&, const Spectrum&) { return red_black(); }},
    {"weighted", on_grids | on_matrices | with_omega,
     [](const Asked& asked, const Spectrum&) { return weighted(asked.omega.value_or(default_omega)); }},
    {"l1", on_matrices, [](const Asked&, const Spectrum&) { return l1(); }},
    {"chebyshev", on_grids | on_matrices | by_spectrum,
     [](const Asked&, const Spectrum& spectrum) { return chebyshev(spectrum()); }},
    {"cyclic-chebyshev", on_grids | on_matrices | by_spectrum,
     [](const Asked&, const Spectrum& spectrum) { return cyclic_chebyshev(std::min(1.0, spectrum().low)); }},
    {"scheduled", on_grids | on_matrices | with_period | by_spectrum,
     [](const Asked& asked, const Spectrum& spectrum) {
       return scheduled(spectrum(), asked.period.value_or(default_period));
     }},
    {"anderson", on_grids | on_matrices | with_omega | with_depth | with_period,
     [](const Asked& asked, const Spectrum&) {
       AndersonOptions options;
       options.depth = asked.depth.value_or(options.depth);
       options.period = asked.period.value_or(options.period);
       options.omega = asked.omega.value_or(options.omega);
       return anderson(options);
     }},
    {"cg", on_grids | on_matrices | with_multigrid | with_amg,
     [](const Asked&, const Spectrum&) { return cg(); }},
    {"bicgstab", on_grids | on_matrices | with_amg, [](const Asked&, const Spectrum&) { return bicgstab(); }},
    {"multigrid", on_grids | on_matrices | with_multigrid | by_spectrum, nullptr},
    {"amg", on_matrices | with_amg, nullptr}};

const NamedMethod* find_method(std::string_view name) {
  const auto found = std::ranges::find(method_table, name, &NamedMethod::name);
  return found == std::end(method_table) ? nullptr : found;
}

/// "weighted or anderson": what an option goes with, auto and cycles by themselves aside.
std::string those_with(unsigned suits) {
  std::vector<std::string_view> names;
  for (const NamedMethod& m : method_table)
    if ((m.suits & suits) == suits && m.make) names.push_back(m.name);
  return fmt::format("{}", fmt::join(names, " or "));
}

}  // namespace

std::span<const NamedMethod> named_methods() { return method_table; }

std::vector<std::string> method_names(unsigned suits) {
  std::vector<std::string> names;
  for (const NamedMethod& m : method_table)
    if ((m.suits & suits) == suits) names.emplace_back(m.name);
  return names;
}

void require_fitting(const AskedMethod& asked) {
  const NamedMethod* const method = find_method(asked.method);
  if (!method)
    throw UsageError(fmt::format("there is no method '{}': take one of {}", asked.method,
                                 fmt::join(method_names(0), ", ")));
  if (asked.omega) weighted(*asked.omega);  // its bounds
  const auto require = [&](bool given, unsigned suits, std::string_view option) {
    if (given && !(method->suits & suits))
      throw UsageError(fmt::format(
          "{0}{1} goes with {0}method {2}, not {3}{4}", asked.mark, option, those_with(suits), asked.method,
          suits == with_omega && asked.method == "plain" ? " (which means omega = 1)" : ""));
  };
  require(asked.omega.has_value(), with_omega, "omega");
  require(asked.depth.has_value(), with_depth, "depth");
  require(asked.period.has_value(), with_period, "period");
  if (asked.cycle && !(method->suits & with_multigrid))
    throw UsageError(fmt::format("multigrid preconditions {}method {}, not {}", asked.mark,
                                 those_with(with_multigrid), asked.method));
  if (asked.amg && !(method->suits & with_amg))
    throw UsageError(fmt::format("algebraic multigrid preconditions {}method {}, not {}", asked.mark,
                                 those_with(with_amg), asked.method));
}

bool leaves_open(const AskedMethod& asked) {
  return asked.method == "auto" && !asked.omega && asked.rung.empty() && !asked.cycle && !asked.amg &&
         asked.matrix_precision == MatrixPrecision::as_given;
}

MatrixPrecision matrix_precision_named(std::string_view name) {
  if (name.empty() || name == "double") return MatrixPrecision::as_given;
  if (name == "float") return MatrixPrecision::single;
  if (name == "bf16") return MatrixPrecision::bf16;
  throw UsageError(fmt::format("there is no matrix precision '{}': take one of double, float, bf16", name));
}

bool needs_estimates(const AskedMethod& asked) {
  const NamedMethod* const method = find_method(asked.method);
  return method && (method->suits & by_spectrum);
}

DiagnoseOptions questions_before(const AskedMethod& asked, const Stop& solve) {
  DiagnoseOptions options = DiagnoseOptions::before(solve, needs_estimates(asked));
  if (const NamedMethod* const method = find_method(asked.method); needs_estimates(asked) && method->make)
    options.seconds = DiagnoseOptions().seconds;
  return options;
}

std::optional<Method> named_method(const AskedMethod& asked, const Spectrum& spectrum) {
  if (asked.method == "auto" && asked.omega) return weighted(*asked.omega);
  const NamedMethod* const method = find_method(asked.method);
  return method && method->make ? std::optional(method->make(asked, spectrum)) : std::nullopt;
}

void name_rung(Plan& plan, const std::string& rung) {
  if (rung.empty()) return;
  OnRung* const on = std::get_if<OnRung>(&plan.by);
  if (!on)
    throw UsageError(fmt::format("{} and rung '{}': it has passes of its own, leave that out",
                                 plan.amg()      ? "algebraic multigrid"
                                 : plan.tiling() ? "a tiling"
                                                 : "multigrid",
                                 rung));
  on->name = rung;
}

std::optional<Plan> named_plan(const AskedMethod& asked, const Spectrum& spectrum) {
  std::optional<Plan> plan;
  if (asked.method == "amg") {
    plan = amg(asked.amg.value_or(Amg{}));
  } else if (const std::optional<Method> method = named_method(asked, spectrum)) {
    plan.emplace(*method);
    if (asked.amg) plan->by = *asked.amg;
    if (asked.cycle && method->acceleration == Acceleration::cg) plan->by = PreconditionedBy{*asked.cycle};
  } else if (asked.method == "auto" && asked.amg) {
    plan = cg_with_amg(*asked.amg);
  } else if (asked.method == "auto" && asked.cycle) {
    plan = cg_with_multigrid(*asked.cycle);
  }
  if (plan) name_rung(*plan, asked.rung);
  return plan;
}

template <class T, int D>
Outlook<T, D> outlook_of(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x,
                         const Stop& stop) {
  return {a, [&a] { return bounds(a); }, [&a, b, &stop] { return rounding_floor_of_mode<T, D>(a, b, stop); },
          [&a, b, x, &stop] {
            const std::vector<T> zero(x.empty() ? b.size() : 0);
            return predict<T>(Operator<T>(a), plain(), b, x.empty() ? zero : x, stop).tolerance;
          }};
}

template <class T, int D>
Choice choose_asked(const AskedMethod& asked, const Outlook<T, D>& outlook) {
  if (asked.method == "amg" || asked.amg)
    throw UsageError(fmt::format(
        "algebraic multigrid is for sparse matrices: on a grid take {}method multigrid", asked.mark));
  if (asked.method == "multigrid") {
    Plan plan = multigrid(outlook.a, asked.cycle.value_or(Multigrid{}));
    name_rung(plan, asked.rung);
    if (!asked.omega) return {plan};
    Method smoother = weighted(*asked.omega);
    smoother.rate = plan.method.rate;
    smoother.period = plan.method.period;
    plan.method = std::move(smoother);
    return {plan};
  }
  AskedMethod fitted = asked;
  if (asked.method == "scheduled" && !asked.period) fitted.period = fitting_period(outlook);
  if (auto plan = named_plan(fitted, outlook.spectrum)) {
    if (asked.method == "cg" && !plan->preconditioner())
      plan->method.rate = chebyshev(outlook.spectrum()).rate;  // which it is at least as good as
    return {*plan};
  }
  if (outlook.a.singular())
    return {{weighted(singular_omega), asked.rung},
            "method auto: without a Dirichlet side plain Jacobi keeps the chequerboard mode for ever, so the "
            "sweeps are weighted with omega 0.9"};
  return {{plain(), asked.rung}};
}

template <class T>
Choice choose_asked(const AskedMethod& asked, const BoxStencil<T>& a) {
  if (leaves_open(asked)) return choose(a);
  if (asked.method == "multigrid" || asked.method == "amg" || asked.amg)
    throw UsageError(fmt::format(
        "{} is for {}: of a box stencil cycles precondition cg, take {}method cg with {}preconditioner "
        "multigrid",
        asked.method == "multigrid" ? "method multigrid" : "algebraic multigrid",
        asked.method == "multigrid" ? "stars of neighbours" : "sparse matrices", asked.mark, asked.mark));
  const auto spectrum = [&]() -> Range {
    if (!a.bounds())
      throw UsageError(
          fmt::format("no bounds of this box stencil's eigenvalues are proved, which {}method {} needs: take "
                      "cg or bicgstab",
                      asked.mark, asked.method));
    if (!(a.bounds()->low > 0))
      throw UsageError(
          fmt::format("the operator is singular, and {}method {} needs eigenvalues above 0: take cg",
                      asked.mark, asked.method));
    return *a.bounds();
  };
  if (auto plan = named_plan(asked, spectrum)) return {*plan};
  return {{plain(), asked.rung}};
}
template Choice choose_asked<double>(const AskedMethod&, const BoxStencil<double>&);
template Choice choose_asked<float>(const AskedMethod&, const BoxStencil<float>&);

namespace {

/// Of a matrix that multigrid suits, whatever fewer sweeps others would take.
template <class T>
Choice multigrid_on(const AskedMethod& asked, const Csr<T>* entries, Diagnosis d, const Stop& stop,
                    Index rhs_count, const Backend& on) {
  d.method_sweeps.reset();
  std::optional<Choice> choice;
  if (entries && rhs_count == 1) choice = choose_grid(*entries, d, stop, on);
  if (!choice)
    throw InputError(fmt::format(
        "{0}method multigrid is for grids and one right-hand side: this matrix is none that multigrid suits; "
        "take {0}method auto for a matrix; a grid may be given as such",
        asked.mark));
  if (asked.cycle) choice->plan.by = *asked.cycle;
  choice->reason.clear();  // it was asked for
  return *choice;
}

/// By the diagnosis; with a rung, or narrow entries, only sweeps.
Choice choose_for(const AskedMethod& asked, bool bound, const Diagnosis& d, const Stop& stop, Index rhs_count,
                  const Backend& on) {
  if (bound && !on.methods().products && advises_no_sweeps(d))
    return {advised(d), "method auto: " + d.advice};  // nothing is advised, but sweeps are asked for
  Choice best = choose(d, stop, rhs_count, on.methods());
  if (!bound) return best;
  if (!accelerated(best.plan.method)) return {best.plan, best.reason};
  const Choice sweeps = choose_sweeps(d);
  const bool narrow = asked.matrix_precision != MatrixPrecision::as_given;
  const std::string what =
      narrow ? fmt::format("{} {}", asked.mark.empty() ? "matrix_precision" : "matrix-precision",
                           asked.matrix_precision == MatrixPrecision::bf16 ? "bf16" : "float")
             : "rung " + asked.rung;
  return {sweeps.plan, fmt::format("{}; without {}{} method {} would be taken", sweeps.reason, asked.mark,
                                   what, best.plan.method.name)};
}

}  // namespace

template <class T>
Choice choose_asked(const AskedMethod& asked, const Csr<T>* entries, const Diagnosis& d, const Stop& stop,
                    Index rhs_count, const Backend& on) {
  const bool bound = !asked.rung.empty() || asked.matrix_precision != MatrixPrecision::as_given;
  std::optional<Choice> choice;
  if (leaves_open(asked) && asked.recognise_grids && entries && rhs_count == 1)
    choice = choose_grid(*entries, d, stop, on);
  if (asked.method == "multigrid") choice = multigrid_on(asked, entries, d, stop, rhs_count, on);
  if (!choice)
    if (const auto plan = named_plan(asked, [&] { return safe_spectrum(d); })) choice = Choice{*plan};
  if (!choice) choice = choose_for(asked, bound, d, stop, rhs_count, on);
  name_rung(choice->plan, asked.rung);
  choice->plan.recognise_grids = asked.recognise_grids;
  choice->plan.matrix_precision = asked.matrix_precision;
  return *choice;
}

#define JACOBI_INSTANTIATE(T, D)                                                                        \
  template Outlook<T, D> outlook_of<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>, \
                                          const Stop&);                                                 \
  template Choice choose_asked<T, D>(const AskedMethod&, const Outlook<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

template Choice choose_asked<double>(const AskedMethod&, const Csr<double>*, const Diagnosis&, const Stop&,
                                     Index, const Backend&);
template Choice choose_asked<float>(const AskedMethod&, const Csr<float>*, const Diagnosis&, const Stop&,
                                    Index, const Backend&);

}  // namespace jacobi
