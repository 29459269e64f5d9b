/// Cycles: which passes are made over which grids, and by whom.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_MULTIGRID_CYCLE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MULTIGRID_CYCLE_INL
#undef JACOBI_MULTIGRID_CYCLE_INL
#else
#define JACOBI_MULTIGRID_CYCLE_INL
#endif

#include "core/team.hpp"
#include "jacobi/error.hpp"
#include "sweep/multigrid/pass-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// One thread of those that run cycles. Grids too small to share are left to the first one.
template <class T, int D, bool Variable>
class Cyclist {
 public:
  Cyclist(MultigridWorkspace<T, D>& w, const Member& me)
      : w_(w),
        me_(me),
        schedule_(*this, {w.levels.size(), static_cast<std::size_t>(w.pre), w.visits, Variable}) {}

  /// x of the finest grid, taken once through the hierarchy.
  void cycle(std::span<const Step> steps, bool full, bool x_is_zero, bool ends, Want want) {
    schedule_.cycle(steps, full, x_is_zero, ends, want);
  }

  /// Sweeps alone, as many at a time as a pass has room for; none: x is measured.
  void sweep(std::span<const Step> steps, Want want) {
    const std::size_t most = static_cast<std::size_t>(std::max(w_.pre, w_.post));
    for (; steps.size() > most; steps = steps.subspan(most)) pass(0, {Start::keep, steps.first(most)});
    pass(0, {Start::keep, steps, false, false, true, want});
  }

 private:
  friend class Schedule<Cyclist>;

  /// work() by all threads together, or by the first one alone where grid l is too small.
  template <class Work>
  void on(std::size_t l, Work&& work) {
    if (me_.team == 1 || alone_ || w_.levels[l].shared) return work();
    if (me_.number == 0) {
      alone_ = true;
      work();
      alone_ = false;
    }
    me_.wait();
  }

  void pass(std::size_t l, const PassTask& task) {
    const bool last = l + 1 == w_.levels.size(), together = me_.team > 1 && !alone_;
    const auto meet = [&] {
      if (together) me_.wait();
    };
    const bool leads = !together || me_.number == 0;
    if (w_.ranks) {
      if (leads) w_.ranks->before(l, task);
      meet();
    }
    const PassMemory<T>& memory = w_.memories[l][together ? me_.number : 0];
    GridPass<T, D, Variable> part(w_.levels[l], last ? nullptr : &w_.levels[l + 1], memory, w_.zeros, task,
                                  w_.updates.data(), w_.residuals.data());
    part.take(together ? me_.number : 0, together ? me_.team : 1);
    if (part.needs_halo()) part.save_halo();
    if (task.start != Start::zero && task.start != Start::interpolate) meet();
    part.run();
    meet();
    if (w_.ranks) {
      if (leads) w_.ranks->after(l, task);
      meet();
    }
    count(l, static_cast<double>(task.work()));
  }

  void count(std::size_t l, double sweeps) {
    if (me_.team > 1 && !alone_ && me_.number > 0) return;
    const double share =
        static_cast<double>(w_.levels[l].unknowns()) / static_cast<double>(w_.levels[0].unknowns());
    w_.ran.work += sweeps * share;
  }

  MultigridWorkspace<T, D>& w_;
  const Member& me_;
  Schedule<Cyclist> schedule_;
  bool alone_ = false;
};

template <class T, int D>
struct MultigridCycles {
  template <bool Variable>
  static int run(MultigridWorkspace<T, D>& w, std::span<const Step> steps, Want want) {
    const std::size_t k = static_cast<std::size_t>(w.pre + w.post), whole = steps.size() / k * k;
    return run_team(w.threads, [&](const Member& me) {
      Cyclist<T, D, Variable> cyclist(w, me);
      bool full = w.full && w.fresh, zero = w.x_is_zero;
      for (std::size_t j = 0; j < whole; j += k) {
        const bool ends = j + k == steps.size();
        cyclist.cycle(steps.subspan(j, k), full, zero, ends, ends ? want : Want::nothing);
        full = zero = false;
      }
      if (whole < steps.size() || steps.empty()) cyclist.sweep(steps.subspan(whole), want);
    });
  }

  static int run(MultigridWorkspace<T, D>& w, std::span<const Step> steps, Want want) {
    return w.variable ? run<true>(w, steps, want) : run<false>(w, steps, want);
  }

  static Norms measured(const MultigridWorkspace<T, D>& w, Want want) {
    if (want == Want::nothing) return {};
    const std::span<const Partial> parts = want == Want::update ? w.updates : w.residuals;
    const Norms sum = w.ranks ? w.ranks->sum(parts) : sum_of(parts);
    if (w.variable || want != Want::residual) return sum;
    const double size = std::abs(static_cast<double>(w.levels[0].diagonal));
    return {size * sum.l2, size * sum.max};
  }

  static Norms advance(MultigridWorkspace<T, D>& w, std::span<const Step> steps, Want want) {
    for (const Step& step : steps)
      if (step.rho != 1)
        throw UsageError("multigrid smooths by weighted sweeps: a three-term step needs the iterate before");
    const std::size_t k = static_cast<std::size_t>(w.pre + w.post);
    const int threads = steps.empty() ? w.threads : run(w, steps, want);
    w.ran.rung = "multigrid";
    w.ran.simd = target_name(HWY_TARGET);
    w.ran.threads = threads;
    w.ran.sweeps += static_cast<Index>(steps.size());
    w.ran.cycles += static_cast<Index>(steps.size() / k);
    if (steps.empty()) return norms(w, want);
    w.fresh = w.x_is_zero = false;
    return measured(w, want);
  }

  static Norms norms(MultigridWorkspace<T, D>& w, Want want) {
    if (want == Want::residual || want == Want::correction) run(w, {}, want);
    return measured(w, want);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
