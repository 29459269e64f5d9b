/// A grid whose lines lie in strips, one for each lane of a vector (dimension-lifted layout).
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/team.hpp"
#include "machine/caches.hpp"
#include "sweep/arrays.hpp"
#include "sweep/boxed.hpp"
#include "sweep/stencil/strips/register_tile.hpp"

namespace jacobi::sweep {

/// A part of each line: `strip` columns of vectors, unknown x in lane x / strip of column x % strip. Before
/// and behind them lie as many columns as a pass has levels, in which every lane goes on with its neighbour's
/// strip. Lines above and below the grid, as many as a pass runs over, never change.
template <class T>
struct Segment {
  RegisterTile tile;
  Index first, last;          ///< its own unknowns of a line
  Index low, high;            ///< and with halos of what its neighbours own
  Index lines, strip, pitch;  ///< pitch: entries from line to line
  Index ghost;                ///< column of the last lane behind the last unknown
  Index halo;                 ///< entries of one, of each line
  T *u, *v, *g;               ///< column 0 of line 0; v: the iterate before, after a call
  AlignedArray<T> array[3], edges;

  Segment(RegisterTile one, Index begin, Index end, Index width, Index line_count, Index halo_width,
          int threads)
      : tile(one),
        first(begin),
        last(end),
        low(std::max<Index>(0, first - halo_width)),
        high(std::min(width, last + halo_width)),
        lines(line_count),
        strip((high - low + tile.lanes - 1) / tile.lanes),
        pitch((strip + 2 * tile.levels) * tile.lanes),
        ghost(high - low - (tile.lanes - 1) * strip),
        halo(halo_width) {
    const Index entries = (tiles() * tile.lines + tile.levels) * pitch + 2 * tile.lanes;
    T** const begin_of[3] = {&u, &v, &g};
    for (Index k = 0; k < 3; ++k) {  // apart modulo the page, as Arrays are
      const Index apart = k * 9 * alignment / static_cast<Index>(sizeof(T));
      array[k] = swept_array<T>(entries + apart, threads);
      *begin_of[k] = array[k].get() + tile.levels * (pitch + tile.lanes) + apart;
    }
    if (halo > 0) edges = swept_array<T>(4 * lines * halo, threads);
  }

  Index tiles() const { return (lines + tile.levels + tile.lines - 1) / tile.lines; }
  /// visit(i, where): unknowns x + i, i = 0 ... count - 1, in a line.
  template <class Visit>
  void each(Index x, Index count, Visit&& visit) const {
    Index lane = (x - low) / strip, column = (x - low) % strip;
    for (Index i = 0; i < count; ++i) {
      visit(i, column * tile.lanes + lane);
      if (++column == strip) column = 0, ++lane;
    }
  }

