/// A sweep over a dense matrix, whatever takes the residuals: rows are shared out, and where a few residuals
/// are ready, update and norms follow while they are in L1. The order of operations, for every rung:
///   r = b_i - (A x)_i, summed as the rung's kernel does; then the update of update-inl.hpp.
/// A kernel has `W`, its workspace; `residuals(w, x, first, last, backward)`, which sets w.r of these rows;
/// `pieces(w)`, how many it takes at once; and what DenseKernel has. Bytes per row beside the matrix: b, s,
/// x, out, r: 5 words, and x from L1 or L2 for every block of rows.
#if defined(JACOBI_DENSE_SWEEP_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_DENSE_SWEEP_INL
#undef JACOBI_DENSE_SWEEP_INL
#else
#define JACOBI_DENSE_SWEEP_INL
#endif

#include <algorithm>

#include "core/team.hpp"
#include "sweep/back_and_forth.hpp"
#include "sweep/dense/workspace.hpp"
#include "sweep/update-inl.hpp"

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

/// The update of piece s from its residuals. Pointers and weights by value: what is stored could change them
/// elsewhere.
template <class T, class S>
HWY_INLINE LaneSums<T> update_piece(const DenseWorkspace<T, S>& w, Index s, Weights<T> step, const T* from,
                                    T* to) {
  using A = Vector<T>;
  return sum_piece(w, s, [step, from, to, r = w.r, scale = w.scale](Index i) HWY_ATTR {
    const auto x = A::load(from + i);
    const auto c = hn::Mul(A::load(r + i), A::load(scale + i));
    const auto value = updated<A>(step, c, x, [&]() HWY_ATTR { return A::load(to + i); });
    hn::StoreU(value, typename A::Tag(), to + i);
    return A::sub(value, x);
  });
}

/// run(first, last): the pieces of a member, as many at once as the kernel likes.
template <class Kernel, class W, class Run>
HWY_INLINE void each_part(const W& w, int number, int team, bool backward, Run&& run) {
  const auto begin = [&](int k) { return team > 1 ? w.pieces * k / team : k * w.pieces; };
  in_parts(begin(number), begin(number + 1), Kernel::pieces(w), backward, run);
}

/// What kernels have unless they say otherwise.
struct DenseKernel {
  /// Among how many threads rows are shared; threads of its own.
  template <class W>
  static Index most_threads(const W&) {
    return 1;
  }
  template <class W>
  static int own_threads(const W&) {
    return 0;
  }
  /// Sweeps as it finds out how; returns the steps left, for which that is known.
  template <class W, class Sweep>
  static std::span<const Step> begin(W&, std::span<const Step> steps, Sweep&&) {
    return steps;
  }
  /// Whether every other sweep takes the rows from the last to the first.
  template <class W>
  static bool goes_back(const W&) {
    return false;
  }
  /// Each makes what DenseSweep would have made, or returns false: all steps; two sweeps, from x to y and
  /// back; the residuals of a member's rows, and visit(s) where piece s is ready.
  template <class W>
  static bool makes_all(W&, std::span<const Step>) {
    return false;
  }
  template <class W, class T>
  static bool makes_two(const W&, std::span<const Step>, T*, T*) {
    return false;
  }
  template <class W, class T, class Visit>
  static bool makes_pieces(const W&, const Member&, const T*, Visit&&) {
    return false;
  }
};

template <class T, class Kernel>
struct DenseSweep {
  using A = Vector<T>;
  using Value = T;
  using W = typename Kernel::W;

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    const auto left = Kernel::begin(w, steps, [&](auto part) { sweep(w, part); });
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
    const int team = Kernel::makes_all(w, steps) ? 1 : sweep_in_team(w, steps);
    w.record(steps.size(), std::max(team, Kernel::own_threads(w)));
  }

  static int sweep_in_team(W& w, std::span<const Step> steps) {
    const int team = run_team(team_of(w), [&](const Member& me) HWY_ATTR {
      for (std::size_t j = 0; j < steps.size(); ++j) {
        T* const from = j % 2 == 0 ? w.u : w.v;
        T* const to = j % 2 == 0 ? w.v : w.u;
        if (j + 1 < steps.size() && Kernel::makes_two(w, steps.subspan(j, 2), from, to)) {
          ++j;
          continue;
        }
        const Weights<T> step(steps[j]);
        const bool is_last = j + 1 == steps.size();
        each_piece(w, me, from, is_backward(w, j), [&](Index s) HWY_ATTR {
          const LaneSums<T> sums = update_piece(w, s, step, from, to);
          if (is_last) w.partials[s] = sums.total();
        });
        if (me.team > 1) me.wait();
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    return team;
  }

  static int team_of(const W& w) {
    return static_cast<int>(std::min<Index>(w.threads, Kernel::most_threads(w)));
  }

  /// Whether the j-th sweep from here takes the rows from the last to the first: every other one does.
  static bool is_backward(const W& w, std::size_t j) {
    return Kernel::goes_back(w) && sweep::is_backward(w.ran.sweeps + static_cast<Index>(j));
  }

  /// Residuals of x for the member's rows, as many at once as the kernel likes; visit(s) where piece s is
  /// ready.
  template <class Visit>
  static HWY_INLINE void each_piece(const W& w, const Member& me, const T* x, bool backward, Visit&& visit) {
    if (Kernel::makes_pieces(w, me, x, visit)) return;
    each_part<Kernel>(w, me.number, me.team, backward, [&](Index p, Index last) HWY_ATTR {
      Kernel::residuals(w, x, p * dense_piece, std::min(w.unknowns(), last * dense_piece), backward);
      for (Index s = p; s < last; ++s) visit(s);
    });
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
