/// One pass over the rows: diagonal, dominance decided exactly, signs, shape.
#pragma once
#include <limits>

#include "diagnosis/vectors.hpp"

namespace jacobi::diagnosis {

/// How |a_ii| compares with the sum of the other magnitudes in its row (or column); clear: strict by more
/// than a millionth of it.
enum class Dominance : signed char { clear, strict, equal, weaker, open };

/// Dominance of all rows or of all columns.
struct Sums {
  std::vector<Dominance> dominance;
  Index strict = 0;  ///< how many are
  Index equal = 0;
  double largest_ratio = 0;  ///< max off_i / |a_ii|, rounded up
  /// Marks those that compare as `how`, or better.
  std::vector<char> at_least(Dominance how) const;
  bool all_strict() const { return strict == static_cast<Index>(dominance.size()); }
  bool all_weak() const { return strict + equal == static_cast<Index>(dominance.size()); }
};

struct Survey {
  Vector diagonal;
  Sums rows;
  Index zero_diagonals = 0;
  std::vector<Index> first_zero;  ///< the first 10
  bool positive_diagonal = true;
  double smallest_diagonal = std::numeric_limits<double>::infinity(), largest_diagonal = 0;  ///< magnitudes
  double largest = 0;                                                                        ///< max |a_ij|
  bool m_nonnegative = true, m_nonpositive = true;  ///< every entry of M = I - D^-1 A is
  bool lower = true, upper = true;                  ///< triangular as stored
  Index longest_row = 0;                            ///< entries
  Index without_lower = 0;                          ///< rows without a nonzero left of the diagonal
};

Survey survey(const Csr<double>& a);

/// The same sums by columns; empty where a first look shows that they are not even weakly dominant. Cost: one
/// or two passes on one core.
Sums column_sums(const Csr<double>& a, View diagonal);

/// How far A is from its transpose. Of a sample of rows where that decides all of it but the size of the
/// difference.
struct Symmetry {
  bool pattern = true;     ///< of the nonzeros
  bool symmetric = true;   ///< |a_ij - a_ji| <= 8 unit max(sqrt |a_ii a_jj|, |a_ij|, |a_ji|) everywhere
  double difference = 0;   ///< max |a_ij - a_ji|
  double scaled_skew = 0;  ///< >= ||K||_F, K the skew part of |D|^-1/2 A |D|^-1/2
  bool two_cycle = false;  ///< a_ij and a_ji are both nonzero somewhere
};

/// unit: the rounding unit of the type that A was stored in. Cost: a search per pair, in the shorter row, and
/// a byte per entry.
Symmetry symmetry(const Csr<double>& a, View diagonal, double unit);

}  // namespace jacobi::diagnosis
