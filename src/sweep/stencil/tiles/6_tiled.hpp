// Rung 6, tiled: many sweeps per visit to the cache. A block of k sweeps goes over the grid in tiles that
// lean by one line (or one vector) per sweep, so that all its sweeps find their neighbours done; see
// docs/architecture.md. Words per update: 3 / k and the overlap of tiles.
// Compared with rung 0: bitwise, for every tile, depth and number of threads.
#if defined(JACOBI_TILED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_TILED
#undef JACOBI_TILED
#else
#define JACOBI_TILED
#endif

#include "sweep/stencil/batch/batch-inl.hpp"
#include "sweep/stencil/tiles/box-inl.hpp"
#include "sweep/stencil/red_black/half-inl.hpp"
#include "sweep/stencil/strips/strips-inl.hpp"
#include "sweep/stencil/tiles/pair-inl.hpp"
#include "sweep/stencil/wavefront/wavefront-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// k sweeps of one kind. Level t = 1 ... k takes every unknown from t - 1 to t sweeps; levels alternate
/// between the two arrays. An unknown may go to level t as soon as its neighbours have reached t - 1: then
/// nobody needs any more what it overwrites, its own level t - 2.
template <class T, int D>
class Block {
 public:
  static constexpr int stream = D - 1;  ///< the direction in which a tile moves on
  /// What a cut takes per level: a row; in 1D a whole vector, so that no thread reads into one that another
  /// writes.
  static constexpr Index unit = D == 1 ? 64 / static_cast<Index>(sizeof(T)) : 1;

  /// partials: of the last level, or of all, one after the other; none where nothing is measured. shift: by
  /// how much the last level's tiles lie further along a line than they are numbered.
  Block(const Workspace<T, D>& w, std::span<const Step> steps, Partial* partials, bool each, Index shift,
        const T* from, T* to)
      : w_(w),
        steps_(steps),
        k_(static_cast<Index>(steps.size())),
        array_{const_cast<T*>(from), to},
        partials_(partials),
        each_(each),
        shift_(shift),
        sweep_(unmeasured(w, kind_of(steps[0]))),
        measured_(w.half > 0 ? select<MeasuredHalf, T, D>(w.kind, kind_of(steps[0]))
                             : select<MeasuredBox, T, D>(w.kind, kind_of(steps[0]))),
        pair_(pair_kernels(w, kind_of(steps[0]))) {}

  /// What can be done of rows [first, last) without the rows around: each level loses one row more at a cut.
  /// before(row) is called before rows up to `row` are touched.
  template <class Before>
  void trapezoid(Index first, Index last, Before&& before) const {
    const bool cut_low = first > 0 || w_.is_periodic(stream);
    const bool cut_high = last < w_.n[stream] || w_.is_periodic(stream);
    const auto rows = [&](Index t) {
      return Rows{first + (cut_low ? (t - 1) * unit : 0), cut_high ? before_cut(last, t) : last};
    };
    for_each_tile([&](const Tiles& tile) {
      stream_through(tile, first, last + (cut_high ? 0 : k_ - 1), rows, before);
    });
  }

  /// The rest around a cut before row `at`; at 0: the seam of a periodic direction, where it is not worth
  /// streaming.
  void triangle(Index at) const {
    const auto rows = [&](Index t) { return Rows{at - (t - 1) * unit, at + (t - 1) * unit}; };
    for_each_tile([&](const Tiles& tile) {
      if (at > 0)
        return stream_through(tile, at - (unit - 1) * (k_ - 1), at + (unit + 1) * (k_ - 1), rows,
                              [](Index) {});
      for (Index t = 2; t <= k_; ++t) {
        slab(t, tile, {before_cut(w_.n[stream], t), w_.n[stream]});
        slab(t, tile, {0, (t - 1) * unit});
      }
    });
  }

 private:
  using Sweep = decltype(select<PlainBox, T, D>(Kind::equal, StepKind::plain));
  struct Rows {
    Index first, last;
  };

  static Sweep unmeasured(const Workspace<T, D>& w, StepKind step) {
    const bool one_g = w.has_one_g && w.kind == Kind::equal && step == StepKind::plain;
    if (w.half > 0)
      return one_g ? HalfLoop<T, D, Kind::equal, StepKind::plain, false, true>::run
                   : select<PlainHalf, T, D>(w.kind, step);
    if (one_g) return BoxLoop<T, D, Kind::equal, StepKind::plain, false, true>::run;
    return select<PlainBox, T, D>(w.kind, step);
  }

