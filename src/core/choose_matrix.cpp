#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/coefficients.hpp"
#include "core/forecast.hpp"
#include "core/recognise.hpp"
#include "core/tested_norm.hpp"
#include "core/words.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/bind.hpp"

namespace jacobi {

Method advised(const Diagnosis& d) {
  if (d.method == Advised::weighted && d.best_omega) return weighted(*d.best_omega);
  return d.method == Advised::l1 ? l1() : plain();
}

namespace {

/// Whether the least eigenvalue is above 0 for more than rounding.
bool is_definite(const Range& eigenvalues) { return eigenvalues.low > 1e-13 * eigenvalues.high; }

}  // namespace

Range safe_spectrum(const Diagnosis& d) {
  if (d.claimed) return *d.claimed;
  if (!d.eigenvalues)
    throw InputError(
        "Chebyshev's method needs real eigenvalues of D^-1 A, known for symmetric matrices with a positive "
        "diagonal: take --method auto");
  const auto [low, high] = *d.eigenvalues;
  if (!is_definite(*d.eigenvalues))
    throw InputError(
        fmt::format("Chebyshev's method: the least eigenvalue of D^-1 A is estimated as {:.3g}, so that A is "
                    "not positive "
                    "definite, or singular to rounding",
                    low));
  const double proved = 1 + d.radius_upper;  // infinite where nothing is
  if (!d.radius_resolved) return {0.5 * low, std::isfinite(proved) ? proved : 1.05 * high};
  return {0.99 * low, std::min(1.05 * high, proved)};
}

std::optional<double> sweeps_of_cg(const Diagnosis& d) {
  if (!d.symmetric || !d.eigenvalues || !(d.tolerance > 0)) return {};
  if (!is_definite(*d.eigenvalues)) return {};
  const auto [low, high] = *d.eigenvalues;
  const double root = std::sqrt(high / low), factor = (root - 1) / (root + 1);
  return sweeps_to(d.tolerance / (2 * std::max(d.norm_initial, d.tolerance)), factor);
}

bool knows_least_eigenvalue(const Diagnosis& d) {
  return d.radius_resolved && d.eigenvalues && 1 - d.eigenvalues->low >= 0.99 * (d.eigenvalues->high - 1);
}

namespace {

/// Of sweeps by products, which are not made two per pass; what a product costs is not known.
constexpr double cost_beside_products = 1.5;

/// Time of a sweep of cg in sweeps: by the bytes that either moves, where sweeps are made two per pass.
double cost_of_cg(const Diagnosis& d) {
  if (d.matrix_free) return cost_beside_products;
  const double matrix = 12 * static_cast<double>(d.entries) / static_cast<double>(d.rows);
  return 2 * (matrix + 104) / (matrix + 24);
}

/// The same of bicgstab.
double cost_of_bicgstab(const Diagnosis& d) {
  if (d.matrix_free) return cost_beside_products;
  const double matrix = 12 * static_cast<double>(d.entries) / static_cast<double>(d.rows);
  return 2 * (matrix + 116) / (matrix + 24);
}

/// What conjugate gradients preconditioned by algebraic multigrid should take: iterations, and their time
/// with the setup's in sweeps of cg. Measured on grids, triangulations and networks (docs/algorithms/amg.md):
/// twenty-odd iterations of seven products each to 1e-8, twice as many where entries beside the diagonal are
/// positive, and a setup of a hundred.
struct AmgCost {
  double iterations = 0, time = 0;
};
std::optional<AmgCost> cost_of_amg(const Diagnosis& d, Index columns) {
  constexpr Index small = 2000;  // rows, of which other methods are done within milliseconds
  constexpr double most = 2.5;   // of eigenvalues of D^-1 A: beyond lie systems of several unknowns per point
  constexpr double factor = 0.45, factor_of_others = 0.65, products = 7, setup = 120;
  if (d.matrix_free || !d.symmetric || d.rows < small || !(d.tolerance > 0)) return {};
  if (!d.eigenvalues || d.eigenvalues->high > most) return {};
  if (static_cast<double>(d.entries) > 0.1 * static_cast<double>(d.rows) * static_cast<double>(d.rows))
    return {};
  AmgCost cost;
  cost.iterations =
      sweeps_to(d.tolerance / std::max(d.norm_initial, d.tolerance), d.m_matrix ? factor : factor_of_others);
  cost.time = setup + static_cast<double>(columns) * products * cost.iterations;
  return cost;
}

/// Algebraic multigrid, where sweeps and cg should take longer: cg by a bound that cg seldom needs all of,
/// or, where the least eigenvalue was not found, by several times what is too few.
std::optional<Choice> choice_by_amg(const Diagnosis& d, Index columns) {
  constexpr double seldom = 1.5, missing = 4, slow = 0.9;
  const std::optional<AmgCost> cost = cost_of_amg(d, columns);
  const std::optional<double> by_cg = sweeps_of_cg(d);
  if (!cost || !by_cg) return {};
  const double at_once = static_cast<double>(columns);
  const double likely = knows_least_eigenvalue(d) ? *by_cg / seldom : missing * *by_cg;
  const bool cg_is_slower = likely * at_once > cost->time;
  const bool sweeps_are_slower =
      d.method_sweeps.value_or(std::numeric_limits<double>::infinity()) > cost_of_cg(d) * cost->time;
  if (!cg_is_slower || !sweeps_are_slower) return {};
  Choice choice{
      cg_with_amg(),
      fmt::format("method auto: {}; conjugate gradients preconditioned by algebraic multigrid, in about "
                  "{} sweeps, take less time, setup included",
                  d.advice, sweeps_in_words(std::ceil(cost->iterations)))};
  choice.most_sweeps =
      10 + static_cast<Index>(sweeps_to(d.tolerance / std::max(d.norm_initial, d.tolerance), slow));
  choice.fallback = Plan(d.positive_definite ? cg() : bicgstab());
  return choice;
}

/// What inner products do where sweeps do not converge, or not within the limit, or where cg, or bicgstab
/// for A that is not symmetric, should take a quarter of their time.
std::optional<Choice> choice_by_products(const Diagnosis& d, const Stop& stop, Index columns) {
  const std::string because = "method auto: " + d.advice;
  const bool unscaled = d.matrix_free && !d.spectral_radius;  // for want of a diagonal
  if (unscaled && d.verdict != Verdict::unusable)
    return d.symmetric ? Choice{cg(), because, std::numeric_limits<Index>::max(), Plan(bicgstab())}
                       : Choice{bicgstab(), because};
  if (d.verdict == Verdict::unusable) {
    if (!d.row_order && !d.matrix_free) return {};
    return Choice{bicgstab(), because + "; bicgstab is taken, in the order given",
                  std::numeric_limits<Index>::max(), Plan(anderson())};
  }
  if (d.singular && d.symmetric)
    return Choice{cg(), because, std::numeric_limits<Index>::max(), Plan(bicgstab())};
  if (d.method == Advised::none)
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
    Choice choice{bicgstab(), fmt::format("{}; bicgstab should take less time (a guess: {} sweeps)", because,
                                          sweeps_in_words(*by_bicgstab))};
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

/// What stands in for `best` where there are no inner products. Throws: BackendError where nothing does.
Choice choice_without_products(const Diagnosis& d, const std::optional<Choice>& best) {
  constexpr auto because = "; this backend has no inner products, so {}";
  if (best && best->plan.method.acceleration == Acceleration::cg && d.eigenvalues &&
      is_definite(*d.eigenvalues))
    return {chebyshev(safe_spectrum(d)),
            "method auto: " + d.advice + fmt::format(because, "Chebyshev's method is taken"),
            std::numeric_limits<Index>::max(), Plan(advised(d))};
  if (best && advises_no_sweeps(d))
    throw BackendError(
        fmt::format("method auto: {}; what is left takes inner products, which this backend does not make: "
                    "take backend 'threads'",
                    d.advice));
  return {advised(d), "method auto: " + d.advice + (best ? fmt::format(because, "sweeps are taken") : "")};
}

}  // namespace

Choice choose_sweeps(const Diagnosis& d) {
  Choice choice{advised(d), "method auto: " + d.advice};
  choice.fallback = Plan(d.positive_definite ? cg() : bicgstab());
  if (d.method_sweeps && *d.method_sweeps < 1e12)
    choice.most_sweeps = 100 + static_cast<Index>(4 * *d.method_sweeps);
  return choice;
}

bool proved_to_converge(const Diagnosis& d, const Plan& plan) {
  const Method& method = plan.method;
  if (d.verdict != Verdict::converges || plan.multigrid() || plan.amg() || accelerated(method) ||
      method.rate != 0 || method.period != (method.red_black ? 2 : 1))
    return false;
  const double omega = method.step(0, {}).omega;
  const bool by_parts = method.red_black || method.divisor == Divisor::l1;
  return omega > 0 && omega <= 1 && (by_parts ? d.m_matrix : method.divisor == Divisor::diagonal);
}

Choice choose(const Diagnosis& d, const Stop& stop, Index rhs_count, const Methods& on) {
  std::optional<Choice> by_products = choice_by_amg(d, rhs_count);
  if (!by_products) by_products = choice_by_products(d, stop, rhs_count);
  if (!on.products) return choice_without_products(d, by_products);
  return by_products ? *by_products : choose_sweeps(d);
}

namespace {

/// Whether more than the sweeps of any matrix is made of the grid.
template <class T, int D>
bool suits(const Stencil<T, D>& grid, const Methods& on) {
  return symmetric_and_constant(grid) || (on.multigrid && (on.products || sweep::is_diffusion(grid)));
}

}  // namespace

template <class T>
std::optional<Choice> choose_grid(const Csr<T>& a, const Diagnosis& d, const Stop& stop, const Backend& on) {
  constexpr double few = 200;  // sweeps, which tiles make in the time of some cycles
  if (d.method_sweeps.value_or(few + 1) <= few) return {};
  const std::optional<Recognised<T>> found = recognise(a);
  if (!found) return {};
  Choice choice = std::visit(
      [&]<class A>(const A& grid) -> Choice {
        if constexpr (OnGrid<A>)
          if (!(d.singular && !grid.singular()) && suits(grid, on.methods()))
            return choose(grid, stop, on.methods());
        return {};
      },
      found->grid);
  if (!choice.plan.multigrid() && choice.plan.method.rate == 0) return {};  // plain sweeps
  try {  // what would be refused: known of the processor without the memory of all grids
    std::visit(
        [&]<class A>(const A& grid) {
          if constexpr (OnGrid<A>)
            if (!on.has_own_memory()) return void(sweep::bytes_to_bind(grid, choice.plan, on.threads()));
          on.bind(found->grid, choice.plan);
        },
        found->grid);
  } catch (const UsageError&) {
    return {};  // no diffusion
  }
  return choice;
}

template std::optional<Choice> choose_grid<double>(const Csr<double>&, const Diagnosis&, const Stop&,
                                                   const Backend&);
template std::optional<Choice> choose_grid<float>(const Csr<float>&, const Diagnosis&, const Stop&,
                                                  const Backend&);

}  // namespace jacobi
