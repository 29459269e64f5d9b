#include "sweep/multigrid/holes.hpp"

#include <algorithm>
#include <array>

#include "core/walk.hpp"

namespace jacobi::sweep {

namespace {

constexpr double least_link = 0.4;  // of a coupling: less is a reaction beside an insulated hole

/// The grid that axes are of, for neighbours.
template <int D>
Grid<double, D> box_of(const std::array<Axis, D>& axes) {
  Grid<double, D> grid;
  for (int d = 0; d < D; ++d) {
    grid.unknowns[d] = axes[d].n;
    for (int e = 0; e < 2; ++e) grid.sides[d][e].kind = axes[d].sides[e];
  }
  return grid;
}

/// Couplings of a grid by point and direction, read and written.
template <int D>
class Couplings {
 public:
  explicit Couplings(Diffusion<D>& a) : grid(box_of<D>(a.axes)), a_(a) {}
  double& face(const Position<D>& at, int k) const {
    Index p = 0;
    for (int d = D - 1; d >= 0; --d)
      p = p * (a_.axes[d].n + (d == k / 2 ? 1 : 0)) + at[d] + (d == k / 2 ? k % 2 : 0);
    return a_.faces[k / 2][p];
  }
  /// The neighbour of unknown p; -1 where there is none, as where a coarse grid has one unknown in a
  /// direction.
  Index beside(Index p, const Position<D>& at, int k) const {
    return grid.unknowns[k / 2] == 1 ? -1 : neighbour(grid, p, at, k);
  }
  /// Also where a period repeats the face.
  void set(Index p, int k, double value) const {
    const auto at = position(grid, p);
    face(at, k) = value;
    const Index q = beside(p, at, k);
    if (q < 0) return;
    const auto there = position(grid, q);
    if (beside(q, there, k ^ 1) == p) face(there, k ^ 1) = value;
  }
  /// Of faces that couple.
  std::array<double, D> means() const {
    std::array<double, D> mean{};
    for (int d = 0; d < D; ++d) {
      Index count = 0;
      for (const double face : a_.faces[d])
        if (face > 0) {
          mean[d] += face;
          ++count;
        }
      if (count > 0) mean[d] /= static_cast<double>(count);
    }
    return mean;
  }
  const Grid<double, D> grid;

 private:
  Diffusion<D>& a_;
};

/// Makes couplings of what unknown p has on its diagonal beside holes, which become held.
template <int D>
void link(Diffusion<D>& a, const Couplings<D>& to, const PerDirection<double, D>& mean, Index p,
          std::vector<Index>& held) {
  const auto at = position(to.grid, p);
  std::array<double, 2 * D> wanted{};
  double sum = 0;
  for (int k = 0; k < 2 * D; ++k) {
    const Index q = to.beside(p, at, k);
    if (q < 0 || a.holes[q] == Hole::none) continue;
    const double opposite = to.face(at, k ^ 1);
    sum += wanted[k] = opposite > 0 ? opposite : mean[k / 2];
  }
  if (sum == 0 || a.reactions[p] < least_link * sum) return;
  const double share = std::min(1.0, a.reactions[p] / sum);
  for (int k = 0; k < 2 * D; ++k) {
    if (wanted[k] == 0) continue;
    const Index q = to.beside(p, at, k);
    to.set(p, k, share * wanted[k]);
    if (a.holes[q] != Hole::held) held.push_back(q);
    a.holes[q] = Hole::held;
  }
  a.reactions[p] = share < 1 ? 0 : a.reactions[p] - sum;
}

/// What holes that hold a value are coupled to: their reaction, where they are holes no more.
template <int D>
void add_up_links(Diffusion<D>& a) {
  const Couplings<D> to(a);
  walk(to.grid, [&](Index q, const Position<D>& at) {
    if (a.holes[q] != Hole::held) return;
    a.reactions[q] = 0;
    for (int k = 0; k < 2 * D; ++k) {
      const Index p = to.beside(q, at, k);
      if (p >= 0 && a.holes[p] == Hole::none) a.reactions[q] += to.face(at, k);
    }
  });
}

}  // namespace

template <int D>
void find_holes(Diffusion<D>& a) {
  const Couplings<D> to(a);
  std::vector<Hole> holes(a.reactions.size(), Hole::none);
  Index count = 0;
  walk(to.grid, [&](Index p, const Position<D>& at) {
    bool alone = true;
    for (int k = 0; k < 2 * D; ++k) alone = alone && to.face(at, k) == 0;
    if (!alone) return;
    holes[p] = Hole::insulated;
    a.reactions[p] = 0;
    ++count;
  });
  const auto rows = static_cast<Index>(holes.size());
  if (count == 0 || count == rows) return;
  a.holes = std::move(holes);
  const std::array<double, D> mean = to.means();
  std::vector<Index> held;
  for (Index p = 0; p < rows; ++p)
    if (a.holes[p] == Hole::none) link<D>(a, to, mean, p, held);
  while (!held.empty()) {
    const Index p = held.back();
    held.pop_back();
    const auto at = position(to.grid, p);
    for (int k = 0; k < 2 * D; ++k) {
      const Index q = to.beside(p, at, k);
      if (q >= 0 && a.holes[q] == Hole::none) continue;
      to.set(p, k, mean[k / 2]);
      if (q < 0 || a.holes[q] == Hole::held) continue;
      a.holes[q] = Hole::held;
      held.push_back(q);
    }
  }
  add_up_links(a);
  for (int d = 0; d < D; ++d) a.strength[d] = mean[d];
}

template <int D>
void coarsen_holes(const std::vector<double>& share, Diffusion<D>& coarse) {
  coarse.holes.resize(share.size());
  std::ranges::transform(share, coarse.holes.begin(),
                         [](double part) { return part > 0.5 ? Hole::held : Hole::none; });
  add_up_links(coarse);
}

template <int D>
std::vector<double> held_of(const Diffusion<D>& a) {
  std::vector<double> held(a.holes.size());
  std::ranges::transform(a.holes, held.begin(), [](Hole hole) { return hole == Hole::held ? 1.0 : 0.0; });
  return held;
}

#define JACOBI_INSTANTIATE(D)                                                \
  template void find_holes<D>(Diffusion<D>&);                                \
  template void coarsen_holes<D>(const std::vector<double>&, Diffusion<D>&); \
  template std::vector<double> held_of<D>(const Diffusion<D>&);
JACOBI_INSTANTIATE(1)
JACOBI_INSTANTIATE(2)
JACOBI_INSTANTIATE(3)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
