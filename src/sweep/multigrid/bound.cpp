#include "sweep/multigrid/bound.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/cancel.hpp"
#include "core/instantiate.hpp"
#include "core/team.hpp"
#include "sweep/stencil/layout/layout.hpp"

namespace jacobi::sweep {

namespace {

constexpr Index least_shared = 16384;  // unknowns below which a barrier costs more than a thread sweeps
constexpr Index least_slabs = 4;       // of a thread: those beside them are made twice

template <class T>
constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));

/// Room that vectors may run over: a line from before its ghost to behind the last vector.
template <class T, int D>
void lay_out(GridLevel<T, D>& l, const Diffusion<D>& a) {
  for (int d = 0; d < D; ++d) {
    l.n[d] = a.axes[d].n;
    l.sides[d] = a.axes[d].sides;
  }
  l.pitch = (l.n[0] + 2 * lanes<T> + 1 + lanes<T> - 1) / lanes<T> * lanes<T>;
  if (D > 1) l.pitch = spread<T>(l.pitch);
  l.lines = D == 3 ? l.n[1] : 1;
  l.slabs = l.last = l.high = D == 1 ? 1 : l.n[D - 1];
  l.slab = D == 3 ? l.pitch * (l.n[1] + 2) : l.pitch;
  l.leading = lanes<T> + (D == 3 ? l.pitch : 0);
}

/// Entries that one thread keeps of a grid in a pass of so many sweeps.
template <class T, int D>
Index kept_entries(const GridLevel<T, D>& l, Index sweeps) {
  const Index beside = D == 1 ? 0 : 2 * (sweeps + 4);
  const Index slabs = (sweeps + 1) * stage_slots<D> + residual_slots<D> + beside;
  return slabs * l.slab + 2 * (l.pitch + 10 * lanes<T>);
}

template <class T, int D>
bool worth_sharing(const GridLevel<T, D>& l, int threads) {
  const Index slabs = l.last - l.first;
  return D > 1 && threads > 1 && l.unknowns() / l.slabs * slabs >= least_shared &&
         slabs >= least_slabs * threads;
}

template <int D>
bool any(const std::array<bool, D>& along) {
  return std::any_of(along.begin(), along.end(), [](bool one) { return one; });
}

template <class T>
CoarseAxis<T> without_weights(const Axis& fine, const Axis& coarse, bool along) {
  CoarseAxis<T> axis;
  axis.shift = fine.shift();
  axis.n = coarse.n;
  axis.coarsened = along;
  return axis;
}

/// Tables with room for the last vector.
template <class T>
CoarseAxis<T> take_axis(const Axis& fine, const Axis& coarse, bool along) {
  CoarseAxis<T> axis = without_weights<T>(fine, coarse, along);
  if (!along) return axis;
  const AxisWeights w = weights_of(fine, coarse);
  const auto take = [](const std::vector<double>& from, std::vector<T>& to) {
    to.reserve(from.size() + 2 * lanes<T>);
    to.assign(from.begin(), from.end());
    to.resize(to.size() + 2 * lanes<T>);
  };
  for (int t = 0; t < 4; ++t) take(w.weights[t], axis.weights[t]);
  for (int e = 0; e < 2; ++e) {
    take(w.upper[e], axis.upper[e]);
    for (int t = 0; t < 4; ++t) take(w.cubic[e][t], axis.cubic[e][t]);
  }
  return axis;
}

}  // namespace

template <class T, int D>
double bytes_of_grids(const Diffusion<D>& finest, const Plan& plan, int threads, const AmongRanks* among) {
  const Index most = std::max(plan.multigrid()->pre, plan.multigrid()->post);
  Diffusion<D> a{finest.axes, finest.strength, finest.reaction, {}, {}, {}, finest.first};
  const double arrays = 2 + (finest.constant() ? 0 : 2 * D + 2);
  double bytes = 0;
  Cutting cutting(among, most);
  for (bool on = true; on;) {
    throw_if_cancelled();
    GridLevel<T, D> l;
    lay_out(l, a);
    cutting.cut(l);
    const int shares = worth_sharing(l, threads) ? threads : 1;
    bytes += sizeof(T) * (arrays * static_cast<double>(entries(l) + 2 * l.slab) +
                          static_cast<double>(shares * kept_entries(l, most)));
    const auto along = directions<D>(a);
    on = any<D>(along);
    for (int d = 0; d < D && on; ++d)
      if (along[d]) bytes += sizeof(T) * 7.0 * static_cast<double>(a.axes[d].n);  // AxisWeights
    if (!on) break;
    Diffusion<D> next = coarser<D>(a, along);
    cutting.next(without_weights<T>(a.axes[D - 1], next.axes[D - 1], along[D - 1]), l.slabs);
    a = std::move(next);
  }
  return bytes + (finest.constant()
                      ? 0
                      : 2.0 * (D + 1) * sizeof(double) * static_cast<double>(finest.reactions.size()));
}

template <class T, int D>
BoundGrids<T, D>::BoundGrids(const Stencil<T, D>& a, const Plan& plan, Diffusion<D> finest, int threads,
                             const AmongRanks* among) {
  const Multigrid& m = *plan.multigrid();
  w.pre = m.pre;
  w.post = m.post;
  w.visits = m.visits;
  w.full = m.full;
  w.variable = !finest.constant();
  w.threads = threads;
  take_grids(a, std::move(finest), among);
  const GridLevel<T, D>& fine = w.levels.front();
  if (!fine.shared) w.threads = 1;
  for (const GridLevel<T, D>& l : w.levels) take_memory(l);
  if (D > 1) w.zeros = arrays_.take(fine.slab + 4 * lanes<T>, 1);
  w.updates.resize(static_cast<std::size_t>((fine.last - fine.first) * fine.lines));
  w.residuals = w.updates;
}

