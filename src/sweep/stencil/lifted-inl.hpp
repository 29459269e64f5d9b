/// Many sweeps of a 2D grid whose lines are cut into strips, one for each lane of a vector: west and east are
/// then vectors too, and nothing is shifted (dimension-lifted transposition: Henretty et al., Compiler
/// Construction 2011). A pass takes all lines several levels up, which stay in registers; passes follow each
/// other down the grid, in one array.
#if defined(JACOBI_LIFTED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_LIFTED_INL
#undef JACOBI_LIFTED_INL
#else
#define JACOBI_LIFTED_INL
#endif

#include <array>
#include <utility>
#include <vector>

#include "sweep/stencil/lifted.hpp"
#include "sweep/stencil/risers-inl.hpp"
#include "sweep/stencil/strips-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T>
struct Lifted {
  using A = Vector<T>;
  using Grid = LiftedGrid<T>;
  using Part = Segment<T>;
  static constexpr Index lanes = Part::lanes;
  static constexpr int most = Part::most;

  /// Where a vector is a line of the cache and registers are enough.
  static constexpr bool is_able = HWY_TARGET <= HWY_AVX3 && HWY_ARCH_X86;

  /// Enough plain steps to be worth it.
  static bool takes(const Workspace<T, 2>& w, std::span<const Step> steps) {
    return w.may_lift && steps.size() >= 8 && std::all_of(steps.begin(), steps.end(), [](const Step& s) {
             return kind_of(s) == StepKind::plain;
           });
  }

  template <int K, bool OneG, bool AtEdge>
  static HWY_NOINLINE void tile(const Part& part, T* out, T c, T one_g, Index y, T* side, const T* ahead) {
    Risers<T, K, OneG, AtEdge>(part, out, c, one_g, y, side, ahead).run();
  }
  template <int K>
  static void tile(const Part& part, T* out, const Workspace<T, 2>& w, Index y, T* side, const T* ahead) {
    static constexpr decltype(&tile<K, false, false>) kernels[2][2] = {
        {tile<K, false, false>, tile<K, false, true>}, {tile<K, true, false>, tile<K, true, true>}};
    const bool at_edge = y < K || y + Part::together - 2 >= part.lines;
    kernels[w.has_one_g][at_edge](part, out, w.c[0], w.one_g, y, side, ahead);
  }

  /// visit(line): those that a tile of a pass leaves done.
  template <class Visit>
  static void for_each_done(const Part& part, Index tile, int levels, Visit&& visit) {
    const Index y = tile * Part::together - levels;
    for (Index row = std::max<Index>(0, y); row < std::min(part.lines, y + Part::together); ++row) visit(row);
  }

  /// Some levels of all lines, in place but for the last one of a call, which leaves the iterate before.
  struct Pass {
    int levels = 0;
    bool is_last = false;
    T* side = nullptr;
    Index slot = Grid::slots;  ///< records before the present ones

    T* target(const Part& part) const { return is_last ? part.v : part.u; }

    void tile(const Part& part, const Workspace<T, 2>& w, Index number, const T* ahead) {
      T* const out = target(part);
      T* const at = side + (slot + 1 + most - levels) * Grid::record;
      [&]<int... K>(std::integer_sequence<int, K...>) {
        ((levels == K + 1 && (Lifted::tile<K + 1>(part, out, w, number * Part::together, at, ahead), true)) ||
         ...);
      }
      (std::make_integer_sequence<int, most>());
      for_each_done(part, number, levels,
                    [&](Index row) HWY_ATTR { Strips<T>::join(part, out + row * part.pitch); });
      if (--slot < 0) {
        const Index used = (part.strip + 2 * most + 1) * Grid::record;
        std::memmove(side + Grid::slots * Grid::record, side, static_cast<std::size_t>(used) * sizeof(T));
        slot += Grid::slots;
      }
    }
  };

  struct Passes {
    std::array<Pass, Grid::most_passes> list;
    Index count = 0;
    const Pass& last() const { return list[static_cast<std::size_t>(count - 1)]; }
  };

