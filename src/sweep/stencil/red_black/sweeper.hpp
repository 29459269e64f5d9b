/// Sweeps of one colour of a chequerboard at a time.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <atomic>
#include <cmath>
#include <utility>

#include "jacobi/error.hpp"
#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"
#include "sweep/stencil/red_black/red_black.hpp"
#include "sweep/stencil/skewing/choose.hpp"

namespace jacobi::sweep {

/// Half of each line has either colour: twice the width is as many bytes, and twice the depth as many
/// updates.
template <class T, int D>
Tile<D> choose_half_tile(const Grid<T, D>& grid, const Blocking& wanted) {
  Tile<D> tile = usual_tile(grid);
  tile.size[0] *= 2;
  tile.depth *= 2;
  return fitted(tile, grid, wanted);
}

template <class T, int D>
class RedBlackSweeper final : public GridSweeper<T, D> {
  using Base = GridSweeper<T, D>;
  using Base::bound_;
  using Base::w_;

 public:
  RedBlackSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, const Plan& plan, int threads)
      : Base(self, a, room_for(a.grid(), plan.blocking()), threads),
        kernels_(red_black_kernels<T, D>()),
        own_{choose_half_tile(a.grid(), plan.blocking()), {}},
        red_(w_.u) {
    set_phase(0);
  }

  static Room room_for(const Grid<T, D>& grid, const Blocking& wanted) {
    return {choose_half_tile(grid, wanted).size[0], 0, true};
  }

  Executed executed() const override {
    Executed ran = Base::executed();
    ran.work = static_cast<double>(ran.sweeps) / 2;
    ran.blocking = fmt::format("{} sweeps of one colour each per visit to a tile of {}", own_.tile.depth,
                               fmt::join(own_.tile.size, " x "));
    return ran;
  }

  Index sweeps_at_once() const override { return 16; }

  /// Per visit u, g, u written and the coefficients, for half as many updates of an unknown as sweeps.
  double bytes_per_update() const override {
    const int words = (w_.has_one_g && w_.kind == Kind::equal ? 2 : 3) + this->coefficient_words();
    return 2 * words * sizeof(T) / static_cast<double>(own_.tile.depth);
  }

  /// The last two sweeps of a call go over the grid on their own; a residual takes the time of both and more.
  double check_cost(Want want) const override { return want == Want::update ? 4 : 8; }

 private:
  /// The last two sweeps of a call are measured, whatever is wanted: what they overwrite is not kept. Each
  /// stands alone, so that norms are summed over the same pieces for every depth and number of threads.
  Norms do_advance(std::span<const Step> steps, Want want) override {
    for (const Step& step : steps)
      if (step.omega != 1)
        throw UsageError(fmt::format(
            "omega {}: a sweep of one colour knows the other colour only, and needs omega = 1", step.omega));
    const std::size_t measured = std::min<std::size_t>(2, steps.size());
    if (measured < steps.size() || steps.empty())  // none: says which rung it is
      kernels_.advance(w_, own_, steps.first(steps.size() - measured));
    for (const Step& step : steps.last(measured)) {
      updates_[0] = updates_[1];
      kernels_.advance_measured(w_, own_, {&step, 1}, {&updates_[1], 1});
      std::swap(parts_[0], parts_[1]);
      parts_[1].assign(own_.levels.begin(), own_.levels.begin() + w_.pieces);
    }
    return do_norms(want);
  }
  /// An update is what the last two sweeps changed: every unknown once.
  Norms do_norms(Want want) override {
    if (want != Want::update) return kernels_.norms(w_, want);
    return {std::hypot(updates_[0].l2, updates_[1].l2), worse(updates_[0].max, updates_[1].max)};
  }
  void do_load(std::span<const T> b, std::span<const T> x) override {
    set_phase(0);
    fill(bound_.g, b);
    fill(red_, x);
    for (const Source<T>& source : bound_.sources) bound_.g[source.at] += source.value;
    w_.one_g = bound_.g[0] / (w_.diagonals ? w_.diagonals[0] : w_.diagonal);
    std::atomic<bool> one_g = true;
    bound_.for_each_piece([&](const Piece<D>& piece, Index) {
      for (Index i = 0; i < piece.count; ++i) {
        const Index p = bound_.layout.unknown(piece, i);
        bound_.g[p] /= w_.diagonals ? w_.diagonals[p] : w_.diagonal;
        if (!same_bits(bound_.g[p], w_.one_g)) one_g = false;
        renew_ghosts(piece, i, p);
      }
    });
    w_.has_one_g = one_g;
  }

  void do_save() override {
    Base::save_from(red_);
    saved_phase_ = w_.u == red_ ? 0 : 1;
    saved_updates_ = updates_;
    saved_parts_ = parts_;
  }
  void do_restore() override {
    Base::restore_to(red_);
    set_phase(saved_phase_);
    updates_ = saved_updates_;
    parts_ = saved_parts_;
  }

  /// Every sweep writes over the iterate before of its own colour: what there is of that is in the iterate.
  void do_keep(Snapshot& snapshot, bool) override {
    keep_value(snapshot, "phase", w_.u == red_ ? 0 : 1);
    keep_value(snapshot, "updates", updates_);
  }
  void do_take(const Snapshot& snapshot) override {
    int phase = 0;
    take_value(snapshot, "phase", phase);
    set_phase(phase);
    take_value(snapshot, "updates", updates_);
  }

  void do_store(std::span<T> x) const override {
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      for (Index i = 0; i < piece.count; ++i) x[p + i] = red_[bound_.layout.unknown(piece, i)];
    });
  }

  /// The next sweep updates the black points (0) or the red ones (1).
  void set_phase(int phase) {
    w_.u = red_;
    w_.v = red_ + bound_.layout.half;
    if (phase == 1) std::swap(w_.u, w_.v);
    if (phase == 0) forget_updates();
  }

  void forget_updates() {
    updates_ = {};
    for (auto& parts : parts_) parts.assign(static_cast<std::size_t>(w_.pieces), {});
  }

  int lists(Want want) const override { return want == Want::update ? 2 : 1; }
  std::span<const Partial> parts(Want want, int list) const override {
    if (want != Want::update) return Base::parts(want, list);
    return parts_[static_cast<std::size_t>(list)];
  }
  T* array(bool) const override { return red_; }
  void renew_copies(const Piece<D>& piece, T*) override {
    for (Index i = 0; i < piece.count; ++i) renew_ghosts(piece, i, bound_.layout.unknown(piece, i));
  }

  static double worse(double a, double b) { return b <= a ? a : b; }

  void fill(T* to, std::span<const T> values) {
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      for (Index i = 0; i < piece.count; ++i) to[bound_.layout.unknown(piece, i)] = values[p + i];
    });
  }

  /// Those that copy unknown i of the piece, at p.
  void renew_ghosts(const Piece<D>& piece, Index i, Index p) {
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        auto position = piece.position;
        position[0] += i;
        if (w_.ghosts.source[d][e] != position[d]) continue;
        position[d] = e == 0 ? -1 : w_.n[d];
        red_[bound_.layout.offset(position)] = red_[p];
      }
  }

  RedBlackKernels<T, D> kernels_;
  Tiles<D> own_;
  T* red_;
  std::array<Norms, 2> updates_ = {};                        ///< of the last two sweeps
  std::array<std::vector<Partial>, 2> parts_, saved_parts_;  ///< theirs, of pieces
  int saved_phase_ = 0;                                      ///< of save()
  std::array<Norms, 2> saved_updates_ = {};
};

}  // namespace jacobi::sweep
