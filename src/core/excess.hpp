/// Units in which squares of norms neither vanish nor overflow.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/facts.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

/// Accelerated methods add up squares of b - A x and of D^-1 (b - A x), one of which is tested: the largest
/// entry of the other, where A is in units that set them far apart; 0 where they are not.
template <class T, class A>
double norm_far_from(const A& a, std::span<const T> b, std::span<const T> x, Norm norm) {
  const double unit = [&a] {
    if constexpr (requires { a.center(0); })
      return std::abs(static_cast<double>(a.center(0)));
    else
      return std::abs(static_cast<double>(a.diagonal(0)));
  }();
  if (unit == 0 || squares_fit(unit) || !homogeneous(a)) return 0;
  const bool scaled = is_scaled(norm);
  const double largest = true_residual_norms<T>(a, b, x, scaled ? Divisor::none : Divisor::diagonal,
                                                scaled ? Norm::residual : Norm::scaled_residual)
                             .max;
  return largest > 0 && std::isfinite(largest) ? largest : 0;
}

/// Power of two that b and x are to be divided by so that squares of norms neither vanish nor overflow; 0
/// where they do not, or nothing would help. initial: the norm tested at the start.
/// Throws: InputError where values on sides would have to be scaled too.
template <class T, class A>
int excess(const A& a, std::span<const T> b, std::span<const T> x, Norm norm, double initial,
           bool accelerated) {
  const double other = accelerated ? norm_far_from<T>(a, b, x, norm) : 0;  // 0: no need to look at
  if (squares_fit(initial) && (other == 0 || squares_fit(other))) return 0;
  double largest = true_residual_norms<T>(a, b, x, tested_divisor(norm), norm).max;
  if (!(largest > 0) || !std::isfinite(largest) || (other == 0 && squares_fit(largest))) return 0;
  if (!homogeneous(a))
    throw InputError(
        fmt::format("the residual's entries, at most {:.1e}, are too {} for their squares: give the system "
                    "in other units (boundary values too)",
                    largest, largest < 1 ? "small" : "large"));
  const int power = other != 0 ? (std::ilogb(largest) + std::ilogb(other)) / 2 : std::ilogb(largest);
  const auto fits = [power](T value) { return std::isfinite(std::ldexp(value, -power)); };
  if (!std::ranges::all_of(b, fits) || !std::ranges::all_of(x, fits)) return 0;
  for (const T value : b) largest = std::max(largest, std::abs(static_cast<double>(value)));
  return std::isfinite(largest * std::sqrt(static_cast<double>(a.rows()))) ? power : 0;  // what is reported
}

}  // namespace jacobi
