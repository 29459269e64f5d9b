// Rung 8, paired: an entry serves two sweeps whenever it is read, so that a sweep reads half of A. With
// A = L + D + U, D blocks on the diagonal, r = (b - D x) - (L x + U x). A pass down from block to block reads
// L. It finds U x and b - D x of its rows ready, ends the sweep at hand with L x, and begins the next one, as
// L times the new x asks only for blocks that are done by then. A pass up does the same with U. Bytes per
// update: n / 2 words of A, and 10 of vectors; two multiply-adds per entry read. By rows, four at once, 6
// loads per 8 multiply-adds; by columns, eight at once (four with 16 registers), 10 loads and 2 stores
// per 16, and two groups of sums, each of half of a part's columns: two threads have one each, and parts of
// columns as long as one thread's. Whether the entries that come next are asked for ahead, the first sweeps
// find out (ways.hpp). Compared with rung 0: within its bound, by rows and by columns, the same bits however
// many sweeps a call makes and for every number of threads. That a pass back can use the other half of a
// product is known of Gauss-Seidel: Conrad and Wallach, "Alternating methods for sets of linear equations"
// (1979), save operations by it; here it saves bytes.
#if defined(JACOBI_DENSE_PAIRED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_PAIRED
#undef JACOBI_DENSE_PAIRED
#else
#define JACOBI_DENSE_PAIRED
#endif

#include "sweep/dense/7_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Which sums a pass takes: of the iterate at hand, of the next one, or of both with one load of each entry.
enum class Sums { at_hand, next, both };
constexpr bool takes_at_hand(Sums sums) { return sums != Sums::next; }
constexpr bool takes_next(Sums sums) { return sums != Sums::at_hand; }

/// What whole vectors leave of x in front of its end `to`, behind zeros. Others may write what lies before.
template <class T>
HWY_INLINE typename Vector<T>::V rest_of_x(const T* x, Index to) {
  const typename Vector<T>::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d)), rest = to % lanes;
  HWY_ALIGN T values[hn::MaxLanes(d)] = {};
  std::copy(x + to - rest, x + to, values + lanes - rest);
  return hn::Load(d, values);
}

/// v in a register: a compiler may load twice what is used twice.
template <class V>
HWY_INLINE V loaded_once(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}

/// Adds the sums of lanes of s to `Rows` rows from row i on; those of the next iterate begin at OfNext.
template <Sums sums, int Rows, int OfNext, class T, class S>
HWY_INLINE void add_to_rows(const DenseWorkspace<T, S>& w, Index i, const typename Vector<T>::V (&s)[8]) {
  const typename Vector<T>::Tag d;
  HWY_ALIGN T sum[8 + hn::MaxLanes(d)];
  sum_lanes<8>(d, s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7],
               [&](Index k, auto v) HWY_ATTR { hn::StoreU(v, d, sum + k); });
  for (int k = 0; k < Rows; ++k) {
    if constexpr (takes_at_hand(sums)) w.now[0][i + k] += sum[k];
    if constexpr (takes_next(sums)) w.ahead[0][i + k] += sum[OfNext + k];
  }
}

/// Adds the sums over columns from ... to - 1 of `Rows` rows from row i on, four where both are taken, else
/// eight. `from` is a multiple of whole vectors, and so is `to`, or the rests of x and y are taken as well.
/// What is asked for are the rows that come next, at the same place.
template <Sums sums, int Rows, bool AsksAhead, class T, class S>
HWY_INLINE void pair_of_rows(const DenseWorkspace<T, S>& w, Index i, Index from, Index to, const T* x,
                             const T* y, typename Vector<T>::V rest_x, typename Vector<T>::V rest_y) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  constexpr int of_next = sums == Sums::both ? 4 : 0;
  const S* row[Rows];
  typename A::V s[8];
  JACOBI_UNROLL
  for (int k = 0; k < 8; ++k) s[k] = A::set(T(0));
  JACOBI_UNROLL
  for (int k = 0; k < Rows; ++k) row[k] = w.a + (i + k) * w.leading;
  const auto add = [&](Index j, typename A::V xj, typename A::V yj) HWY_ATTR {
    JACOBI_UNROLL
    for (int k = 0; k < Rows; ++k) {
      const typename A::V entries = loaded_once(load_entries(d, row[k] + j));
      if constexpr (AsksAhead) hwy::Prefetch(row[k] + Rows * w.leading + j);
      if constexpr (takes_at_hand(sums)) s[k] = A::fma(entries, xj, s[k]);
      if constexpr (takes_next(sums)) s[of_next + k] = A::fma(entries, yj, s[of_next + k]);
    }
  };
  Index j = from;
  for (; j + lanes <= to; j += lanes) add(j, A::load(x + j), A::load(y + j));
  if (j < to) add(to - lanes, rest_x, rest_y);
  add_to_rows<sums, Rows, of_next>(w, i, s);
}

