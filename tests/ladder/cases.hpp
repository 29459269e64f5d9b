/// Problems on which every rung must give the bits of rung 0: sizes, sides, coefficients.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "jacobi/jacobi.hpp"
#include "ladder/steps.hpp"
#include "random.hpp"

namespace jacobi::test {

template <class T, int D>
struct Case {
  std::string name;
  Stencil<T, D> a;
  std::vector<T> b, x;
};

inline std::vector<std::array<Index, 1>> sizes(std::integral_constant<int, 1>) {
  return {{1}, {2}, {3}, {7}, {16}, {97}, {8192}, {8197}, {16411}};
}
inline std::vector<std::array<Index, 2>> sizes(std::integral_constant<int, 2>) {
  return {{1, 1}, {2, 2}, {3, 3}, {5, 1}, {1, 6}, {13, 17}, {31, 64}, {64, 9}, {127, 5}, {8201, 3}};
}
inline std::vector<std::array<Index, 3>> sizes(std::integral_constant<int, 3>) {
  return {{1, 1, 1}, {2, 2, 2}, {3, 5, 7}, {11, 13, 4}, {17, 8, 9}, {37, 3, 2}};
}

/// Boundary kinds per direction: all Dirichlet, mixed with Neumann, mixed with periodic, and one Dirichlet
/// side.
template <int D>
std::array<std::array<BoundaryKind, 2>, D> kinds(int variant) {
  using enum BoundaryKind;
  std::array<std::array<BoundaryKind, 2>, D> all;
  for (int d = 0; d < D; ++d) {
    const int which = (variant + d) % 4;
    if (variant == 0 || which == 0)
      all[d] = {dirichlet, dirichlet};
    else if (which == 1)
      all[d] = {neumann, dirichlet};
    else if (which == 2)
      all[d] = {periodic, periodic};
    else
      all[d] = {neumann, neumann};
  }
  return all;
}
inline constexpr int kind_variants = 4;

/// Grid with random boundary values; directions too short for mirrored sides stay Dirichlet.
template <class T, int D>
Grid<T, D> make_case_grid(const std::array<Index, D>& n, int variant) {
  Grid<T, D> grid = unit_grid<T, D>(n);
  const auto wanted = kinds<D>(variant);
  for (int d = 0; d < D; ++d) {
    grid.spacing[d] *= 1 + 0.25 * d;
    for (int e = 0; e < 2; ++e) {
      grid.sides[d][e].kind = n[d] < 2 ? BoundaryKind::dirichlet : wanted[d][e];
      if (grid.sides[d][e].kind != BoundaryKind::periodic)
        grid.sides[d][e].values =
            random_values<T>(grid.rows() / n[d], -1, 1, static_cast<unsigned>(10 * d + e));
    }
  }
  return grid;
}

/// equal, constant or variable coefficients, or a batch (2D);  always dominant, with a reaction so that none
/// is singular.
template <class T, int D>
Stencil<T, D> make_case_operator(const Grid<T, D>& grid, int coefficients,
                                 std::vector<std::vector<T>>& keep) {
  std::array<T, 2 * D> off;
  off.fill(T(-1));
  if (coefficients == 3) off[0] = off[1] = 0;
  if (coefficients % 3 == 0) return Stencil<T, D>::constant(grid, T(2 * D) + T(0.125), off);
  for (int k = 0; k < 2 * D; ++k) off[k] = static_cast<T>(-1 + 0.3 * k);
  if (coefficients == 1) return Stencil<T, D>::constant(grid, T(-3 * D), off);
  std::array<std::span<const T>, 2 * D> arrays;
  for (int k = 0; k < 2 * D; ++k) {
    keep.push_back(random_values<T>(grid.rows(), -1, 1, static_cast<unsigned>(100 + k)));
    arrays[k] = keep.back();
  }
  keep.push_back(random_values<T>(grid.rows(), 2 * D, 2 * D + 1, 99));
  return Stencil<T, D>::variable(grid, keep.back(), arrays);
}

template <int D>
constexpr int coefficient_kinds = D == 2 ? 4 : 3;

/// Every size with every mixture of sides and coefficients. keep holds the arrays that the operators view.
template <class T, int D>
std::vector<Case<T, D>> make_cases(
    std::vector<std::vector<T>>& keep,
    const std::vector<std::array<Index, D>>& all = sizes(std::integral_constant<int, D>())) {
  keep.reserve(10000);
  std::vector<Case<T, D>> cases;
  for (const auto& n : all)
    for (int variant = 0; variant < kind_variants; ++variant)
      for (int coefficients = 0; coefficients < coefficient_kinds<D>; ++coefficients) {
        const Grid<T, D> grid = make_case_grid<T, D>(n, variant);
        std::string name = std::to_string(D) + "D";
        for (const Index size : n) name += " " + std::to_string(size);
        name += " sides " + std::to_string(variant) + " coefficients " + std::to_string(coefficients);
        cases.push_back({name, make_case_operator(grid, coefficients, keep),
                         random_values<T>(grid.rows(), -1, 1, 7), random_values<T>(grid.rows(), -1, 1, 8)});
      }
  return cases;
}

}  // namespace jacobi::test
