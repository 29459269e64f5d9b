/// Which coefficients a stencil has.
#pragma once
#include <array>

#include "jacobi/stencil.hpp"
#include "sweep/stencil/order/sources.hpp"

namespace jacobi::sweep {

/// The coefficients of a stencil: their kind, and those that are the same everywhere, divided by the
/// diagonal.
template <class T, int D>
struct Coefficients {
  Kind kind = Kind::variable;
  T diagonal{};
  std::array<T, 2 * D> c{};
};
template <class T, int D>
Coefficients<T, D> coefficients_of(const Stencil<T, D>& a) {
  Coefficients<T, D> same;
  if (!a.is_constant()) return same;
  same.kind = Kind::equal;
  same.diagonal = a.center(0);
  for (int k = 0; k < 2 * D; ++k) {
    same.c[k] = -a.off(k, 0) / a.center(0);
    if (same.c[k] != same.c[0]) same.kind = Kind::constant;
  }
  const auto& c = same.c;
  if (D == 2 && c[0] == 0 && c[1] == 0 && c[2 % (2 * D)] == c[3 % (2 * D)]) same.kind = Kind::lines;
  return same;
}

}  // namespace jacobi::sweep
