#include "sweep/divisors.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>

namespace jacobi::sweep {

template <class T>
void refuse_divisor(Index row, double diagonal, Index rows) {
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
template void refuse_divisor<double>(Index, double, Index);
template void refuse_divisor<float>(Index, double, Index);

}  // namespace jacobi::sweep
