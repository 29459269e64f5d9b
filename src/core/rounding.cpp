#include "jacobi/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/entry_rows.hpp"
#include "core/facts.hpp"
#include "core/grid_norms.hpp"
#include "core/instantiate.hpp"
#include "core/tested_norm.hpp"
#include "core/walk.hpp"

namespace jacobi {

template <class T, int D>
double rounding_floor(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor) {
  return rounding_floor_from(a, vector_of_lines(a, x, all_lines(a.grid())).norms(), norm,
                             [&] { return a.rhs_norms(b, false); });
}

template <class T>
double rounding_floor(const Csr<T>& a, std::span<const T> b, std::span<const T> x, Norm norm, Divisor by) {
  return rounding_floor_by(a, b, x, norm, by);
}

namespace {

/// Where row i adds up to size(i).
template <class T, class Size>
double floor_of(const Dense<T>& a, Norm norm, Divisor by, Size&& size) {
  Accumulated sizes;
  const std::vector<double> over = a.divisors(is_scaled(norm) ? by : Divisor::none);
  sizes.add(0, a.rows(), [&](Index i) { return size(i) / over[i]; });
  return std::numeric_limits<T>::epsilon() * pick(sizes.norms(), norm);
}

}  // namespace

template <class T>
double rounding_floor(const Dense<T>& a, std::span<const T> b, std::span<const T> x, Norm norm, Divisor by) {
  const std::vector<double> sizes = a.magnitudes(b, x);
  return floor_of(a, norm, by, [&](Index i) { return sizes[i]; });
}

template <class T>
bool rounding_exceeds(double limit, const Dense<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by) {
  double largest = 0;
  for (const T value : x) largest = std::max(largest, std::abs(static_cast<double>(value)));
  const double others =
      static_cast<double>(a.order() - 1) * static_cast<double>(a.largest_off_diagonal()) * largest;
  const double bound = floor_of(a, norm, by, [&](Index i) {
    const double own = static_cast<double>(a.diagonal(i)) * static_cast<double>(x[i]);
    return std::abs(static_cast<double>(b[i])) + std::abs(own) + others;
  });
  return !(bound <= limit) && rounding_floor(a, b, x, norm, by) > limit;
}

template double rounding_floor<double>(const Dense<double>&, std::span<const double>, std::span<const double>,
                                       Norm, Divisor);
template double rounding_floor<float>(const Dense<float>&, std::span<const float>, std::span<const float>,
                                      Norm, Divisor);
template bool rounding_exceeds<double>(double, const Dense<double>&, std::span<const double>,
                                       std::span<const double>, Norm, Divisor);
template bool rounding_exceeds<float>(double, const Dense<float>&, std::span<const float>,
                                      std::span<const float>, Norm, Divisor);
template double rounding_floor<double>(const Csr<double>&, std::span<const double>, std::span<const double>,
                                       Norm, Divisor);
template double rounding_floor<float>(const Csr<float>&, std::span<const float>, std::span<const float>, Norm,
                                      Divisor);

#define JACOBI_INSTANTIATE(T, D)                                                                           \
  template double rounding_floor<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>, Norm, \
                                       Divisor);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
