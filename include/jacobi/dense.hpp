/// The dense operator: every entry of a square matrix.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// row_major: entry (i, j) at i * leading + j; column_major: at i + j * leading.
enum class Layout { row_major, column_major };

/// A square matrix by all its entries, T float or double. Validated once; no function changes its entries,
/// and values that are viewed change between solves only (see view()); safe to share between threads. A zero
/// diagonal entry is allowed here, cg, bicgstab and anderson do without; a sweep refuses it.
template <class T>
class JACOBI_API Dense {
  static_assert(Real<T>, "jacobi computes in float and double");

 public:
  /// A view of the caller's n x n values, which must outlive the operator and all its copies and are never
  /// written. The caller may change them between solves, and then calls Solver::values_changed(); other
  /// operators on the same memory have to be made anew. leading: values from one row (column) to the next, at
  /// least n; 0: n. Throws: InputError for n < 1, a leading dimension below n, fewer values than that asks
  /// for, an entry that is not finite (naming it). Cost: one pass.
  static Dense view(std::span<const T> values, Index n, Layout layout = Layout::row_major, Index leading = 0);

  /// The same, keeping the values itself.
  static Dense own(std::vector<T> values, Index n, Layout layout = Layout::row_major);

  /// The same matrix, validated again, after values were changed in the memory viewed. Throws, cost: as
  /// view().
  Dense validated() const;

  Index order() const { return order_; }    ///< rows of the matrix
  Index copies() const { return copies_; }  ///< right-hand sides that are solved for at once
  Index rows() const { return order_ * copies_; }
  Index entries() const { return order_ * order_; }
  Layout layout() const { return layout_; }
  Index leading() const { return leading_; }
  const T* data() const { return values_.data(); }
  T at(Index i, Index j) const {
    return values_[static_cast<std::size_t>(layout_ == Layout::row_major ? i * leading_ + j
                                                                         : i + j * leading_)];
  }
  T diagonal(Index i) const { return at(i / copies_, i / copies_); }
  T largest_off_diagonal() const { return largest_off_; }  ///< magnitude; 0 of a matrix of one row
  /// What each row is divided by (as of Csr): rows values. Cost: for l1 a pass.
  std::vector<double> divisors(Divisor kind) const;

  /// Norms of b over the divisors. Throws: UsageError where b has not rows values.
  Norms rhs_norms(std::span<const T> b, Divisor by) const;
  /// Norms of b - A x over the divisors, computed in double from the entries as given: the yardstick,
  /// independent of every sweep. b, x: rows values. Cost: one pass on all cores; the same bits for any number
  /// of them. Throws: UsageError for other lengths.
  Norms residual_norms(std::span<const T> b, std::span<const T> x, Divisor by = Divisor::none) const;
  /// |b_i| + sum_j |a_ij x_j| of every row: what rounding errors are measured by. Cost: as residual_norms.
  std::vector<double> magnitudes(std::span<const T> b, std::span<const T> x) const;

 private:
  Dense() = default;
  void validate();  ///< and finds the largest entry off the diagonal
  std::span<const T> values_;
  Index order_ = 0, leading_ = 0, copies_ = 1;
  Layout layout_ = Layout::row_major;
  T largest_off_ = 0;
  std::shared_ptr<const std::vector<T>> owned_;  ///< values that no caller keeps

  template <class U>
  friend Dense<U> batch(Dense<U> a, Index copies);
};

/// The most right-hand sides that one pass over a dense matrix serves: those that fill a cache line.
template <class T>
inline constexpr Index most_copies = 64 / sizeof(T);

/// Many right-hand sides at once: A X = B with `copies` columns, as one system with one norm and one status
/// for all. Unknown i of column c is number c + copies i: X and B lie by rows. A sweep reads A once for all
/// of them. Throws: UsageError for copies below 1 or above most_copies<T>, or of a matrix that serves several
/// already. Cost: nothing.
template <class T>
JACOBI_API Dense<T> batch(Dense<T> a, Index copies);

}  // namespace jacobi
