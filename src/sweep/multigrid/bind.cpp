#include "sweep/multigrid/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/instantiate.hpp"
#include "core/kept.hpp"
#include "core/memory.hpp"
#include "core/multigrid.hpp"
#include "core/team.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "sweep/multigrid/bound.hpp"
#include "sweep/multigrid/lift.hpp"
#include "sweep/multigrid/messages.hpp"

namespace jacobi::sweep {

namespace {

template <class T, int D>
class MultigridSweeper final : public Sweeper<T> {
 public:
  /// bare: what is given on the sides does not count.
  MultigridSweeper(const Stencil<T, D>& a, const Plan& plan, Diffusion<D> finest, int threads, bool bare,
                   const AmongRanks* among)
      : grids_(a, plan, std::move(finest), threads, among),
        cycle_(*plan.multigrid()),
        run_(multigrid_functions<T, D>()) {
    if (among) join(*among);
    if (!bare) take_sides(a);
    for (const auto& l : w_.levels) all_unknowns_ += static_cast<double>(l.unknowns());
  }

  Index rows() const override { return (last_ - first_) * (fine().unknowns() / fine().slabs); }

  Executed executed() const override {
    Executed ran = w_.ran;
    const auto shared = std::ranges::count_if(w_.levels, [](const auto& l) { return l.is_apart(); });
    ran.blocking =
        fmt::format("{}({},{}) cycles on {} grids, from {} unknowns to {}{}{}",
                    cycle_.visits == 1 ? "V" : "W", cycle_.pre, cycle_.post, w_.levels.size(),
                    fine().unknowns(), w_.levels.back().unknowns(), cycle_.full ? ", the first one full" : "",
                    shared > 0 ? fmt::format(", {} of them shared", shared) : "");
    return ran;
  }

  Index sweeps_per_cycle() const override { return cycle_.pre + cycle_.post; }

  /// Down: x and g read, x written; up: the same; on every grid.
  double bytes_per_update() const override {
    const double arms = w_.variable ? 2 * D : 0;
    const double cycle = (6 + (w_.variable ? 2 * arms + 1 : 0)) * sizeof(T) * all_unknowns_ /
                         static_cast<double>(fine().unknowns());
    return cycle / static_cast<double>(sweeps_per_cycle());
  }

  /// Norms come with a cycle's last pass, and a cycle more than needed would cost ten times as much.
  double check_cost(Want) const override { return 0; }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    GridLevel<T, D>& l = w_.levels.front();
    std::atomic<bool> zero = true;
    for_each_line([&](Index at, Index p) {
      std::copy_n(b.data() + p, l.n[0], l.g + at);
      std::copy_n(x.data() + p, l.n[0], l.x + at);
      l.renew_ends(l.x + at);
      if (std::any_of(x.data() + p, x.data() + p + l.n[0], [](T value) { return value != T(0); }))
        zero = false;
    });
    for (const Source<T>& source : sources_) l.g[source.at] += source.value;
    for_each_line([&](Index at, Index) {
      const T* d = w_.variable ? l.diagonals + at : nullptr;
      for (Index i = 0; i < l.n[0]; ++i) l.g[at + i] /= d ? d[i] : l.diagonal;
    });
    if (messages_) {
      messages_->share_rhs(l);
      messages_->share_start(l);
      zero = !any_over(messages_->ranks(), !zero);
    }
    renew_lines();
    w_.x_is_zero = zero;
    w_.fresh = true;
  }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    const bool nested = w_.full && w_.fresh && w_.levels.size() > 1;
    if (nested && w_.x_is_zero && static_cast<Index>(steps.size()) >= sweeps_per_cycle() &&
        lift(fine(), given_, w_.threads)) {
      for_each_line(fine().first, fine().last, [&](Index at, Index) { fine().renew_ends(fine().x + at); });
      renew_lines();
      w_.x_is_zero = false;
    }
    return run_.advance(w_, steps, want);
  }
  Norms do_norms(Want want) override { return run_.norms(w_, want); }
  void do_save() override {
    if (!saved_) saved_ = swept_array<T>(entries(fine()), w_.threads);
    std::copy_n(start_of_x(), entries(fine()), saved_.get());
    saved_at_ = w_.ran;
    saved_fresh_ = w_.fresh;
    saved_zero_ = w_.x_is_zero;
    saved_updates_ = w_.updates;
  }
  void do_restore() override {
    std::copy_n(saved_.get(), entries(fine()), start_of_x());
    w_.ran.rewind(saved_at_);
    w_.fresh = saved_fresh_;
    w_.x_is_zero = saved_zero_;
    w_.updates = saved_updates_;
  }
  void do_keep(Snapshot& snapshot, bool) override { keep_value(snapshot, "fresh", w_.fresh); }
  void do_take(const Snapshot& snapshot) override {
    take_value(snapshot, "fresh", w_.fresh);
    w_.x_is_zero = w_.x_is_zero && w_.fresh;
  }

  void do_store(std::span<T> x) const override {
    for_each_line([&](Index at, Index p) { std::copy_n(fine().x + at, fine().n[0], x.data() + p); });
  }

  const GridLevel<T, D>& fine() const { return w_.levels.front(); }

  T* start_of_x() const { return fine().x - fine().leading; }

