/// A workspace with its memory.
#pragma once
#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "machine/caches.hpp"
#include "sweep/arrays.hpp"
#include "sweep/dense/workspace.hpp"

namespace jacobi::sweep {

/// An L3 larger than this has other users.
inline constexpr double most_of_l3 = 64 << 20;
/// Rows from L3 are asked for as those from memory are, where what caches hold of them from the sweep before
/// does not count (docs/lab).
inline constexpr double least_asked_ahead = 16 << 20;
/// A thread that reads less than this may take longer with the others than one takes alone.
inline constexpr double small_share = 128 << 10;

template <class T, class S = T>
struct Bound {
  Bound(const S* a, Index rows, Index leading, bool by_rows, int threads, bool several = false) {
    w.a = a;
    w.rows = rows;
    w.leading = leading;
    w.width = several ? static_cast<Index>(64 / sizeof(T)) : 1;
    w.by_rows = by_rows;
    w.threads = threads;
    const double bytes = static_cast<double>(rows) * static_cast<double>(rows) * sizeof(S);
    // level 1, which decides about bits, is one thread's
    w.level = bytes <= machine::cache_bytes(1)                               ? 1
              : bytes <= 0.75 * threads * machine::cache_bytes(2)            ? 2
              : bytes <= std::min(0.5 * machine::cache_bytes(3), most_of_l3) ? 3
                                                                             : 4;
    const bool asks_ahead = w.level == 4 || (w.level == 3 && bytes >= least_asked_ahead);
    ways = ways_through(by_rows, w.level, asks_ahead, sizeof(T));
    w.pieces = (w.unknowns() + dense_piece - 1) / dense_piece;
    if (std::is_same_v<T, S> && !several && w.level == 1 && w.pieces == 1)  // one thread's
      ways.insert(ways.begin(), {DenseWay::small, by_rows ? 8 : DenseWay::all});
    else if (!several && threads > 1 && bytes < threads * small_share)
      ways = alone_too(ways);
    const Index apart = leading * static_cast<Index>(sizeof(S));
    if (!several && !by_rows && some_sets_only(bytes, apart, threads, machine::cache_bytes(2)))
      ways.push_back(crossed_columns());
    const bool by_two = !several && !by_rows && (w.level == 2 || w.level == 3) &&
                        (threads == 1 || bytes < threads * small_share);
    if (by_two) {
      ways.push_back(two_sweeps());
      rest = new_vector();
      w.rest = rest.get();
    }
    w.ways = std::span(ways).first(several ? 1 : ways.size());
    w.choice = Choice(w.ways.size(), by_two ? 2 : 1);
    partials.resize(static_cast<std::size_t>(w.pieces));
    w.partials = partials.data();
    for (auto* array : {&b, &scale, &r, &u, &v}) *array = new_vector();
    w.b = b.get();
    w.scale = scale.get();
    w.r = r.get();
    w.u = u.get();
    w.v = v.get();
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

  /// Memory for rung paired, and its ways; packed: the entries that passes up read begin at `up`.
  void pair(Index up = 0) {
    w.up = up;
    for (auto* array : {&half, &rest, &now[0], &now[1], &ahead[0], &ahead[1]}) *array = new_vector();
    w.half = half.get();
    w.rest = rest.get();
    for (int k = 0; k < 2; ++k) w.now[k] = now[k].get(), w.ahead[k] = ahead[k].get();
    ways = up > 0 ? std::vector{DenseWay{DenseWay::packed}} : ways_through_triangles();
    w.ways = ways;
    w.choice = Choice(ways.size(), 2);
  }
  AlignedArray<T> new_vector() const { return swept_array<T>(w.pieces * dense_piece, 1); }

  DenseWorkspace<T, S> w;
  AlignedArray<T> b, scale, r, u, v, half, rest, now[2], ahead[2];
  std::vector<Partial> partials;
  std::vector<DenseWay> ways;
};

}  // namespace jacobi::sweep
