// Rung 7, fused: A streams through once, update and norm are taken from L1. By rows, four at once, each the
// next one of a band of its own: four sums each where there are 32 registers, 5 loads per 4 multiply-adds,
// every load instruction walking on from row to row of its band as prefetchers want it; every other sweep may
// go backwards, from the rows that the one before left in cache; from L1 eight rows, one sum each: 9 loads
// per
// 8. By columns: eight or four at once pass over a part of r that stays in cache, a piece of each after the
// other: 9 loads and a store per 8; or r stays in registers, as in rung simd-8; on one thread two sweeps per
// visit, as far as the next one's unknowns are known: 3/4 n words per row. Up to 64 rows, sweep after sweep
// with nothing between them. Which of these, the first sweeps find out (ways.hpp): the bits are the same.
// Compared with rung 0: by columns bitwise, by rows within its bound, and always the same bits for every
// number of threads.
#if defined(JACOBI_DENSE_FUSED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_FUSED_INL
#undef JACOBI_DENSE_FUSED_INL
#else
#define JACOBI_DENSE_FUSED_INL
#endif

#include "sweep/dense/fused/columns-inl.hpp"
#include "sweep/dense/fused/lines-inl.hpp"
#include "sweep/dense/fused/small-inl.hpp"
#include "sweep/dense/sweep-inl.hpp"
#include "sweep/targets.hpp"
#include "sweep/way_trial.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, class S = T>
struct FusedEntries : DenseKernel {
  using W = FusedWorkspace<T, S>;
  /// Each thread reads at least 16 KiB; where no way alone is tried, of several right-hand sides, as much as
  /// two or three meetings take.
  static Index most_threads(const W& w) {
    if (w.way().one_thread) return 1;
    const Index least = w.width > 1 ? 131072 : 16384;
    return std::clamp<Index>(w.rows * w.unknowns() * static_cast<Index>(sizeof(S)) / least, 1, w.pieces);
  }
  /// Tries ways. That of small matrices comes first, before others; it is left out where it does not do.
  template <class Sweep>
  static std::span<const Step> begin(W& w, std::span<const Step> steps, Sweep&& sweep) {
    if constexpr (std::is_same_v<T, S>)
      if (w.way().order == DenseWay::small && !are_small_enough(w))
        w.ways = w.ways.subspan(1), w.trial = WayTrial(w.ways.size());
    return find_way(w.trial, steps, sweep);
  }
  static bool goes_back(const W& w) { return w.way().goes_back; }
  /// Makes the steps of a small matrix, or nothing and returns false.
  static bool makes_all(W& w, std::span<const Step> steps) {
    if constexpr (std::is_same_v<T, S>)
      if (w.way().order == DenseWay::small && !steps.empty()) return small_sweeps(w, steps), true;
    return false;
  }
  /// Two sweeps of one thread: panels from the first to the last one, then back.
  static HWY_INLINE bool makes_two(const W& w, std::span<const Step> steps, T* x, T* y) {
    if (w.way().order != DenseWay::twice) return false;
    const Weights<T> first_step(steps[0]), second_step(steps[1]);
    const Index panels = std::max<Index>(1, w.rows / w.panel);
    const auto each_piece_of = [&](Index panel, auto&& residuals, auto&& visit) HWY_ATTR {
      const Index first = panel * w.panel, last = panel + 1 == panels ? w.rows : first + w.panel;
      residuals(first, last);
      for (Index s = first / dense_piece; s * dense_piece < last; ++s) visit(s);
    };
    for (Index panel = 0; panel < panels; ++panel)
      each_piece_of(
          panel, [&](Index first, Index last) { residuals_of_both(w, x, y, first, last); },
          [&](Index s) HWY_ATTR { update_piece(w, s, first_step, x, y); });
    for (Index panel = panels; panel-- > 0;)
      each_piece_of(
          panel, [&](Index first, Index last) { residuals_of_rest(w, y, first, last); },
          [&](Index s) HWY_ATTR { w.partials[s] = update_piece(w, s, second_step, y, x).total(); });
    return true;
  }
  /// With as many parts of the columns as threads: in turn, the member takes a part of each one's rows, last
  /// of those that it visits.
  template <class Visit>
  static HWY_INLINE bool makes_pieces(const W& w, const Member& me, const T* x, Visit&& visit) {
    if (me.team == 1 || !w.way().crossed) return false;
    for (int turn = 0; turn < me.team; ++turn) {
      if (turn > 0) me.wait();
      const Index from = w.rows * turn / me.team, to = w.rows * (turn + 1) / me.team;
      each_part<FusedEntries>(w, (me.number + turn + 1) % me.team, me.team, false,
                              [&](Index p, Index last) HWY_ATTR {
                                const Index last_row = std::min(w.unknowns(), last * dense_piece);
                                residuals_of_columns(w, x, p * dense_piece, last_row, from, to);
                                for (Index s = p; s < last && to == w.rows; ++s) visit(s);
                              });
    }
    return true;
  }

