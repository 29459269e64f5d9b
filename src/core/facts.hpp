/// What solver, prediction and loop ask of an operator, whichever it is.
#pragma once
#include <fmt/format.h>

#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "core/graph.hpp"
#include "core/null_space.hpp"
#include "jacobi/csr.hpp"
#include "jacobi/dense.hpp"
#include "jacobi/rounding.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

/// " at point (3, 5)", or nothing where the index says it all.
template <class T, int D>
std::string place_of(const Stencil<T, D>& a, Index p) {
  return " at point " + a.grid().name(p);
}
template <class T>
std::string place_of(const Csr<T>&, Index) {
  return "";
}
template <class T>
std::string place_of(const Dense<T>&, Index) {
  return "";
}

/// Norms of b over the divisors, boundary values folded in.
template <class T, int D>
Norms rhs_norms(const Stencil<T, D>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by != Divisor::none);
}
template <class T>
Norms rhs_norms(const Csr<T>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by);
}
template <class T>
Norms rhs_norms(const Dense<T>& a, std::span<const T> b, Divisor by) {
  return a.rhs_norms(b, by);
}

/// Norms of b - A x over the divisors.
template <class T, int D>
Norms residual_norms(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by != Divisor::none);
}
template <class T>
Norms residual_norms(const Csr<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by);
}
template <class T>
Norms residual_norms(const Dense<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return a.residual_norms(b, x, by);
}

/// Of a grid (but for reactions below 0) a null space is known beforehand: Stencil::singular().
template <class T, int D>
bool null_space_known(const Stencil<T, D>&) {
  return true;
}
template <class A>
bool null_space_known(const A&) {
  return false;
}

/// Sweeps in which every unknown can have felt every other one.
template <class T, int D>
Index transit(const Stencil<T, D>& a) {
  Index sum = 0;
  for (int d = 0; d < D; ++d) sum += a.grid().unknowns[d];
  return sum;
}
template <class T>
Index transit(const Csr<T>& a) {
  constexpr Index few = 20000;  // as many sweeps as rows are done before the search would be
  const bool searched = a.rows() > few && a.rows() < std::numeric_limits<std::int32_t>::max();
  return searched ? 2 * breadth_first(a).levels : a.rows();
}
template <class T>
Index transit(const Dense<T>& a) {
  return a.rows();
}

}  // namespace jacobi
