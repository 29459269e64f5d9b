#include "jacobi/solve.hpp"

#include <limits>
#include <utility>

#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/error.hpp"
#include "jacobi/error_bound.hpp"
#include "jacobi/solver.hpp"

namespace jacobi {

namespace {

template <class T>
Solution<T> run(const Operator<T>& a, std::span<const T> b, const Choice& choice, const Stop& stop,
                const std::shared_ptr<const Backend>& on) {
  Solution<T> found{std::vector<T>(b.size()), {}};
  found.report = solve<T>(choice, found.x, stop, [&](const Plan& plan, const Stop& until) {
    return Solver<T>(a, plan, on).solve(b, found.x, until);
  });
  return found;
}

/// entries: those of a.
template <class T>
Solution<T> solve_matrix(const Operator<T>& a, const Csr<T>& entries, std::span<const T> b, Stop stop,
                         const std::shared_ptr<const Backend>& on) {
  const std::vector<T> start(b.size());
  DiagnoseOptions options;
  options.stop = stop;
  const Diagnosis d = diagnose<T>(entries, b, start, options);
  if (!d.no_solution.empty()) throw InputError(d.no_solution);
  std::optional<Choice> choice;
  if (std::holds_alternative<Csr<T>>(a)) choice = choose_grid(entries, d, stop, *on);
  if (!choice) choice = choose(d, stop);
  if (proved_to_converge(d, choice->plan)) stop.growth = std::numeric_limits<double>::infinity();
  Solution<T> found = run(a, b, *choice, stop, on);
  found.report.seconds_setup += d.seconds;
  if (found.report.status != Status::not_finite)
    found.report.error_bound = error_bound<T>(entries, d, b, found.x);
  return found;
}

}  // namespace

template <class T>
Solution<T> solve(const Csr<T>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  require_lengths(a.rows(), {{"b", b.size()}});
  return solve_matrix<T>(a, a, b, stop, on);
}

template <class T>
Solution<T> solve(const Dense<T>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  require_lengths(a.order(), {{"b", b.size()}});
  return solve_matrix<T>(a, to_csr(a), b, stop, on);
}

template <class T, int D>
Solution<T> solve(const Stencil<T, D>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  require_lengths(a.rows(), {{"b", b.size()}});
  return run<T>(a, b, choose(a, stop), stop, on);
}

#define JACOBI_INSTANTIATE(T, D)                                                        \
  template Solution<T> solve<T, D>(const Stencil<T, D>&, RightHandSide<T>, const Stop&, \
                                   const std::shared_ptr<const Backend>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(T)                                                   \
  template Solution<T> solve<T>(const Csr<T>&, RightHandSide<T>, const Stop&,   \
                                const std::shared_ptr<const Backend>&);         \
  template Solution<T> solve<T>(const Dense<T>&, RightHandSide<T>, const Stop&, \
                                const std::shared_ptr<const Backend>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
