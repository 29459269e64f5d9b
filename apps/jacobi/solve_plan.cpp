#include "solve_plan.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"

namespace jacobi::cli {

namespace {

/// Full multigrid where nothing asks for another method.
template <class T>
std::optional<Choice> choice_for_grid(const SolveOptions& o, const System<T>& system, const Diagnosis& d) {
  const bool open = o.method == "auto" && !o.omega && o.rung.empty() && !o.no_grid;
  if (!open || system.dense || system.b.size() > 1) return {};
  return choose_grid(system.a, d, o.stop.make(), *o.run.make_backend());
}

Choice choose_method(const SolveOptions& o, const Diagnosis& d, std::size_t columns) {
  if (const auto plan = named_plan(o, [&] { return safe_spectrum(d); })) return {*plan};
  const Choice best = choose(d, o.stop.make(), static_cast<Index>(columns), o.run.make_backend()->methods());
  const bool narrow = matrix_precision(o) != MatrixPrecision::as_given;
  if (!accelerated(best.plan.method) || (o.rung.empty() && !narrow)) return best;  // products go with neither
  Choice choice = choose_sweeps(d);
  choice.reason += fmt::format("; without {} method {} would be taken",
                               narrow ? "--matrix-precision " + o.matrix_precision : "--rung " + o.rung,
                               best.plan.method.name);
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
