/// Sweeps over a bound stencil.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>

#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "jacobi/simd.hpp"
#include "sweep/same_bits.hpp"
#include "sweep/stencil/layout/bound.hpp"
#include "sweep/stencil/wavefront/wavefront.hpp"

namespace jacobi::sweep {

// Beside the ladder: its bits are rung 0's only where the tiling is exact.
inline constexpr Rung hierarchical{7, "hierarchical", "cycles of sweeps in tiles", true, true, 3, 0.0, 1.0};

/// Of the plan: the rung named, hierarchical for tilings, else tiled. Throws: UsageError for an unknown one;
/// BackendError for one that is not compiled in.
inline const Rung& chosen_rung(const Plan& plan) {
  const Rung& rung =
      !plan.tilings.empty() ? hierarchical : stencil_rung(plan.rung.empty() ? "tiled" : plan.rung);
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  if (!rung.compiled)
    throw BackendError(fmt::format(
        "rung '{}' is not in this build: it needs {}", rung.name,
        rung.number == 3 ? "oneTBB (-DJACOBI_PARALLEL_ALGORITHMS=ON)" : "OpenMP (-DJACOBI_OPENMP=ON)"));
  return rung;
}

/// Bytes of lines in strips for plain sweeps with the blocking left to us; 0 where the grid does not suit
/// them.
template <class T, int D>
double bytes_of_strips([[maybe_unused]] const Stencil<T, D>& a, [[maybe_unused]] const Plan& plan,
                       [[maybe_unused]] const Riser& riser, [[maybe_unused]] int threads) {
  if constexpr (D == 2) {
    const Grid<T, D>& grid = a.grid();
    const bool is_free = plan.tilings.empty() && plan.blocking.sweeps == 0 && plan.blocking.tile[0] == 0 &&
                         plan.method.name == "plain";
    const auto is_open = [](const auto& sides) {
      return sides[0].kind != BoundaryKind::dirichlet || sides[1].kind != BoundaryKind::dirichlet;
    };
    if (riser.lanes > 0 && is_free && BoundGrid<T, D>::coefficients_of(a).kind == Kind::equal &&
        !std::ranges::any_of(grid.sides, is_open) &&
        LiftedGrid<T>::suits(riser, grid.unknowns[0], grid.unknowns[1], threads))
      return LiftedGrid<T>::bytes(riser, grid.unknowns[0], grid.unknowns[1], threads);
  }
  return 0;
}

template <class T, int D>
class StencilSweeper final : public Sweeper<T> {
 public:
  StencilSweeper(const Stencil<T, D>& a, const Plan& plan, int threads)
      : rows_(a.rows()),
        rung_(chosen_rung(plan)),
        run_(rung_functions<T, D>(rung_.number)),
        bound_(a, plan.blocking, levels_of(plan, a.grid()), rung_.number == tiled ? 0 : longest_piece,
               rung_.parallel ? threads : 1, false, run_.in_place ? levels_in_place(a, plan) : 0),
        chosen_(w_.tile),
        lags_(!w_.levels.empty() && !is_exact<D>(w_.levels, w_.kind)),
        may_lift_(w_.in_place > 0 || makes_strips(a, plan)) {
    w_.may_lift = may_lift_;
  }

