// Rung 8, paired: an entry serves two sweeps whenever it is read, so that a sweep reads half of A. With
// A = L + D + U, D blocks on the diagonal, r = (b - D x) - (L x + U x). A pass down from block to block reads
// L. It finds U x and b - D x of its rows ready, ends the sweep at hand with L x, and begins the next one, as
// L times the new x asks only for blocks that are done by then. A pass up does the same with U. Bytes per
// update: n / 2 words of A, and 10 of vectors; two multiply-adds per entry read. By rows, four at once, 6
// loads per 8 multiply-adds; by columns, eight at once (four with 16 registers), 10 loads and 2 stores
// per 16, and two groups of sums, each of half of a part's columns: two threads have one each, and parts of
// columns as long as one thread's. Whether the entries that come next are asked for ahead, the first sweeps
// find out. Entries that are our own may be packed as the passes read them, by rows: one stream
// each way. Compared with rung 0: within its bound, by rows and by columns, the same bits however many sweeps
// a call makes and for every number of threads. That a pass back can use the other half of a product is known
// of Gauss-Seidel: Conrad and Wallach, "Alternating methods for sets of linear equations" (1979), save
// operations by it; here it saves bytes.
#if defined(JACOBI_DENSE_PAIRED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_PAIRED_INL
#undef JACOBI_DENSE_PAIRED_INL
#else
#define JACOBI_DENSE_PAIRED_INL
#endif

#include "core/team.hpp"
#include "sweep/dense/paired/pairs-inl.hpp"
#include "sweep/targets.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

