// No rung of the ladder: the cycles of a plan with a tiling, which give the bits of rung 0 only where overlap
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

#include "core/team.hpp"
#include "jacobi/error.hpp"
#include "sweep/stencil/hierarchical/cycle.hpp"
#include "sweep/stencil/hierarchical/hierarchical.hpp"
#include "sweep/stencil/layout/measure-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// || u - v || over what the tile owns.
template <class T, int D>
HWY_NOINLINE Partial owned_update(const Region<T, D>& tile, const Place<D>& place, const T* u, const T* v) {
  Partial sum;
  std::array<Index, D> n;
  Index first = 0;
  for (int d = 0; d < D; ++d) {
    n[d] = place.owned[d].count();
    first += (place.owned[d].first - place.updated[d].first) * tile.stride[d];
  }
  for (Index line = 0; line < lines_of<D>(n); ++line) {
    const Index p = first + line_start<D>(n, tile.stride, line);
    sum += sum_up(n[0], [&](Index i) HWY_ATTR { return static_cast<double>(u[p + i] - v[p + i]); });
  }
  return sum;
}

/// A cycle of tile s, x to out. Returns the norm of the last update where it is measured.
template <class T, int D, Kind K>
struct Visit {
  static Partial run(const TiledGrid<D>& tiles, T* at, const Region<T, D>& region, Index s, const T* x,
                     T* out, std::span<const Step> steps, bool measured) {
    const Place<D> place = place_of<D>(tiles.tiling, region.n, s);
    const TileMemory<T, D> memory = tile_at<T, D>(at, tiles, K);
    const Region<T, D> tile = gather<K>(OneThread{}, region, place, x, memory);
    T *u = memory.u, *v = memory.v;
    sweep_steps<K, Scalar<T>>(OneThread{}, tile, steps.data(), static_cast<Index>(steps.size()), u, v);
    scatter(OneThread{}, tile, u, place, region, out);
    return measured ? owned_update(tile, place, u, v) : Partial();
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
    const Index tiles = own.tiles.tiling.tiles(w.n);
    const std::size_t k = static_cast<std::size_t>(own.tiles.tiling.subiterations);
    const auto visit = select<Visit, T, D>(w.kind);
    return run_team(w.threads, [&](const Member& me) HWY_ATTR {
      T* const memory = own.scratch.get() + me.number * own.size;
      const T* from = w.u;
      T* to = w.v;
      for (std::size_t j = 0; j < steps.size(); j += k) {
        const auto part = steps.subspan(j, std::min(k, steps.size() - j));
        const bool last = j + k >= steps.size();
        me.share(tiles, [&](Index s) HWY_ATTR {
          own.partials[static_cast<std::size_t>(s)] =
              visit(own.tiles, memory, region, s, from, to, part, last);
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
    const std::size_t k = static_cast<std::size_t>(own.tiles.tiling.subiterations),
                      cycles = (steps.size() + k - 1) / k;
    const int threads = steps.empty() ? w.threads : run(w, own, steps);
    if (!steps.empty()) own.last_update = sum_of(own.partials);
    if (cycles % 2 == 1) std::swap(w.u, w.v);
    record(w, steps.size(), threads);
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
