// No rung of the ladder: the cycles of a plan with tilings, which give the bits of rung 0 only where overlap
// suffices (docs/hierarchy.md). Threads take tiles; all read the iterate before the cycle.
// Words per update: (u, g, out and what overlaps) / k. Compared with: the scheme written down once more,
// bitwise.
#if defined(JACOBI_HIERARCHICAL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_HIERARCHICAL
#undef JACOBI_HIERARCHICAL
#else
#define JACOBI_HIERARCHICAL
#endif

#include <algorithm>

#include "jacobi/error.hpp"
#include "sweep/stencil/hierarchical/cycle.hpp"
#include "sweep/stencil/hierarchical/hierarchical.hpp"
#include "sweep/stencil/layout/measure-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// || u - v || over a box of a tile.
template <class T, int D>
HWY_NOINLINE Partial update_of_box(const Region<T, D>& tile, const T* u, const T* v, const Extent* box) {
  Partial sum;
  std::array<Index, D> n;
  Index first = 0;
  for (int d = 0; d < D; ++d) {
    n[d] = std::max<Index>(0, box[d].count());
    first += box[d].first * tile.stride[d];
  }
  const Index lines = n[0] > 0 ? lines_of<D>(n) : 0;
  for (Index line = 0; line < lines; ++line) {
    const Index p = first + line_start<D>(n, tile.stride, line);
    sum += sum_up(n[0], [&](Index i) HWY_ATTR { return static_cast<double>(u[p + i] - v[p + i]); });
  }
  return sum;
}

/// One thread among the tiles of every level, with its own memory for one of each.
template <class T, int D, Kind K>
class TileVisitor {
 public:
  TileVisitor(const std::vector<Level<D>>& levels, T* memory) : levels_(levels), memory_(memory) {}

  /// A cycle of tile s of the region, x to out. The part of `counted` that it owns adds to the norm of the
  /// last update, which is returned.
  HWY_NOINLINE Partial visit(std::size_t depth, const Region<T, D>& region, Index s, const T* x, T* out,
                             std::span<const Step> steps, const Extent* counted) const {
    const Place<D> place = place_of<D>(levels_[depth].tiling, region.n, s);
    const TileMemory<T, D> memory = memory_of(depth);
    const Region<T, D> tile = gather<K>(OneThread{}, region, place, x, memory);
    Extent own[D];
    for (int d = 0; d < D && counted; ++d)
      own[d] = {std::max(counted[d].first, place.owned[d].first) - place.updated[d].first,
                std::min(counted[d].last, place.owned[d].last) - place.updated[d].first};
    T *u = memory.u, *v = memory.v;
    Partial moved;
    if (depth + 1 < levels_.size()) {
      moved = cycles(depth + 1, tile, steps, u, v, counted ? own : nullptr);
    } else {
      sweep_steps<K, Scalar<T>>(OneThread{}, tile, steps.data(), static_cast<Index>(steps.size()), u, v);
      if (counted) moved = update_of_box<T, D>(tile, u, v, own);
    }
    scatter(OneThread{}, tile, u, place, region, out);
    return moved;
  }

 private:
  /// Cycles of the inner tiles of an outer one; the newest iterate ends in u.
  Partial cycles(std::size_t depth, const Region<T, D>& region, std::span<const Step> steps, T*& u, T*& v,
                 const Extent* counted) const {
    const Tiling& tiling = levels_[depth].tiling;
    const std::size_t k = static_cast<std::size_t>(tiling.subiterations);
    Partial moved;
    for (std::size_t j = 0; j < steps.size(); j += k) {
      const auto part = steps.subspan(j, std::min(k, steps.size() - j));
      const Extent* last = j + k >= steps.size() ? counted : nullptr;
      const Index tiles = tiling.tiles(region.n);
      for (Index s = 0; s < tiles; ++s) moved += visit(depth, region, s, u, v, part, last);
      mirror(OneThread{}, region, v);
      std::swap(u, v);
    }
    return moved;
  }

  TileMemory<T, D> memory_of(std::size_t depth) const {
    T* at = memory_;
    for (std::size_t above = 0; above < depth; ++above) at += arrays_of_tile<D>(K) * levels_[above].array;
    return tile_at<T, D>(at, levels_[depth], K);
  }

  const std::vector<Level<D>>& levels_;
  T* memory_;
};

/// A cycle of a tile by itself.
template <class T, int D, Kind K>
struct Visit {
  static Partial run(const std::vector<Level<D>>& levels, T* memory, std::size_t depth,
                     const Region<T, D>& region, Index s, const T* x, T* out, std::span<const Step> steps,
                     const Extent* counted) {
    return TileVisitor<T, D, K>(levels, memory).visit(depth, region, s, x, out, steps, counted);
  }
};

template <class T, int D>
struct Hierarchical {
  static Region<T, D> whole(const Workspace<T, D>& w) {
    Region<T, D> region;
    static_cast<Sources<T, D>&>(region) = w;
    region.n = w.n;
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < 2; ++e) region.mirrored[d][e] = w.ghosts.source[d][e] >= 0;
    return region;
  }

  static int run(const Workspace<T, D>& w, Cycles<T, D>& own, std::span<const Step> steps) {
    const Region<T, D> region = whole(w);
    const Index tiles = own.levels.front().tiling.tiles(w.n);
    const std::size_t k = static_cast<std::size_t>(own.sweeps_per_cycle);
    Extent everything[D];
    for (int d = 0; d < D; ++d) everything[d] = {0, w.n[d]};
    const auto visit = select<Visit, T, D>(w.kind);
    return run_team(w.threads, [&](const Member& me) HWY_ATTR {
      T* const memory = own.scratch.get() + me.number * own.size;
      const T* from = w.u;
      T* to = w.v;
      for (std::size_t j = 0; j < steps.size(); j += k) {
        const auto part = steps.subspan(j, std::min(k, steps.size() - j));
        const Extent* counted = j + k >= steps.size() ? everything : nullptr;
        me.share(tiles, [&](Index s) HWY_ATTR {
          own.partials[static_cast<std::size_t>(s)] =
              visit(own.levels, memory, 0, region, s, from, to, part, counted);
        });
        me.wait();
        if (w.ghosts.has_copies) {
          me.share(w.pieces, [&](Index s) { w.renew_ghosts(w.piece(s), to); });
          me.wait();
        }
        to = const_cast<T*>(std::exchange(from, to));
      }
    });
  }

  static Norms advance(Workspace<T, D>& w, Cycles<T, D>& own, std::span<const Step> steps, Want want) {
    if (std::any_of(steps.begin(), steps.end(), [](const Step& step) { return step.rho != 1; }))
      throw UsageError(
          "a tiling goes with plain and weighted sweeps: a three-term step needs the iterate before");
    const std::size_t k = static_cast<std::size_t>(own.sweeps_per_cycle), cycles = (steps.size() + k - 1) / k;
    const int threads = steps.empty() ? w.threads : run(w, own, steps);
    if (!steps.empty()) own.last_update = sum_of(own.partials);
    if (cycles % 2 == 1) std::swap(w.u, w.v);
    record(w, "hierarchical", "hierarchical", steps.size(), threads);
    w.ran.cycles += static_cast<Index>(cycles);
    return norms(w, own, want);
  }

  /// The iterate before the last sweep is gone with its tiles: its distance was measured in passing.
  static Norms norms(Workspace<T, D>& w, const Cycles<T, D>& own, Want want) {
    return want == Want::update ? own.last_update : measure_by_team(w, want);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
