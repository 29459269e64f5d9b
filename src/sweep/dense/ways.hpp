/// Several ways through a matrix to the same bits, and the fastest of them, found while sweeping.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// How rungs fused and paired go through the matrix.
struct DenseWay {
  enum Kind {
    neighbours,  ///< rows next to each other at once
    bands,       ///< rows at once, the next one of each of as many bands
    rows,        ///< rows one after the other
    columns,     ///< columns at once over a part of r, a piece of each after the other
    held,        ///< vectors of r held in registers while all columns pass
    small,       ///< a matrix of one piece: nothing but its sweeps, one after the other, r in registers
    halved,      ///< the same, what is left in half as many, a quarter ..., down to single rows
    twice,       ///< vectors held, two sweeps in one go as far as the next one's unknowns are known
    triangles,   ///< rung paired
    packed       ///< the same, of entries that are stored as they are read
  };
  /// Of a column: as many vectors as registers hold, half as many, four, or a line of 64 bytes (or a vector,
  /// if longer).
  enum Piece { line, in_fours, in_short, in_long };
  static constexpr int all = 16;  ///< held, small: as many as there are registers for
  Kind kind = bands;
  int at_once = 4;          ///< so many of them
  bool asks_ahead = false;  ///< entries are asked for ahead of time
  bool goes_back = false;   ///< every other sweep starts at the last rows, which are still in cache
  Piece piece = in_short;
  bool alone = false;    ///< on one thread, however many there are
  bool crossed = false;  ///< columns: threads pass rows on to each other, after a part of the columns of each

  std::string in_words() const {
    return what() + (goes_back ? ", back and forth" : "") + (asks_ahead ? ", asked for ahead" : "") +
           (alone ? ", alone" : "") + (crossed ? ", crossed" : "");
  }

 private:
  std::string what() const {
    const std::string many = std::to_string(at_once);
    switch (kind) {
      case neighbours:
        return many + " rows at once";
      case bands:
        return many + " rows of as many bands at once";
      case rows:
        return "row after row";
      case columns:
        return many + " columns at once" +
               (piece == line       ? ", line by line"
                : piece == in_fours ? " by four vectors"
                : piece == in_long  ? " in long pieces"
                                    : " in short pieces");
      case small:
        return (at_once == all ? "all vectors of rows" : many + " rows") + " at once, sweep after sweep";
      case held:
        return (at_once == all ? "as many vectors of rows as registers hold"
                               : many + " vectors of rows at once");
      case twice:
        return many + " vectors of rows at once, two sweeps per visit";
      case halved:
        return many + " vectors of rows at once, then half as many";
      case triangles:
        return "one triangle of the matrix after the other";
      case packed:
        return "one triangle of the matrix after the other, packed in that order";
    }
    return {};
  }
};

/// Ways through a matrix of entries of `size` bytes that lies in the cache of `level` (4: memory), the one
/// that was best where they were measured first (docs/lab).
inline std::vector<DenseWay> ways_through(bool by_rows, int level, bool asks_ahead, std::size_t size) {
  using enum DenseWay::Kind;
  if (by_rows && level == 1) return {{neighbours, 8}};
  if (by_rows && level == 2) return {{bands, 4}, {bands, 4, false, true}, {rows, 1}, {rows, 1, false, true}};
  if (by_rows)
    return {{bands, 4, asks_ahead, true},
            {rows, 1},
            {rows, 1, asks_ahead, true},
            {bands, 4, !asks_ahead, true},
            {bands, 4}};
  const int first = size == sizeof(double) ? 8 : 4, other = 12 - first;
  using enum DenseWay::Piece;
  constexpr bool ahead = true;
  if (level == 1) return {{held, first}, {held, other}, {halved, 8}, {halved, 4}};
  if (level == 2)
    return {{columns, 4, !ahead, false, in_long},
            {columns, 8, !ahead, false, in_fours},
            {columns, 8, ahead, false, in_long},
            {columns, 8, !ahead, false, in_long},
            {held, DenseWay::all},
            {held, 8},
            {held, 4},
            {halved, 4}};
  if (level == 3)
    return {{columns, 8, !ahead, false, in_long},
            {columns, 8, ahead, false, in_long},
            {columns, 8},
            {columns, 4},
            {columns, 4, !ahead, false, in_long},
            {held, 8}};
  return {{columns, 8}, {columns, 8, ahead}, {columns, 4}, {columns, 4, !ahead, false, line}};
}