template <class T, class S = T, bool packed = false>
struct PairedSweep {
  using A = Vector<T>;
  using Value = T;
  using W = PairedWorkspace<T, S>;

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    auto left = steps;
    if (!w.trial.made() && !steps.empty() && (w.hot || !w.begun)) {  // which takes another time than others
      sweep(w, steps.first(1), want);
      left = steps.subspan(1);
    }
    left = find_way(w.trial, left, [&](auto part) { sweep(w, part, want); });
    if (!left.empty() || steps.empty()) sweep(w, left, want);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    if (want == Want::update) {
      for (Index s = 0; s < w.pieces; ++s) w.partials[s] = difference_of_piece(w, s);
      return w.total();
    }
    run_team(team_of(w), [&](const Member& me) HWY_ATTR {
      begin(w, me);
      pass<Sums::at_hand>(w, me, goes_down(w), w.u, w.r, Weights<T>(Step{}));
    });
    w.down = goes_down(w);
    w.begun = w.hot = true;
    for (Index s = 0; s < w.pieces; ++s) w.partials[s] = residual_of_piece(w, s, want);
    return w.total();
  }

 private:
  static void sweep(W& w, std::span<const Step> steps, Want want) {
    const bool odd = steps.size() % 2 == 1;
    int team = team_of(w);
    if (!steps.empty()) {
      team = run_team(team, [&](const Member& me) HWY_ATTR {
        begin(w, me);
        for (std::size_t j = 0; j < steps.size(); ++j) {
          const bool swap = j % 2 == 1;
          pass<Sums::both>(w, me, goes_down(w) != swap, swap ? w.v : w.u, swap ? w.u : w.v,
                           Weights<T>(steps[j]));
        }
        if (want != Want::update) return;
        me.wait();
        me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = difference_of_piece(w, s); });
      });
      w.down = goes_down(w) != odd;
      w.begun = true;
      w.hot = false;
      if (odd) std::swap(w.u, w.v);
    }
    w.record(steps.size(), team);
  }

  /// Rows of a share: whole vectors, and cache lines of x.
  static constexpr Index unit = std::max<Index>(64 / sizeof(T), A::lanes());

  /// The next pass; the first one after begin().
  static bool goes_down(const W& w) { return !w.begun || w.down; }

  static int team_of(const W& w) {
    constexpr Index least_bytes = 65536;
    const Index bytes = w.rows * w.rows * static_cast<Index>(sizeof(S));
    return static_cast<int>(std::clamp<Index>(bytes / least_bytes, 1, w.threads));
  }

  /// What a pass up would have left: U x and b - D x.
  static void begin(const W& w, const Member& me) {
    if (w.begun) return;
    const T* const end = w.u + w.rows;
    if (std::find_if(static_cast<const T*>(w.u), end, [](T x) { return x != 0; }) != end)
      return pass<Sums::next>(w, me, false, w.u, w.u, Weights<T>(Step{}));
    me.share(w.pieces, [&](Index s) {
      std::fill_n(w.half + s * dense_piece, dense_piece, T(0));
      std::copy_n(w.b + s * dense_piece, dense_piece, w.rest + s * dense_piece);
    });
    me.wait();
  }

  /// A pass down or up. Both: ends the sweep from x to `to`, and begins the next one. Next: only begins that
  /// of x, which is `to`. At hand: writes the residual of x to `to`.
  template <Sums sums>
  static void pass(const W& w, const Member& me, bool down, const T* x, T* to, const Weights<T>& step) {
    const S* at = w.a + (packed && !down ? w.up : 0);
    each_block(down, 0, w.rows, [&](const MatrixBlock& block) HWY_ATTR {
      block.on_diagonal() ? last_block<sums>(w, me, block, at, x, to, step)
                          : far_block<sums>(w, me, block, at, x, to);
      if constexpr (packed) at += Packed(block).size;
    });
  }

  template <Sums sums>
  static void far_block(const W& w, const Member& me, const MatrixBlock& block, const S* at, const T* x,
                        const T* to) {
    if (w.by_rows) {  // a row is always the same member's
      for (Index i = block.first; i < block.last; i += paired_block)
        share(me, i, std::min(i + paired_block, block.last),
              [&](Index first, Index last) HWY_ATTR { add_up<sums>(w, 0, block, at, first, last, x, to); });
    } else {  // parts of columns as long as can be
      const Index middle = block.from + (block.to - block.from) / 2;
      share(me, 2, block.first, block.last, [&](int group, Index first, Index last) HWY_ATTR {
        const MatrixBlock half{block.first, block.last, group == 0 ? block.from : middle,
                               group == 0 ? middle : block.to};
        add_up<sums>(w, group, half, at, first, last, x, to);
      });
      if (me.team > 1) me.wait();
    }
  }

  /// A block on the diagonal, whose sums are complete but for itself.
  template <Sums sums>
  static void last_block(const W& w, const Member& me, const MatrixBlock& block, const S* at, const T* x,
                         T* to, const Weights<T>& step) {
    share(me, block.first, block.last, [&](Index first, Index last) HWY_ATTR {
      if constexpr (takes_at_hand(sums)) finish<sums>(w, first, last, step, x, to);
      for (T* now : w.now) std::fill(now + first, now + last, T(0));
    });
    if constexpr (!takes_next(sums)) return;
    if (sums == Sums::both && me.team > 1) me.wait();
    T* const ahead = w.ahead[0];
    share(me, block.first, block.last, [&](Index first, Index last) HWY_ATTR {
      for (Index i = first; i < last; ++i) w.half[i] = ahead[i] + w.ahead[1][i];
      for (T* sum : w.ahead) std::fill(sum + first, sum + last, T(0));
      add_up<Sums::next>(w, 0, block, at, first, last, x, to);
      for (Index i = first; i < last; ++i) w.rest[i] = w.b[i] - ahead[i];
      std::fill(ahead + first, ahead + last, T(0));
    });
  }

  /// The member's share of so many groups of these rows, one group after the other: visit(group, begin, end),
  /// in whole units, the last of which may be up to twice as long.
  template <class Visit>
  static HWY_INLINE void share(const Member& me, int groups, Index begin, Index end, Visit&& visit) {
    const Index units = std::max<Index>(1, (end - begin) / unit), all = groups * units;
    const Index from = all * me.number / me.team, to = all * (me.number + 1) / me.team;
    const auto bound = [&](Index k) { return k == units ? end : begin + k * unit; };
    for (int group = 0; group < groups; ++group) {
      const Index first = std::clamp<Index>(from - group * units, 0, units);
      const Index last = std::clamp<Index>(to - group * units, 0, units);
      if (first < last) visit(group, bound(first), bound(last));
    }
  }
  /// Of one group: visit(begin, end).
  template <class Visit>
  static HWY_INLINE void share(const Member& me, Index begin, Index end, Visit&& visit) {
    share(me, 1, begin, end, [&](int, Index first, Index last) HWY_ATTR { visit(first, last); });
  }

  /// The sums of rows first ... last - 1 of the block, to the group's; packed, its entries begin at `at`.
  template <Sums sums>
  static HWY_INLINE void add_up(const W& w, int group, const MatrixBlock& block, const S* at, Index first,
                                Index last, const T* x, const T* y) {
    const Index from = block.from, to = block.to, lanes = static_cast<Index>(hn::Lanes(typename A::Tag()));
    if constexpr (packed) {
      const Index width = Packed(block).width;
      for (Index i = first; i < last; i += Packed::rows)
        pair_of_panels<sums>(w, at + (i - block.first) * width, i, from, to, x, y);
    } else if (w.rows < lanes || (!w.by_rows && last - first < lanes)) {
      add_plainly<sums>(w, group, first, last, from, to, x, y);
    } else if (from < to) {
      w.asks_ahead() ? add_vectors<sums, true>(w, group, first, last, from, to, x, y)
                     : add_vectors<sums, false>(w, group, first, last, from, to, x, y);
    }
  }
  template <Sums sums, bool AsksAhead>
  static HWY_INLINE void add_vectors(const W& w, int group, Index first, Index last, Index from, Index to,
                                     const T* x, const T* y) {
    w.by_rows ? add_rows<sums, AsksAhead>(w, first, last, from, to, x, y)
              : add_columns<sums, AsksAhead>(w, group, first, last, from, to, x, y);
  }
  template <Sums sums, bool AsksAhead>
  static void add_rows(const W& w, Index i, Index last, Index from, Index to, const T* x, const T* y) {
    constexpr int at_once = sums == Sums::both ? 4 : 8;
    const typename A::V none = A::set(T(0)), rest_x = takes_at_hand(sums) ? rest_of_x(x, to) : none,
                        rest_y = takes_next(sums) ? rest_of_x(y, to) : none;
    for (; i + at_once <= last; i += at_once)
      pair_of_rows<sums, at_once, AsksAhead>(w, i, from, to, x, y, rest_x, rest_y);
    for (; i < last; ++i) pair_of_rows<sums, 1, false>(w, i, from, to, x, y, rest_x, rest_y);
  }
  template <Sums sums, bool AsksAhead>
  static void add_columns(const W& w, int group, Index first, Index last, Index j, Index to, const T* x,
                          const T* y) {
    constexpr int at_once = has_32_registers ? 8 : 4;
    for (; j + at_once <= to; j += at_once)
      pair_of_columns<sums, at_once, AsksAhead>(w, group, j, first, last, x, y);
    for (; j < to; ++j) pair_of_columns<sums, 1, false>(w, group, j, first, last, x, y);
  }
  template <Sums sums>
  static void add_plainly(const W& w, int group, Index first, Index last, Index from, Index to, const T* x,
                          const T* y) {
    const Index below = w.by_rows ? w.leading : 1, along = w.by_rows ? 1 : w.leading;
    for (Index i = first; i < last; ++i)
      for (Index j = from; j < to; ++j) {
        const T entry = value_of(w.a[i * below + j * along]);
        if constexpr (takes_at_hand(sums)) w.now[group][i] = Scalar<T>::fma(entry, x[j], w.now[group][i]);
        if constexpr (takes_next(sums)) w.ahead[group][i] = Scalar<T>::fma(entry, y[j], w.ahead[group][i]);
      }
  }

  /// r = rest - (sums + half), and what becomes of x; in whole vectors, of zeros behind the last row.
  template <Sums sums>
  static HWY_INLINE void finish(const W& w, Index first, Index last, const Weights<T>& step, const T* x,
                                T* to) {
    const typename A::Tag d;
    for (Index i = first; i < last; i += static_cast<Index>(hn::Lanes(d))) {
      const auto now = A::add(A::load(w.now[0] + i), A::load(w.now[1] + i));
      auto value = A::sub(A::load(w.rest + i), A::add(now, A::load(w.half + i)));
      if constexpr (takes_next(sums))
        value = updated<A>(step, A::mul(value, A::load(w.scale + i)), A::load(x + i),
                           [&]() HWY_ATTR { return A::load(to + i); });
      hn::StoreU(value, d, to + i);
    }
  }
};

namespace {

template <class T>
using PairedTable = PairedKernels<T, T>;
template <class S>
using PackedTable = PairedKernels<float, S>;

TypeTables<PairedTable> paired_here() {
  return {kernels_of<PairedSweep<double>>(target_name(HWY_TARGET)),
          kernels_of<PairedSweep<float>>(target_name(HWY_TARGET))};
}
std::tuple<PackedTable<float>, PackedTable<Bf16>> packed_here() {
  return {kernels_of<PairedSweep<float, float, true>>(target_name(HWY_TARGET)),
          kernels_of<PairedSweep<float, Bf16, true>>(target_name(HWY_TARGET))};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
