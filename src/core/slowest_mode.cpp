/// The slowest smooth mode of a star stencil on a box, and its Rayleigh quotient.
#include <cmath>
#include <numbers>

#include "core/walk.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi {

namespace {

using std::numbers::pi;

/// Mode along one direction: phase(i) = offset + i * angle, sine or cosine; angle 0 is the constant.
struct Wave {
  bool sine = false;
  double angle = 0;
  double shift = 0;
  double operator()(Index i) const {
    const double phase = (static_cast<double>(i) + shift) * angle;
    return sine ? std::sin(phase) : std::cos(phase);
  }
};

Wave lowest(BoundaryKind low, BoundaryKind high, Index n) {
  const double count = static_cast<double>(n);
  const bool low_given = low == BoundaryKind::dirichlet, high_given = high == BoundaryKind::dirichlet;
  if (low_given && high_given) return {true, pi / (count + 1), 1};
  if (low_given) return {true, pi / (2 * count), 1};
  if (high_given) return {false, pi / (2 * count), 0};
  return {};
}

/// First mode above the constant, for directions without a Dirichlet side.
Wave second(BoundaryKind kind, Index n) {
  const double count = static_cast<double>(n);
  return {false, kind == BoundaryKind::periodic ? 2 * pi / count : pi / (count - 1), 0};
}

template <class T, int D>
std::array<Wave, D> slowest_waves(const Stencil<T, D>& a) {
  const Grid<T, D>& grid = a.grid();
  std::array<Wave, D> waves;
  int slowest = 0;
  double least = 1e308;
  for (int d = 0; d < D; ++d) {
    const BoundaryKind low = grid.sides[d][0].kind;
    waves[d] = lowest(low, grid.sides[d][1].kind, grid.unknowns[d]);
    const double size = second(low, grid.unknowns[d]).angle / grid.spacing[d];
    if (size < least) {
      least = size;
      slowest = d;
    }
  }
  if (a.singular()) waves[slowest] = second(grid.sides[slowest][0].kind, grid.unknowns[slowest]);
  return waves;
}

}  // namespace

template <class T, int D>
double Stencil<T, D>::slowest_mode() const {
  const auto waves = slowest_waves(*this);
  const auto mode = [&](const std::array<Index, D>& at) {
    double product = 1;
    for (int d = 0; d < D; ++d) product *= waves[d](at[d]);
    return product;
  };
  double energy = 0, mass = 0;
  walk(grid_, [&](Index p, const std::array<Index, D>& at) {
    const double here = mode(at), w = weight(p);
    double product = center(p) * here;
    for (int k = 0; k < 2 * D; ++k) {
      const Index q = neighbour(grid_, p, at, k);
      if (q >= 0) product += off(k, p) * mode(position(grid_, q));
    }
    energy += w * here * product;
    mass += w * here * here * center(p);
  });
  return energy / mass;
}

template double Stencil<double, 1>::slowest_mode() const;
template double Stencil<double, 2>::slowest_mode() const;
template double Stencil<double, 3>::slowest_mode() const;
template double Stencil<float, 1>::slowest_mode() const;
template double Stencil<float, 2>::slowest_mode() const;
template double Stencil<float, 3>::slowest_mode() const;

}  // namespace jacobi