/// The same of a panel of packed rows, `entries` of columns from ... to - 1 and of zeros behind the last one.
template <Sums sums, class T, class S>
HWY_INLINE void pair_of_panels(const DenseWorkspace<T, S>& w, const S* entries, Index i, Index from, Index to,
                               const T* x, const T* y) {
  using A = Vector<T>;
  const typename A::Tag d;
  constexpr int rows = Packed::rows, columns = Packed::columns, lanes = static_cast<int>(A::lanes());
  static_assert(columns % lanes == 0);
  typename A::V s[8];
  JACOBI_UNROLL
  for (int k = 0; k < 8; ++k) s[k] = A::set(T(0));
  for (Index j = from; j < to; j += columns, entries += rows * columns) JACOBI_UNROLL
  for (int c = 0; c < columns; c += lanes) {
    const auto xj = A::load(x + j + c), yj = A::load(y + j + c);
    JACOBI_UNROLL
    for (int k = 0; k < rows; ++k) {
      const S* const at = entries + k * columns + c;
      if (c == 0 && k * columns * sizeof(S) % 64 == 0) hwy::Prefetch(at + Packed::ahead / sizeof(S));
      const typename A::V value = loaded_once(load_entries(d, at));
      if constexpr (takes_at_hand(sums)) s[k] = A::fma(value, xj, s[k]);
      if constexpr (takes_next(sums)) s[rows + k] = A::fma(value, yj, s[rows + k]);
    }
  }
  if (i + rows <= w.rows) return add_to_rows<sums, rows, rows>(w, i, s);
  for (; i < w.rows; ++i) {  // what is behind the last row stays 0, whatever x has become
    add_to_rows<sums, 1, rows>(w, i, s);
    JACOBI_UNROLL
    for (int k = 0; k < 7; ++k) s[k] = s[k + 1];
  }
}

/// The same of `Columns` columns from column j on, to the sums of a group, for rows first ... last - 1, at
/// least a vector of them. Of each column in turn a vector, or, where nothing is asked for ahead, a line as
/// far as registers go. The last vector ends with the last row, and adds zeros to what it shares with the one
/// before.
template <Sums sums, int Columns, bool AsksAhead, class T, class S>
HWY_INLINE void pair_of_columns(const DenseWorkspace<T, S>& w, int group, Index j, Index first, Index last,
                                const T* x, const T* y) {
  using A = Vector<T>;
  const typename A::Tag d;
  const Index lanes = static_cast<Index>(hn::Lanes(d));
  constexpr int fit = has_32_registers ? 4 : 2, filled = 64 / static_cast<int>(sizeof(S) * A::lanes());
  constexpr int line = AsksAhead ? 1 : std::clamp(filled, 1, fit);
  T *const now = w.now[group], *const ahead = w.ahead[group];
  const S* column[Columns];
  typename A::V xj[Columns], yj[Columns];
  JACOBI_UNROLL
  for (int k = 0; k < Columns; ++k) {
    column[k] = w.a + (j + k) * w.leading;
    xj[k] = A::set(x[j + k]);
    yj[k] = A::set(y[j + k]);
  }
  const auto add = [&](auto vectors, Index i, auto entries_at) HWY_ATTR {
    constexpr int count = decltype(vectors)::value;
    typename A::V s[count], t[count];
    JACOBI_UNROLL
    for (int m = 0; m < count; ++m)
      s[m] = A::load(now + i + m * lanes), t[m] = A::load(ahead + i + m * lanes);
    JACOBI_UNROLL
    for (int k = 0; k < Columns; ++k) {
      JACOBI_UNROLL
      for (int m = 0; m < count; ++m) {
        const S* const from = column[k] + i + m * lanes;
        const typename A::V entries = loaded_once(entries_at(from));
        if constexpr (AsksAhead) hwy::Prefetch(from + Columns * w.leading);
        if constexpr (takes_at_hand(sums)) s[m] = A::fma(entries, xj[k], s[m]);
        if constexpr (takes_next(sums)) t[m] = A::fma(entries, yj[k], t[m]);
      }
    }
    JACOBI_UNROLL
    for (int m = 0; m < count; ++m) {
      if constexpr (takes_at_hand(sums)) hn::StoreU(s[m], d, now + i + m * lanes);
      if constexpr (takes_next(sums)) hn::StoreU(t[m], d, ahead + i + m * lanes);
    }
  };
  const auto all_of = [&](const S* from) HWY_ATTR { return load_entries(d, from); };
  constexpr std::integral_constant<int, 1> one;
  constexpr std::integral_constant<int, line> of_a_line;
  Index i = first;
  for (; i + line * lanes <= last; i += line * lanes) add(of_a_line, i, all_of);
  for (; i + lanes <= last; i += lanes) add(one, i, all_of);
  if (i == last) return;
  const auto taken = hn::FirstN(d, static_cast<std::size_t>(i + lanes - last));
  add(one, last - lanes,
      [&](const S* from) HWY_ATTR { return hn::IfThenZeroElse(taken, load_entries(d, from)); });
}

