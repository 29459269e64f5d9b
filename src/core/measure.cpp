#include "jacobi/measure.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/dense_entries.hpp"
#include "core/grid_residuals.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/scale.hpp"
#include "core/sized_sum.hpp"

namespace jacobi {

namespace {

/// Power of two of the largest magnitude.
template <class T>
int power_of(std::span<const T> values) {
  double largest = 0;
  for (const T value : values) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return largest > 0 && std::isfinite(largest) ? std::ilogb(largest) : 0;
}

/// run(b, x, units), in other units where products with x, or sums of these, could leave double's range: the
/// share that it returns is the same in all of them.
template <class T, class Run>
double in_range(std::span<const T> b, std::span<const T> x, Run&& run) {
  constexpr int far = 800;  // so far from 1 that entries, row lengths and cancellation have room beyond
  const int of_b = power_of(b), of_x = power_of(x);
  if (std::max(std::abs(of_b), std::abs(of_x)) < far) return run(b, x, Units{});
  const int power_a = std::clamp(of_x - std::clamp(of_b, -1000, 1000), -1000, 1000), power_b = power_a - of_x;
  const std::vector<T> near_b = times_power_of_two(b, power_b), near_x = times_power_of_two(x, -of_x);
  return run(std::span(near_b), std::span(near_x), Units{std::ldexp(1.0, power_a), std::ldexp(1.0, power_b)});
}

/// Largest over least of |value(i)|, i < count, zeros aside.
template <class Value>
double spread_of(Index count, Value&& value) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (Index i = 0; i < count; ++i) {
    const double size = std::abs(static_cast<double>(value(i)));
    if (size > 0) least = std::min(least, size);
    largest = std::max(largest, size);
  }
  return largest > 0 ? largest / least : 1;
}

}  // namespace

template <class T, int D>
double backward_error(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range(b, x, [&](std::span<const T> near_b, std::span<const T> near_x, Units units) {
    return gather_residuals<LargestShare, SizedSum>(
               a, near_b, near_x, units,
               [](LargestShare& part, const SizedSum& sum, double) { part.add(sum); })
        .value();
  });
}

template <class T>
double backward_error(const Csr<T>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range(b, x, [&](std::span<const T> near_b, std::span<const T> near_x, Units units) {
    return a.visit([&](auto offsets, auto columns, auto values) {
      const auto add = [&](LargestShare& part, Index first, Index last) {
        for (Index i = first; i < last; ++i) {
          SizedSum sum(near_b[i]);
          for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
            sum.subtract(units.of_a * values[k], near_x[columns[k]]);
          part.add(sum);
        }
      };
      return gathered_by_blocks<LargestShare>(blocks_over(a), add).value();
    });
  });
}

template <class T>
double backward_error(const Dense<T>& a, std::span<const T> b, std::span<const T> x) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  return in_range(b, x, [&](std::span<const T> near_b, std::span<const T> near_x, Units units) {
    std::vector<SizedSum> sums(near_b.begin(), near_b.end());
    for_some_rows(a, [&](Index first, Index last) {
      add_products(a, near_x.data(), first, last, sums.data(),
                   [&](double product) { return SizedSum(-units.of_a * product); });
    });
    LargestShare largest;
    for (const SizedSum& sum : sums) largest.add(sum);
    return largest.value();
  });
}

template <class T, int D>
double row_spread(const Stencil<T, D>& a) {
  return spread_of(static_cast<Index>(a.center().size()), [&](Index p) { return a.center()[p]; });
}
template <class T>
double row_spread(const Csr<T>& a) {
  return spread_of(a.rows(), [&](Index i) { return a.diagonal(i); });
}
template <class T>
double row_spread(const Dense<T>& a) {
  return spread_of(a.rows(), [&](Index i) { return a.diagonal(i); });
}

#define JACOBI_INSTANTIATE(T, D)                                                                      \
  template double backward_error<T, D>(const Stencil<T, D>&, std::span<const T>, std::span<const T>); \
  template double row_spread<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

#define JACOBI_INSTANTIATE(Matrix, T)                                                          \
  template double backward_error<T>(const Matrix<T>&, std::span<const T>, std::span<const T>); \
  template double row_spread<T>(const Matrix<T>&);
JACOBI_INSTANTIATE(Csr, double)
JACOBI_INSTANTIATE(Csr, float)
JACOBI_INSTANTIATE(Dense, double)
JACOBI_INSTANTIATE(Dense, float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
