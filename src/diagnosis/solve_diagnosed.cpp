#include "diagnosis/solve_diagnosed.hpp"

#include <limits>
#include <utility>

#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/projection.hpp"
#include "jacobi/automatic.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/domain.hpp"
#include "jacobi/error.hpp"
#include "jacobi/error_bound.hpp"
#include "jacobi/solver.hpp"

namespace jacobi {

template <class T>
Solutions<T> solve_diagnosed(const Operator<T>& a, const Csr<T>& entries, const Diagnosis& d,
                             const Choice& choice, const Columns<T>& b, Columns<T> x, Stop stop,
                             const std::shared_ptr<const Backend>& on) {
  if (proved_to_converge(d, choice.plan)) stop.growth = std::numeric_limits<double>::infinity();
  Solutions<T> found = solve(a, choice, b, std::move(x), stop, on);
  found.report.seconds_setup += d.seconds;
  if (b.size() == 1 && found.report.status != Status::not_finite)
    found.report.error_bound = error_bound<T>(entries, d, b[0], found.x[0]);
  return found;
}

namespace {

/// entries: those of a.
template <class T>
Solutions<T> solve_matrix(const Operator<T>& a, const Csr<T>& entries, const Columns<T>& given,
                          const Stop& stop, const std::shared_ptr<const Backend>& on) {
  const Projection<T> projection(entries, given, stop.project_rhs);
  const Columns<T>& b = projection.b();
  Columns<T> start(b.size(), std::vector<T>(static_cast<std::size_t>(entries.rows())));
  const Diagnosis d = diagnose(entries, b, start, DiagnoseOptions::before(stop));
  if (!d.no_solution.empty()) throw InputError(d.no_solution);
  std::optional<Choice> choice;
  if (std::holds_alternative<Csr<T>>(a) && b.size() == 1) choice = choose_grid(entries, d, stop, *on);
  if (!choice) choice = choose(d, stop, static_cast<Index>(b.size()), on->methods());
  Solutions<T> found = solve_diagnosed(a, entries, d, *choice, b, std::move(start), stop, on);
  projection.tell(found.report, found.x);
  return found;
}

template <class T>
Columns<T> as_columns(RightHandSide<T> b) {
  return {std::vector<T>(b.begin(), b.end())};
}

template <class T>
Solution<T> only(Solutions<T> found) {
  return {std::move(found.x[0]), std::move(found.report)};
}

}  // namespace

template <class T>
Solutions<T> solve(const Csr<T>& a, const Columns<T>& b, const Stop& stop,
                   const std::shared_ptr<const Backend>& on) {
  return solve_matrix<T>(a, a, b, stop, on);
}

template <class T>
Solutions<T> solve(const Dense<T>& a, const Columns<T>& b, const Stop& stop,
                   const std::shared_ptr<const Backend>& on) {
  return solve_matrix<T>(a, to_csr(a), b, stop, on);
}

template <class T>
Solutions<T> solve(const MatrixFree<T>& a, const Columns<T>& b, const Stop& stop,
                   const std::shared_ptr<const Backend>& on) {
  if (b.empty()) throw UsageError("no right-hand side is given");
  Columns<T> start(b.size(), std::vector<T>(static_cast<std::size_t>(a.rows())));
  const Diagnosis d = diagnose<T>(a, b[0], start[0], DiagnoseOptions::before(stop));
  const Choice choice = choose(d, stop, static_cast<Index>(b.size()), on->methods());
  Solutions<T> found = solve<T>(Operator<T>(a), choice, b, std::move(start), stop, on);
  found.report.seconds_setup += d.seconds;
  return found;
}

template <class T>
Solution<T> solve(const MatrixFree<T>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  return only(solve(a, as_columns<T>(b), stop, on));
}

template <class T>
Solution<T> solve(const Csr<T>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  return only(solve(a, as_columns<T>(b), stop, on));
}

template <class T>
Solution<T> solve(const Dense<T>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  return only(solve(a, as_columns<T>(b), stop, on));
}

template <class T, int D>
Solution<T> solve(const Stencil<T, D>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  require_lengths(a.rows(), {{"b", b.size()}});
  Solution<T> found{std::vector<T>(b.size()), {}};
  found.report =
      solve<T>(choose(a, stop, on->methods()), found.x, stop, [&](const Plan& plan, const Stop& until) {
        return Solver<T>(a, plan, on, stop.cancel).solve(b, found.x, until);
      });
  return found;
}

template <class T>
Solution<T> solve(const BoxStencil<T>& a, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  require_lengths(a.rows(), {{"b", b.size()}});
  Solution<T> found{std::vector<T>(b.size()), {}};
  found.report = solve<T>(choose(a), found.x, stop, [&](const Plan& plan, const Stop& until) {
    return Solver<T>(a, plan, on, stop.cancel).solve(b, found.x, until);
  });
  return found;
}

template <class T, int D>
Solution<T> solve(const Domain<T, D>& domain, RightHandSide<T> b, const Stop& stop,
                  const std::shared_ptr<const Backend>& on) {
  std::vector<T> folded(b.size());
  const std::vector<Note> said = domain.fold(b, folded, stop.project_rhs);
  Solution<T> solution = solve(domain.a(), RightHandSide<T>(folded), stop, on);
  domain.finish(solution.x);
  domain.finish(solution.report);
  solution.report.notes.insert(solution.report.notes.end(), said.begin(), said.end());
  return solution;
}

#define JACOBI_INSTANTIATE(T, D)                                                        \
  template Solution<T> solve<T, D>(const Stencil<T, D>&, RightHandSide<T>, const Stop&, \
                                   const std::shared_ptr<const Backend>&);              \
  template Solution<T> solve<T, D>(const Domain<T, D>&, RightHandSide<T>, const Stop&,  \
                                   const std::shared_ptr<const Backend>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(T)                                                                   \
  template Solutions<T> solve_diagnosed<T>(const Operator<T>&, const Csr<T>&, const Diagnosis&, \
                                           const Choice&, const Columns<T>&, Columns<T>, Stop,  \
                                           const std::shared_ptr<const Backend>&);              \
  template Solutions<T> solve<T>(const MatrixFree<T>&, const Columns<T>&, const Stop&,          \
                                 const std::shared_ptr<const Backend>&);                        \
  template Solution<T> solve<T>(const BoxStencil<T>&, RightHandSide<T>, const Stop&,            \
                                const std::shared_ptr<const Backend>&);                         \
  template Solution<T> solve<T>(const MatrixFree<T>&, RightHandSide<T>, const Stop&,            \
                                const std::shared_ptr<const Backend>&);                         \
  template Solution<T> solve<T>(const Csr<T>&, RightHandSide<T>, const Stop&,                   \
                                const std::shared_ptr<const Backend>&);                         \
  template Solution<T> solve<T>(const Dense<T>&, RightHandSide<T>, const Stop&,                 \
                                const std::shared_ptr<const Backend>&);                         \
  template Solutions<T> solve<T>(const Csr<T>&, const Columns<T>&, const Stop&,                 \
                                 const std::shared_ptr<const Backend>&);                        \
  template Solutions<T> solve<T>(const Dense<T>&, const Columns<T>&, const Stop&,               \
                                 const std::shared_ptr<const Backend>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
