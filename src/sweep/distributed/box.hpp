/// The part of a grid that one rank sweeps.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "jacobi/error.hpp"
#include "jacobi/stencil.hpp"
#include "sweep/distributed/slabs.hpp"

namespace jacobi::sweep {

/// Values of the slabs that a box has, out of those of all slabs of the grid.
template <class T>
std::vector<T> cut_slabs(std::span<const T> whole, const Slabs& slabs, int rank) {
  const Index each = static_cast<Index>(whole.size()) / slabs.all;
  std::vector<T> part;
  for (Index s = slabs.begin(rank) - slabs.low(rank); s < slabs.end(rank) + slabs.high(rank); ++s) {
    const auto from = whole.begin() + (s + slabs.all) % slabs.all * each;
    part.insert(part.end(), from, from + each);
  }
  return part;
}

/// A stencil on own slabs and halos, with 0 beyond the cuts.
template <class T, int D>
class Box {
 public:
  /// Throws: UsageError for derivatives on sides that only the builder of the whole can make.
  Box(const Stencil<T, D>& whole, const Slabs& slabs, int rank)
      : coefficients_(cut_coefficients(whole, slabs, rank)), stencil_(cut(whole, slabs, rank)) {}
  Box(const Box&) = delete;
  Box& operator=(const Box&) = delete;

  const Stencil<T, D>& stencil() const { return stencil_; }

 private:
  using Arrays = std::array<std::vector<T>, 2 * D + 1>;

  static Arrays cut_coefficients(const Stencil<T, D>& whole, const Slabs& slabs, int rank) {
    Arrays arrays;
    for (int k = 0; k <= 2 * D; ++k) {
      const std::span<const T> all = k < 2 * D ? whole.off(k) : whole.center();
      arrays[k] = all.size() == 1 ? std::vector<T>(1, all[0]) : cut_slabs<T>(all, slabs, rank);
    }
    return arrays;
  }

  static Grid<T, D> cut_grid(const Grid<T, D>& whole, const Slabs& slabs, int rank) {
    if (slabs.active == 1) return whole;
    Grid<T, D> grid = whole;
    grid.axes = {};  // coefficients hold what they say
    grid.unknowns[D - 1] = slabs.end(rank) - slabs.begin(rank) + slabs.low(rank) + slabs.high(rank);
    for (int d = 0; d + 1 < D; ++d)
      for (int e = 0; e < 2; ++e)
        if (const auto& values = whole.sides[d][e].values; values.size() > 1)
          grid.sides[d][e].values = cut_slabs<T>(values, slabs, rank);
    if (slabs.is_cut_below(rank)) grid.sides[D - 1][0] = {};
    if (slabs.is_cut_above(rank)) grid.sides[D - 1][1] = {};
    return grid;
  }

  Stencil<T, D> cut(const Stencil<T, D>& whole, const Slabs& slabs, int rank) const {
    const Grid<T, D> grid = cut_grid(whole.grid(), slabs, rank);
    PerSide<T, D> same{};
    PerSide<std::span<const T>, D> off{};
    for (int k = 0; k < 2 * D; ++k) {
      same[k] = coefficients_[k][0];
      off[k] = coefficients_[k];
    }
    Stencil<T, D> part = whole.is_constant() ? Stencil<T, D>::constant(grid, coefficients_[2 * D][0], same)
                                             : Stencil<T, D>::variable(grid, coefficients_[2 * D], off);
    for (int k = 0; k < 2 * D; ++k) require_fluxes(whole, part, k, slabs, rank);
    return part;
  }

  static void require_fluxes(const Stencil<T, D>& whole, const Stencil<T, D>& part, int k, const Slabs& slabs,
                             int rank) {
    const bool is_slow = k / 2 == D - 1;
    if (part.neumann_flux(k).empty()) return;
    const std::span<const double> all = whole.neumann_flux(k);
    const std::vector<double> wanted =
        is_slow ? std::vector<double>(all.begin(), all.end()) : cut_slabs<double>(all, slabs, rank);
    if (!std::ranges::equal(part.neumann_flux(k), wanted))
      throw UsageError(
          "ranks cannot share a grid whose coefficients vary beside a side with given derivatives: give "
          "these "
          "in the right-hand side");
  }

  Arrays coefficients_;
  Stencil<T, D> stencil_;
};

}  // namespace jacobi::sweep
