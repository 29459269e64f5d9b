/// The weight under which the slowest of some modes decays fastest.
#pragma once
#include <complex>
#include <vector>

namespace jacobi::diagnosis {

struct Weight {
  double omega = 1;
  double radius = 1;  ///< max |1 - omega mu|
};

/// Minimises max |1 - omega mu| over 0 < omega < 2 for eigenvalues 1 - mu of M = I - D^-1 A.
Weight best_weight(const std::vector<std::complex<double>>& values_of_m);

}  // namespace jacobi::diagnosis