template <class T, class S = T, bool packed = false>
struct PairedSweep {
  using A = Vector<T>;
  using W = DenseWorkspace<T, S>;

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    auto left = steps;
    if (!w.choice.made() && !steps.empty() && (w.hot || !w.begun)) {  // which takes another time than others
      sweep(w, steps.first(1), want);
      left = steps.subspan(1);
    }
    left = find_way(w.choice, left, [&](auto part) { sweep(w, part, want); });
    if (!left.empty() || steps.empty()) sweep(w, left, want);
    return want == Want::update && !steps.empty() ? Measured::total(w) : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing || want == Want::update) return Measured::norms(w, want);
    run_team(team_of(w), [&](const Member& me) HWY_ATTR {
      begin(w, me);
      pass<Sums::at_hand>(w, me, goes_down(w), w.u, w.r, Weights<T>(Step{}));
    });
    w.down = goes_down(w);
    w.begun = w.hot = true;
    for (Index s = 0; s < w.pieces; ++s) w.partials[s] = Measured::residual(w, s, want).total();
    return Measured::total(w);
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
        me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = Measured::difference(w, s).total(); });
      });
      w.down = goes_down(w) != odd;
      w.begun = true;
      w.hot = false;
      if (odd) std::swap(w.u, w.v);
    }
    w.ran.rung = "paired";
    w.ran.simd = target_name(HWY_TARGET);
    w.ran.threads = team;
    w.ran.sweeps += static_cast<Index>(steps.size());
  }

  using Measured = DenseSweep<T, FusedEntries<T, S>>;
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
    each_block(down, 0, w.rows, [&](const Block& block) HWY_ATTR {
      block.on_diagonal() ? last_block<sums>(w, me, block, at, x, to, step)
                          : far_block<sums>(w, me, block, at, x, to);
      if constexpr (packed) at += Packed(block).size;
    });
  }

  template <Sums sums>
  static void far_block(const W& w, const Member& me, const Block& block, const S* at, const T* x,
                        const T* to) {
    if (w.by_rows) {  // a row is always the same member's
      for (Index i = block.first; i < block.last; i += paired_block)
        share(me, i, std::min(i + paired_block, block.last),
              [&](Index first, Index last) HWY_ATTR { add_up<sums>(w, 0, block, at, first, last, x, to); });
    } else {  // parts of columns as long as can be
      const Index middle = block.from + (block.to - block.from) / 2;
      share(me, 2, block.first, block.last, [&](int group, Index first, Index last) HWY_ATTR {
        const Block half{block.first, block.last, group == 0 ? block.from : middle,
                         group == 0 ? middle : block.to};
        add_up<sums>(w, group, half, at, first, last, x, to);
      });
      if (me.team > 1) me.wait();
    }
  }

  /// A block on the diagonal, whose sums are complete but for itself.
  template <Sums sums>
  static void last_block(const W& w, const Member& me, const Block& block, const S* at, const T* x, T* to,
                         const Weights<T>& step) {
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
  static HWY_INLINE void add_up(const W& w, int group, const Block& block, const S* at, Index first,
                                Index last, const T* x, const T* y) {
    if constexpr (packed) {
      const Index width = Packed(block).width;
      for (Index i = first; i < last; i += Packed::rows)
        pair_of_panels<sums>(w, at + (i - block.first) * width, i, block.from, block.to, x, y);
      return;
    }
    const Index from = block.from, to = block.to, lanes = static_cast<Index>(hn::Lanes(typename A::Tag()));
    if (from == to) return;
    if (w.rows < lanes || (!w.by_rows && last - first < lanes))
      return add_plainly<sums>(w, group, first, last, from, to, x, y);
    w.way().asks_ahead ? add_vectors<sums, true>(w, group, first, last, from, to, x, y)
                       : add_vectors<sums, false>(w, group, first, last, from, to, x, y);
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

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
