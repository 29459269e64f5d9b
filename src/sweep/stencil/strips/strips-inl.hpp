/// Many sweeps of a 2D grid whose lines are cut into strips, one for each lane of a vector: west and east are
/// then vectors too, and nothing is shifted (dimension-lifted transposition: Henretty et al., Compiler
/// Construction 2011). A pass takes all lines several levels up, which stay in registers; passes follow each
/// other down the grid, in one array.
#if defined(JACOBI_STRIPS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_STRIPS_INL
#undef JACOBI_STRIPS_INL
#else
#define JACOBI_STRIPS_INL
#endif

#include <array>
#include <utility>
#include <vector>

#include "core/team.hpp"
#include "sweep/stencil/order/select-inl.hpp"
#include "sweep/stencil/strips/passes-inl.hpp"
#include "sweep/stencil/strips/strips.hpp"
#include "sweep/stencil/strips/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct Strips {
  using A = Vector<T>;
  using Grid = StripsGrid<T>;
  static constexpr Index lanes = register_tile<T>.lanes;
  static constexpr int max_levels = register_tile<T>.levels;

  /// Where lines can be transposed by vectors.
  static constexpr bool is_able = HWY_TARGET <= HWY_AVX2 && HWY_ARCH_X86;
  static_assert(max_levels <= register_tile<T>.lines);

  struct Passes {
    std::array<Pass<T>, Grid::most_passes> list;
    Index count = 0;
    const Pass<T>& last() const { return list[static_cast<std::size_t>(count - 1)]; }
  };

  /// A few passes over a segment, one tile behind each other, some tiles of each in a turn. before(begin,
  /// end): those of the first one that come next; after(begin, end): those that the last one has made.
  template <class Before, class After>
  static HWY_INLINE void round(const Workspace<T, 2>& w, const Grid& grid, const Segment<T>& part,
                               Passes& passes, const Member& me, Before&& before, After&& after) {
    const Index count = passes.count, at_once = grid.tiles;
    T* const kept = grid.kept.get() + me.number * Grid::most_tiles * register_tile<T>.kept();
    // of what the first pass will bring in next, each pass asks for a share
    const Index arrays = w.has_one_g ? 1 : 2, shares = (count + arrays - 1) / arrays;
    const auto next = [&](Index tile, Index p) {
      const Index size = register_tile<T>.lines * part.pitch;
      return (p % arrays ? part.g : part.u) + tile * size + p / arrays * (size / shares / lanes * lanes);
    };
    const auto bound = [&](Index tile) { return std::clamp<Index>(tile, 0, part.tiles()); };
    std::array<Needed, Grid::most_passes> needed;
    for (Index p = 0; p < count; ++p)
      needed[static_cast<std::size_t>(p)] =
          passes.list[static_cast<std::size_t>(p)].needed(part, grid.unneeded);
    for (Index tile = 0; tile < part.tiles() + count - 1; tile += at_once) {
      before(bound(tile), bound(tile + at_once));
      for (Index p = 0; p < count; ++p)
        if (const auto [begin, end] =
                needed[static_cast<std::size_t>(p)].of(bound(tile - p), bound(tile - p + at_once));
            begin < end)
          passes.list[static_cast<std::size_t>(p)].tiles(
              w, part, begin, end, kept, [&](Index i) { return next(bound(i + p + at_once), p); });
      after(bound(tile - count + 1), bound(tile - count + 1 + at_once));
    }
  }

  /// Which passes there are, the last one of one level: of one segment, as many rounds for every thread.
  struct Rounds {
    Index levels, passes, count;

    Rounds(const Grid& grid, Index all, int team)
        : levels(all), passes((all - 1 + max_levels - 1) / max_levels + 1) {
      count = (passes + grid.passes - 1) / grid.passes;
      if (grid.segments.size() == 1) count = std::min(passes, (count + team - 1) / team * team);
    }
    Index first(Index round) const { return passes * round / count; }
    Passes take(const Grid& grid, Index round, int thread) const {
      Passes taken;
      for (Index p = first(round); p < first(round + 1); ++p, ++taken.count) {
        const bool is_last = p + 1 == passes;
        const Index count_of = is_last ? 1 : std::min<Index>(max_levels, levels - 1 - p * max_levels);
        T* const side = grid.sides.get() + (thread * grid.passes + taken.count) * grid.side;
        const Index after = is_last ? levels : p * max_levels + count_of;
        taken.list[static_cast<std::size_t>(taken.count)] = {static_cast<int>(count_of), is_last, side,
                                                             after};
      }
      return taken;
    }
  };

  /// The update of the last step on a line, summed as in natural order.
  static void measure_line(const Workspace<T, 2>& w, const Grid& grid, Index y, const Member& me) {
    T* const line = grid.line.get() + me.number * grid.line_size;
    for (const Segment<T>& part : grid.segments) {
      const T *const u = part.u + y * part.pitch, *const v = part.v + y * part.pitch;
      StripLines<T>::lower_line(
          part, [&](Index i) HWY_ATTR { return A::sub(A::load(v + i), A::load(u + i)); }, line);
    }
    for (Index s = y * w.pieces_per_line; s < (y + 1) * w.pieces_per_line; ++s) {
      const Piece<2>& piece = w.piece(s);
      const T* const from = line + piece.position[0];
      w.partials[s] = sum_vectors<T>(piece.count, [&](Index i) HWY_ATTR { return A::load(from + i); });
    }
  }
  static void measure_lines(const Workspace<T, 2>& w, const Grid& grid, const Member& me) {
    me.share(w.n[1], [&](Index y) HWY_ATTR { measure_line(w, grid, y, me); });
  }

  /// Of one segment, threads take the rounds in turn and follow each other down the grid.
  static HWY_INLINE void follow(const Workspace<T, 2>& w, const Grid& grid, const Rounds& rounds,
                                bool measures, const Member& me, EventCount* progress) {
    const Segment<T>& part = grid.segments[0];
    constexpr std::int64_t stage = std::int64_t(1) << 32;
    for (Index r = me.number; r < rounds.count; r += me.team) {
      Passes passes = rounds.take(grid, r, me.number);
      round(
          w, grid, part, passes, me,
          [&](Index, Index end) {
            if (r == 0 || me.team == 1) return;
            // a tile reads lines that the next one of the pass before leaves done; and those a turn later are
            // asked for: not from who writes them
            const Index needed = std::min(end + grid.tiles + 1, part.tiles());
            progress[static_cast<std::size_t>((r - 1) % me.team)].wait_for((r - 1) * stage + needed);
          },
          [&](Index begin, Index end) {
            progress[static_cast<std::size_t>(me.number)].reach(r * stage + end);
            if (measures && passes.last().is_last)
              passes.last().for_each_done(part, begin, end, [&](Index y) { measure_line(w, grid, y, me); });
          });
    }
  }

  /// Of several, each goes through a round by itself; halos begin with what the neighbours kept of the round
  /// before.
  static HWY_INLINE void share_out(const Workspace<T, 2>& w, const Grid& grid, const Rounds& rounds,
                                   const Member& me) {
    const auto& all = grid.segments;
    const Index count = static_cast<Index>(all.size()), before = grid.rounds;
    const Index last = count * (me.number + 1) / me.team;  // as me.share() has it
    for (Index r = 0; r < rounds.count; ++r) {
      for (Index s = count * me.number / me.team; s < last; ++s) {
        const Segment<T>& part = all[static_cast<std::size_t>(s)];
        Passes passes = rounds.take(grid, r, me.number);
        round(
            w, grid, part, passes, me,
            [&](Index begin, Index end) {
              if (before + r == grid.taken_at) return;
              for (Index y = begin * register_tile<T>.lines;
                   y < std::min(part.lines, end * register_tile<T>.lines); ++y) {
                if (s > 0) part.take_edge(y, before + r - 1, all[static_cast<std::size_t>(s - 1)]);
                if (s + 1 < count) part.take_edge(y, before + r - 1, all[static_cast<std::size_t>(s + 1)]);
              }
            },
            [&](Index begin, Index end) {
              const T* const out = passes.last().target(part);
              passes.last().for_each_done(part, begin, end,
                                          [&](Index y) { part.keep_edges(out, y, before + r); });
            });
      }
      me.wait();
    }
  }

  /// The workspace's u into strips, and g where it is new.
  static void lift(const Workspace<T, 2>& w, const Grid& grid, bool takes_u, bool takes_g, const Member& me) {
    me.share(w.n[1] + 2, [&](Index line) HWY_ATTR {
      const Index y = line - 1, p = y * w.stride[1];
      for (const Segment<T>& part : grid.segments) {
        const bool beside = y < 0 || y == w.n[1];
        const Index to = y * part.pitch;
        if (takes_g && !beside) StripLines<T>::take_line(part, w.g + p, part.g + to);
        if (takes_u) StripLines<T>::take_line(part, w.u + p, part.u + to);
        if (takes_u && beside) StripLines<T>::take_line(part, w.u + p, part.v + to);
        if (takes_u) part.bound(w.u + p, y);
      }
    });
    me.wait();
  }

  static void take_lines(const Workspace<T, 2>& w, const Grid& grid, bool previous, Index first, Index last) {
    for (Index y = first; y < last; ++y) {
      const T* const from = (previous ? w.v : w.u) + y * w.stride[1];
      for (const Segment<T>& part : grid.segments) {
        StripLines<T>::take_line(part, from, (previous ? part.v : part.u) + y * part.pitch);
        part.bound(from, y);
        if (!previous && part.halo > 0) part.keep_edges(part.u, y, grid.rounds - 1);
      }
    }
  }

  /// A call of advance(), as its members see the call. A function and not a lambda, which a pool of threads
  /// could only reach by one more frame.
  struct Call {
    Workspace<T, 2>& w;
    Grid& grid;
    Index levels;
    bool measured, takes_u, takes_g;
    EventCount* progress;

    static void run(void* of, const Member& me) {
      const Call& call = *static_cast<const Call*>(of);
      if (call.takes_u || call.takes_g) lift(call.w, call.grid, call.takes_u, call.takes_g, me);
      const Rounds all(call.grid, call.levels, me.team);
      if (call.grid.segments.size() == 1)
        return follow(call.w, call.grid, all, call.measured, me, call.progress);
      share_out(call.w, call.grid, all, me);
      if (call.measured) measure_lines(call.w, call.grid, me);
    }
  };

  /// Plain steps, at least 2, and the update of the last one, if measured; the workspace's u and v stay
  /// behind.
  static void advance(Workspace<T, 2>& w, Grid& grid, Index levels, bool measured) {
    const bool takes_u = !grid.is_current, takes_g = !grid.has_g && !w.has_one_g;
    if (takes_u) grid.taken_at = grid.rounds;
    grid.lower_line = StripLines<T>::lower_line;
    Call call{w, grid, levels, measured, takes_u, takes_g, w.restarted()};
    const int team = run_team(w.threads, TeamPool::Job{Call::run, &call});
    grid.rounds += Rounds(grid, levels, team).count;
    grid.has_g = grid.has_g || takes_g;
    grid.is_current = grid.is_ahead[0] = grid.is_ahead[1] = true;
    for (Segment<T>& part : grid.segments) std::swap(part.u, part.v);
    record(w, static_cast<std::size_t>(levels), team);
  }

  /// The update of the last step, where strips are current.
  static Norms update(Workspace<T, 2>& w, const Grid& grid) {
    run_team(w.threads, [&](const Member& me) HWY_ATTR { measure_lines(w, grid, me); });
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
