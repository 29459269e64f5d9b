/// A sweep over a dense matrix, whatever takes the residuals: rows are shared out, and where a few residuals
/// are ready, update and norms follow while they are in L1. The order of operations, for every rung:
///   r = b_i - (A x)_i, summed as the rung's kernel does; then the update of update-inl.hpp.
/// A kernel has `W`, its workspace; `residuals(w, x, first, last, backward)`, which sets w.r of these rows;
/// `pieces(w)`, how many it takes at once; and what DenseKernel has. One with ways also makes all sweeps of a
/// small matrix, two sweeps per visit, and parts of columns. Bytes per row beside the matrix: b, s, x, out,
/// r: 5 words, and x from L1 or L2 for every block of rows.
#if defined(JACOBI_DENSE_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_SWEEP_INL
#undef JACOBI_DENSE_SWEEP_INL
#else
#define JACOBI_DENSE_SWEEP_INL
#endif

#include <algorithm>

#include "core/team.hpp"
#include "sweep/back_and_forth.hpp"
#include "sweep/dense/ways.hpp"
#include "sweep/dense/workspace.hpp"
#include "sweep/update-inl.hpp"
#include "sweep/way_trial.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// The vectors value(i) of the rows i, i + 1, ... of piece s, summed.
template <class T, class S, class Value>
HWY_INLINE LaneSums<T> sum_piece(const DenseWorkspace<T, S>& w, Index s, Value&& value) {
  const Index lanes = Vector<T>::lanes();
  const Index last = std::min((s + 1) * dense_piece, w.unknowns());
  LaneSums<T> sums;
  for (Index i = s * dense_piece; i < last; i += lanes) sums.add(value(i));
  return sums;
}
/// Where w.v is the iterate before or after w.u.
template <class T, class S>
HWY_INLINE Partial difference_of_piece(const DenseWorkspace<T, S>& w, Index s) {
  using A = Vector<T>;
  return sum_piece(w, s, [&](Index i) HWY_ATTR { return A::sub(A::load(w.u + i), A::load(w.v + i)); })
      .total();
}
template <class T, class S>
HWY_INLINE Partial residual_of_piece(const DenseWorkspace<T, S>& w, Index s, Want want) {
  using A = Vector<T>;
  return sum_piece(w, s,
                   [&](Index i) HWY_ATTR {
                     const typename A::V r = A::load(w.r + i);
                     return want == Want::residual ? r : A::mul(r, A::load(w.scale + i));
                   })
      .total();
}

/// What kernels have unless they say otherwise: `has_ways`, whether they go through the matrix by w.way();
/// among how many threads rows are shared; threads of their own.
struct DenseKernel {
  static constexpr bool has_ways = false;
  template <class W>
  static Index most_threads(const W&) {
    return 1;
  }
  template <class W>
  static int own_threads(const W&) {
    return 0;
  }
};

