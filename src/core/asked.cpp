#include "core/asked.hpp"

#include <algorithm>
#include <vector>

#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "jacobi/predict.hpp"

namespace jacobi {

namespace {

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

}  // namespace

std::optional<Method> named_method(const AskedMethod& asked, const std::function<Range()>& spectrum) {
  const std::string& method = asked.method;
  if (method == "chebyshev") return chebyshev(spectrum());
  if (method == "cyclic-chebyshev") return cyclic_chebyshev(std::min(1.0, spectrum().low));
  if (method == "red-black") return red_black();
  if (method == "weighted" || (method == "auto" && asked.omega))
    return weighted(asked.omega.value_or(default_omega));
  if (method == "plain") return plain();
  if (method == "l1") return l1();
  if (method == "cg") return cg();
  if (method == "bicgstab") return bicgstab();
  if (method != "anderson") return {};
  AndersonOptions options;
  options.depth = asked.depth.value_or(options.depth);
  options.period = asked.period.value_or(options.period);
  options.omega = asked.omega.value_or(options.omega);
  return anderson(options);
}

std::optional<Plan> named_plan(const AskedMethod& asked, const std::function<Range()>& spectrum) {
  if (asked.method == "amg") return amg(asked.amg.value_or(Amg{}));
  const std::optional<Method> method = named_method(asked, spectrum);
  if (!method) return {};
  Plan plan(*method);
  plan.amg = asked.amg;
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
Choice choose_asked(const AskedMethod& asked, const Outlook<T, D>& outlook,
                    const std::optional<Multigrid>& cycle) {
  if (const auto method = named_method(asked, outlook.spectrum)) {
    Plan plan{*method, asked.rung};
    if (plan.method.acceleration == Acceleration::cg) plan.preconditioner = cycle;
    if (asked.method == "cg" && !plan.preconditioner)
      plan.method.rate = chebyshev(outlook.spectrum()).rate;  // which it is at least as good as
    return {plan};
  }
  if (asked.method == "scheduled") {
    const Index period = asked.period ? *asked.period : fitting_period(outlook);
    return {{scheduled(outlook.spectrum(), period), asked.rung}};
  }
  if (outlook.a.singular())
    return {{weighted(singular_omega), asked.rung},
            "method auto: without a Dirichlet side plain Jacobi keeps the chequerboard mode for ever, so the "
            "sweeps are weighted with omega 0.9"};
  return {{plain(), asked.rung}};
}

#define JACOBI_INSTANTIATE(T, D)                                                                        \
  template Outlook<T, D> outlook_of<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>, \
                                          const Stop&);                                                 \
  template Choice choose_asked<T, D>(const AskedMethod&, const Outlook<T, D>&,                          \
                                     const std::optional<Multigrid>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
