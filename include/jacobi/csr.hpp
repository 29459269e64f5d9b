/// The general sparse operator: compressed rows.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// One entry of a matrix, for Csr::from_entries; rows and columns count from 0.
template <class T>
struct Entry {
  Index row = 0;
  Index column = 0;
  T value = 0;
};

/// Where the entries of each row lie: row i holds entries offsets[i] ... offsets[i + 1] - 1. columns are
/// ascending within a row, without repetition.
template <class I>
struct CsrPattern {
  std::span<const I> offsets;  ///< rows + 1 values
  std::span<const I> columns;  ///< one per entry
};

/// A square sparse matrix by rows; I (of offsets and columns) is std::int32_t or std::int64_t, T float or
/// double. Validated once; no function changes its entries, and values that are viewed change between solves
/// only (see view()); safe to share between threads. A zero or missing diagonal entry is allowed here: it can
/// be diagnosed, and cg, bicgstab and anderson do without; a sweep refuses it.
template <class T>
class JACOBI_API Csr {
  static_assert(Real<T>, "jacobi computes in float and double");

 public:
  /// A view of the caller's arrays, which must outlive the operator and all its copies. Offsets and columns
  /// must stay as they are; values may be changed between solves, and Solver::values_changed() be called
  /// then. Rows whose columns are not ascending, or that name one twice, are accepted: then sorted copies are
  /// made, entries of one place are added up, and later changes are not seen (values().data() tells).
  /// offsets: rows + 1; columns, values: one per entry. Throws: InputError naming row and entry for offsets
  /// that do not start at 0, fall, or do not end at the number of entries, a column out of bounds, a value
  /// that is not finite. Cost: one pass.
  template <CsrIndex I>
  static Csr view(std::span<const I> offsets, std::span<const I> columns, std::span<const T> values);

  /// The same, keeping the arrays itself.
  template <CsrIndex I>
  static Csr own(std::vector<I> offsets, std::vector<I> columns, std::vector<T> values);

  /// From entries in any order; those of one place are added up, smallest first. rows = columns = n.
  /// Throws: InputError as view(). Cost: sorts every row.
  static Csr from_entries(Index n, std::span<const Entry<T>> entries);

  Index rows() const { return rows_; }
  Index entries() const { return static_cast<Index>(values_.size()); }
  std::span<const T> values() const { return values_; }
  /// visit(offsets, columns, values) as spans; returns what it returns.
  template <class Visit>
  decltype(auto) visit(Visit&& f) const {
    return std::visit([&](const auto& p) -> decltype(auto) { return f(p.offsets, p.columns, values_); },
                      pattern_);
  }

  /// Throws: InputError naming an entry that is not finite, as one may have become in the memory viewed.
  void require_finite() const;

  /// Entry (i, i), 0 where there is none. Cost: a search in the row.
  T diagonal(Index i) const;
  /// What row i is divided by: core/divides.hpp where the diagonal entry is too small. Cost: a pass over it.
  double divisor(Index i, Divisor kind) const;

  /// Norms of b over the divisors. Throws: UsageError where b has not rows values.
  Norms rhs_norms(std::span<const T> b, Divisor by) const;
  /// Norms of b - A x over the divisors, computed in double from the entries as given: the yardstick,
  /// independent of every sweep. b, x: rows values. Cost: one pass on all cores; the same bits for any number
  /// of them. Throws: UsageError for other lengths.
  Norms residual_norms(std::span<const T> b, std::span<const T> x, Divisor by = Divisor::none) const;

 private:
  Csr() = default;
  Index rows_ = 0;
  std::variant<CsrPattern<std::int32_t>, CsrPattern<std::int64_t>> pattern_;
  std::span<const T> values_;
  std::shared_ptr<const void> owned_;  ///< arrays that no caller keeps
};

}  // namespace jacobi