/// The same for rung paired.
inline std::vector<DenseWay> ways_through_triangles() {
  return {{DenseWay::triangles, 1, true}, {DenseWay::triangles, 1, false}};
}

/// Each of these alone, then these: a sweep of a small matrix may take less time than its threads' meetings.
inline std::vector<DenseWay> alone_too(const std::vector<DenseWay>& ways) {
  std::vector<DenseWay> all = ways;
  for (DenseWay& way : all) way.alone = true;
  all.insert(all.end(), ways.begin(), ways.end());
  return all;
}

/// Whether threads' shares of `bytes`, of columns `apart` bytes apart, would stay in L2 if they filled all of
/// its sets, and do not: of columns as long as some pages, or so many to a page, each thread's rows lie in
/// the same part of all pages, and in L2 in as large a part of the sets.
inline bool some_sets_only(double bytes, Index apart, int threads, double l2) {
  constexpr Index page = 4096;
  return threads > 1 && (apart % page == 0 || page % apart == 0) && bytes > 0.75 * l2 &&
         bytes <= 1.25 * threads * l2;
}

/// By columns, on one thread.
inline DenseWay two_sweeps() {
  DenseWay way{DenseWay::twice, 8};
  way.alone = true;
  return way;
}

inline DenseWay crossed_columns() {
  DenseWay way{DenseWay::columns, 8};
  way.piece = DenseWay::in_long;
  way.crossed = true;
  return way;
}

/// Finds the fastest of a few ways while they are used: after a first run they run in turn, three times, for
/// at least two sweeps and 0.1 ms, 0.2 if called for enough at once (a call wakes the threads), or, where a
/// sweep takes 2 ms, for one sweep (or `together`, where sweeps differ by turns); one that takes a quarter
/// more than the fastest is not run again. The first stays unless another one's best run is 2 % shorter.
class Choice {
 public:
  static constexpr std::size_t most = 18;  ///< ways; memory of its own would be allocated for every copy
  Choice() = default;
  explicit Choice(std::size_t ways, std::size_t together = 1)
      : ways_(std::min(ways, most)), round_(ways > 1 ? 0 : rounds + 1), together_(together) {
    least_.fill(std::numeric_limits<double>::infinity());
  }

  std::size_t way() const { return way_; }
  bool made() const { return round_ > rounds; }
  /// Sweeps to make before took() is told, of so many to come.
  std::size_t sweeps(std::size_t to_come) const {
    return made() ? to_come : std::min(to_come, sweeps_ > 0 ? sweeps_ : enough_);
  }
  void took(std::size_t sweeps, double seconds) {
    if (made() || sweeps == 0) return;
    sweeps_ += sweeps;
    seconds_ += seconds;
    const double here = seconds_ / static_cast<double>(sweeps_);
    const bool is_long = here >= 2e-3 && sweeps_ >= together_;
    if (!is_long && (sweeps_ < 2 || seconds_ < 1e-4)) return;
    sweeps_ = 0;
    seconds_ = 0;
    enough_ = is_long ? together_ : static_cast<std::size_t>(std::ceil(2e-4 / here));
    if (round_ == 0) {  // nothing was in cache
      round_ = 1;
      return;
    }
    least_[way_] = std::min(least_[way_], here);
    const auto best = std::min_element(least_.begin(), least_.begin() + ways_);
    do {
      if (++way_ < ways_) continue;
      way_ = 0;
      ++round_;
    } while (!made() && std::isfinite(least_[way_]) && least_[way_] > 1.25 * *best);
    if (made() && *best < 0.98 * least_[0]) way_ = static_cast<std::size_t>(best - least_.begin());
  }

 private:
  static constexpr int rounds = 3;
  std::array<double, most> least_{};  ///< seconds of a sweep
  std::size_t ways_ = 0;
  int round_ = rounds + 1;
  std::size_t together_ = 1;
  std::size_t way_ = 0, sweeps_ = 0, enough_ = 1;  ///< enough_: sweeps of the last way that take 0.2 ms
  double seconds_ = 0;
};

}  // namespace jacobi::sweep
