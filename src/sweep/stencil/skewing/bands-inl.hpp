// Rung 6, tiled: many sweeps per visit to the cache. A block of k sweeps goes over the grid in tiles that
// lean by one line (or one vector) per sweep, so that all its sweeps find their neighbours done; see
// docs/algorithms/tiles.md. Words per update: 3 / k and the overlap of tiles.
// Compared with rung 0: bitwise, for every tile, depth and number of threads.
#if defined(JACOBI_TILED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_TILED
#undef JACOBI_TILED
#else
#define JACOBI_TILED
#endif

#include <algorithm>
#include <span>
#include <vector>

#include "core/team.hpp"
#include "sweep/stencil/skewing/block-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, int D>
struct Tiled {
  static constexpr int stream = D - 1;
  /// Which kernels sweep for a kind of step.
  using Choose = BlockKernels<T, D> (*)(const Workspace<T, D>& w, StepKind step);

  /// The bands of a team, one for each of its first threads. The cuts between them take one row per level
  /// from the band below and give it to the one above: the first band is as much wider, the last one as much
  /// narrower. In 1D bands consist of whole pieces.
  struct Bands {
    Index rows, count, shift = 0, depth;

    Bands(const Workspace<T, D>& w, const Tile<D>& tile, int team)
        : rows(D == 1 ? w.pieces : w.n[stream]), count(std::min<Index>(team, rows)), depth(tile.depth) {
      const bool is_cyclic = w.is_periodic(stream);
      if (count == 1 && !is_cyclic) return;
      Index thinnest = w.n[stream];
      for (Index i = 0; i < count; ++i) thinnest = std::min(thinnest, begin(w, i + 1) - begin(w, i));
      constexpr Index unit = TimeBlock<T, D>::unit;
      depth = std::clamp<Index>((thinnest - (unit - 1)) / (2 * unit) + 1, 1, depth);
      if (D > 1 && !is_cyclic) shift = std::min((depth - 1) / 2, thinnest - 2 * (depth - 1));
    }

    Index begin(const Workspace<T, D>& w, Index i) const {
      const Index row = rows * i / count + (i > 0 && i < count ? shift : 0);
      return D == 1 ? std::min(w.n[0], row * w.piece_length) : row;
    }
  };

  /// What is measured while sweeping: the update of the last step, or of each.
  struct Measured {
    bool last = false;
    std::span<Norms> each = {};
  };

  /// Where each sweep is measured, its tiles lie where its number among all sweeps says, so that its norm
  /// does not depend on how many a block makes: sweep s lies period - 1 - s % period further along a line.
  static constexpr Index period = 64;
  static Index shift_after(Index sweeps) { return (period - sweeps % period) % period; }

  /// Steps of one kind from steps[j] on, at most depth. In 1D, a sweep that is measured stands alone: tiles
  /// and cuts would divide its pieces.
  static std::size_t length(std::span<const Step> steps, std::size_t j, Index depth, const Measured& m) {
    if (D == 1 && !m.each.empty()) return 1;
    std::size_t end = j + 1;
    while (end < steps.size() && end - j < static_cast<std::size_t>(depth) &&
           kind_of(steps[end]) == kind_of(steps[j]))
      ++end;
    return D == 1 && m.last && end == steps.size() && end - j > 1 ? end - j - 1 : end - j;
  }

