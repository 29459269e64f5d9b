/// What an iterate reached, computed from scratch.
#pragma once
#include <cmath>
#include <optional>
#include <span>
#include <type_traits>

#include "core/exact_residual.hpp"
#include "core/facts.hpp"
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

/// The norm that is tested, or the residual's share of it.
template <class T, class A>
double tested_residual(const A& a, Read<T> b, Read<T> x, Norm norm, double enough = 0) {
  return pick(true_residual_norms<T>(a, b, x, tested_divisor(norm), norm, enough), norm);
}

/// Of an iterate whose norm meets the tolerance: not by the chance of rounding alone.
template <class T, class A>
bool is_sure(const A& a, Read<T> b, Read<T> x, Norm norm, double tolerance) {
  return !rounding_exceeds(tolerance / doubtful_share<T>(a), a, b, x, norm, tested_divisor(norm)) ||
         solves_exactly<T>(a, b, x);
}

}  // namespace jacobi
