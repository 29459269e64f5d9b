#include "sweep/divisors.hpp"

#include <fmt/format.h>
#include <atomic>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/blocks.hpp"
#include "core/divides.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
[[noreturn]] void refuse_divisor(Index row, double diagonal, Index rows) {
  std::string is = fmt::format(
      " is {:g}{}: Jacobi divides by it; see 'jacobi diagnose', which tells whether another order of the "
      "rows "
      "avoids that, or take bicgstab or anderson, which need not",
      diagonal, diagonal != 0 ? ", too small to be divided by (multiply A and b by one large number)" : "");
  if (sizeof(T) < sizeof(double))
    is += fmt::format("; in float, numbers below {:.2g} become 0: where it does so, take double",
                      std::numeric_limits<T>::denorm_min());
  throw ZeroDiagonal(fmt::format("entry ({0}, {0}), counted from 0,", row), row, rows, is);
}

template <class T, class A, class DivisorOf>
std::vector<T> reciprocals_of(const A& a, Divisor kind, Zeros zeros, DivisorOf&& divisor) {
  std::vector<T> scale(static_cast<std::size_t>(a.rows()));
  std::atomic<Index> bad = a.rows();
  for_blocks(a.rows(), [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      scale[i] = static_cast<T>(1 / divisor(i));
      const bool sound =
          std::isfinite(scale[i]) && (zeros == Zeros::replaced || divides(a.diagonal(i), kind));
      if (!sound) keep_least(bad, i);
    }
  });
  if (bad < a.rows()) refuse_divisor<T>(bad, a.diagonal(bad), a.rows());
  return scale;
}

}  // namespace

template <class T>
std::vector<T> reciprocals(const Csr<T>& a, Divisor kind, Zeros zeros) {
  return reciprocals_of<T>(a, kind, zeros, [&](Index i) { return a.divisor(i, kind); });
}
template <class T>
std::vector<T> reciprocals(const Dense<T>& a, Divisor kind, Zeros zeros) {
  const std::vector<double> divisors = a.divisors(kind);
  return reciprocals_of<T>(a, kind, zeros, [&](Index i) { return divisors[i]; });
}

template <class T>
std::vector<T> reciprocals(const MatrixFree<T>& a, Divisor kind, Zeros zeros) {
  return reciprocals_of<T>(a, kind, zeros, [&](Index i) { return a.divisor(i, kind); });
}

#define JACOBI_INSTANTIATE(T)                                              \
  template std::vector<T> reciprocals<T>(const Csr<T>&, Divisor, Zeros);   \
  template std::vector<T> reciprocals<T>(const Dense<T>&, Divisor, Zeros); \
  template std::vector<T> reciprocals<T>(const MatrixFree<T>&, Divisor, Zeros);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
