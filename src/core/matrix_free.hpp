/// What solver and loop ask of an operator, of one that is known by its products.
#pragma once
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/tested_norm.hpp"
#include "jacobi/matrix_free.hpp"
#include "jacobi/method.hpp"
#include "jacobi/plan.hpp"

namespace jacobi {

/// Whether a method divides by the diagonal, and cannot do without.
inline bool needs_diagonal(const Method& method) {
  return !accelerated(method) || method.acceleration == Acceleration::anderson;
}

/// The name of the rung that sweeps by products.
inline constexpr const char* matrix_free_rung = "matrix-free";

/// Throws: UsageError for a plan that needs entries.
void require_products_do(const Plan& plan);

/// With the diagonal that the method needs.
template <class T>
MatrixFree<T> completed(const MatrixFree<T>& a, const Method& method) {
  return needs_diagonal(method) ? a.with_diagonal() : a;
}

/// |(u, A v) - (v, A u)| over ||u|| ||A v|| + ||v|| ||A u||, for two vectors of random numbers: 0 of a
/// symmetric A up to rounding, and of another one almost never. Cost: two products.
template <class T>
double asymmetry_seen(const MatrixFree<T>& a);

/// What asymmetry_seen() may be of a symmetric A: products may be off by more than rounding.
template <class T>
inline constexpr double most_asymmetry = sizeof(T) == sizeof(double) ? 1.5e-8 : 3.5e-4;

/// eps (|| A s || + || b ||), s = x with signs at random: about what the rounding of its products leaves of
/// the norm. The sums over rows of |a_ij x_j| are not known, and errors add up at random too. Products may be
/// made in a narrower type than T: with h = (x + s) / 2, || 2 A h - A x - A s || is what theirs leaves, and
/// is taken where it is far larger. Cost: three products.
template <class T>
double rounding_floor(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by = Divisor::diagonal);

/// "entry 3 of A x is nan, although every entry of x is finite", or nothing. Cost: a product.
template <class T>
std::string fault_of_product(const MatrixFree<T>& a, std::span<const T> x);

/// Largest over least magnitude on the diagonal, 1 where that is not known.
template <class T>
double row_spread(const MatrixFree<T>& a);

template <class T>
Norm tested_norm(const MatrixFree<T>& a, Norm norm);

template <class T>
std::string place_of(const MatrixFree<T>&, Index) {
  return "";
}
template <class T>
MatrixFree<T> validated(const MatrixFree<T>& a) {
  return a.validated();
}
template <class T>
Norms rhs_norms(const MatrixFree<T>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by);
}
template <class T>
Norms residual_norms(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by);
}
/// No sum of A x can be had more exactly than `apply` gives it.
template <class T>
Norms true_residual_norms(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x, Divisor by,
                          Norm, double = 0) {
  return a.residual_norms(b, x, by);
}
/// An eighth: errors of many rows add up at random.
template <class T>
double doubtful_share(const MatrixFree<T>&) {
  return 0.125;
}
template <class T>
double lost_to_underflow(const MatrixFree<T>& a, Divisor by);
template <class T>
bool strictly_dominant(const MatrixFree<T>&) {
  return false;
}
/// The graph is not known: as many sweeps as rows, but no more than a user would wait for.
template <class T>
Index transit(const MatrixFree<T>& a) {
  return std::min<Index>(a.rows(), 20000);
}
template <class T>
bool homogeneous(const MatrixFree<T>&) {
  return true;
}
/// What is not known by its entries is only known to solve A 0 = 0 exactly.
template <class T>
bool solves_exactly(const MatrixFree<T>&, std::span<const T> b, std::span<const T> x) {
  const auto is_zero = [](T value) { return value == 0; };
  return std::ranges::all_of(b, is_zero) && std::ranges::all_of(x, is_zero);
}
/// |A| |x| is not known.
template <class T>
std::optional<double> backward_error(const MatrixFree<T>&, std::span<const T>, std::span<const T>) {
  return {};
}
}  // namespace jacobi
