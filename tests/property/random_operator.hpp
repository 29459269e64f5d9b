/// Random small operators of every kind, on every kind of grid.
#pragma once
#include <array>
#include <vector>

#include "jacobi/stencil.hpp"
#include "random.hpp"

namespace jacobi::test {

template <class T, int D>
Grid<T, D> random_grid(Random& random, Index most) {
  Grid<T, D> grid;
  std::array<std::array<BoundaryKind, 2>, D> kinds;
  for (int d = 0; d < D; ++d) {
    const Index pick = random.integer(0, 5);
    for (int e = 0; e < 2; ++e)
      kinds[d][e] = pick == 0                   ? BoundaryKind::periodic
                    : random.integer(0, 2) == 0 ? BoundaryKind::neumann
                                                : BoundaryKind::dirichlet;
    const bool closed = kinds[d][0] != BoundaryKind::dirichlet || kinds[d][1] != BoundaryKind::dirichlet;
    grid.unknowns[d] = random.integer(closed ? 2 : 1, most);
    grid.spacing[d] = random.real(0.3, 2);
  }
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e) {
      Side<T>& side = grid.sides[d][e];
      side.kind = kinds[d][e];
      const Index values = random.integer(0, 2);
      if (side.kind == BoundaryKind::periodic || values == 0) continue;
      side.values = random.vector<T>(values == 1 ? 1 : grid.rows() / grid.unknowns[d]);
    }
  return grid;
}

/// Its arrays, where it has some, live here. Diagonally dominant by `dominance` (1: just).
template <class T, int D>
class RandomOperator {
 public:
  RandomOperator(Random& random, Index most, double dominance)
      : grid_(random_grid<T, D>(random, most)), a_(make(random, dominance)) {}
  RandomOperator(const RandomOperator&) = delete;
  RandomOperator& operator=(const RandomOperator&) = delete;
  const Stencil<T, D>& operator*() const { return a_; }

 private:
  Stencil<T, D> make(Random& random, double dominance) {
    const Index kind = random.integer(0, 2);
    std::array<T, 2 * D> off;
    T sum = 0;
    const T same = static_cast<T>(random.real(-1, 1));
    for (T& c : off) {
      c = kind == 0 ? same : static_cast<T>(random.real(-1, 1));
      sum += std::abs(c);
    }
    const T sign = random.integer(0, 1) ? T(1) : T(-1);
    const T least = static_cast<T>(0.125);
    if (kind < 2)
      return Stencil<T, D>::constant(grid_, sign * (static_cast<T>(dominance) * sum + least), off);
    const std::size_t rows = static_cast<std::size_t>(grid_.rows());
    std::array<std::span<const T>, 2 * D> views;
    for (int k = 0; k < 2 * D; ++k) views[k] = arrays_[k] = random.vector<T>(grid_.rows());
    center_.resize(rows);
    for (std::size_t p = 0; p < rows; ++p) {
      for (int k = 0; k < 2 * D; ++k) center_[p] += std::abs(arrays_[k][p]);
      center_[p] = sign * (static_cast<T>(dominance) * center_[p] + least);
    }
    return Stencil<T, D>::variable(grid_, center_, views);
  }

  Grid<T, D> grid_;
  std::array<std::vector<T>, 2 * D> arrays_;
  std::vector<T> center_;
  Stencil<T, D> a_;
};

}  // namespace jacobi::test
