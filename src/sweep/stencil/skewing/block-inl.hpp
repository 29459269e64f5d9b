/// A block of sweeps in tiles that lean by one line (or one vector) per sweep, so that all its sweeps find
/// their neighbours done; see docs/algorithms/tiles.md.
#if defined(JACOBI_BLOCK_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_BLOCK_INL
#undef JACOBI_BLOCK_INL
#else
#define JACOBI_BLOCK_INL
#endif

#include <algorithm>
#include <span>

#include "sweep/stencil/skewing/box-inl.hpp"
#include "sweep/stencil/skewing/pair-inl.hpp"
#include "sweep/stencil/skewing/tile.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// How a box is swept, once, with its norm, and twice at once in 3D: none where it cannot be.
template <class T, int D>
struct BlockKernels {
  using Sweep = decltype(select<PlainBox, T, D>(Kind::equal, StepKind::plain));
  Sweep plain, measured;
  const PairKernels<T>* pair;
};

/// Of all unknowns.
template <class T, int D>
BlockKernels<T, D> box_kernels(const Workspace<T, D>& w, StepKind step) {
  const bool one_g = w.has_one_g && w.kind == Kind::equal && step == StepKind::plain;
  return {one_g ? BoxLoop<T, D, Kind::equal, StepKind::plain, false, true>::run : select<PlainBox>(w, step),
          select<MeasuredBox>(w, step), pair_kernels(w, step)};
}

/// k sweeps of one kind. Level t = 1 ... k takes every unknown from t - 1 to t sweeps; levels alternate
/// between the two arrays. An unknown may go to level t as soon as its neighbours have reached t - 1: then
/// nobody needs any more what it overwrites, its own level t - 2.
template <class T, int D>
class TimeBlock {
 public:
  static constexpr int stream = D - 1;  ///< the direction in which a tile moves on
  /// What a cut takes per level: a row; in 1D a whole vector, so that no thread reads into one that another
  /// writes.
  static constexpr Index unit = D == 1 ? 64 / static_cast<Index>(sizeof(T)) : 1;

  /// partials: of the last level, or of all, one after the other; none where nothing is measured. shift: by
  /// how much the last level's tiles lie further along a line than they are numbered.
  TimeBlock(const Workspace<T, D>& w, const Tile<D>& tile, const BlockKernels<T, D>& kernels,
            std::span<const Step> steps, Partial* partials, bool each, Index shift, const T* from, T* to)
      : w_(w),
        tile_(tile),
        kernels_(kernels),
        steps_(steps),
        k_(static_cast<Index>(steps.size())),
        array_{const_cast<T*>(from), to},
        partials_(partials),
        each_(each),
        shift_(shift) {}

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
  struct Rows {
    Index first, last;
  };

  /// Where level t ends before a cut.
  static Index before_cut(Index cut, Index t) { return t == 1 ? cut : (cut - (t - 1) * unit) / unit * unit; }

  bool measures(Index t) const { return partials_ && (each_ || t == k_); }
  void sweep(Index t, const Box<D>& box, Index piece) const {
    if (is_empty(box)) return;
    (measures(t) ? kernels_.measured : kernels_.plain)(w_, box, piece,
                                                       partials_ + (each_ ? (t - 1) * w_.pieces : 0),
                                                       array_[(t - 1) % 2], array_[t % 2], steps_[t - 1]);
  }

  using Tiles = std::array<Index, 2>;  ///< numbers of a tile in x and y; none in the direction of the stream

  template <class Visit>
  void for_each_tile(Visit&& visit) const {
    const Index across = D > 1 ? w_.pieces_per_line : 1;
    const Index up = D > 2 ? (w_.n[1 % D] + tile_.size[1 % D] - 1) / tile_.size[1 % D] : 1;
    for (Index q = 0; q < up; ++q)
      for (Index i = 0; i < across; ++i) visit(Tiles{i, q});
  }

  /// A tile moves from row `begin` to `end`, one row behind per level; rows(t): what there is to do at level
  /// t. The last level keeps to whole pieces of lines, for its norms.
  template <class RowsAt, class Before>
  void stream_through(const Tiles& tile, Index begin, Index end, RowsAt&& rows, Before&& before) const {
    const Index size = tile_.size[stream];
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
          if (kernels_.pair && t < k_ && !measures(t) && !measures(t + 1)) {
            const Box<D> two = box(t + 1);
            if (!is_empty(one) && !is_empty(two)) {
              kernels_.pair->run(w_, one, two, array_[(t - 1) % 2], array_[t % 2],
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
    const Index size = tile_.size[d], n = w_.n[d];
    const Index ahead = k_ - t + (d == 0 ? shift_ : 0);
    box.from[d] = i == 0 ? 0 : std::min(n, i * size + ahead);
    box.to[d] = (i + 1) * size >= n ? n : std::min(n, (i + 1) * size + ahead);
  }

  const Workspace<T, D>& w_;
  const Tile<D>& tile_;
  const BlockKernels<T, D> kernels_;
  std::span<const Step> steps_;
  Index k_;
  T* array_[2];
  Partial* partials_;
  bool each_;
  Index shift_;
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
