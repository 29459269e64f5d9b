#include "solve_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/recognise.hpp"
#include "core/tested_norm.hpp"
#include "diagnose.hpp"
#include "jacobi/error.hpp"
#include "method_options.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

/// Eigenvalues of D^-1 A as estimated, on the safe side: too small a least one only costs sweeps.
Range safe_spectrum(const Diagnosis& d) {
  if (!d.eigenvalues)
    throw InputError(
        "Chebyshev's method needs real eigenvalues of D^-1 A, known for symmetric matrices with a positive "
        "diagonal: take --method auto");
  const auto [low, high] = *d.eigenvalues;
  if (!(low > 1e-13 * high))
    throw InputError(
        fmt::format("Chebyshev's method: the least eigenvalue of D^-1 A is estimated as {:.3g}, so that A is "
                    "not positive "
                    "definite, or singular to rounding",
                    low));
  return {(d.radius_resolved ? 0.99 : 0.5) * low, std::min(1.05 * high, 1 + d.radius_upper)};
}

/// Sweeps that conjugate gradients take by Chebyshev's bound of the error's norm; nothing where A may not be
/// definite.
std::optional<double> sweeps_of_cg(const Diagnosis& d) {
  if (!d.symmetric || !d.eigenvalues || !(d.tolerance > 0)) return {};
  const auto [low, high] = *d.eigenvalues;
  if (!(low > 1e-13 * high)) return {};
  const double root = std::sqrt(high / low), factor = (root - 1) / (root + 1);
  return sweeps_to(d.tolerance / (2 * std::max(d.norm_initial, d.tolerance)), factor);
}

/// Whether the estimate of the least eigenvalue settled, on which such sweeps depend: where the spectral
/// radius did, and lies at that end. Else it is too large.
bool knows_least_eigenvalue(const Diagnosis& d) {
  return d.radius_resolved && 1 - d.eigenvalues->low >= 0.99 * (d.eigenvalues->high - 1);
}

/// Time of a sweep of cg in sweeps: by the bytes that either moves, where sweeps are made two per pass.
double cost_of_cg(const Diagnosis& d) {
  const double matrix = 12 * static_cast<double>(d.entries) / static_cast<double>(d.rows);
  return 2 * (matrix + 104) / (matrix + 24);
}

/// The same of bicgstab.
double cost_of_bicgstab(const Diagnosis& d) {
  const double matrix = 12 * static_cast<double>(d.entries) / static_cast<double>(d.rows);
  return 2 * (matrix + 116) / (matrix + 24);
}

/// What inner products do where sweeps do not converge, or not within the limit, or where cg, or bicgstab
/// for A that is not symmetric, should take a quarter of their time.
std::optional<Choice> choice_by_products(const Diagnosis& d, const Stop& stop, std::size_t columns) {
  const std::string because = "method auto: " + d.advice;
  if (d.verdict == Verdict::unusable) {
    if (!d.row_order) return {};
    return Choice{bicgstab(), because + "; bicgstab is taken, in the order given",
                  std::numeric_limits<Index>::max(), Plan(anderson())};
  }
  if (d.singular && d.symmetric)
    return Choice{cg(), because, std::numeric_limits<Index>::max(), Plan(bicgstab())};
  if (d.method == "none")
    return Choice{bicgstab(), because + "; bicgstab asks nothing of the spectrum",
                  std::numeric_limits<Index>::max(), Plan(anderson())};
  const double sweeps = d.method_sweeps.value_or(0);
  const bool beyond = sweeps > static_cast<double>(stop.max_sweeps);
  const double at_once = static_cast<double>(columns);  // that sweeps take
  const double cost = (beyond ? 1 : 4) * cost_of_cg(d) * at_once;
  if (const auto by_cg = sweeps_of_cg(d); by_cg && cost * *by_cg <= sweeps)
    return Choice{
        cg(),
        fmt::format("{}; conjugate gradients, in {} {} sweeps, take less time", because,
                    knows_least_eigenvalue(d) ? "about" : "at least about", sweeps_in_words(*by_cg)),
        std::numeric_limits<Index>::max(), Plan(bicgstab())};
  const auto by_bicgstab = d.symmetric ? std::nullopt : d.products_sweeps;
  const double margin = d.radius_resolved ? 4 : 1;  // else more sweeps are missing to the count of plain ones
  if (by_bicgstab && columns == 1 && margin * cost_of_bicgstab(d) * *by_bicgstab <= sweeps) {
    Choice choice{bicgstab(), fmt::format("{}; bicgstab, in roughly {} sweeps, should take less time",
                                          because, sweeps_in_words(*by_bicgstab))};
    choice.most_sweeps =
        100 + static_cast<Index>(std::min(1e12, d.radius_resolved ? 8 * *by_bicgstab : 4 * sweeps));
    choice.fallback = d.verdict == Verdict::converges ? Plan(advised(d)) : Plan(anderson());
    return choice;
  }
  if (beyond && !d.symmetric && columns == 1)
    return Choice{
        bicgstab(),
        fmt::format("{}; the limit of {} sweeps comes first, so bicgstab is taken, which asks nothing of the "
                    "spectrum",
                    because, stop.max_sweeps),
        std::numeric_limits<Index>::max(), Plan(anderson())};
  return {};
}