  Index rows() const override { return rows_; }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      std::copy_n(b.data() + p, piece.count, bound_.g + piece.first);
      std::copy_n(x.data() + p, piece.count, w_.u + piece.first);
    });
    for (const Source<T>& source : bound_.sources) bound_.g[source.at] += source.value;
    w_.one_g = bound_.g[0] / (w_.diagonals ? w_.diagonals[0] : w_.diagonal);
    std::atomic<bool> one_g = true;
    bound_.for_each_piece([&](const Piece<D>& piece, Index) {
      T* g = bound_.g + piece.first;
      const T* d = w_.diagonals ? w_.diagonals + piece.first : nullptr;
      for (Index i = 0; i < piece.count; ++i) g[i] /= d ? d[i] : w_.diagonal;
      if (std::any_of(g, g + piece.count, [&](const T& value) { return !same_bits(value, w_.one_g); }))
        one_g = false;
      w_.renew_ghosts(piece, w_.u);
    });
    w_.has_one_g = one_g;
    w_.lifted.has_g = false;
    w_.changed();
  }

  Norms advance(std::span<const Step> steps, Want want) override {
    const Index rounds = w_.lifted.rounds;
    const Norms measured = run_.advance(w_, steps, lags_ && want == Want::update ? Want::nothing : want);
    if (!steps.empty()) omega_ = steps.back().omega;
    visit(static_cast<Index>(steps.size()), is_batch() ? most_per_column : w_.tile.depth,
          w_.lifted.rounds - rounds);
    return lags_ && want == Want::update ? norms(want) : measured;
  }
  /// The last sweep of a cycle that is not exact may move nothing while ghosts stand still: the next update,
  /// by a pass of its own, stands in for it.
  Norms norms(Want want) override {
    if (!lags_ || want != Want::update) return run_.norms(w_, want);
    const Norms next = run_.norms(w_, Want::correction);
    return {omega_ * next.l2, omega_ * next.max};
  }
  void advance_measured(std::span<const Step> steps, std::span<Norms> updates) override {
    if (!run_.advance_measured) return Sweeper<T>::advance_measured(steps, updates);
    visit(static_cast<Index>(steps.size()), w_.tile.depth);
    run_.advance_measured(w_, steps, updates);
  }

  void do_save() override {
    w_.settle();
    if (!saved_) saved_ = bound_.new_array();
    bound_.copy(w_.u, saved_);
    saved_at_ = w_.ran;
    update_saved_ = w_.last_update;
  }
  void do_restore() override {
    bound_.copy(saved_, w_.u);
    w_.changed();
    w_.ran.rewind(saved_at_);
    w_.last_update = update_saved_;
  }

  void do_store(std::span<T> x) const override {
    w_.settle();
    bound_.for_each_piece(
        [&](const Piece<D>& piece, Index p) { std::copy_n(w_.u + piece.first, piece.count, x.data() + p); });
  }

  bool take_values(const Operator<T>& now) override {
    const Stencil<T, D>* const a = std::get_if<Stencil<T, D>>(&now);
    return a && bound_.take_values(*a);
  }

  Executed executed() const override {
    Executed ran = w_.ran;
    if (rung_.number == tiled)
      ran.blocking = is_batch()    ? "all sweeps between checks per visit to a column of a batch"
                     : in_strips() ? w_.lifted.in_words()
                     : w_.in_place > 0 && w_.may_lift
                         ? fmt::format("{} sweeps per visit to {} lines of {} planes, in one array",
                                       w_.in_place, w_.tile.size[1 % D], w_.tile.size[D - 1])
                         : fmt::format("{} sweeps per visit to a tile of {}{}", w_.tile.depth,
                                       fmt::join(w_.tile.size, " x "), w_.tile == chosen_ ? "" : ", tuned");
    if (w_.levels.empty()) return ran;
    ran.blocking = levels_in_words<D>(w_.levels, w_.kind);
    ran.redundant_work = redundant_work<D>(w_.levels);
    return ran;
  }

  Blocking blocking() const override {
    Blocking b;
    if (rung_.number != tiled || is_batch()) return b;
    std::copy_n(w_.tile.size.begin(), D, b.tile.begin());
    b.sweeps = w_.tile.depth;
    return b;
  }

  Index sweeps_per_cycle() const override { return w_.sweeps_per_cycle; }

  /// Tiles make eight sweeps in less than twice the time of one; a batch copies its columns out and in.
  Index sweeps_at_once() const override { return rung_.number != tiled ? 1 : is_batch() ? 64 : 8; }

  void reblock(const Blocking& wanted) override {
    require_sensible(wanted, D);
    for (int d = 1; d < D; ++d)
      if (wanted.tile[d] > 0 && (d + 1 == D || !w_.is_periodic(d)))
        w_.tile.size[d] = std::min(wanted.tile[d], w_.n[d]);
    if (wanted.sweeps > 0) w_.tile.depth = std::min(wanted.sweeps, deepest);
    w_.may_lift = may_lift_ && w_.tile == chosen_;
  }

  double bytes_per_update() const override {
    if (!w_.levels.empty())
      return words_per_cycle<D>(w_.levels.front(), w_.kind) * sizeof(T) /
             static_cast<double>(w_.sweeps_per_cycle);
    const bool many = rung_.number == tiled;
    const double visits = !many        ? 1
                          : swept_ > 0 ? visits_ / swept_
                                       : 1.0 / static_cast<double>(w_.tile.depth);
    const int unread = (w_.has_one_g && w_.kind == Kind::equal && many) + in_strips();  // or written in place
    return (rung_.words - unread + (w_.kind == Kind::variable ? 2 * D : 0)) * sizeof(T) * visits;
  }

  double check_cost(Want want) const override {
    return want == Want::update && !lags_ ? rung_.update_cost : rung_.pass_cost;
  }

  BoundGrid<T, D>& bound() { return bound_; }

 private:
  static constexpr int tiled = 6;  ///< the rung's number
  static constexpr Index most_per_column = 1 << 20;

  /// Lines in strips, where there is memory for them.
  bool makes_strips(const Stencil<T, D>& a, const Plan& plan) {
    if constexpr (D == 2) {
      const double bytes = bytes_of_strips(a, plan, run_.riser, w_.threads);
      if (bytes == 0 || bytes > 0.7 * available_memory()) return false;
      w_.lifted = LiftedGrid<T>(run_.riser, w_.n[0], w_.n[1], w_.threads);
      return true;
    }
    return false;
  }

  /// Sweeps went over lines in strips, and will again.
  bool in_strips() const { return w_.may_lift && w_.lifted.rounds > 0; }

  /// Swept by columns: batch-inl.hpp.
  bool is_batch() const {
    return w_.levels.empty() && w_.kind == Kind::lines && !w_.has_copies &&
           w_.n[D - 1] >= least_rows_of_batch;
  }

  /// Counts how often the arrays were gone over: in rounds, else as often as `most` sweeps at once ask for.
  void visit(Index sweeps, Index most, Index rounds = 0) {
    visits_ += static_cast<double>(rounds > 0 ? rounds : (sweeps + most - 1) / most);
    swept_ += static_cast<double>(sweeps);
  }

  Index rows_;
  const Rung& rung_;
  RungFunctions<T, D> run_;
  BoundGrid<T, D> bound_;
  Workspace<T, D>& w_ = bound_.w;
  Tile<D> chosen_;      ///< at bind
  bool lags_;           ///< cycles in tiles that are not exact
  bool may_lift_;       ///< the blocking was left to us
  double omega_ = 1;    ///< of the last sweep of such a cycle
  T* saved_ = nullptr;  ///< of save()
  Executed saved_at_;
  Norms update_saved_;
  double visits_ = 0, swept_ = 0;
};

}  // namespace jacobi::sweep