template <class T, class Kernel>
struct DenseSweep {
  using A = Vector<T>;
  using Value = T;
  using W = typename Kernel::W;

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    auto left = steps;
    if constexpr (Kernel::has_ways) {
      Kernel::see_to_ways(w);
      left = find_way(w.trial, steps, [&](auto part) { sweep(w, part); });
    }
    if (!left.empty() || steps.empty()) sweep(w, left);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    run_team(team_of(w), [&](const Member& me) HWY_ATTR {
      if (want == Want::update)
        me.share(w.pieces, [&](Index s) HWY_ATTR { w.partials[s] = difference_of_piece(w, s); });
      else
        each_piece(w, me, w.u, is_backward(w, 0),
                   [&](Index s) HWY_ATTR { w.partials[s] = residual_of_piece(w, s, want); });
    });
    return w.total();
  }

 private:
  static void sweep(W& w, std::span<const Step> steps) {
    int team = 1;
    bool made = false;
    if constexpr (Kernel::has_ways) made = Kernel::makes_all(w, steps);
    if (!made) team = sweep_in_team(w, steps);
    w.record(steps.size(), std::max(team, Kernel::own_threads(w)));
  }

  static int sweep_in_team(W& w, std::span<const Step> steps) {
    const int team = run_team(team_of(w), [&](const Member& me) HWY_ATTR {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        T* const from = j % 2 == 0 ? w.u : w.v;
        T* const to = j % 2 == 0 ? w.v : w.u;
        if constexpr (Kernel::has_ways)
          if (w.way().order == DenseWay::twice && j + 1 < steps.size()) {
            sweep_twice(w, steps.subspan(j++, 2), from, to);
            continue;
          }
        const Weights<T> step(steps[j]);
        const bool is_last = j + 1 == steps.size();
        each_piece(w, me, from, is_backward(w, j), [&](Index s) HWY_ATTR {
          const LaneSums<T> sums = update(w, s, step, from, to);
          if (is_last) w.partials[s] = sums.total();
        });
        if (me.team > 1) me.wait();
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    return team;
  }

  /// Two sweeps of one thread, from x to y and back: panels from the first to the last one, then back.
  static HWY_INLINE void sweep_twice(const W& w, std::span<const Step> steps, T* x, T* y) {
    const Weights<T> first_step(steps[0]), second_step(steps[1]);
    const Index panels = std::max<Index>(1, w.rows / w.panel);
    const auto each_piece_of = [&](Index panel, auto&& residuals, auto&& visit) HWY_ATTR {
      const Index first = panel * w.panel, last = panel + 1 == panels ? w.rows : first + w.panel;
      residuals(first, last);
      for (Index s = first / dense_piece; s * dense_piece < last; ++s) visit(s);
    };
    for (Index panel = 0; panel < panels; ++panel)
      each_piece_of(
          panel, [&](Index first, Index last) { Kernel::residuals_of_both(w, x, y, first, last); },
          [&](Index s) HWY_ATTR { update(w, s, first_step, x, y); });
    for (Index panel = panels; panel-- > 0;)
      each_piece_of(
          panel, [&](Index first, Index last) { Kernel::residuals_of_rest(w, y, first, last); },
          [&](Index s) HWY_ATTR { w.partials[s] = update(w, s, second_step, y, x).total(); });
  }

  static int team_of(const W& w) {
    return static_cast<int>(std::min<Index>(w.threads, Kernel::most_threads(w)));
  }

  /// Whether the j-th sweep from here takes the rows from the last to the first: every other one does.
  static bool is_backward(const W& w, std::size_t j) {
    if constexpr (Kernel::has_ways)
      return w.way().goes_back && sweep::is_backward(w.ran.sweeps + static_cast<Index>(j));
    return false;
  }

  /// Residuals of x for the member's rows, as many at once as the kernel likes; visit(s) where piece s is
  /// ready.
  template <class Visit>
  static HWY_INLINE void each_piece(const W& w, const Member& me, const T* x, bool backward, Visit&& visit) {
    if constexpr (Kernel::has_ways)
      if (me.team > 1 && w.way().crossed) return each_piece_crossed(w, me, x, visit);
    each_part(w, me.number, me.team, backward, [&](Index p, Index last) HWY_ATTR {
      Kernel::residuals(w, x, p * dense_piece, std::min(w.unknowns(), last * dense_piece), backward);
      for (Index s = p; s < last; ++s) visit(s);
    });
  }

  /// The same with as many parts of the columns as threads: in turn, the member takes a part of each one's
  /// rows, last of those that it visits.
  template <class Visit>
  static HWY_INLINE void each_piece_crossed(const W& w, const Member& me, const T* x, Visit&& visit) {
    for (int turn = 0; turn < me.team; ++turn) {
      if (turn > 0) me.wait();
      const Index from = w.rows * turn / me.team, to = w.rows * (turn + 1) / me.team;
      each_part(w, (me.number + turn + 1) % me.team, me.team, false, [&](Index p, Index last) HWY_ATTR {
        const Index last_row = std::min(w.unknowns(), last * dense_piece);
        Kernel::residuals_of_columns(w, x, p * dense_piece, last_row, from, to);
        for (Index s = p; s < last && to == w.rows; ++s) visit(s);
      });
    }
  }

  template <class Run>
  static HWY_INLINE void each_part(const W& w, int number, int team, bool backward, Run&& run) {
    const auto begin = [&](int k) { return team > 1 ? w.pieces * k / team : k * w.pieces; };
    in_parts(begin(number), begin(number + 1), Kernel::pieces(w), backward, run);
  }

  /// Pointers and weights by value: what is stored could change them elsewhere.
  static HWY_INLINE LaneSums<T> update(const W& w, Index s, Weights<T> step, const T* from, T* to) {
    return sum_piece(w, s, [step, from, to, r = w.r, scale = w.scale](Index i) HWY_ATTR {
      const auto x = A::load(from + i);
      const auto c = hn::Mul(A::load(r + i), A::load(scale + i));
      const auto value = updated<A>(step, c, x, [&]() HWY_ATTR { return A::load(to + i); });
      hn::StoreU(value, typename A::Tag(), to + i);
      return A::sub(value, x);
    });
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
