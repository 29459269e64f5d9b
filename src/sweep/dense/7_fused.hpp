// Rung 7, fused: A streams through once, update and norm are taken from L1. By rows, four at once, each the
// next one of a band of its own: four sums each where there are 32 registers, 5 loads per 4 multiply-adds,
// every load instruction walking on from row to row of its band as prefetchers want it; or one after the
// other; every other sweep may go backwards, from the rows that the one before left in cache; from L1 eight
// rows, one sum each: 9 loads per 8. By columns: eight or four at once pass over a part of r that stays in
// cache, a piece of each after the other: 9 loads and a store per 8; or r stays in registers, as in rung
// simd-8; on one thread two sweeps per visit, as far as the next one's unknowns are known: 3/4 n words per
// row. Up to 64 rows, sweep after sweep with nothing between them. Which of these, the first sweeps find out
// (ways.hpp): the bits are the same. Compared with rung 0: by columns bitwise, by rows within its bound, and
// always the same bits for every number of threads.
#if defined(JACOBI_DENSE_FUSED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_FUSED
#undef JACOBI_DENSE_FUSED
#else
#define JACOBI_DENSE_FUSED
#endif

#include "sweep/dense/columns-inl.hpp"
#include "sweep/dense/lines-inl.hpp"
#include "sweep/dense/rows-inl.hpp"
#include "sweep/dense/small-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, class S = T>
struct FusedEntries {
  using W = DenseWorkspace<T, S>;
  static constexpr const char* name = "fused";
  static constexpr bool has_ways = true;
  /// Each thread reads at least 16 KiB; where no way alone is tried, of several right-hand sides, as much as
  /// two or three meetings take.
  static Index most_threads(const W& w) {
    if (w.way().alone) return 1;
    const Index least = w.width > 1 ? 131072 : 16384;
    return std::clamp<Index>(w.rows * w.unknowns() * static_cast<Index>(sizeof(S)) / least, 1, w.pieces);
  }
  static int own_threads(const W&) { return 0; }
  /// The way of small matrices comes first, before others; it is left out where it does not do.
  static void see_to_ways(W& w) {
    if constexpr (std::is_same_v<T, S>)
      if (w.way().kind == DenseWay::small && !are_small_enough(w))
        w.ways = w.ways.subspan(1), w.choice = Choice(w.ways.size());
  }
  /// Makes the steps of a small matrix, or nothing and returns false.
  static bool makes_all(W& w, std::span<const Step> steps) {
    if constexpr (std::is_same_v<T, S>)
      if (w.way().kind == DenseWay::small && !steps.empty()) return small_sweeps(w, steps), true;
    return false;
  }
  /// By rows: a piece per band, or, of threads that read L2, each piece, updated while the next one's rows
  /// arrive. By columns: 64 KiB of r.
  static Index pieces(const W& w) {
    if (w.by_rows) return w.level == 1 || (w.level == 2 && w.threads > 1) ? 1 : 4;
    return 65536 / static_cast<Index>(sizeof(T)) / dense_piece;
  }

  static void residuals(const W& w, const T* x, Index first, Index last, bool backward = false) {
    const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
    // another thread's half of x is still in its cache: all of it is asked for at once
    if (w.level == 2 && w.threads > 1 && !w.way().alone)
      for (Index j = 0; j < w.unknowns(); j += 64 / static_cast<Index>(sizeof(T))) hwy::Prefetch(x + j);
    if (w.width > 1) return residuals_of_lines(w, x, first / w.width, last / w.width);
    const DenseWay& way = w.way();
    if (w.by_rows && (w.level == 1 || w.rows < lanes)) return rows_by_eight(w, x, first, last);
    if (way.kind == DenseWay::held || way.kind == DenseWay::small || way.kind == DenseWay::twice)
      return held(w, w.b, x, first, last, 0);
    if (way.kind == DenseWay::halved)
      return way.at_once == 4 ? column_blocks<4>(w, x, first, last) : column_blocks<8>(w, x, first, last);
    return way.asks_ahead ? by_way<true>(w, x, first, last, backward)
                          : by_way<false>(w, x, first, last, backward);
  }

