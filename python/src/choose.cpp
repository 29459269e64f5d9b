#include "choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "core/matrix_free.hpp"

namespace jacobi::python {

namespace {

constexpr std::string_view known[] = {
    "auto",      "plain",     "weighted", "l1",        "chebyshev", "cyclic-chebyshev",
    "red-black", "scheduled", "anderson", "multigrid", "cg",        "bicgstab",
    "amg"};

void check(const Request& r) {
  if (std::ranges::find(known, r.method) == std::end(known))
    throw UsageError(
        fmt::format("there is no method '{}': take one of {}", r.method, fmt::join(known, ", ")));
  if (r.omega) weighted(*r.omega);  // its bounds
  if (r.omega && r.method != "auto" && r.method != "weighted" && r.method != "anderson")
    throw UsageError(fmt::format("omega goes with method weighted or anderson, not {}", r.method));
  if (r.depth && r.method != "anderson") throw UsageError("depth goes with method anderson");
  if (r.period && r.method != "anderson" && r.method != "scheduled")
    throw UsageError("period goes with method anderson or scheduled");
  if (r.cycle && r.method != "multigrid" && r.method != "cg" && r.method != "auto")
    throw UsageError(fmt::format("multigrid preconditions method cg, not {}", r.method));
  if (r.amg && r.method != "amg" && r.method != "cg" && r.method != "bicgstab" && r.method != "auto")
    throw UsageError(
        fmt::format("algebraic multigrid preconditions method cg or bicgstab, not {}", r.method));
}

MatrixPrecision precision_of(const Request& r) {
  if (r.matrix_precision.empty() || r.matrix_precision == "double") return MatrixPrecision::as_given;
  if (r.matrix_precision == "float") return MatrixPrecision::single;
  if (r.matrix_precision == "bf16") return MatrixPrecision::bf16;
  throw UsageError(
      fmt::format("there is no matrix_precision '{}': take one of double, float, bf16", r.matrix_precision));
}

/// What was asked for by name, with what preconditions.
std::optional<Plan> planned(const Request& r, const std::function<Range()>& spectrum) {
  std::optional<Plan> plan = named_plan(r, spectrum);
  if (!plan) return {};
  plan->rung = r.rung;
  if (plan->method.acceleration == Acceleration::cg) plan->preconditioner = r.cycle;
  return plan;
}

template <class T, int D>
Choice choose_for(const Stencil<T, D>& a, const Request& r, const Stop& stop, std::span<const T> b,
                  const Backend& on) {
  if (r.method == "auto" && !r.omega && r.rung.empty() && !r.cycle && !r.amg)
    return choose(a, stop, on.methods());
  if (r.method == "multigrid") {
    Plan plan = multigrid(a, r.cycle.value_or(Multigrid{}));
    plan.rung = r.rung;
    return {plan};
  }
  if (r.method == "amg" || r.amg)
    throw UsageError("algebraic multigrid is for sparse matrices: on a grid take method multigrid");
  if (r.method == "auto" && r.cycle) return {cg_with_multigrid(*r.cycle)};
  return choose_asked(r, outlook_of<T, D>(a, b, {}, stop), r.cycle);
}

}  // namespace

bool needs_estimates(const Request& r) {
  return r.method == "auto" || r.method == "chebyshev" || r.method == "cyclic-chebyshev" ||
         r.method == "scheduled" || r.method == "multigrid";
}

DiagnoseOptions questions(const Request& r, const Stop& stop) {
  return DiagnoseOptions::before(stop, needs_estimates(r));
}

template <class T>
Choice choose_for_matrix(const Matrix<T>& a, const Diagnosis& d, const Request& r, const Stop& stop,
                         Index rhs_count, const Backend& on) {
  check(r);
  const MatrixPrecision precision = precision_of(r);
  if (precision != MatrixPrecision::as_given && !a.is_dense())
    throw UsageError(fmt::format("matrix_precision {} is for dense matrices", r.matrix_precision));
  const bool open =
      r.method == "auto" && !r.omega && r.rung.empty() && r.recognise_grids && !r.cycle && !r.amg;
  std::optional<Choice> choice;
  if (r.method == "auto" && r.amg) choice = Choice{cg_with_amg(*r.amg)};
  if (a.is_csr() && rhs_count == 1 && open) choice = choose_grid(a.csr(), d, stop, on);
  if (!choice && r.method == "multigrid") {
    Diagnosis open_end = d;
    open_end.method_sweeps.reset();  // few sweeps are no reason against what is asked for
    if (a.is_csr()) choice = choose_grid(a.csr(), open_end, stop, on);
    if (!choice)
      throw InputError(
          "method multigrid is for grids: this matrix is none that multigrid suits; take poisson(), "
          "diffusion() or "
          "stencil() for a grid, method auto for a matrix");
    if (r.cycle) choice->plan.multigrid = r.cycle;
  }
  if (!choice && r.method == "scheduled")
    choice = Choice{{scheduled(safe_spectrum(d), r.period.value_or(32)), r.rung}};
  if (!choice && r.method == "auto" && r.cycle) choice = Choice{cg_with_multigrid(*r.cycle)};
  if (!choice) {
    if (const auto plan = planned(r, [&] { return safe_spectrum(d); })) {
      choice = Choice{*plan};
    } else {
      choice = choose(d, stop, rhs_count, on.methods());
      const bool narrow = precision != MatrixPrecision::as_given;
      if (accelerated(choice->plan.method) && (!r.rung.empty() || narrow)) choice = choose_sweeps(d);
      if (!r.rung.empty() || narrow) choice = Choice{choice->plan, choice->reason};
    }
  }
  choice->plan.rung = r.rung;
  choice->plan.recognise_grids = r.recognise_grids;
  choice->plan.matrix_precision = precision;
  return *choice;
}

template <class T>
Choice choose_for_grid(const Matrix<T>& a, const Request& r, const Stop& stop, std::span<const T> b,
                       const Backend& on) {
  check(r);
  if (precision_of(r) != MatrixPrecision::as_given)
    throw UsageError(fmt::format("matrix_precision {} is for dense matrices", r.matrix_precision));
  return std::visit(
      [&]<class A>(const A& one) -> Choice {
        if constexpr (OnGrid<A>)
          return choose_for(one, r, stop, b, on);
        else
          throw UsageError("this operator is no grid");
      },
      a.a());
}

template <class T>
ByProducts<T> choose_for_products(const Matrix<T>& a, const Request& r, const Stop& stop,
                                  std::span<const T> b, std::span<const T> x, Index rhs_count) {
  check(r);
  const auto asked = [&](const std::function<Range()>& spectrum) -> std::optional<Plan> {
    if (r.method == "scheduled") return Plan(scheduled(spectrum(), r.period.value_or(32)), r.rung);
    return planned(r, spectrum);
  };
  Plan like = asked([] { return Range{1, 1}; }).value_or(Plan(plain(), r.rung));
  if (r.method == "multigrid" || r.cycle || r.amg) like.multigrid = Multigrid{};
  like.matrix_precision = precision_of(r);
  require_products_do(like);
  const bool is_open = r.method == "auto" && !r.omega;
  const MatrixFree<T> whole = is_open ? a.products() : completed(a.products(), like.method);
  ByProducts<T> found{Matrix<T>(whole), {}};
  const auto look = [&] { return found.d.emplace(diagnose<T>(whole, b, x, DiagnoseOptions::before(stop))); };
  const auto plan = asked([&] { return whole.bounds() ? *whole.bounds() : safe_spectrum(look()); });
  found.choice = plan ? Choice{*plan} : choose(look(), stop, rhs_count);
  return found;
}

#define JACOBI_INSTANTIATE(T)                                                                           \
  template ByProducts<T> choose_for_products<T>(const Matrix<T>&, const Request&, const Stop&,          \
                                                std::span<const T>, std::span<const T>, Index);         \
  template Choice choose_for_matrix<T>(const Matrix<T>&, const Diagnosis&, const Request&, const Stop&, \
                                       Index, const Backend&);                                          \
  template Choice choose_for_grid<T>(const Matrix<T>&, const Request&, const Stop&, std::span<const T>, \
                                     const Backend&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::python
