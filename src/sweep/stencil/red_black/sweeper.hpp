/// Sweeps of one colour of a chequerboard at a time.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <atomic>
#include <utility>

#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "sweep/stencil/sweeper.hpp"

namespace jacobi::sweep {

/// Throws: UsageError where the plan wants sweeps of something else too, or the points cannot be coloured.
template <class T, int D>
void require_red_black(const Stencil<T, D>& a, const Plan& plan) {
  if (!plan.tilings.empty() || !(plan.rung.empty() || plan.rung == "tiled"))
    throw UsageError(fmt::format("method {} sweeps one colour at a time, in tiles of its own: leave out {}",
                                 plan.method.name,
                                 plan.tilings.empty() ? "rung '" + plan.rung + "'" : "the tiling"));
  for (int d = 0; d < D; ++d)
    if (a.grid().sides[d][0].kind == BoundaryKind::periodic && a.grid().unknowns[d] % 2 == 1)
      throw UsageError(fmt::format(
          "method {} colours points like a chequerboard: direction {} is periodic with {} points, an odd "
          "number, so that its first and last point, which are neighbours, have one colour; take an even "
          "number",
          plan.method.name, "xyz"[d], a.grid().unknowns[d]));
}

template <class T, int D>
class RedBlackSweeper final : public Sweeper<T> {
 public:
  RedBlackSweeper(const Stencil<T, D>& a, const Plan& plan, int threads)
      : rows_(a.rows()),
        run_((simd::chosen(), rung_functions<T, D>(8))),
        bound_(a, plan.blocking, {}, 0, threads, true),
        red_(w_.u) {
    set_phase(0);
  }

  Index rows() const override { return rows_; }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    set_phase(0);
    fill(bound_.g, b);
    fill(red_, x);
    for (const Source<T>& source : bound_.sources) bound_.g[source.at] += source.value;
    w_.one_g = bound_.g[0] / (w_.diagonals ? w_.diagonals[0] : w_.diagonal);
    std::atomic<bool> one_g = true;
    bound_.for_each_piece([&](const Piece<D>& piece, Index) {
      for (Index i = 0; i < piece.count; ++i) {
        const Index p = w_.unknown(piece, i);
        bound_.g[p] /= w_.diagonals ? w_.diagonals[p] : w_.diagonal;
        if (!same_bits(bound_.g[p], w_.one_g)) one_g = false;
        renew_ghosts(piece, i, p);
      }
    });
    w_.has_one_g = one_g;
  }

  /// The last two sweeps of a call are measured, whatever is wanted: what they overwrite is not kept. Each
  /// stands alone, so that norms are summed over the same pieces for every depth and number of threads.
  Norms advance(std::span<const Step> steps, Want want) override {
    for (const Step& step : steps)
      if (step.omega != 1)
        throw UsageError(fmt::format(
            "omega {}: a sweep of one colour knows the other colour only, and needs omega = 1", step.omega));
    const std::size_t measured = std::min<std::size_t>(2, steps.size());
    if (measured < steps.size() || steps.empty())  // none: says which rung it is
      run_.advance(w_, steps.first(steps.size() - measured), Want::nothing);
    for (const Step& step : steps.last(measured)) {
      updates_[0] = updates_[1];
      run_.advance_measured(w_, {&step, 1}, {&updates_[1], 1});
    }
    return norms(want);
  }

  /// An update is what the last two sweeps changed: every unknown once.
  Norms norms(Want want) override {
    if (want != Want::update) return run_.norms(w_, want);
    return {std::hypot(updates_[0].l2, updates_[1].l2), worse(updates_[0].max, updates_[1].max)};
  }

  void do_save() override {
    if (!saved_) saved_ = bound_.new_array();
    bound_.copy(red_, saved_);
    saved_at_ = w_.ran;
    saved_phase_ = w_.u == red_ ? 0 : 1;
    saved_updates_ = updates_;
  }
  void do_restore() override {
    bound_.copy(saved_, red_);
    w_.ran.rewind(saved_at_);
    set_phase(saved_phase_);
    updates_ = saved_updates_;
  }

  void do_store(std::span<T> x) const override {
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      for (Index i = 0; i < piece.count; ++i) x[p + i] = red_[w_.unknown(piece, i)];
    });
  }

  Executed executed() const override {
    Executed ran = w_.ran;
    ran.work = static_cast<double>(ran.sweeps) / 2;
    ran.blocking = fmt::format("{} sweeps of one colour each per visit to a tile of {}", w_.tile.depth,
                               fmt::join(w_.tile.size, " x "));
    return ran;
  }

  Index sweeps_at_once() const override { return 16; }

  /// Per visit u, g, u written and the coefficients, for half as many updates of an unknown as sweeps.
  double bytes_per_update() const override {
    const int words =
        (w_.has_one_g && w_.kind == Kind::equal ? 2 : 3) + (w_.kind == Kind::variable ? 2 * D : 0);
    return 2 * words * sizeof(T) / static_cast<double>(w_.tile.depth);
  }

  /// The last two sweeps of a call go over the grid on their own; a residual takes the time of both and more.
  double check_cost(Want want) const override { return want == Want::update ? 4 : 8; }

 private:
  /// The next sweep updates the black points (0) or the red ones (1).
  void set_phase(int phase) {
    w_.u = red_;
    w_.v = red_ + w_.half;
    if (phase == 1) std::swap(w_.u, w_.v);
    if (phase == 0) updates_ = {};
  }

  static double worse(double a, double b) { return b <= a ? a : b; }

  void fill(T* to, std::span<const T> values) {
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      for (Index i = 0; i < piece.count; ++i) to[w_.unknown(piece, i)] = values[p + i];
    });
  }

  /// Those that copy unknown i of the piece, at p.
  void renew_ghosts(const Piece<D>& piece, Index i, Index p) {
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        auto position = piece.position;
        position[0] += i;
        if (w_.ghost_source[d][e] != position[d]) continue;
        position[d] = e == 0 ? -1 : w_.n[d];
        red_[w_.offset(position)] = red_[p];
      }
  }

  Index rows_;
  RungFunctions<T, D> run_;
  BoundGrid<T, D> bound_;
  Workspace<T, D>& w_ = bound_.w;
  T* red_;
  std::array<Norms, 2> updates_ = {};  ///< of the last two sweeps
  T* saved_ = nullptr;                 ///< of save()
  Executed saved_at_;
  int saved_phase_ = 0;
  std::array<Norms, 2> saved_updates_ = {};
};

}  // namespace jacobi::sweep
