/// How far A is from its transpose.
#pragma once
#include "diagnosis/survey.hpp"

namespace jacobi::diagnosis {

/// Of a sample of rows where that decides all of it but the size of the difference.
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