/// What method auto takes where sweeps converge soon enough.
Choice advised_choice(const Diagnosis& d) {
  Choice choice{advised(d), "method auto: " + d.advice};
  choice.fallback = Plan(d.positive_definite ? cg() : bicgstab());
  if (d.method_sweeps && *d.method_sweeps < 1e12)
    choice.most_sweeps = 100 + static_cast<Index>(4 * *d.method_sweeps);
  return choice;
}

/// Full multigrid, where the matrix is a grid that it suits and sweeps alone would be many; else nothing.
template <class T>
std::optional<Choice> choice_for_grid(const SolveOptions& o, const System<T>& system, const Diagnosis& d) {
  constexpr double few = 200;  // sweeps, which tiles make in the time of some cycles
  const bool open = o.method == "auto" && !o.omega && o.rung.empty() && !o.no_grid;
  if (!open || system.dense || system.b.size() > 1 || d.method_sweeps.value_or(few + 1) <= few) return {};
  const std::optional<Recognised<T>> found = recognise(system.a);
  if (!found) return {};
  const Stop stop = o.stop.make();
  Choice choice = std::visit(
      [&]<class A>(const A& a) -> Choice {
        if constexpr (std::is_same_v<A, Csr<T>> || std::is_same_v<A, Dense<T>>)
          return {};
        else
          return d.singular && !a.singular() ? Choice{} : choose(a, stop);
      },
      found->grid);
  if (!choice.plan.multigrid) return {};
  try {
    o.run.make_backend()->bind(found->grid, choice.plan);
  } catch (const UsageError&) {
    return {};  // no diffusion
  }
  return choice;
}

Choice choose_method(const SolveOptions& o, const Diagnosis& d, std::size_t columns) {
  if (o.method == "chebyshev") return {chebyshev(safe_spectrum(d))};
  if (o.method == "cyclic-chebyshev") return {cyclic_chebyshev(std::min(1.0, safe_spectrum(d).low))};
  if (o.method == "red-black") return {red_black()};
  if (const auto method = accelerated_method(o.method, {o.depth, o.period, o.omega})) return {*method};
  if (o.omega || o.method == "weighted") return {weighted(o.omega.value_or(default_omega))};
  if (o.method == "plain") return {plain()};
  if (o.method == "l1") return {l1()};
  const std::optional<Choice> by_products = choice_by_products(d, o.stop.make(), columns);
  const bool narrow = matrix_precision(o) != MatrixPrecision::as_given;
  if (by_products && o.rung.empty() && !narrow) return *by_products;  // which go with neither
  Choice choice = advised_choice(d);
  if (by_products)
    choice.reason += fmt::format("; without {} method {} would be taken",
                                 narrow ? "--matrix-precision " + o.matrix_precision : "--rung " + o.rung,
                                 by_products->plan.method.name);
  return choice;
}

}  // namespace

MatrixPrecision matrix_precision(const SolveOptions& o) {
  return o.matrix_precision == "bf16"    ? MatrixPrecision::bf16
         : o.matrix_precision == "float" ? MatrixPrecision::single
                                         : MatrixPrecision::as_given;
}

template <class T>
Choice choose_plan(const SolveOptions& o, const System<T>& system, const Diagnosis& d) {
  const std::optional<Choice> for_grid = choice_for_grid(o, system, d);
  return for_grid ? *for_grid : choose_method(o, d, system.b.size());
}

template Choice choose_plan<double>(const SolveOptions&, const System<double>&, const Diagnosis&);
template Choice choose_plan<float>(const SolveOptions&, const System<float>&, const Diagnosis&);

}  // namespace jacobi::cli
