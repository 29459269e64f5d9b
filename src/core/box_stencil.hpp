/// What solver and loop ask of an operator, of a box stencil.
#pragma once
#include <cmath>
#include <span>
#include <string>
#include <variant>

#include "jacobi/box_stencil.hpp"
#include "jacobi/method.hpp"
#include "jacobi/norms.hpp"

namespace jacobi {

template <class T>
std::string place_of(const BoxStencil<T>& a, Index p) {
  return " at point " + a.name(p);
}
template <class T>
BoxStencil<T> validated(const BoxStencil<T>& a) {
  return a;
}
template <class T>
Norms rhs_norms(const BoxStencil<T>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by);
}
template <class T>
Norms residual_norms(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by);
}
template <class T>
Norms twofold_residual_norms(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x, Divisor by);
template <class T>
double least_divisor(const BoxStencil<T>& a, Divisor by) {
  return std::abs(a.divisor(0, by));
}
template <class T>
bool strictly_dominant(const BoxStencil<T>& a) {
  return a.divisor(0, Divisor::l1) < (2 - 1e-12) * std::abs(a.divisor(0, Divisor::diagonal));
}
/// A corner is as near as a neighbour along a direction.
template <class T>
Index transit(const BoxStencil<T>& a) {
  return a.unknowns()[0] + a.unknowns()[1] + a.unknowns()[2];
}
template <class T>
bool homogeneous(const BoxStencil<T>&) {
  return true;
}

}  // namespace jacobi