  /// By rows: a piece per band, or, of threads that read L2, each piece, updated while the next one's rows
  /// arrive. By columns: 64 KiB of r.
  static Index pieces(const W& w) {
    if (w.by_rows) return w.level == 1 || (w.level == 2 && w.threads > 1) ? 1 : 4;
    return 65536 / static_cast<Index>(sizeof(T)) / dense_piece;
  }

  static void residuals(const W& w, const T* x, Index first, Index last, bool backward) {
    // another thread's half of x is still in its cache: all of it is asked for at once
    if (w.level == 2 && w.threads > 1 && !w.way().one_thread)
      for (Index j = 0; j < w.unknowns(); j += 64 / static_cast<Index>(sizeof(T))) hwy::Prefetch(x + j);
    if (w.width > 1) return residuals_of_lines(w, x, first / w.width, last / w.width);
    const DenseWay& way = w.way();
    if (!w.by_rows)
      return way.order == DenseWay::columns ? residuals_of_columns(w, x, first, last, 0, w.rows)
                                            : held(w, w.b, x, first, last, 0);
    if (w.level == 1 || w.rows < Vector<T>::lanes()) return rows_by_eight(w, x, first, last);
    way.asks_ahead ? rows_of_bands<true>(w, x, first, last, backward)
                   : rows_of_bands<false>(w, x, first, last, backward);
  }

  /// r of these rows as far as columns from `j` to `to` go, once for each part of the columns in order.
  static void residuals_of_columns(const W& w, const T* x, Index first, Index last, Index j, Index to) {
    if (j == 0) std::copy(w.b + first, w.b + last, w.r + first);
    if (w.way().at_once == 8) j = columns<8>(w, x, first, last, j, to);
    j = columns<4>(w, x, first, last, j, to);
    columns<1>(w, x, first, last, j, to);
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

  static void product(const W& shared, const Run& rows, const T* b, const T* x, T* y, bool negative) {
    W w = shared;
    w.b = b - rows.first;
    w.r = y;
    residuals(w, x, rows.first, rows.first + rows.count, false);
    if (negative)
      for (Index i = rows.first; i < rows.first + rows.count; ++i) y[i] = -y[i];
  }

 private:
  static void held(const W& w, const T* b, const T* x, Index first, Index last, Index from) {
    return w.way().at_once == 4   ? rows_held<4>(w, b, x, first, last, from)
           : w.way().at_once == 8 ? rows_held<8>(w, b, x, first, last, from)
                                  : rows_held<most_sums>(w, b, x, first, last, from);
  }
};

namespace {

template <class T, class S>
FusedKernels<T, S> fused_table() {
  auto all = kernels_of<DenseSweep<T, FusedEntries<T, S>>>(target_name(HWY_TARGET));
  all.product = FusedEntries<T, S>::product;
  return all;
}

std::tuple<FusedKernels<double, double>, FusedKernels<float, float>, FusedKernels<float, Bf16>> fused_here() {
  return {fused_table<double, double>(), fused_table<float, float>(), fused_table<float, Bf16>()};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