  /// Left and right of line y of both iterates, in the lanes where it ends: its ghosts, as in `from`.
  void bound(const T* from, Index y) const {
    for (T* const to : {u + y * pitch, v + y * pitch}) {
      for (Index c = -tile.levels; c < 0; ++c) to[c * tile.lanes] = from[low - 1];
      for (Index c = ghost; c < strip + tile.levels; ++c) to[(c + 1) * tile.lanes - 1] = from[high];
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
struct StripsGrid {
  static constexpr Index slots = 64;  ///< tiles until what they leave is moved back
  static constexpr Index most_tiles = 6;
  /// Entries of a line that a tile goes over before the next tile does: 16 lines of the cache, so that those
  /// of u and of g and what tiles leave stay in L1.
  static constexpr Index at_once = 1024 / static_cast<Index>(sizeof(T));
  static constexpr Index most_passes = 12, most_of_followed = 6;
  /// Unknowns of a segment where lines are cut, without halos.
  static constexpr Index longest = 8192 / static_cast<Index>(sizeof(T));

  std::vector<Segment<T>> segments;
  Index passes = 0;  ///< that follow each other at once, in L2 or L3; fewer where threads follow each other
  Index tiles = 0;   ///< that a pass makes in a turn, before the next one comes
  Index side = 0;    ///< entries that a pass leaves to itself
  AlignedArray<T> sides;
  AlignedArray<T> kept;  ///< of each tile, from one part of its columns to the next; so much for each thread
  Index line_size = 0;   ///< of a line in natural order, one for each thread
  AlignedArray<T> line;
  Index rounds = 0;    ///< made so far
  Index taken_at = 0;  ///< of them, before u was last taken from the workspace
  /// Its own unknowns of a segment's line, to where the line's unknown 0 lies: by what took them up.
  void (*lower_line)(const Segment<T>&, const T* from, T* to) = nullptr;
  bool has_g = false;
  Unneeded unneeded;
  bool is_current = false;            ///< u is the newest iterate
  bool is_ahead[2] = {false, false};  ///< of the workspace's u and v

  /// The workspace's u, and perhaps g, is new.
  void forget(bool also_g) {
    is_current = is_ahead[0] = is_ahead[1] = false;
    has_g = has_g && !also_g;
  }

  /// A line that is too long for L2 is cut, into as many segments for every thread.
  static Index count(Index width, int threads) {
    if (width * 4 <= longest * 5) return 1;
    return (width + longest * threads - 1) / (longest * threads) * threads;
  }

  /// The unknowns of u or, if previous, of v, to where line 0 begins and lines are `stride` apart.
  void lower(bool previous, T* to, Index stride, int threads) {
    if (!std::exchange(is_ahead[previous], false)) return;
    parallel_for(threads, segments[0].lines, [&](Index y) { lower_line_of(previous, y, to + y * stride); });
  }
  void lower_line_of(bool previous, Index y, T* to) const {
    for (const Segment<T>& part : segments)
      lower_line(part, (previous ? part.v : part.u) + y * part.pitch, to);
  }

  std::string in_words() const {
    const Segment<T>& part = segments[0];
    return fmt::format(
        "up to {} sweeps per visit, lines{} in {} strips of {}, {} levels of {} lines in registers",
        passes * part.tile.levels, segments.size() > 1 ? fmt::format(" in {} segments", segments.size()) : "",
        part.tile.lanes, part.strip, part.tile.levels, part.tile.lines);
  }

  /// Whether it is worth it (docs/lab/2026-11-25-strips.md), and a halo stays clear of the columns that a
  /// neighbour's strip repeats.
  static bool suits(RegisterTile tile, Index width, Index lines, int threads) {
    constexpr Index least = 31;  // columns: with AVX-512 of 512 points in float, of 256 in double
    const Index n = count(width, threads);
    return width >= std::max(least, n > 1 ? n * 52 : 0) * tile.lanes &&
           lines >= (n > 1 || threads == 1 ? 64 : 128 * threads);
  }
  /// Of all arrays, at most.
  static double bytes(RegisterTile tile, Index width, Index lines, int threads) {
    const Index columns = longest * 5 / 4 / tile.lanes + tile.lanes;
    const Index side_of_a_thread = most_passes * (columns + 2 * tile.levels + slots + 2) * tile.record();
    const double own =
        static_cast<double>(width + 2 * tile.lanes + side_of_a_thread + most_tiles * tile.kept()) * threads;
    return (4.8 * static_cast<double>(width) * static_cast<double>(lines) + own) * sizeof(T);
  }

  StripsGrid(RegisterTile tile, Index width, Index lines, int threads) {
    const Index n = count(width, threads);
    const Index vector = tile.lanes * static_cast<Index>(sizeof(T));
    const Index strip = width / n / tile.lanes + 2 * tile.levels;
    const Index of_a_tile = 2 * tile.lines * strip * vector;
    const Index of_a_pass =
        2 * (tile.lines + tile.levels) * strip * vector + strip * tile.record() * Index{sizeof(T)};
    const Index l2 = static_cast<Index>(machine::assumed_cache_bytes(2));
    tiles = std::clamp<Index>(l2 / 10 / of_a_tile, 1, most_tiles);
    // where lines are cut a round is a visit to memory: passes of two levels share L3 rather than be few
    const Index least = n > 1 && tile.levels == 2 ? 9 : 1;
    const Index most = n == 1 && threads > 1 ? most_of_followed : most_passes;
    passes = std::clamp<Index>((l2 * 4 / 5 - (tiles - 1) * of_a_tile) / of_a_pass, least, most);
    segments.reserve(static_cast<std::size_t>(n));
    for (Index s = 0; s < n; ++s)
      segments.emplace_back(tile, width * s / n, width * (s + 1) / n, width, lines,
                            n > 1 ? passes * tile.levels : 0, threads);
    for (const Segment<T>& part : segments)
      side = std::max(side, (part.strip + 2 * tile.levels + slots + 2) * tile.record());
    sides = swept_array<T>(passes * side * threads, threads);
    kept = swept_array<T>(most_tiles * tile.kept() * threads, threads);
    line_size = width + 2 * tile.lanes;
    line = swept_array<T>(line_size * threads, threads);
  }
};

}  // namespace jacobi::sweep