  /// Block number s of a thread's band. It waits for its neighbours only: for the one above, which ends the
  /// block before by renewing the rows around their cut, when it comes near that cut; for the one below,
  /// before it renews the rows around theirs.
  static void run_block(const Workspace<T, D>& w, const TimeBlock<T, D>& block, const Bands& bands, Index s,
                        Index me, EventCount* progress) {
    const bool is_cyclic = w.is_periodic(stream);
    const Index first = bands.begin(w, me), last = bands.begin(w, me + 1), n = bands.count;
    const Index near = last - (bands.depth + 1) * TimeBlock<T, D>::unit;
    const auto at = [&](Index i) -> EventCount& { return progress[static_cast<std::size_t>((i + n) % n)]; };
    const bool has_below = me > 0 || is_cyclic, has_above = me + 1 < n || is_cyclic;
    block.trapezoid(first, last, [&](Index row) {
      if (has_above && row >= near) at(me + 1).wait_for(2 * s);
    });
    at(me).reach(2 * s + 1);
    if (has_below) at(me - 1).wait_for(2 * s + 1);
    if (has_below) block.triangle(first);
    at(me).reach(2 * s + 2);
  }

  static void run(const Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps, const Measured& m,
                  Choose choose, const Member& me, EventCount* progress) {
    const Bands bands(w, own.tile, me.team);
    Partial* const levels = own.levels.data();
    T *from = w.u, *to = w.v;
    Index block_number = 0;
    for (std::size_t j = 0, count; j < steps.size(); j += count) {
      const bool each = !m.each.empty();
      const Index before = w.ran.sweeps + static_cast<Index>(j);
      count = length(steps, j, each ? std::min(bands.depth, period - before % period) : bands.depth, m);
      const Index k = static_cast<Index>(count);
      const bool last = m.last && j + count == steps.size();
      if (each) {  // a tile may have nothing to do at a level
        me.share(k * w.pieces, [&](Index s) { levels[s] = {}; });
        me.wait();
      }
      const TimeBlock<T, D> block(w, own.tile, choose(w, kind_of(steps[j])), steps.subspan(j, count),
                                  each   ? levels
                                  : last ? w.partials
                                         : nullptr,
                                  each, each ? shift_after(before + k) : 0, from, to);
      if (me.number < bands.count) run_block(w, block, bands, block_number++, me.number, progress);
      if (each) {
        me.wait();
        me.share(k, [&](Index s) {
          m.each[j + static_cast<std::size_t>(s)] =
              sum_of({levels + s * w.pieces, static_cast<std::size_t>(w.pieces)});
        });
        me.wait();
      }
      if (count % 2 == 1) std::swap(from, to);
    }
  }

  static void run_all(Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps, const Measured& m,
                      Choose choose) {
    EventCount* const progress = w.restarted();
    const int team =
        run_team(w.threads, [&](const Member& me) HWY_ATTR { run(w, own, steps, m, choose, me, progress); });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, steps.size(), static_cast<int>(Bands(w, own.tile, team).count));
  }

  /// Room for the norms of every level of a block, and the sweeps.
  static void run_measured(Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps,
                           std::span<Norms> updates, Choose choose) {
    const Index levels = std::min({own.tile.depth, period, static_cast<Index>(steps.size())});
    const auto needed = static_cast<std::size_t>(w.pieces * levels);
    own.levels.resize(std::max(own.levels.size(), needed));
    run_all(w, own, steps, {false, updates}, choose);
  }

  static void advance(Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps, bool measured) {
    run_all(w, own, steps, {measured, {}}, box_kernels<T, D>);
  }
  static void advance_measured(Workspace<T, D>& w, Tiles<D>& own, std::span<const Step> steps,
                               std::span<Norms> updates) {
    run_measured(w, own, steps, updates, box_kernels<T, D>);
  }

  static Norms norms(Workspace<T, D>& w, Want want) {
    if (want != Want::update) return measure_by_team(w, want);
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = update_of(w, w.piece(s)); });
    });
    return w.total();
  }

  /// Summed as while sweeping, in tiles and in strips: the norm does not tell which it was.
  static Partial update_of(const Workspace<T, D>& w, const Piece<D>& piece) {
    using A = Vector<T>;
    const T *const u = w.u + piece.first, *const v = w.v + piece.first;
    return sum_vectors<T>(piece.count,
                          [&](Index i) HWY_ATTR { return A::sub(A::load(u + i), A::load(v + i)); });
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
