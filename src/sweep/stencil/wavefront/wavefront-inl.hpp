/// Many sweeps of a 3D grid in one array: each level lies a line and a plane lower in memory than the one
/// before, over what nobody needs any more; the last one goes to the other array.
#if defined(JACOBI_WAVEFRONT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_WAVEFRONT_INL
#undef JACOBI_WAVEFRONT_INL
#else
#define JACOBI_WAVEFRONT_INL
#endif

#include <optional>
#include <utility>

#include "core/team.hpp"
#include "sweep/stencil/skewing/pair-inl.hpp"
#include "sweep/stencil/wavefront/wavefront.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// An even number of sweeps of a whole grid. Tile q at step i makes, of pair j of levels, lines r from
/// q height - 2 j - 1 on in planes s from i depth - 2 j - 1 on: line r of plane s at its first level, line
/// r - 1 of plane s - 1 at its second. So each finds its neighbours done, and overwrites what nobody needs.
/// Ghosts, lines and planes of them too, go down with the levels.
template <class T>
class WavefrontBlock {
 public:
  /// unneeded: when the block begins.
  WavefrontBlock(const Workspace<T, 3>& w, const Tile<3>& tile, std::span<const Step> steps,
                 const Unneeded& unneeded, T* from, T* to)
      : w_(w),
        tile_(tile),
        kernels_(*pair_kernels(w, kind_of(steps[0]))),
        steps_(steps),
        unneeded_(unneeded),
        levels_(static_cast<Index>(steps.size())),
        from_(from),
        to_(to) {}

  Index levels() const { return levels_; }
  Index height() const { return tile_.size[1]; }
  Index depth() const { return tile_.size[2]; }
  /// Both reach the last ghosts at the last level.
  Index tiles() const { return (w_.n[1] + levels_ + height()) / height(); }
  Index steps() const { return (w_.n[2] + levels_ + depth()) / depth(); }

  void run(Index q, Index i) const {
    for (Index level = 0; level < levels_; level += 2) {
      const Range x{0, w_.n[0]};
      const PairOfSweeps<T> pair{
          w_, view(level), view(level + 1), view(level + 2), &steps_[static_cast<std::size_t>(level)], x, x};
      const Range rows = cut(q * height() - level - 1, height(), w_.n[1]);
      const Range planes = cut(i * depth() - level - 1, depth(), w_.n[2]);
      for (Index s = planes.from; s < planes.to; s += planes_together)
        for (Index r = rows.from; r < rows.to; ++r)
          row(pair, level, r, {s, std::min(planes.to, s + planes_together)});
    }
  }

 private:
  /// Ghosts included, and where the second level comes to the last ones.
  static Range cut(Index begin, Index count, Index n) {
    return {std::max<Index>(begin, -1), std::min(begin + count, n + 2)};
  }
  T* view(Index level) const { return level == levels_ ? to_ : from_ - level * drop(w_); }

  /// Planes that somebody needs; of the others, ghosts alone go down.
  Range needed(Index level) const {
    return {std::max<Index>(0, unneeded_.low + level), w_.n[2] - std::max<Index>(0, unneeded_.high + level)};
  }

  /// Together where both levels meet unknowns only.
  void row(const PairOfSweeps<T>& pair, Index level, Index r, Range planes) const {
    const bool fits = r > 0 && r < w_.n[1];
    const Range wanted = needed(level + 1);
    const Index low =
        fits ? std::clamp<Index>(std::max<Index>(1, wanted.from), planes.from, planes.to) : planes.to;
    const Index high = std::clamp<Index>(wanted.to, low, planes.to);
    one_by_one(pair, level, r, {planes.from, low});
    if (low < high) {
      const Index p = r * w_.stride[1] + low * w_.stride[2];
      kernels_.line(pair, p, high - low);
      for (Index s = 0; s < high - low; ++s) {
        const Index one = p + s * w_.stride[2], two = one - drop(w_);
        copy_ends(w_, pair.u + one, pair.v + one);
        copy_ends(w_, pair.v + two, pair.out + two);
      }
    }
    one_by_one(pair, level, r, {high, planes.to});
  }
  void one_by_one(const PairOfSweeps<T>& pair, Index level, Index r, Range planes) const {
    for (Index s = planes.from; s < planes.to; ++s)
      line(pair.u, pair.v, r, s, pair.steps[0], needed(level + 1));
    for (Index s = planes.from; s < planes.to; ++s)
      line(pair.v, pair.out, r - 1, s - 1, pair.steps[1], needed(level + 2));
  }

