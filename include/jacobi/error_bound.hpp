/// A proved bound of the error of an iterate.
#pragma once
#include <optional>
#include <span>

#include "jacobi/diagnosis.hpp"
#include "jacobi/export.hpp"

namespace jacobi {

/// Bound of the largest error of x, whatever method it is from: e = (I - M)^-1 D^-1 (b - A x), hence at most
/// 1 / (1 - q) times the size of D^-1 (b - A x) in the norm of the proved contraction q, and what lies
/// between that norm and the largest entry. The residual is summed in twice double's precision, in units in
/// which nothing that counts underflows; the bound is rounded up, and 0 only where b and x are. None where no
/// contraction is proved, or the bound is beyond the range of double.
template <class T>
JACOBI_API std::optional<double> error_bound(const Csr<T>& a, const Diagnosis& d, std::span<const T> b,
                                             std::span<const T> x);

}  // namespace jacobi
