/// A grid whose lines lie in strips, for lifted-inl.hpp.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "machine/caches.hpp"
#include "sweep/arrays.hpp"

namespace jacobi::sweep {

/// A part of each line: `strip` columns of vectors, unknown x in lane x / strip of column x % strip. Before
/// and behind them lie `margin` columns, in which every lane goes on with its neighbour's strip. Lines above
/// and below the grid, as many as a pass runs over, never change.
template <class T>
struct Segment {
  static constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
  static constexpr int together = 5;  ///< lines of a tile of a pass
  static constexpr int most = 3;      ///< levels of a pass
  static constexpr Index margin = most;

  Index first, last;          ///< its own unknowns of a line
  Index low, high;            ///< and with halos of what its neighbours own
  Index lines, strip, pitch;  ///< pitch: entries from line to line
  Index ghost;                ///< column of the last lane behind the last unknown
  Index halo;                 ///< entries of one, of each line
  T *u, *v, *g;               ///< column 0 of line 0; v: the iterate before, after a call
  AlignedArray<T> array[3], edges;

  Segment(Index begin, Index end, Index width, Index line_count, Index halo_width, int threads)
      : first(begin),
        last(end),
        low(std::max<Index>(0, first - halo_width)),
        high(std::min(width, last + halo_width)),
        lines(line_count),
        strip((high - low + lanes - 1) / lanes),
        pitch((strip + 2 * margin) * lanes),
        ghost(high - low - (lanes - 1) * strip),
        halo(halo_width) {
    const Index entries = (tiles() * together + most) * pitch + 2 * lanes;
    T** const begin_of[3] = {&u, &v, &g};
    for (Index k = 0; k < 3; ++k) {  // apart modulo the page, as Arrays are
      array[k] = swept_array<T>(entries + k * 9 * lanes, threads);
      *begin_of[k] = array[k].get() + most * pitch + (margin + k * 9) * lanes;
    }
    if (halo > 0) edges = swept_array<T>(4 * lines * halo, threads);
  }

  Index tiles() const { return (lines + most + together - 1) / together; }
  /// visit(i, where): unknowns x + i, i = 0 ... count - 1, in a line.
  template <class Visit>
  void each(Index x, Index count, Visit&& visit) const {
    Index lane = (x - low) / strip, column = (x - low) % strip;
    for (Index i = 0; i < count; ++i) {
      visit(i, column * lanes + lane);
      if (++column == strip) column = 0, ++lane;
    }
  }

  /// Left and right of line y of both iterates, in the lanes where it ends: its ghosts, as in `from`.
  void bound(const T* from, Index y) const {
    for (T* const to : {u + y * pitch, v + y * pitch}) {
      for (Index c = -margin; c < 0; ++c) to[c * lanes] = from[low - 1];
      for (Index c = ghost; c < strip + margin; ++c) to[(c + 1) * lanes - 1] = from[high];
    }
  }

  /// Keeps of line y what the neighbours' halos need after a round of passes: two rounds are remembered.
  void keep_edges(const T* array_of, Index y, Index round) const {
    const T* const from = array_of + y * pitch;
    each(first, halo, [&](Index i, Index at) { edge(y, round, 0)[i] = from[at]; });
    each(last - halo, halo, [&](Index i, Index at) { edge(y, round, 1)[i] = from[at]; });
  }
  void take_edge(Index y, Index round, const Segment& neighbour) const {
    const bool below = neighbour.first < first;
    const T* const from = neighbour.edge(y, round, below);
    T* const to = u + y * pitch;
    each(below ? low : last, halo, [&](Index i, Index at) { to[at] = from[i]; });
  }

 private:
  /// Of the low or the high end.
  T* edge(Index y, Index round, bool at_high) const {
    return edges.get() + ((round % 2 * 2 + at_high) * lines + y) * halo;
  }
};

/// All of them side by side, and what is left from tile to tile.
template <class T>
struct LiftedGrid {
  using Part = Segment<T>;
  static constexpr Index record = (2 * Part::most - 1) * Part::lanes;  ///< entries, of one column
  static constexpr Index slots = 64;  ///< tiles until what they leave is moved back
  static constexpr Index most_tiles = 6;
  /// Of a tile between two visits to it: 20 vectors for each, of u, of g and of what tiles leave, in L1.
  static constexpr Index columns_at_once = 16;
  static constexpr Index kept_size = most_tiles * 2 * Part::most * Part::together * Part::lanes;
  static constexpr Index most_passes = 12, most_of_followed = 6;
  static constexpr Index columns = 128;  ///< of a segment where lines are cut, without halos
  static constexpr Index most_columns = columns * 5 / 4 + Part::lanes;

