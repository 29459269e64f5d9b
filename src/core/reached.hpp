/// What an iterate reached, computed from scratch.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "core/exact_residual.hpp"
#include "core/facts.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/rounding.hpp"

namespace jacobi {

/// Of a vector that a template's T is not deduced from: one that may be written to serves as well.
template <class T>
using Read = std::type_identity_t<std::span<const T>>;

/// 2-norm of b - A x, where it is a double.
template <class T, class A>
std::optional<double> residual_of(const A& a, Read<T> b, Read<T> x) {
  const double l2 = true_residual_norms<T>(a, b, x, Divisor::none, Norm::residual).l2;
  return std::isfinite(l2) ? std::optional(l2) : std::nullopt;
}

/// The norm that is tested, or the residual's share of it. Where entries of A x overflow and the norm over
/// the divisors would not, b and x are taken in smaller units.
template <class T, class A>
double tested_residual(const A& a, Read<T> b, Read<T> x, Norm norm, double enough = 0) {
  const double plain = pick(true_residual_norms<T>(a, b, x, tested_divisor(norm), norm, enough), norm);
  const auto is_finite = [](T value) { return std::isfinite(value); };
  if (std::isfinite(plain) || !is_scaled(norm) || !homogeneous(a) || !std::ranges::all_of(b, is_finite) ||
      !std::ranges::all_of(x, is_finite))
    return plain;
  constexpr int units = std::numeric_limits<T>::max_exponent / 2;
  const std::vector<T> smaller_b = times_power_of_two<T>(b, -units),
                       smaller_x = times_power_of_two<T>(x, -units);
  return std::ldexp(
      pick(true_residual_norms<T>(a, std::span<const T>(smaller_b), std::span<const T>(smaller_x),
                                  tested_divisor(norm), norm, std::ldexp(enough, -units)),
           norm),
      units);
}

/// Of an iterate whose norm meets the tolerance: not by the chance of rounding alone.
template <class T, class A>
bool is_sure(const A& a, Read<T> b, Read<T> x, Norm norm, double tolerance) {
  return !rounding_exceeds(tolerance / doubtful_share<T>(a), a, b, x, norm, tested_divisor(norm)) ||
         solves_exactly<T>(a, b, x);
}

}  // namespace jacobi