template <class T, int D>
T* BoundGrids<T, D>::new_array(const GridLevel<T, D>& l) {
  return arrays_.take(entries(l) + 2 * l.slab, w.threads, D > 1) + l.slab + l.leading;
}

template <class T, int D>
void BoundGrids<T, D>::take_grids(const Stencil<T, D>& a, Diffusion<D> here, const AmongRanks* among) {
  Cutting cutting(among, std::max(w.pre, w.post));
  for (bool on = true; on;) {
    throw_if_cancelled();
    GridLevel<T, D> l;
    lay_out(l, here);
    cutting.cut(l);
    l.x = new_array(l);
    l.g = new_array(l);
    l.shared = worth_sharing(l, w.threads);
    l.has_holes = !here.holes.empty();
    if (l.has_holes && w.levels.empty()) fill(l, l.inverses, [&](Index p) { return T(!here.is_hole(p)); });
    w.levels.empty() ? take_coefficients(a, l) : take_coefficients(here, l);
    const auto along = directions<D>(here);
    Diffusion<D> next = (on = any<D>(along)) ? coarser<D>(here, along) : std::move(here);
    for (int d = 0; d < D && on; ++d)  // NOLINTNEXTLINE(bugprone-use-after-move): moved from where not on
      l.axis[d] = take_axis<T>(here.axes[d], next.axes[d], along[d]);
    cutting.next(l.axis[D - 1], l.slabs);
    w.levels.push_back(std::move(l));
    here = std::move(next);
  }
  for (std::size_t k = 0; k + 1 < w.levels.size(); ++k) {
    const double below = w.levels[k + 1].diagonal;
    w.levels[k].scale = below == 0 ? T(0) : static_cast<T>(std::abs(w.levels[k].diagonal / below));
  }
}

/// Of the finest grid: the stencil's own.
template <class T, int D>
void BoundGrids<T, D>::take_coefficients(const Stencil<T, D>& a, GridLevel<T, D>& l) {
  if (!w.variable) {
    l.diagonal = a.center(0);
    for (int d = 0; d < D; ++d) l.c[d] = -a.off(2 * d, 0) / a.center(0);
    return;
  }
  fill(l, l.diagonals, [&](Index p) { return a.center(p); });
  for (int k = 0; k < 2 * D; ++k) fill(l, l.arms[k], [&](Index p) { return -a.off(k, p) / a.center(p); });
}

template <class T, int D>
void BoundGrids<T, D>::take_coefficients(const Diffusion<D>& a, GridLevel<T, D>& l) {
  if (!w.variable) {
    const double diagonal = diagonal_of<D>(a, 0);
    l.diagonal = static_cast<T>(diagonal);
    for (int d = 0; d < D; ++d) l.c[d] = diagonal > 0 ? static_cast<T>(a.strength[d] / diagonal) : T(0);
    return;
  }
  fill(l, l.diagonals, [&](Index p) { return static_cast<T>(diagonal_of<D>(a, p)); });
  fill(l, l.inverses, [&](Index p) { return static_cast<T>(over_diagonal<D>(a, p, 1)); });
  for (int k = 0; k < 2 * D; ++k)
    fill(l, l.arms[k],
         [&](Index p) { return static_cast<T>(over_diagonal<D>(a, p, coupling_of<D>(a, p, k))); });
}

template <class T, int D>
template <class Value>
void BoundGrids<T, D>::fill(const GridLevel<T, D>& l, const T*& array, Value&& value) {
  T* const to = new_array(l);
  array = to;
  const Index lines = l.slabs * l.lines, before = (l.low + l.slabs) * l.lines;  // halos may be of the end
  parallel_for(w.threads, (l.high - l.low) * l.lines, [&](Index line) {
    const Index first = (before + line) % lines * l.n[0];
    for (Index i = 0; i < l.n[0]; ++i) to[l.start_of(line) + i] = value(first + i);
  });
}

template <class T, int D>
void BoundGrids<T, D>::take_memory(const GridLevel<T, D>& l) {
  std::vector<PassMemory<T>> memories;
  const Index most = std::max(w.pre, w.post);
  for (int thread = 0; thread < (l.shared ? w.threads : 1); ++thread) {
    PassMemory<T> m;
    T* at = arrays_.take(kept_entries<T, D>(l, most), 1, D > 1);
    m.stages = std::exchange(at, at + (most + 1) * stage_slots<D> * l.slab);
    m.residuals = std::exchange(at, at + residual_slots<D> * l.slab);
    m.low = std::exchange(at, at + (D == 1 ? 0 : (most + 4) * l.slab));
    m.high = std::exchange(at, at + (D == 1 ? 0 : (most + 4) * l.slab));
    m.line = at + lanes<T>;
    m.correction = m.line + l.pitch + 10 * lanes<T>;
    memories.push_back(m);
  }
  w.memories.push_back(std::move(memories));
}

#define JACOBI_INSTANTIATE(T, D)   \
  template class BoundGrids<T, D>; \
  template double bytes_of_grids<T, D>(const Diffusion<D>&, const Plan&, int, const AmongRanks*);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