  std::vector<Part> segments;
  Index passes = 0;  ///< that follow each other at once: they share L2; fewer where threads follow each other
  Index tiles = 0;   ///< that a pass makes in a turn, before the next one comes
  Index side = 0;    ///< entries that a pass leaves to itself
  AlignedArray<T> sides;
  AlignedArray<T> kept;  ///< of each tile, from one part of its columns to the next; so much for each thread
  Index line_size = 0;   ///< of a line in natural order, one for each thread
  AlignedArray<T> line;
  Index rounds = 0;     ///< made so far
  Index lifted_at = 0;  ///< of them, before u was last taken from the workspace
  /// Its own unknowns of a segment's line, to where the line's unknown 0 lies: by the rung that lifted them.
  void (*lower_line)(const Part&, const T* from, T* to) = nullptr;
  bool has_g = false;
  bool is_current = false;            ///< u is the newest iterate
  bool is_ahead[2] = {false, false};  ///< of the workspace's u and v

  /// A line that is too long for L2 is cut, into as many segments for every thread.
  static Index count(Index width, int threads) {
    constexpr Index longest = columns * Part::lanes;
    if (width * 4 <= longest * 5) return 1;
    return (width + longest * threads - 1) / (longest * threads) * threads;
  }

  /// The unknowns of u or, if previous, of v, to where line 0 begins and lines are `stride` apart.
  void lower(bool previous, T* to, Index stride, [[maybe_unused]] int threads) {
    if (!std::exchange(is_ahead[previous], false)) return;
    const Index lines = segments[0].lines;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index y = 0; y < lines; ++y)
      for (const Part& part : segments)
        lower_line(part, (previous ? part.v : part.u) + y * part.pitch, to + y * stride);
  }

  std::string in_words() const {
    const Part& part = segments[0];
    return fmt::format(
        "up to {} sweeps per visit, lines{} in {} strips of {}, {} levels of {} lines in registers",
        passes * Part::most, segments.size() > 1 ? fmt::format(" in {} segments", segments.size()) : "",
        Part::lanes, part.strip, Part::most, Part::together);
  }

  /// Whether it is worth it (docs/performance.md), and a halo stays clear of the columns that a neighbour's
  /// strip repeats.
  static bool suits(Index width, Index lines, int threads) {
    constexpr Index least = 31;  // columns: of 512 points in float, of 256 in double
    static_assert(least > Part::lanes + Part::most, "the last lane of a strip may end so much earlier");
    const Index n = count(width, threads);
    return width >= std::max(least, n > 1 ? n * 52 : 0) * Part::lanes &&
           lines >= (n > 1 || threads == 1 ? 64 : 128 * threads);
  }
  /// Of all arrays, at most.
  static double bytes(Index width, Index lines, int threads) {
    constexpr Index side_of_a_thread = most_passes * (most_columns + 2 * Part::most + slots + 2) * record;
    const double own = static_cast<double>(width + 2 * Part::lanes + side_of_a_thread + kept_size) * threads;
    return (4.8 * static_cast<double>(width) * static_cast<double>(lines) + own) * sizeof(T);
  }

  LiftedGrid() = default;
  LiftedGrid(Index width, Index lines, int threads) {
    const Index n = count(width, threads);
    const Index vector = Part::lanes * static_cast<Index>(sizeof(T));
    const Index strip = width / n / Part::lanes + 2 * Part::margin;
    const Index of_a_tile = 2 * Part::together * strip * vector;
    const Index of_a_pass =
        2 * (Part::together + Part::most) * strip * vector + strip * record * Index{sizeof(T)};
    const Index l2 = static_cast<Index>(machine::assumed_cache_bytes(2));
    tiles = std::clamp<Index>(l2 / 10 / of_a_tile, 1, most_tiles);
    const Index most = n == 1 && threads > 1 ? most_of_followed : most_passes;
    passes = std::clamp<Index>((l2 * 4 / 5 - (tiles - 1) * of_a_tile) / of_a_pass, 1, most);
    segments.reserve(static_cast<std::size_t>(n));
    for (Index s = 0; s < n; ++s)
      segments.emplace_back(width * s / n, width * (s + 1) / n, width, lines, n > 1 ? passes * Part::most : 0,
                            threads);
    for (const Part& part : segments)
      side = std::max(side, (part.strip + 2 * Part::most + slots + 2) * record);
    sides = swept_array<T>(passes * side * threads, threads);
    kept = swept_array<T>(kept_size * threads, threads);
    line_size = width + 2 * Part::lanes;
    line = swept_array<T>(line_size * threads, threads);
  }
};

}  // namespace jacobi::sweep