  /// r of these rows as far as columns from `from` to `to` go, once for each part of the columns in order.
  static void residuals_of_columns(const W& w, const T* x, Index first, Index last, Index from, Index to) {
    if (from == 0) std::copy(w.b + first, w.b + last, w.r + first);
    return w.way().asks_ahead ? by_columns<true>(w, x, first, last, from, to)
                              : by_columns<false>(w, x, first, last, from, to);
  }

  /// r of a panel, from x, where y is known in all panels before, and what these leave in the sweep from y
  /// on.
  static void residuals_of_both(const W& w, const T* x, const T* y, Index first, Index last) {
    panel_of_both<has_32_registers ? 8 : 4>(w, x, y, first, last);
  }
  /// r of a panel from y, of which residuals_of_both() has taken what comes from panels before.
  static void residuals_of_rest(const W& w, const T* y, Index first, Index last) {
    held(w, w.rest, y, first, last, first);
  }

 private:
  static void held(const W& w, const T* b, const T* x, Index first, Index last, Index from) {
    return w.way().at_once == 4   ? rows_held<4>(w, b, x, first, last, from)
           : w.way().at_once == 8 ? rows_held<8>(w, b, x, first, last, from)
                                  : rows_held<most_sums>(w, b, x, first, last, from);
  }
  template <bool AsksAhead>
  static void by_way(const W& w, const T* x, Index first, Index last, bool backward) {
    if (w.way().kind == DenseWay::bands) return rows_together<4, AsksAhead>(w, x, first, last, backward);
    if (w.way().kind == DenseWay::rows) return rows_together<1, AsksAhead>(w, x, first, last, backward);
    std::copy(w.b + first, w.b + last, w.r + first);
    by_columns<AsksAhead>(w, x, first, last, 0, w.rows);
  }
  template <bool AsksAhead>
  static void by_columns(const W& w, const T* x, Index first, Index last, Index from, Index to) {
    return w.way().at_once == 4 ? in_pieces<4, AsksAhead>(w, x, first, last, from, to)
                                : in_pieces<8, AsksAhead>(w, x, first, last, from, to);
  }
  template <int AtOnce, bool AsksAhead>
  static void in_pieces(const W& w, const T* x, Index first, Index last, Index from, Index to) {
    using A = Vector<T>;
    constexpr int line = std::max(1, static_cast<int>(64 / sizeof(T) / hn::MaxLanes(typename A::Tag())));
    switch (w.way().piece) {
      case DenseWay::line:
        return columns<AtOnce, line, AsksAhead>(w, x, first, last, from, to);
      case DenseWay::in_fours:
        return columns<AtOnce, 4, AsksAhead>(w, x, first, last, from, to);
      case DenseWay::in_short:
        return columns<AtOnce, most_sums / 2, AsksAhead>(w, x, first, last, from, to);
      case DenseWay::in_long:
        return columns<AtOnce, most_sums, AsksAhead>(w, x, first, last, from, to);
    }
  }
  /// Columns `AtOnce`, in the end one by one; `Lines` vectors of each after the other, in the end one by one.
  template <int AtOnce, int Lines, bool AsksAhead>
  static void columns(const W& w, const T* x, Index first, Index last, Index j, Index to) {
    const auto rest = [&](auto at_once, Index i) HWY_ATTR {
      each_width<T>(i, last, [&](auto d, Index from, Index end) HWY_ATTR {
        return columns_at_once<decltype(at_once)::value>(d, w, x, j, from, end);
      });
    };
    for (; j + AtOnce <= to; j += AtOnce)
      rest(std::integral_constant<int, AtOnce>(),
           pieces_of_columns<AtOnce, Lines, AsksAhead>(w, x, j, first, last));
    for (; j < to; ++j) rest(std::integral_constant<int, 1>(), first);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
