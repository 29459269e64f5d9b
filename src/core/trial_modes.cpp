/// Trial modes of a star stencil on a box, and their Rayleigh quotients.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/coefficients.hpp"
#include "core/instantiate.hpp"
#include "core/metric.hpp"
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
  bool alternating = false;
  double operator()(Index i, double at) const {
    const double phase = (at + shift) * angle;
    const double value = sine ? std::sin(phase) : std::cos(phase);
    return alternating && i % 2 == 1 ? -value : value;
  }
};

Wave lowest(BoundaryKind low, BoundaryKind high, Index n) {
  const double count = static_cast<double>(n);
  const bool low_given = low == BoundaryKind::dirichlet, high_given = high == BoundaryKind::dirichlet;
  if (low_given && high_given) return {true, pi / (count + 1), 1, false};
  if (low_given) return {true, pi / (2 * count), 1, false};
  if (high_given) return {false, pi / (2 * count), 0, false};
  return {};
}

/// First mode above the constant, for directions without a Dirichlet side.
Wave second(BoundaryKind kind, Index n) {
  const double count = static_cast<double>(n);
  return {false, kind == BoundaryKind::periodic ? 2 * pi / count : pi / (count - 1), 0, false};
}

template <class T, int D>
Wave lowest_wave(const Grid<T, D>& grid, int d) {
  return lowest(grid.sides[d][0].kind, grid.sides[d][1].kind, grid.unknowns[d]);
}

/// The one that changes sign from point to point, as far as an odd period lets it.
template <class T, int D>
Wave highest_wave(const Grid<T, D>& grid, int d) {
  const Index n = grid.unknowns[d];
  if (grid.sides[d][0].kind == BoundaryKind::periodic && n % 2 == 1)
    return {false, pi * static_cast<double>(n - 1) / static_cast<double>(n), 0, false};
  Wave wave = lowest_wave(grid, d);
  wave.alternating = true;
  return wave;
}

/// Whether the constant couplings of a direction have the sign of the diagonal: its highest wave is then the
/// slowest.
template <class T, int D>
bool is_turned(const Stencil<T, D>& a, int d) {
  return symmetric_and_constant(a) && static_cast<double>(a.off(2 * d, 0)) * a.center(0) > 0;
}

/// Index of the largest magnitude.
Index peak(const std::vector<double>& values) {
  return std::max_element(values.begin(), values.end(),
                          [](double a, double b) { return std::abs(a) < std::abs(b); }) -
         values.begin();
}

/// Where unknown i lies, counted in mean spacings from the first unknown.
template <class T, int D>
double in_spacings(const Grid<T, D>& grid, int d, Index i) {
  return (grid.coordinate(d, i) - ends_of(grid, d).before) / grid.spacing[d] -
         (grid.sides[d][0].kind == BoundaryKind::neumann ? 0 : 1);
}

/// w' A v / w' D v for the product v of the waves, w the weights under which A is symmetric. With
/// constant coefficients, alike on both sides, v is an eigenvector: one unknown tells as much as all.
/// in_space: waves over the places of the unknowns, not their numbers.
template <class T, int D>
double rayleigh(const Stencil<T, D>& a, const std::array<Wave, static_cast<std::size_t>(D)>& waves,
                bool in_space = false) {
  const Grid<T, D>& grid = a.grid();
  std::array<std::vector<double>, D> values;  // a sine per unknown and neighbour would take seconds
  for (int d = 0; d < D; ++d)
    for (Index i = 0; i < grid.unknowns[d]; ++i)
      values[d].push_back(waves[d](i, in_space ? in_spacings(grid, d, i) : static_cast<double>(i)));
  const auto mode = [&](const Position<D>& at) {
    double product = 1;
    for (int d = 0; d < D; ++d) product *= values[d][static_cast<std::size_t>(at[d])];
    return product;
  };
  double energy = 0, mass = 0;
  const auto add = [&](Index p, const Position<D>& at) {
    const double here = mode(at), weight = a.weight(p), center = a.center(p);
    double product = center * here;
    for (int k = 0; k < 2 * D; ++k) {
      const Index q = neighbour(grid, p, at, k);
      if (q >= 0) product += a.off(k, p) * mode(position(grid, q));
    }
    energy += weight * here * product;
    mass += weight * here * here * center;
  };
  if (!symmetric_and_constant(a)) {
    walk(grid, add);
    return energy / mass;
  }
  Position<D> at;
  Index p = 0;
  for (int d = D - 1; d >= 0; --d) {
    at[d] = peak(values[d]);
    p = p * grid.unknowns[d] + at[d];
  }
  add(p, at);
  return energy / mass;
}

/// The smaller one of both, where they differ.
template <class T, int D>
double smooth_rayleigh(const Stencil<T, D>& a, const std::array<Wave, static_cast<std::size_t>(D)>& waves) {
  const double by_number = rayleigh(a, waves);
  return a.grid().is_stretched() ? std::min(by_number, rayleigh(a, waves, true)) : by_number;
}

}  // namespace

template <class T, int D>
double Stencil<T, D>::slowest_mode() const {
  std::array<Wave, D> waves;
  for (int d = 0; d < D; ++d) waves[d] = is_turned(*this, d) ? highest_wave(grid_, d) : lowest_wave(grid_, d);
  if (!singular_) return smooth_rayleigh(*this, waves);
  double least = 2;  // the constant does not count: the next mode varies in one direction
  for (int d = 0; d < D; ++d) {
    const Wave constant = std::exchange(waves[d], second(grid_.sides[d][0].kind, grid_.unknowns[d]));
    least = std::min(least, smooth_rayleigh(*this, waves));
    waves[d] = constant;
  }
  return least;
}

template <class T, int D>
double Stencil<T, D>::fastest_mode() const {
  std::array<Wave, D> waves;
  for (int d = 0; d < D; ++d) waves[d] = is_turned(*this, d) ? lowest_wave(grid_, d) : highest_wave(grid_, d);
  return rayleigh(*this, waves);
}

#define JACOBI_INSTANTIATE(T, D)                       \
  template double Stencil<T, D>::slowest_mode() const; \
  template double Stencil<T, D>::fastest_mode() const;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