  /// Where level t ends before a cut.
  static Index before_cut(Index cut, Index t) { return t == 1 ? cut : (cut - (t - 1) * unit) / unit * unit; }

  bool measures(Index t) const { return partials_ && (each_ || t == k_); }
  void sweep(Index t, const Box<D>& box, Index piece) const {
    if (is_empty(box)) return;
    (measures(t) ? measured_ : sweep_)(w_, box, piece, partials_ + (each_ ? (t - 1) * w_.pieces : 0),
                                       array_[(t - 1) % 2], array_[t % 2], steps_[t - 1]);
  }

  using Tiles = std::array<Index, 2>;  ///< numbers of a tile in x and y; none in the direction of the stream

  template <class Visit>
  void for_each_tile(Visit&& visit) const {
    const Index across = D > 1 ? w_.pieces_per_line : 1;
    const Index up = D > 2 ? (w_.n[1 % D] + w_.tile.size[1 % D] - 1) / w_.tile.size[1 % D] : 1;
    for (Index q = 0; q < up; ++q)
      for (Index i = 0; i < across; ++i) visit(Tiles{i, q});
  }

  /// A tile moves from row `begin` to `end`, one row behind per level; rows(t): what there is to do at level
  /// t. The last level keeps to whole pieces of lines, for its norms.
  template <class RowsAt, class Before>
  void stream_through(const Tiles& tile, Index begin, Index end, RowsAt&& rows, Before&& before) const {
    const Index size = w_.tile.size[stream];
    for (Index j = begin; j < end; j += size) {
      before(j + size);
      const Tiles here = D == 1 ? Tiles{j / size} : tile;
      const auto box = [&](Index t) {
        const Index start = j - (t - 1);
        const Rows all = rows(t);
        return box_of(t, here, {std::max(start, all.first), std::min(start + size, all.last)});
      };
      for (Index t = 1; t <= k_; ++t) {
        const Box<D> one = box(t);
        if constexpr (D == 3)
          if (pair_ && t < k_ && !measures(t) && !measures(t + 1)) {
            const Box<D> two = box(t + 1);
            if (!is_empty(one) && !is_empty(two)) {
              pair_->run(w_, one, two, array_[(t - 1) % 2], array_[t % 2],
                         &steps_[static_cast<std::size_t>(t - 1)]);
              ++t;
              continue;
            }
          }
        sweep(t, one, here[0]);
      }
    }
  }

  /// These rows of a tile at level t.
  Box<D> box_of(Index t, const Tiles& tile, const Rows& rows) const {
    Box<D> box;
    for (int d = 0; d < stream; ++d) lean(d, tile[d], t, box);
    box.from[stream] = rows.first;
    box.to[stream] = rows.last;
    return box;
  }
  static bool is_empty(const Box<D>& box) {
    for (int d = 0; d < D; ++d)
      if (box.from[d] >= box.to[d]) return true;
    return false;
  }
  void slab(Index t, const Tiles& tile, const Rows& rows) const { sweep(t, box_of(t, tile, rows), tile[0]); }

  /// Range of tile number i in direction d at level t: leaning forward at the earlier levels.
  void lean(int d, Index i, Index t, Box<D>& box) const {
    const Index size = w_.tile.size[d], n = w_.n[d];
    const Index ahead = k_ - t + (d == 0 ? shift_ : 0);
    box.from[d] = i == 0 ? 0 : std::min(n, i * size + ahead);
    box.to[d] = (i + 1) * size >= n ? n : std::min(n, (i + 1) * size + ahead);
  }

  const Workspace<T, D>& w_;
  std::span<const Step> steps_;
  Index k_;
  T* array_[2];
  Partial* partials_;
  bool each_;
  Index shift_;
  Sweep sweep_, measured_;
  const PairKernels<T>* pair_;
};

template <class T, int D>
struct Tiled {
  static constexpr int stream = D - 1;

  /// The bands of a team, one for each of its first threads. The cuts between them take one row per level
  /// from the band below and give it to the one above: the first band is as much wider, the last one as much
  /// narrower. In 1D bands consist of whole pieces.
  struct Bands {
    Index rows, count, shift = 0, depth;

