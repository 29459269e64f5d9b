/// Passes over lines in strips: which kernel makes which tile, in which order.
#if defined(JACOBI_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_PASSES_INL
#undef JACOBI_PASSES_INL
#else
#define JACOBI_PASSES_INL
#endif

#include <algorithm>
#include <cstring>
#include <utility>

#include "sweep/stencil/strips/register_tile-inl.hpp"
#include "sweep/stencil/strips/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// What all tiles of a pass have in common.
template <class T>
struct PassSetting {
  const Segment<T>& part;
  T* out;
  T c, one_g;
};
/// Steps of a tile that are made at once: before `whole` all lanes are unknowns.
struct TileSteps {
  Index from, whole, end;
};

/// Tiles of K levels: at the edge of the grid, or from the first or to the last step of their lines.
template <class T, int K, bool OneG>
struct StripTile {
  template <bool AtEdge, bool First, bool Last>
  static HWY_NOINLINE void tile(const PassSetting<T>& at, Index y, const TileSteps& s, T* side,
                                const T* ahead, T* kept) {
    RegisterTileKernel<T, K, OneG, AtEdge>(at.part, at.out, at.c, at.one_g, y, First ? -K : s.from, side,
                                           ahead)
        .template run<First, Last>(s.from, s.whole, s.end, kept);
  }
  using Tile = decltype(&tile<false, true, true>);

  static Tile choose(bool at_edge, bool first, bool last) {
    if (at_edge) return tile<true, true, true>;
    if constexpr (K == register_tile<T>.levels)
      if (!first || !last)
        return first ? tile<false, true, false> : last ? tile<false, false, true> : tile<false, false, false>;
    return tile<false, true, true>;
  }
};

/// Tiles that a pass makes.
struct Needed {
  Index first, last;
  std::pair<Index, Index> of(Index begin, Index end) const {
    return {std::max(begin, first), std::min(end, last)};
  }
};

/// Some levels of all lines, in place but for the last one of a call, which leaves the iterate before.
template <class T>
struct Pass {
  using Grid = StripsGrid<T>;
  static constexpr int lines = register_tile<T>.lines, max_levels = register_tile<T>.levels;
  static constexpr Index record = register_tile<T>.record();

  int levels = 0;
  bool is_last = false;
  T* side = nullptr;         ///< what tiles leave
  Index after = 0;           ///< levels of the call when it is done
  Index slot = Grid::slots;  ///< records before the present ones

  T* target(const Segment<T>& part) const { return is_last ? part.v : part.u; }

  /// All but those of lines that nobody needs. What the tile before the first one would have left is wrong:
  /// of level l the first l lines of that tile are so.
  Needed needed(const Segment<T>& part, const Unneeded& lines_of) const {
    const Index low = std::max<Index>(0, lines_of.low + after - levels);
    const Index high = part.lines - std::max<Index>(0, lines_of.high + after) + levels;
    return {low / lines, std::min(part.tiles(), (high + lines - 1) / lines)};
  }
  /// visit(line): those that tiles [begin, end) leave done.
  template <class Visit>
  void for_each_done(const Segment<T>& part, Index begin, Index end, Visit&& visit) const {
    const Index last = std::min(part.lines, end * lines - levels);
    for (Index row = std::max<Index>(0, begin * lines - levels); row < last; ++row) visit(row);
  }

  /// Tiles [begin, end). ahead(i): what to ask for while tile i is made; kept: room for what they keep.
  template <class Ahead>
  HWY_INLINE void tiles(const Workspace<T, 2>& w, const Segment<T>& part, Index begin, Index end, T* kept,
                        Ahead&& ahead) {
    static_assert(max_levels == 2 || max_levels == 3);
    make_room(part, end - begin);
    if (levels == 1)
      make<1>(w, part, begin, end, kept, ahead);
    else if (levels == max_levels)
      make<max_levels>(w, part, begin, end, kept, ahead);
    else
      make<2>(w, part, begin, end, kept, ahead);
    for_each_done(part, begin, end,
                  [&](Index row) HWY_ATTR { StripLines<T>::join(part, target(part) + row * part.pitch); });
    slot -= end - begin;
  }

 private:
  /// Tiles clear of the grid's edge go over some columns one after the other before the next columns, so that
  /// what they leave to each other stays in L1: each one column less far than the tile before, which leaves
  /// the first of two neighbours a step after it made it.
  template <int K, class Ahead>
  HWY_INLINE void make(const Workspace<T, 2>& w, const Segment<T>& part, Index begin, Index end, T* kept,
                       Ahead&& ahead) const {
    const auto at_edge = [&](Index i) { return i * lines < K || (i + 1) * lines - 2 >= part.lines; };
    Index inner = begin, inner_end = end;
    while (inner < end && at_edge(inner)) ++inner;
    while (inner_end > inner && at_edge(inner_end - 1)) --inner_end;

    const PassSetting<T> setting{part, target(part), w.c[0], w.one_g};
    const Index whole = part.ghost + 1;  // more than K: StripsGrid::suits
    const auto tile = [&](Index i, Index n, Index of) {
      const auto kernel = w.has_one_g ? StripTile<T, K, true>::choose(at_edge(i), n == 0, n + 1 == of)
                                      : StripTile<T, K, false>::choose(at_edge(i), n == 0, n + 1 == of);
      const Index number = i - begin;
      const auto bound = [&](Index k) { return K + (whole - K) * k / of - number; };
      const TileSteps stretch = n + 1 == of ? TileSteps{n == 0 ? K : bound(n), whole, part.strip + K}
                                            : TileSteps{n == 0 ? K : bound(n), bound(n + 1), bound(n + 1)};
      kernel(setting, i * lines, stretch, side + (slot + 1 + max_levels - K - number) * record, ahead(i),
             kept + number * register_tile<T>.kept());
    };
    constexpr Index columns_at_once = Grid::at_once / register_tile<T>.lanes;
    const bool cuts = K == max_levels && inner_end - inner > 1;
    const Index of = cuts ? std::max<Index>(1, (whole + columns_at_once / 2) / columns_at_once) : 1;
    for (Index i = begin; i < inner; ++i) tile(i, 0, 1);
    for (Index n = 0; n < of; ++n)
      for (Index i = inner; i < inner_end; ++i) tile(i, n, of);
    for (Index i = inner_end; i < end; ++i) tile(i, 0, 1);
  }

  /// For what so many tiles leave, each a record before the one above.
  void make_room(const Segment<T>& part, Index count) {
    if (slot + 1 >= count) return;
    const Index used = (part.strip + 2 * max_levels + 1) * record;
    std::memmove(side + Grid::slots * record, side + (slot + 1) * record,
                 static_cast<std::size_t>(used) * sizeof(T));
    slot = Grid::slots - 1;
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
