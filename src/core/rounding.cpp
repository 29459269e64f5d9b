#include "jacobi/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/instantiate.hpp"
#include "core/tested_norm.hpp"
#include "core/walk.hpp"

namespace jacobi {

template <class T, int D>
double rounding_floor(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Norm norm) {
  constexpr double eps = std::numeric_limits<T>::epsilon();
  Accumulated size;
  double diagonal = 0;
  for (Index p = 0; p < a.rows(); ++p) {
    size.add(x[p]);
    diagonal = std::max(diagonal, std::abs(static_cast<double>(a.center(p))));
  }
  const double rounding = 2 * eps * pick(size.norms(), norm);
  return is_update(norm) ? rounding : diagonal * rounding + eps * pick(a.rhs_norms(b, false), norm);
}

#define JACOBI_INSTANTIATE(T, D) \
  template double rounding_floor<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>, Norm);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