    Bands(const Workspace<T, D>& w, int team)
        : rows(D == 1 ? w.pieces : w.n[stream]), count(std::min<Index>(team, rows)), depth(w.tile.depth) {
      const bool is_cyclic = w.is_periodic(stream);
      if (count == 1 && !is_cyclic) return;
      Index thinnest = w.n[stream];
      for (Index i = 0; i < count; ++i) thinnest = std::min(thinnest, begin(w, i + 1) - begin(w, i));
      constexpr Index unit = Block<T, D>::unit;
      depth = std::clamp<Index>((thinnest - (unit - 1)) / (2 * unit) + 1, 1, depth);
      if (D > 1 && !is_cyclic) shift = std::min((depth - 1) / 2, thinnest - 2 * (depth - 1));
    }

    Index begin(const Workspace<T, D>& w, Index i) const {
      const Index row = rows * i / count + (i > 0 && i < count ? shift : 0);
      return D == 1 ? std::min(w.n[0], row * w.tile.size[0]) : row;
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
  static void run_block(const Workspace<T, D>& w, const Block<T, D>& block, const Bands& bands, Index s,
                        Index me, std::vector<Progress>& progress) {
    const bool is_cyclic = w.is_periodic(stream);
    const Index first = bands.begin(w, me), last = bands.begin(w, me + 1), n = bands.count;
    const Index near = last - (bands.depth + 1) * Block<T, D>::unit;
    const auto at = [&](Index i) -> Progress& { return progress[static_cast<std::size_t>((i + n) % n)]; };
    const bool has_below = me > 0 || is_cyclic, has_above = me + 1 < n || is_cyclic;
    block.trapezoid(first, last, [&](Index row) {
      if (has_above && row >= near) at(me + 1).wait_for(2 * s);
    });
    at(me).reach(2 * s + 1);
    if (has_below) at(me - 1).wait_for(2 * s + 1);
    if (has_below) block.triangle(first);
    at(me).reach(2 * s + 2);
  }

  static void run(Workspace<T, D>& w, std::span<const Step> steps, const Measured& m, const Member& me,
                  std::vector<Progress>& progress) {
    const Bands bands(w, me.team);
    Partial* const levels = w.level_partials.data();
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
      const Block<T, D> block(w, steps.subspan(j, count),
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

  static void run_all(Workspace<T, D>& w, std::span<const Step> steps, const Measured& m) {
    if (!steps.empty()) {
      w.settle(kind_of(steps[0]) == StepKind::three_term);
      w.raise(kind_of(steps[0]) == StepKind::three_term);
      w.changed();
    }
    std::vector<Progress> progress(static_cast<std::size_t>(w.threads));
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR { run(w, steps, m, me, progress); });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, "tiled", steps.size(), static_cast<int>(Bands(w, team).count));
  }

  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    if constexpr (D == 2)
      if (Batch<T>::takes(w, steps)) {
        const Norms update = Batch<T>::advance(w, steps);
        return want == Want::update ? update : norms(w, want);
      }
    if constexpr (D == 2 && Lifted<T>::is_able)
      if (Lifted<T>::takes(w, steps)) {
        const bool measured = want == Want::update;
        Lifted<T>::advance(w, static_cast<Index>(steps.size()), measured);
        return measured ? w.total() : norms(w, want);
      }
    if constexpr (D == 3)
      if (Wave<T>::takes(w, steps)) {
        const std::size_t alone = steps.size() % 2;
        if (alone) run_all(w, steps.first(1), {});
        Wave<T>::advance(w, steps.subspan(alone));
        return norms(w, want);
      }
    const bool fused = want == Want::update && !steps.empty();
    run_all(w, steps, {fused, {}});
    return fused ? w.total() : norms(w, want);
  }

  static void advance_measured(Workspace<T, D>& w, std::span<const Step> steps, std::span<Norms> updates) {
    const Index levels = std::min({w.tile.depth, period, static_cast<Index>(steps.size())});
    const auto needed = static_cast<std::size_t>(w.pieces * levels);
    w.level_partials.resize(std::max(w.level_partials.size(), needed));
    run_all(w, steps, {false, updates});
  }

  static Norms norms(Workspace<T, D>& w, Want want) {
    if constexpr (D == 2 && Lifted<T>::is_able)
      if (want == Want::update && w.lifted.is_current) return Lifted<T>::update(w);
    if (want != Want::nothing) w.settle(want == Want::update);
    if (want != Want::update || w.half > 0) return measure_by_team(w, want);
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