  void join(const AmongRanks& among) {
    messages_.emplace(among, w_);
    w_.ranks = &*messages_;
    const auto me = static_cast<std::size_t>(among.ranks->number());
    first_ = among.cuts[me];
    last_ = among.cuts[me + 1];
  }

  /// visit(offset of a line's first unknown, its number among those loaded): lines in parallel, as the
  /// threads own them.
  template <class Visit>
  void for_each_line(Visit&& visit) const {
    for_each_line(first_, last_, visit);
  }
  template <class Visit>
  void for_each_line(Index first, Index last, Visit&& visit) const {
    const GridLevel<T, D>& l = fine();
    const Index before = (first - l.low) * l.lines;
    parallel_for(w_.threads, (last - first) * l.lines,
                 [&](Index line) { visit(l.start_of(before + line), line * l.n[0]); });
  }
  void renew_lines() {
    const GridLevel<T, D>& l = fine();
    for (Index z = l.first; z < l.last; ++z) l.renew_lines(l.x + l.offset_of(z));
  }

  /// Given values and fluxes become part of b.
  void take_sides(const Stencil<T, D>& a) {
    const Index n = fine().n[0], of_slab = n * fine().lines;
    for (int k = 0; k < 2 * D; ++k) {
      if (!is_given(a.grid(), k)) continue;
      const bool values = fine().sides[k / 2][k % 2] == BoundaryKind::dirichlet;
      for (Index s = 0; s < a.side_points(k); ++s) {
        const Index p = a.side_unknown(k, s), slab = p / of_slab;
        if (slab >= first_ && slab < last_)
          sources_.push_back({fine().offset_of(slab) + p % of_slab / n * fine().pitch + p % n,
                              static_cast<T>(given(a, k, s))});
        if (values) given_[k].push_back(a.boundary_value(k, s));
      }
    }
  }

  BoundGrids<T, D> grids_;
  MultigridWorkspace<T, D>& w_ = grids_.w;
  std::optional<Messages<T, D>> messages_;  ///< where ranks share the grids
  Index first_ = 0, last_ = fine().slabs;   ///< slabs that are loaded and stored
  Multigrid cycle_;
  MultigridFunctions<T, D> run_;
  double all_unknowns_ = 0;
  std::vector<Source<T>> sources_;
  GivenValues<T, D> given_;
  AlignedArray<T> saved_;
  Executed saved_at_;
  bool saved_fresh_ = true, saved_zero_ = false;
  std::vector<Partial> saved_updates_;
};

}  // namespace

void require_cycles(const Plan& plan) {
  require_sensible(*plan.multigrid());
  if (plan.matrix_precision != MatrixPrecision::as_given)
    throw UsageError("multigrid with a matrix stored narrower: cycles are made in the precision of the grid");
  if (accelerated(plan.method))
    throw UsageError(fmt::format("multigrid with method {}: it smooths by sweeps whose weights are known",
                                 plan.method.name));
  if (plan.method.step(1, plan.method.step(0, {})).rho != 1)
    throw UsageError(
        fmt::format("multigrid with method {}: it smooths by weighted sweeps, and a three-term step is none; "
                    "take weighted "
                    "or scheduled",
                    plan.method.name));
}

template <class T, int D>
std::unique_ptr<Sweeper<T>> bind_multigrid(const Stencil<T, D>& a, const Plan& plan, int threads, bool bare,
                                           int first, const AmongRanks* among) {
  require_cycles(plan);
  simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
  Diffusion<D> finest = diffusion_of(a);
  finest.first = first;
  require_memory(bytes_of_grids<T, D>(finest, plan, threads, among), "multigrid");
  return std::make_unique<MultigridSweeper<T, D>>(a, plan, std::move(finest), threads, bare, among);
}

template <class T, int D>
std::vector<T> boundary_lift(const Stencil<T, D>& a) {
  GridLevel<T, D> l;
  for (int d = 0; d < D; ++d) {
    l.n[d] = a.grid().unknowns[d];
    l.sides[d] = {a.grid().sides[d][0].kind, a.grid().sides[d][1].kind};
  }
  l.pitch = l.n[0];
  l.slab = D == 3 ? l.pitch * l.n[1 % D] : l.pitch;
  GivenValues<T, D> given;
  for (int k = 0; k < 2 * D; ++k)
    if (is_given(a.grid(), k) && l.sides[k / 2][k % 2] == BoundaryKind::dirichlet)
      for (Index s = 0; s < a.side_points(k); ++s) given[k].push_back(a.boundary_value(k, s));
  std::vector<T> x(static_cast<std::size_t>(a.rows()));
  l.x = x.data();
  return lift(l, given, 1) ? x : std::vector<T>();
}

template <class T, int D>
double bytes_needed(const Stencil<T, D>& a, const Plan& plan, int threads, int first) {
  Diffusion<D> finest = diffusion_of(a);
  finest.first = first;
  return bytes_of_grids<T, D>(finest, plan, threads, nullptr);
}

#define JACOBI_INSTANTIATE(T, D)                                                                          \
  template std::unique_ptr<Sweeper<T>> bind_multigrid<T, D>(const Stencil<T, D>&, const Plan&, int, bool, \
                                                            int, const AmongRanks*);                      \
  template std::vector<T> boundary_lift<T, D>(const Stencil<T, D>&);                                      \
  template double bytes_needed<T, D>(const Stencil<T, D>&, const Plan&, int, int);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
