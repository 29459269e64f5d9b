/// Ways through a dense matrix to the same bits: which are tried where it lies.
#pragma once
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "jacobi/types.hpp"

namespace jacobi::sweep {

/// How rung fused goes through the matrix.
struct DenseWay {
  enum Order {
    neighbours,  ///< rows next to each other at once
    bands,       ///< rows at once, the next one of each of as many bands
    columns,     ///< columns at once over a part of r, a piece of each after the other
    held,        ///< vectors of r held in registers while all columns pass
    small,       ///< a matrix of one piece: nothing but its sweeps, one after the other, r in registers
    twice        ///< vectors held, two sweeps in one go as far as the next one's unknowns are known
  };
  static constexpr int all = 16;  ///< held, small: as many as there are registers for
  Order order = bands;
  int at_once = 4;          ///< so many of them
  bool goes_back = false;   ///< every other sweep starts at the last rows, which are still in cache
  bool asks_ahead = false;  ///< bands: entries are asked for ahead of time
  bool one_thread = false;  ///< however many there are
  bool crossed = false;  ///< columns: threads pass rows on to each other, after a part of the columns of each

  std::string in_words() const {
    return what() + (goes_back ? ", back and forth" : "") + (asks_ahead ? ", asked for ahead" : "") +
           (one_thread ? ", alone" : "") + (crossed ? ", crossed" : "");
  }

 private:
  std::string what() const {
    const std::string many = std::to_string(at_once);
    switch (order) {
      case neighbours:
        return many + " rows at once";
      case bands:
        return many + " rows of as many bands at once";
      case columns:
        return many + " columns at once";
      case small:
        return (at_once == all ? "all vectors of rows" : many + " rows") + " at once, sweep after sweep";
      case held:
        return (at_once == all ? "as many vectors of rows as registers hold"
                               : many + " vectors of rows at once");
      case twice:
        return many + " vectors of rows at once, two sweeps per visit";
    }
    return {};
  }
};

/// Ways through a matrix of entries of `size` bytes that lies in the cache of `level` (4: memory): the best
/// ones where they were measured (docs/lab, 2026-11-29), first the one that was best most often.
inline std::vector<DenseWay> ways_through(bool by_rows, int level, bool asks_ahead, std::size_t size) {
  using enum DenseWay::Order;
  constexpr bool back = true;
  if (by_rows && level == 1) return {{neighbours, 8}};
  if (by_rows && level == 2) return {{bands, 4}, {bands, 4, back}};
  if (by_rows) return {{bands, 4, back, asks_ahead}, {bands, 4, back, !asks_ahead}, {bands, 4}};
  const int first = size == sizeof(double) ? 8 : 4;
  if (level == 1) return {{held, first}, {held, 12 - first}};
  if (level == 2) return {{columns, 8}, {held, DenseWay::all}, {held, 4}};
  if (level == 3) return {{columns, 8}, {columns, 4}, {held, 8}, {held, 4}};
  return {{columns, 8}, {columns, 4}};
}

/// The first two of these alone, then these: a sweep of a small matrix may take less time than its threads'
/// meetings.
inline std::vector<DenseWay> alone_too(const std::vector<DenseWay>& ways) {
  std::vector<DenseWay> all(ways.begin(), ways.begin() + std::min<std::ptrdiff_t>(2, std::ssize(ways)));
  for (DenseWay& way : all) way.one_thread = true;
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
inline DenseWay two_sweeps() { return {.order = DenseWay::twice, .at_once = 8, .one_thread = true}; }
inline DenseWay crossed_columns() { return {.order = DenseWay::columns, .at_once = 8, .crossed = true}; }

}  // namespace jacobi::sweep
