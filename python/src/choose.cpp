#include "choose.hpp"

#include "core/matrix_free.hpp"

namespace jacobi::python {

namespace {

/// Throws: UsageError for narrow entries, of what has none.
void require_wide(const Request& r) {
  if (r.matrix_precision != MatrixPrecision::as_given)
    throw UsageError("matrix_precision is for dense matrices");
}

}  // namespace

template <class T>
Choice choose_for_matrix(const Matrix<T>& a, const Diagnosis& d, const Request& r, const Stop& stop,
                         Index rhs_count, const Backend& on) {
  require_fitting(r);
  if (!a.is_dense()) require_wide(r);
  return choose_asked(r, a.is_csr() ? &a.csr() : nullptr, d, stop, rhs_count, on);
}

template <class T>
Choice choose_for_grid(const Matrix<T>& a, const Request& r, const Stop& stop, std::span<const T> b,
                       const Backend& on) {
  require_fitting(r);
  require_wide(r);
  return std::visit(
      [&]<class A>(const A& one) -> Choice {
        if constexpr (OnGrid<A>) {
          auto outlook = outlook_of(one, b, {}, stop);
          if (a.has_domain())  // trial modes of the box say little of what is left of it
            outlook.spectrum = [&] { return a.domain().bounds_of_box(); };
          return leaves_open(r) ? choose(one, stop, on.methods(), outlook.spectrum)
                                : choose_asked(r, outlook);
        } else if constexpr (std::is_same_v<A, BoxStencil<T>>)
          return choose_asked(r, one);
        else
          throw UsageError("this operator is no grid");
      },
      a.a());
}

template <class T>
ByProducts<T> choose_for_products(const Matrix<T>& a, const Request& r, const Stop& stop,
                                  std::span<const T> b, std::span<const T> x, Index rhs_count) {
  require_fitting(r);
  Plan like = named_plan(r, [] { return Range{1, 1}; }).value_or(Plan(plain(), r.rung));
  if (r.method == "multigrid" || r.cycle || r.amg) like.by = Multigrid{};
  like.matrix_precision = r.matrix_precision;
  require_products_do(like);
  const bool is_open = r.method == "auto" && !r.omega;
  const MatrixFree<T> whole = is_open ? a.products() : completed(a.products(), like.method);
  ByProducts<T> found{Matrix<T>(whole), {}};
  const auto look = [&] { return found.d.emplace(diagnose<T>(whole, b, x, questions_before(r, stop))); };
  const auto plan = named_plan(r, [&] { return whole.bounds() ? *whole.bounds() : safe_spectrum(look()); });
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