  /// A few passes over a segment, one tile behind each other. before(turn) and after(turn): around what all
  /// of them do at once.
  template <class Before, class After>
  static void round(const Workspace<T, 2>& w, const Part& part, Passes& passes, Before&& before,
                    After&& after) {
    const Index count = passes.count;
    // of what the first pass will bring in next, each pass asks for a share
    const Index arrays = w.has_one_g ? 1 : 2, shares = (count + arrays - 1) / arrays;
    const auto next = [&](Index tile, Index p) {
      const Index size = Part::together * part.pitch;
      return (p % arrays ? part.g : part.u) + tile * size + p / arrays * (size / shares / lanes * lanes);
    };
    for (Index turn = 0; turn < part.tiles() + count - 1; ++turn) {
      before(turn);
      for (Index p = std::max<Index>(0, turn - part.tiles() + 1); p < count && p <= turn; ++p)
        passes.list[static_cast<std::size_t>(p)].tile(part, w, turn - p, next(turn + 1, p));
      after(turn);
    }
  }

  /// Which passes there are, the last one of one level: of one segment, as many rounds for every thread.
  struct Rounds {
    Index levels, passes, count;

    Rounds(const Grid& grid, Index all, int team) : levels(all), passes((all - 1 + most - 1) / most + 1) {
      count = (passes + grid.passes - 1) / grid.passes;
      if (grid.segments.size() == 1) count = std::min(passes, (count + team - 1) / team * team);
    }
    Index first(Index round) const { return passes * round / count; }
    Passes take(const Grid& grid, Index round, int thread) const {
      Passes taken;
      for (Index p = first(round); p < first(round + 1); ++p, ++taken.count) {
        const bool is_last = p + 1 == passes;
        const Index count_of = is_last ? 1 : std::min<Index>(most, levels - 1 - p * most);
        T* const side = grid.sides.get() + (thread * grid.passes + taken.count) * grid.side;
        taken.list[static_cast<std::size_t>(taken.count)] = {static_cast<int>(count_of), is_last, side};
      }
      return taken;
    }
  };

  /// The update of the last step on a line, summed as in natural order.
  static void measure_line(const Workspace<T, 2>& w, Index y, const Member& me) {
    T* const line = w.lifted.line.get() + me.number * w.lifted.line_size;
    for (const Part& part : w.lifted.segments) {
      const T *const u = part.u + y * part.pitch, *const v = part.v + y * part.pitch;
      Strips<T>::lower_line(
          part, [&](Index i) HWY_ATTR { return A::sub(A::load(v + i), A::load(u + i)); }, line);
    }
    for (Index s = y * w.pieces_per_line; s < (y + 1) * w.pieces_per_line; ++s) {
      const Piece<2>& piece = w.piece(s);
      const T* const from = line + piece.position[0];
      w.partials[s] = sum_vectors<T>(piece.count, [&](Index i) HWY_ATTR { return A::load(from + i); });
    }
  }
  static void measure_lines(const Workspace<T, 2>& w, const Member& me) {
    me.share(w.n[1], [&](Index y) HWY_ATTR { measure_line(w, y, me); });
  }

  /// Of one segment, threads take the rounds in turn and follow each other down the grid.
  static void follow(const Workspace<T, 2>& w, const Rounds& rounds, bool measures, const Member& me,
                     std::vector<Progress>& progress) {
    const Part& part = w.lifted.segments[0];
    constexpr std::int64_t stage = std::int64_t(1) << 32;
    for (Index r = me.number; r < rounds.count; r += me.team) {
      Passes passes = rounds.take(w.lifted, r, me.number);
      const Index ahead = r > 0 ? rounds.first(r) - rounds.first(r - 1) : 0;  // passes of the round before
      round(
          w, part, passes,
          [&](Index turn) {
            if (r == 0 || me.team == 1) return;
            const Index needed = std::min(turn + 1, part.tiles() - 1) + ahead;
            progress[static_cast<std::size_t>((r - 1) % me.team)].wait_for((r - 1) * stage + needed);
          },
          [&](Index turn) {
            progress[static_cast<std::size_t>(me.number)].reach(r * stage + turn + 1);
            if (const Index tile = turn - passes.count + 1; measures && passes.last().is_last && tile >= 0)
              for_each_done(part, tile, passes.last().levels, [&](Index y) { measure_line(w, y, me); });
          });
    }
  }

