#include "sweep/multigrid/coarsen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "core/cancel.hpp"
#include "core/instantiate.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "sweep/multigrid/holes.hpp"

namespace jacobi::sweep {

namespace {

constexpr double as_strong = 0.5;  // docs/multigrid.md, "Which directions"
constexpr double stronger = 2;  // along one direction: too much for the sweeps of coarser grids along another
constexpr const char* cure = "; other methods, without multigrid, may take it";

/// One entry of a linear map along one direction.
struct Entry {
  Index from;
  double weight;
};
using Rows = std::vector<std::vector<Entry>>;

/// Values with `extents`, x fastest, mapped along direction d.
template <int D>
std::vector<double> map_along(const std::vector<double>& in, std::array<Index, D>& extents, int d,
                              const Rows& rows) {
  Index inner = 1, outer = 1;
  for (int e = 0; e < D; ++e) (e < d ? inner : outer) *= e == d ? 1 : extents[e];
  const Index count = static_cast<Index>(rows.size());
  std::vector<double> out(static_cast<std::size_t>(inner * outer * count), 0.0);
  for (Index o = 0; o < outer; ++o)
    for (Index j = 0; j < count; ++j) {
      if (j % 64 == 0) throw_if_cancelled();
      for (const auto& [from, weight] : rows[j])
        for (Index i = 0; i < inner; ++i)
          out[(o * count + j) * inner + i] += weight * in[(o * extents[d] + from) * inner + i];
    }
  extents[d] = count;
  return out;
}

/// Averages of fine unknowns, weighted as in the restriction; of stretched ones sums, in which volumes grow.
Rows averages(const Axis& fine, const Axis& coarse) {
  const AxisWeights w = weights_of(fine, coarse);
  Rows rows(static_cast<std::size_t>(coarse.n));
  for (Index i = 0; i < coarse.n; ++i) {
    double sum = 0;
    for (int t = 0; t < 4; ++t) sum += w.weights[t][i];
    if (!fine.x.empty()) sum = 1;
    for (int t = 0; t < 4; ++t)
      if (w.weights[t][i] != 0)
        rows[i].push_back({(2 * i + fine.shift() - 2 + t + fine.n) % fine.n, w.weights[t][i] / sum});
  }
  return rows;
}

/// Parts of a coarse interval that lie in each fine one, times what makes of a coupling there one of the same
/// k over the coarse interval: couplings k / h in series, for what is interpolated linearly.
Rows parts(const Axis& fine, const Axis& coarse) {
  const double r = ratio(fine, coarse);
  const Index m = coarse.intervals(), shift = fine.shift();
  Rows rows(static_cast<std::size_t>(coarse.n + 1));
  for (Index j = 0; j <= coarse.n; ++j) {
    Index interval = j + shift - 1;
    interval = fine.wraps() ? (interval + m) % m : std::clamp<Index>(interval, 0, m - 1);
    const double low = static_cast<double>(interval) * r, high = low + r;
    for (Index q = static_cast<Index>(low); q < fine.intervals() && static_cast<double>(q) < high; ++q) {
      const double left = std::max(low, static_cast<double>(q));
      const double right = std::min(high, static_cast<double>(q + 1));
      if (right <= left) continue;
      const double h = fine.length(q), longer = fine.x.empty() ? 1 : r * h / coarse.length(interval);
      rows[j].push_back({q + 1 - shift, (right - left) / r * longer * longer});
    }
  }
  return rows;
}

template <int D>
std::array<Index, D> extents_of(const std::array<Axis, D>& axes) {
  std::array<Index, D> n;
  for (int d = 0; d < D; ++d) n[d] = axes[d].n;
  return n;
}

template <int D>
std::vector<double> coarse_faces(const Diffusion<D>& fine, const std::array<Axis, D>& axes,
                                 const std::array<bool, D>& along, int d) {
  std::vector<double> faces = fine.faces[d];
  std::array<Index, D> extents = extents_of<D>(fine.axes);
  ++extents[d];
  if (along[d] && axes[d].n == 1 && (axes[d].closed() || axes[d].wraps())) {
    extents = extents_of<D>(axes);  // a constant along d: nothing flows
    ++extents[d];
    Index count = 1;
    for (const Index extent : extents) count *= extent;
    return std::vector<double>(static_cast<std::size_t>(count), 0.0);
  }
  if (along[d]) {
    faces = map_along<D>(faces, extents, d, parts(fine.axes[d], axes[d]));
    const double r = ratio(fine.axes[d], axes[d]);
    for (double& face : faces) face /= r * r;
  }
  for (int e = 0; e < D; ++e)
    if (e != d && along[e]) faces = map_along<D>(faces, extents, e, averages(fine.axes[e], axes[e]));
  return faces;
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Place of the face on the low side (e = 0) or high side of `at` along d.
template <int D>
Index face_of(const std::array<Axis, D>& axes, const Position<D>& at, int d, int e) {
  Index p = 0;
  for (int j = D - 1; j >= 0; --j) p = p * (axes[j].n + (j == d ? 1 : 0)) + at[j] + (j == d ? e : 0);
  return p;
}

constexpr std::array<const char*, 6> direction_names = {"west", "east", "south", "north", "back", "front"};

/// Whether couplings are the same both ways, but for rounding.
template <class T>
bool are_alike(double here, double there) {
  return std::abs(here - there) <=
         16 * std::numeric_limits<T>::epsilon() * (std::abs(here) + std::abs(there));
}

/// What is left of a row's coefficients when its neighbours' are taken away; rounding counts as 0.
template <class T>
double rest_of_row(double center, double sum, double size) {
  const double rest = center - sum;
  return std::abs(rest) <= 40 * std::numeric_limits<T>::epsilon() * size ? 0 : rest;
}

/// The same, which must not be negative. where(): words for a refusal, asked for there only.
template <class T, class Where>
double reaction_of(double center, double sum, double size, Where&& where) {
  const double rest = rest_of_row<T>(center, sum, size);
  if (rest < 0)
    throw UsageError(fmt::format(
        "multigrid: the coefficients of {} add up to {:.3g}, against the sign of its diagonal: a diffusion "
        "with a negative reaction may be indefinite, and coarser grids do not approximate it{}",
        where(), rest, cure));
  return rest;
}

template <class Where>
void require_diffusion(double coefficient, int k, Where&& where) {
  if (coefficient < 0)
    throw UsageError(fmt::format(
        "multigrid: the coefficient to the {} of {} has the sign of the diagonal: that is no diffusion, and "
        "sweeps do not smooth it{}",
        direction_names[k], where(), cure));
}

template <class T, class Where>
void require_alike(double here, double there, int k, Where&& where) {
  if (!are_alike<T>(here, there))
    throw UsageError(fmt::format(
        "multigrid: the operator is not symmetric to the {} of {} ({:.6g} there, {:.6g} back): convection "
        "needs other coarse grids than diffusion{}",
        direction_names[k], where(), here, there, cure));
}

template <class T, int D>
void take_constants(const Stencil<T, D>& a, double sign, Diffusion<D>& to) {
  const auto everywhere = [] { return "all points"; };
  double sum = 0;
  for (int k = 0; k < 2 * D; ++k) {
    const double here = -sign * a.off(k, 0), there = -sign * a.off(k ^ 1, 0);
    require_diffusion(here, k, everywhere);
    if (to.axes[k / 2].n > 1) require_alike<T>(here, there, k, everywhere);
    to.strength[k / 2] = (here + there) / 2;
    sum += here;
  }
  to.reaction = reaction_of<T>(sign * a.center(0), sum, std::abs(a.center(0)) + sum, everywhere);
}

template <class T, int D>
void take_faces(const Stencil<T, D>& a, double sign, Diffusion<D>& to) {
  const Grid<T, D>& grid = a.grid();
  to.reactions.resize(static_cast<std::size_t>(a.rows()));
  for (int d = 0; d < D; ++d) to.faces[d].resize(a.rows() / to.axes[d].n * (to.axes[d].n + 1));
  walk(grid, [&](Index p, const Position<D>& at) {
    const auto where = [&] { return "point " + grid.name(p); };
    double sum = 0;
    for (int k = 0; k < 2 * D; ++k) {
      const int d = k / 2;
      const double here = -sign * a.off(k, p);
      sum += here;
      require_diffusion(here, k, where);
      const Index q = neighbour(grid, p, at, k);
      if (q >= 0) {
        const bool mirrored = neighbour(grid, q, position(grid, q), k ^ 1) != p;
        const double there = -sign * a.off(k ^ 1, mirrored ? p : q);
        require_alike<T>(here, there, k, where);
      }
      to.faces[d][face_of<D>(to.axes, at, d, k % 2)] = here;
    }
    if (!(sign * a.center(p) > 0))
      throw UsageError(fmt::format("multigrid: the diagonal changes sign at point {}{}", grid.name(p), cure));
    to.reactions[p] = reaction_of<T>(sign * a.center(p), sum, sum, where);
  });
  for (int d = 0; d < D; ++d) to.strength[d] = mean(to.faces[d]);
  find_holes(to);
}

}  // namespace

template <class T, int D>
Diffusion<D> diffusion_of(const Stencil<T, D>& a) {
  Diffusion<D> result;
  for (int d = 0; d < D; ++d)
    result.axes[d] = {
        a.grid().unknowns[d], {a.grid().sides[d][0].kind, a.grid().sides[d][1].kind}, a.grid().axes[d].at};
  const double sign = a.center(0) > 0 ? 1 : -1;
  a.is_constant() ? take_constants(a, sign, result) : take_faces(a, sign, result);
  return result;
}

/// Whether some unknown is coupled along direction d as strongly as along others.
template <int D>
bool is_strong_somewhere(const Diffusion<D>& a, int d) {
  const Index rows = a.constant() ? 1 : std::ssize(a.reactions);
  for (Index p = 0; p < rows; ++p) {
    double others = 0;
    for (int k = 0; k < 2 * D; ++k)
      if (k / 2 != d && a.axes[k / 2].n > 1) others = std::max(others, coupling_of<D>(a, p, k));
    const double here = std::max(coupling_of<D>(a, p, 2 * d), coupling_of<D>(a, p, 2 * d + 1));
    if (here > 0 && here >= as_strong * others) return true;
  }
  return false;
}

template <class T, int D>
std::vector<int> turns_of(const Stencil<T, D>& a) {
  std::array<bool, D> strongest{};
  if (!a.grid().is_stretched()) return {};
  for (Index p = 0; p < a.rows(); ++p)
    for (int d = 0; d < D; ++d) {
      double others = std::numeric_limits<double>::infinity();
      for (int e = 0; e < D; ++e)
        if (e != d) others = std::min(others, std::abs(static_cast<double>(a.off(2 * e, p))));
      if (std::abs(static_cast<double>(a.off(2 * d, p))) > stronger * others) strongest[d] = true;
    }
  std::vector<int> turns;
  for (int d = 0; d < D; ++d)
    if (strongest[d]) turns.push_back(d);
  return turns.size() > 1 ? turns : std::vector<int>();
}

template <int D>
std::array<bool, D> directions(const Diffusion<D>& a) {
  if (a.first >= 0 && a.axes[a.first].n > 1 && is_strong_somewhere<D>(a, a.first)) {
    std::array<bool, D> alone{};
    alone[a.first] = true;
    return alone;
  }
  double strongest = 0;
  for (int d = 0; d < D; ++d)
    if (a.axes[d].n > 1) strongest = std::max(strongest, a.strength[d]);
  std::array<bool, D> along{};
  for (int d = 0; d < D; ++d)
    along[d] = a.axes[d].n > 1 && a.strength[d] > 0 && a.strength[d] >= as_strong * strongest;
  return along;
}

template <int D>
Diffusion<D> coarser(const Diffusion<D>& fine, const std::array<bool, D>& along) {
  Diffusion<D> coarse{fine.axes, fine.strength, fine.reaction, {}, {}, {}, fine.first};
  for (int d = 0; d < D; ++d) {
    if (!along[d]) continue;
    const Axis& axis = coarse.axes[d] = coarsened(fine.axes[d]);
    const double r = ratio(fine.axes[d], axis);
    coarse.strength[d] = axis.n == 1 && (axis.closed() || axis.wraps()) ? 0 : fine.strength[d] / (r * r);
  }
  if (fine.constant()) return coarse;
  const auto averaged = [&](std::vector<double> values) {
    std::array<Index, D> extents = extents_of<D>(fine.axes);
    for (int d = 0; d < D; ++d)
      if (along[d]) values = map_along<D>(values, extents, d, averages(fine.axes[d], coarse.axes[d]));
    return values;
  };
  coarse.reactions = averaged(fine.reactions);
  for (int d = 0; d < D; ++d) {
    coarse.faces[d] = coarse_faces<D>(fine, coarse.axes, along, d);
    coarse.strength[d] = mean(coarse.faces[d]);
  }
  if (!fine.holes.empty()) coarsen_holes(averaged(held_of(fine)), coarse);
  return coarse;
}

template <int D>
double coupling_of(const Diffusion<D>& a, Index p, int k) {
  if (a.constant()) return a.strength[k / 2];
  Position<D> at;
  for (int d = 0; d < D; ++d) {
    at[d] = p % a.axes[d].n;
    p /= a.axes[d].n;
  }
  return a.faces[k / 2][face_of<D>(a.axes, at, k / 2, k % 2)];
}

template <int D>
double diagonal_of(const Diffusion<D>& a, Index p) {
  double sum = a.constant() ? a.reaction : a.reactions[p];
  for (int k = 0; k < 2 * D; ++k) sum += coupling_of<D>(a, p, k);
  return sum;
}

/// The tests of take_faces, which say what they find.
template <class T, int D>
bool is_diffusion(const Stencil<T, D>& a) {
  const Grid<T, D>& grid = a.grid();
  const double sign = a.center(0) > 0 ? 1 : -1;
  bool fits = true;
  const auto look = [&](Index p, auto&& opposite) {
    double sum = 0;
    for (int k = 0; k < 2 * D; ++k) {
      const double here = -sign * a.off(k, p), there = -sign * opposite(p, k);
      fits &= here >= 0 && are_alike<T>(here, there);
      sum += here;
    }
    const double center = sign * a.center(p);
    fits &= center > 0 && rest_of_row<T>(center, sum, sum) >= 0;
  };
  if (a.is_constant()) {
    look(0, [&](Index p, int k) { return a.off(k ^ 1, p); });
    return fits;
  }
  walk(
      grid,
      [&](Index p, const Position<D>& at) {
        look(p, [&](Index here, int k) {
          const Index q = neighbour(grid, here, at, k);
          if (q < 0) return a.off(k, here);
          return a.off(k ^ 1, neighbour(grid, q, position(grid, q), k ^ 1) != here ? here : q);
        });
      },
      [&](Index first, Index last) {
        std::array<Index, 2 * D> away;
        for (int k = 0; k < 2 * D; ++k) away[k] = (k % 2 == 0 ? -1 : 1) * stride_of(grid, k / 2);
        for (Index p = first; p < last && fits; ++p)
          look(p, [&](Index here, int k) { return a.off(k ^ 1, here + away[k]); });
      });
  return fits;
}

#define JACOBI_INSTANTIATE(T, D)                                  \
  template Diffusion<D> diffusion_of<T, D>(const Stencil<T, D>&); \
  template bool is_diffusion<T, D>(const Stencil<T, D>&);         \
  template std::vector<int> turns_of<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(D)                                                        \
  template std::array<bool, D> directions<D>(const Diffusion<D>&);                   \
  template Diffusion<D> coarser<D>(const Diffusion<D>&, const std::array<bool, D>&); \
  template double diagonal_of<D>(const Diffusion<D>&, Index);                        \
  template double coupling_of<D>(const Diffusion<D>&, Index, int);
JACOBI_INSTANTIATE(1)
JACOBI_INSTANTIATE(2)
JACOBI_INSTANTIATE(3)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
