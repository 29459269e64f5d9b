/// Random grids with the Laplacian on them.
#pragma once
#include <array>
#include <cmath>

#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi::test {

/// Kinds of the two sides of a direction: Dirichlet, Neumann, periodic, or the first two mixed.
template <class T>
std::array<Side<T>, 2> sides_of(Index kind, T low = 0, T high = 0) {
  constexpr auto dirichlet = BoundaryKind::dirichlet, neumann = BoundaryKind::neumann;
  switch (kind) {
    case 0:
      return {Side<T>{dirichlet, {low}}, Side<T>{dirichlet, {high}}};
    case 1:
      return {Side<T>{neumann, {low}}, Side<T>{neumann, {high}}};
    case 2:
      return {Side<T>{BoundaryKind::periodic}, Side<T>{BoundaryKind::periodic}};
    case 3:
      return {Side<T>{dirichlet, {low}}, Side<T>{neumann, {high}}};
    default:
      return {Side<T>{neumann, {low}}, Side<T>{dirichlet, {high}}};
  }
}

/// Any sizes, sides, spacings, and sometimes a reaction; bare: all that is given on the sides is 0.
template <class T, int D>
Stencil<T, D> random_laplacian(Random& random, Index most, bool bare = false) {
  Grid<T, D> grid;
  for (int d = 0; d < D; ++d) {
    const Index kind = random.integer(0, 4);
    grid.unknowns[d] = random.integer(kind == 0 ? 1 : 2, most);
    grid.spacing[d] = std::exp(random.integer(0, 2) == 0 ? random.real(-2, 2) : 0);
    const T low = bare || kind == 2 ? T(0) : T(random.real(-1, 1)),
            high = bare ? T(0) : T(random.real(-1, 1));
    grid.sides[d] = sides_of<T>(kind, low, high);
  }
  return poisson<T, D>(grid, random.integer(0, 1) == 0 ? 0 : random.real(0, 1));
}

}  // namespace jacobi::test