  /// One level of a line, which may be one of ghosts.
  void line(const T* u, T* out, Index r, Index s, const Step& step, Range wanted) const {
    if (r < -1 || s < -1 || r > w_.n[1] || s > w_.n[2]) return;
    const Index p = r * w_.stride[1] + s * w_.stride[2];
    if (is_ghost(w_, r, s)) {
      copy_line(w_, u + p, out + p);
    } else {
      if (s >= wanted.from && s < wanted.to)
        kernels_.level(w_, {{0, r, s}, {w_.n[0], r + 1, s + 1}}, 0, nullptr, u, out, step);
      copy_ends(w_, u + p, out + p);
    }
  }

  const Workspace<T, 3>& w_;
  const Tile<3>& tile_;
  const PairKernels<T>& kernels_;
  std::span<const Step> steps_;
  Unneeded unneeded_;
  Index levels_;
  T *from_, *to_;
};

template <class T>
struct WavefrontSweeps {
  /// An even number of steps in blocks of at most so many levels, all of them even. Block k goes from u to v
  /// where k is even, and back where odd.
  struct Blocks {
    const Workspace<T, 3>& w;
    const Tile<3>& tile;
    std::span<const Step> steps;
    std::size_t count;
    Unneeded unneeded;
    T *u, *v;

    WavefrontBlock<T> operator[](std::size_t k) const {
      const std::size_t pairs = steps.size() / 2, begin = 2 * (pairs * k / count),
                        end = 2 * (pairs * (k + 1) / count);
      const Index sweeps = static_cast<Index>(begin);
      return {w,
              tile,
              steps.subspan(begin, end - begin),
              {unneeded.low + sweeps, unneeded.high + sweeps},
              k % 2 == 0 ? u : v,
              k % 2 == 0 ? v : u};
    }
  };

  /// Threads take the tiles of all blocks in turn, each a step behind the one before.
  static void follow(const Blocks& blocks, const Member& me, EventCount* progress) {
    constexpr std::int64_t stage = std::int64_t(1) << 32;
    const auto wait = [&](Index tile, Index steps) {
      progress[static_cast<std::size_t>(tile % me.team)].wait_for(tile * stage + steps);
    };
    Index first = 0;  // the block's first tile
    std::optional<WavefrontBlock<T>> before;
    for (std::size_t k = 0; k < blocks.count; ++k) {
      const WavefrontBlock<T> block = blocks[k];
      const Index tiles = block.tiles(), steps = block.steps();
      for (Index q = 0; q < tiles; ++q) {
        const Index tile = first + q;
        if (tile % me.team != me.number) continue;
        for (Index i = 0; i < steps; ++i) {
          if (q > 0) wait(tile - 1, i + 1);
          if (before) {  // what it reads is made, and nobody needs what it overwrites
            const Index above = (before->levels() + 1) / block.height() + 2;
            const Index later = (before->levels() + 1) / block.depth() + 2;
            wait(first - before->tiles() + std::min(q + above, before->tiles() - 1),
                 std::min(i + later, before->steps()));
          }
          block.run(q, i);
          progress[static_cast<std::size_t>(me.number)].reach(tile * stage + i + 1);
        }
      }
      first += tiles;
      before.emplace(block);
    }
  }

  /// An even number of steps: the last one leaves the iterate before it where that was made.
  static void advance(Workspace<T, 3>& w, InPlace& own, const Tile<3>& tile, std::span<const Step> steps) {
    w.v += std::exchange(own.lowered, 0) * drop(w);
    const std::size_t pairs = steps.size() / 2, most = static_cast<std::size_t>(own.levels) / 2;
    const Blocks blocks{w, tile, steps, (pairs + most - 1) / most, own.unneeded, w.u, w.v};
    if (blocks.count % 2 == 1) std::swap(w.u, w.v);
    own.lowered = blocks[blocks.count - 1].levels() - 1;
    w.v -= own.lowered * drop(w);
    EventCount* const progress = w.restarted();
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR { follow(blocks, me, progress); });
    record(w, steps.size(), team);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
