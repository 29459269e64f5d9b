/// An operator of which only products are known.
#pragma once
#include <concepts>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// What gives products: rows() of a square A, and apply(x, y), which writes every entry of y = A x. x and y
/// have rows() values and never overlap. It may have diagonal() too, rows() values or none, and bounds(), a
/// Range that holds all eigenvalues of D^-1 A, or none.
template <class A, class T>
concept GivesProducts = requires(const A& a, std::span<const T> x, std::span<T> y) {
  { a.rows() } -> std::convertible_to<Index>;
  a.apply(x, y);
};

/// A square matrix without entries, T float or double, for methods that need only products and the diagonal:
/// plain(), weighted(), chebyshev(), scheduled(), cg(), bicgstab(), anderson(). Nothing is proved of A.
/// Copies share one `apply`, which must be linear. The thread that solves calls it, never twice at once;
/// several Solvers on one A may call it at once. What it throws ends the solve, and comes through.
///
/// Sweeps and anderson() divide by the diagonal. Where that is not given, Solver asks for it by rows()
/// products with unit vectors, up to most_asked rows. cg() and bicgstab() do without: they are then not
/// preconditioned.
template <class T>
class JACOBI_API MatrixFree {
  static_assert(Real<T>, "jacobi computes in float and double");

 public:
  using Apply = std::function<void(std::span<const T> x, std::span<T> y)>;

  /// Keeps `op`. Its diagonal is read now, and again by Solver::values_changed().
  /// Throws: UsageError for a diagonal of another length, or bounds other than 0 < low <= high < infinity;
  /// InputError naming a diagonal entry that is not finite.
  template <GivesProducts<T> A>
  requires(!std::same_as<A, MatrixFree>) explicit MatrixFree(A op)
      : MatrixFree(source_of(std::make_shared<const A>(std::move(op)))) {}

  /// From a function and, where they are known, rows values on the diagonal and bounds of the eigenvalues of
  /// D^-1 A. Throws: the same; UsageError without a function, or for fewer than 0 rows.
  MatrixFree(Index rows, Apply apply, std::vector<T> diagonal = {}, std::optional<Range> bounds = {});

  Index rows() const { return source_->rows; }
  /// y = A x. Throws: UsageError for other lengths than rows(), and what the caller's function throws.
  void apply(std::span<const T> x, std::span<T> y) const;

  bool knows_diagonal() const { return !diagonal_->empty() || rows() == 0; }
  bool asked_for_diagonal() const { return asked_; }  ///< by products, with_diagonal()
  std::span<const T> diagonal() const { return *diagonal_; }
  T diagonal(Index i) const { return diagonal_->empty() ? T(1) : (*diagonal_)[static_cast<std::size_t>(i)]; }
  /// What rows are divided by: for an entry too small for that, the largest magnitude on the diagonal, or 1.
  double divisor(Index i, Divisor kind) const;
  const std::optional<Range>& bounds() const { return source_->bounds; }  ///< as the caller says

  /// The most rows whose diagonal is asked for.
  static constexpr Index most_asked = 1000;
  /// The same with a diagonal: the one given, or (A e_i)_i of every unit vector e_i. Cost: rows() products.
  /// Throws: UsageError for more than most_asked rows; InputError naming an entry that is not finite.
  MatrixFree with_diagonal() const;
  /// The same, its diagonal read or asked for again.
  MatrixFree validated() const;

  /// Norms of b over the divisors. Throws: UsageError where b has not rows() values.
  Norms rhs_norms(std::span<const T> b, Divisor by) const;
  /// Norms of b - A x over the divisors, by a product in T and differences in double.
  Norms residual_norms(std::span<const T> b, std::span<const T> x, Divisor by = Divisor::none) const;

 private:
  struct Source {
    Index rows = 0;
    Apply apply = {};
    std::function<std::vector<T>()> diagonal = {};
    std::optional<Range> bounds = {};
  };
  explicit MatrixFree(Source source);
  template <class A>
  static Source source_of(std::shared_ptr<const A> op);
  void take(std::vector<T> diagonal);

  std::shared_ptr<const Source> source_;
  std::shared_ptr<const std::vector<T>> diagonal_;
  double stand_in_ = 1;
  bool asked_ = false;
};

template <class T>
template <class A>
typename MatrixFree<T>::Source MatrixFree<T>::source_of(std::shared_ptr<const A> op) {
  Source source;
  source.rows = static_cast<Index>(op->rows());
  source.apply = [op](std::span<const T> x, std::span<T> y) { op->apply(x, y); };
  if constexpr (requires { op->bounds(); }) source.bounds = op->bounds();
  if constexpr (requires { op->diagonal(); })
    source.diagonal = [op] {
      const auto& given = op->diagonal();
      const std::span<const T> values(given);
      return std::vector<T>(values.begin(), values.end());
    };
  return source;
}

}  // namespace jacobi