  /// Of several, each goes through a round by itself; halos begin with what the neighbours kept of the round
  /// before.
  static void share_out(const Workspace<T, 2>& w, const Rounds& rounds, const Member& me) {
    const auto& all = w.lifted.segments;
    const Index count = static_cast<Index>(all.size()), before = w.lifted.rounds;
    for (Index r = 0; r < rounds.count; ++r) {
      me.share(count, [&](Index s) {
        const Part& part = all[static_cast<std::size_t>(s)];
        Passes passes = rounds.take(w.lifted, r, me.number);
        round(
            w, part, passes,
            [&](Index tile) {
              const Index y = tile * Part::together;
              if (before + r == w.lifted.lifted_at) return;
              for (Index row = y; row < std::min(part.lines, y + Part::together); ++row) {
                if (s > 0) part.take_edge(row, before + r - 1, all[static_cast<std::size_t>(s - 1)]);
                if (s + 1 < count) part.take_edge(row, before + r - 1, all[static_cast<std::size_t>(s + 1)]);
              }
            },
            [&](Index turn) {
              const Index tile = turn - passes.count + 1;
              if (tile < 0) return;
              const T* const out = passes.last().target(part);
              for_each_done(part, tile, passes.last().levels,
                            [&](Index row) { part.keep_edges(out, row, before + r); });
            });
      });
      me.wait();
    }
  }

  /// The workspace's u into strips, and g where it is new.
  static void lift(Workspace<T, 2>& w, bool takes_u, bool takes_g, const Member& me) {
    me.share(w.n[1] + 2, [&](Index line) HWY_ATTR {
      const Index y = line - 1, p = y * w.stride[1];
      for (const Part& part : w.lifted.segments) {
        const bool beside = y < 0 || y == w.n[1];
        const Index to = y * part.pitch;
        const auto lift = [&](const T* from, T* strips) HWY_ATTR {
          Strips<T>::lift_line(part, from, strips);
          Strips<T>::join(part, strips);
        };
        if (takes_g && !beside) lift(w.g + p, part.g + to);
        if (takes_u) lift(w.u + p, part.u + to);
        if (takes_u && beside) lift(w.u + p, part.v + to);
        if (takes_u) part.bound(w.u + p, y);
      }
    });
    me.wait();
  }

  /// Plain steps, at least 2, and the update of the last one, if measured; the workspace's u and v stay
  /// behind.
  static void advance(Workspace<T, 2>& w, Index levels, bool measured) {
    Grid& grid = w.lifted;
    const bool takes_u = !grid.is_current, takes_g = !grid.has_g && !w.has_one_g;
    if (takes_u) grid.lifted_at = grid.rounds;
    grid.lower_line = Strips<T>::lower_line;
    std::vector<Progress> progress(static_cast<std::size_t>(w.threads));
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      if (takes_u || takes_g) lift(w, takes_u, takes_g, me);
      const Rounds rounds(grid, levels, me.team);
      if (grid.segments.size() == 1) return follow(w, rounds, measured, me, progress);
      share_out(w, rounds, me);
      if (measured) measure_lines(w, me);
    });
    grid.rounds += Rounds(grid, levels, team).count;
    grid.has_g = grid.has_g || takes_g;
    grid.is_current = grid.is_ahead[0] = grid.is_ahead[1] = true;
    for (Part& part : grid.segments) std::swap(part.u, part.v);
    record(w, "tiled", static_cast<std::size_t>(levels), team);
  }

  /// The update of the last step.
  static Norms update(Workspace<T, 2>& w) {
    run_team(w.threads, [&](const Member& me) HWY_ATTR { measure_lines(w, me); });
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
