#include "sweep/distributed/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <exception>
#include <optional>
#include <vector>

#include "core/cancel.hpp"
#include "core/clock.hpp"
#include "core/facts.hpp"
#include "core/instantiate.hpp"
#include "core/keeping.hpp"
#include "core/lengths.hpp"
#include "core/loop.hpp"
#include "core/notes.hpp"
#include "core/require.hpp"
#include "core/scale.hpp"
#include "core/teams.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/accelerated/preconditioning.hpp"
#include "sweep/distributed/field.hpp"
#include "sweep/distributed/own_lines.hpp"
#include "sweep/multigrid/bind.hpp"
#include "sweep/stencil/bind.hpp"

namespace jacobi {

namespace sweep {

template <class T, int D>
Slabs slabs_of(const Distributed<T, D>& a, const Plan& plan, const Exchanging& how) {
  const Grid<T, D>& grid = a.whole().grid();
  if (D == 1) return {1, 1, 0, false, false};
  const Index wanted = accelerated(plan.method) || plan.multigrid() ? 1
                       : a.halo() > 0                               ? a.halo()
                                      : usual_depth<D>(grid.unknowns[D - 1], a.ranks()->count());
  return Slabs::cut(grid.unknowns[D - 1], a.ranks()->count(), wanted,
                    grid.sides[D - 1][0].kind == BoundaryKind::periodic,
                    plan.method.red_black && how.even_origins);
}

namespace {

/// Throws: UsageError for what ranks do not share.
template <class T, int D>
void require_shared(const Distributed<T, D>& a, const Plan& plan, const Stop& stop, const Backend& on) {
  const char* const what = plan.amg()             ? "cycles of algebraic multigrid"
                           : plan.tiling()        ? "cycles of overlapping tiles"
                           : a.whole().singular() ? "grids without a Dirichlet side and a reaction"
                           : plan.method.red_black && (stop.keep || stop.resume) ? "checkpoints of red-black"
                                                                                 : nullptr;
  if (what) throw UsageError(fmt::format("{} are for one process: ranks do not share them", what));
  if ((plan.multigrid() || plan.preconditioner()) && on.has_own_memory())
    throw UsageError("ranks share multigrid cycles of the processor alone, not of a device");
  if (plan.multigrid() && plan.method.red_black)
    throw UsageError(fmt::format("method {} is no smoother of multigrid cycles", plan.method.name));
  if (plan.preconditioner() && plan.method.acceleration != Acceleration::cg)
    throw UsageError("a multigrid cycle preconditions conjugate gradients on a grid, nothing else");
  if (accelerated(plan.method)) require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a.whole());
  const Grid<T, D>& grid = a.whole().grid();
  if (plan.method.red_black && grid.sides[D - 1][0].kind == BoundaryKind::periodic &&
      grid.unknowns[D - 1] % 2 == 1)
    throw UsageError("red-black needs an even number of points along a periodic direction");
}

template <class T, int D>
class OverRanks {
 public:
  OverRanks(const Distributed<T, D>& a, const Plan& plan, const Stop& stop, const Backend& on,
            const Exchanging& how)
      : a_(a),
        plan_(plan),
        stop_(stop),
        on_(on),
        how_(how),
        slabs_(slabs_of(a, plan, how)),
        own_{*a.ranks(), a.whole(), nullptr, {}} {
    bind();
    own_.box = box_->stencil();
    own_.lines = {box_->low() * lines(), (box_->low() + box_->own()) * lines()};
    if (stop.observe) {
      stop_.observe = [&, observe = stop.observe](const Check& c) { return !any_over(ranks(), !observe(c)); };
    }
    if (stop.progress)
      stop_.progress = [&, tell = stop.progress](const Progress& p) { return !any_over(ranks(), !tell(p)); };
  }

  Report run(std::span<const T> b, std::span<T> x) {
    const auto begin = Clock::now();
    Report report;
    describe(report);
    const std::vector<T> start(x.begin(), x.end());
    load(b, x);
    const Yardstick measure = yardstick();
    if (measure.initial > 0 && std::isfinite(measure.initial) && !squares_fit(measure.initial))
      throw InputError(
          "squares of the residual's entries vanish or overflow: give the system in other units");
    report.seconds_setup = seconds_since(begin);
    const Stop kept = keeping(b, start);
    const bool is_lost = or_abandon([&] { return iterate(*sweeper_, plan_.method, kept, measure, report); });
    if (kept.resume) report.notes.push_back(note(notes::resumed, sweeps_kept(*kept.resume)));
    sweeper_->store(x);
    const bool is_finite = !any_over(ranks(), !all_finite(std::span<const T>(x)));
    if (report.sweeps > 0 && (is_lost || !is_finite)) {
      std::ranges::copy(start, x.begin());
      report.notes.push_back(
          note(notes::thrown_away, notes::norm_of_lost(report.norm_final, is_finite), measure.initial));
      report.norm_final = measure.initial;
      report.update_norm = report.update_max = std::nullopt;
      load(b, x);
    }
    const double residual = stop_.norm == Norm::residual && std::isfinite(report.norm_final)
                                ? report.norm_final
                                : true_norms(Divisor::none, Norm::residual, 0).l2;
    if (std::isfinite(residual)) report.residual_norm = residual;
    conclude(report);
    return report;
  }

 private:
  void bind() {
    const int threads = startable(on_.threads());
    AmongRanks among = how_.cycles;
    among.ranks = &ranks();
    for (int r = 0; r <= ranks().count(); ++r) among.cuts.push_back(slabs_.begin(r));
    if (plan_.multigrid()) {
      box_ = &box_of_cycles_.emplace(a_.ranks(), a_.whole(), slabs_);
      sweeper_ = collectively(ranks(), [&] {
        box_->lay_out(a_.whole());
        return bind_multigrid(a_.whole(), plan_, threads, false, -1, &among);
      });
      return;
    }
    if (accelerated(plan_.method)) {
      auto field = std::make_unique<DistributedField<T, D>>(a_.ranks(), a_.whole(), plan_, threads, slabs_);
      grid_ = &field->sweeper();
      box_ = &grid_->box();
      std::unique_ptr<Preconditioning<T>> by;
      if (plan_.preconditioner())
        by = collectively(ranks(), [&] {
          return cycles_of(*field, a_.whole(), plan_, threads, a_.whole().singular(), &among);
        });
      sweeper_ = or_abandon([&] {
        return by ? accelerate<T>(std::move(field), plan_.method, std::move(by))
                  : accelerate<T>(std::move(field), plan_.method);
      });
      return;
    }
    auto sweeper = std::make_unique<DistributedSweeper<T, D>>(
        a_.ranks(), a_.whole(), slabs_, slabs_.depth + how_.sweeps_beyond,
        [&](const Stencil<T, D>& box) { return std::shared_ptr<Sweeper<T>>(on_.bind(box, plan_)); });
    grid_ = sweeper.get();
    box_ = &grid_->box();
    sweeper_ = std::move(sweeper);
  }

  void load(std::span<const T> b, std::span<const T> x) {
    sweeper_->load(b, x);
    if (grid_) return;
    std::ranges::copy(b, box_->own_part(box_->rhs).begin());
    box_->trade_in(box_->rhs);
  }

  /// What one rank alone throws here would leave the others waiting.
  template <class Make>
  auto or_abandon(Make&& make) {
    try {
      return make();
    } catch (const std::exception& error) {
      ranks().abandon(error.what());
      throw;
    }
  }

  /// stop_, whose snapshots are gathered and handed over by rank 0 as those of one process; goes on from one.
  Stop keeping(std::span<const T> b, std::span<const T> start) {
    if (!stop_.keep && !stop_.resume) return stop_;
    const std::vector<T> all_b = gathered<T>(ranks(), b), all_x = gathered<T>(ranks(), start);
    if (stop_.resume) made_before_ = counted_in(*stop_.resume);
    const std::string of = collectively(ranks(), [&] {
      if (stop_.keep && plan_.method.step(1, plan_.method.step(0, {})).rho != 1) {  // else nothing is refused
        Snapshot trial;
        sweeper_->keep(trial, true);
      }
      if (ranks().number() > 0) return std::string();
      std::string here = fingerprint<T>(Operator<T>(a_.whole()), plan_, stop_, all_b, all_x);
      if (stop_.resume) require_same(stop_.resume->of, here);
      return here;
    });
    if (stop_.resume) {
      const Snapshot mine = collectively(ranks(), [&] { return part_of(*stop_.resume); });
      or_abandon([&] { return sweeper_->take(b, mine), true; });
    }
    Stop kept = stop_;
    if (stop_.keep)
      kept.keep = [this, of](const Snapshot& mine) {
        Snapshot all{of, {}, mine.words};
        for (const auto& [name, values] : mine.vectors)
          all.vectors[name] = gathered<double>(ranks(), std::span<const double>(values));
        if (ranks().number() > 0) return;
        keep_value(all, "counted", made_in_all());
        stop_.keep(all);
      };
    return kept;
  }
  Counted made_in_all() const {
    const Executed now = sweeper_->executed();
    return {made_before_.sweeps + now.sweeps, made_before_.cycles + now.cycles, made_before_.work + now.work};
  }
  Snapshot part_of(const Snapshot& all) const {
    Snapshot mine{all.of, {}, all.words};
    for (const auto& [name, values] : all.vectors) {
      const auto first =
          vector_of(all, name, static_cast<std::size_t>(a_.whole().rows())).begin() + a_.first_row();
      mine.vectors[name].assign(first, first + a_.rows());
    }
    return mine;
  }

  std::span<const T> grown_iterate() {
    if (grid_) {
      if (accelerated(plan_.method)) grid_->iterate_changed();
      grid_->grow_iterate();
    } else {
      sweeper_->store(box_->own_part(box_->iterate));
      box_->trade_in(box_->iterate);
    }
    return box_->iterate;
  }

  Ranks& ranks() const { return *a_.ranks(); }
  Index lines() const {
    if (D == 1) return 1;
    return a_.whole().rows() / a_.whole().grid().unknowns[0] / a_.whole().grid().unknowns[D - 1];
  }
  std::span<const T> rhs() const { return box_->rhs; }

  Norms true_norms(Divisor by, Norm norm, double enough) {
    const std::span<const T> x = grown_iterate();
    return true_residual_norms<T>(own_, rhs(), x, by, norm, enough);
  }
  double tested(double enough) {
    return pick(true_norms(tested_divisor(stop_.norm), stop_.norm, enough), stop_.norm);
  }

  Yardstick yardstick() {
    const Divisor by = tested_divisor(stop_.norm);
    const auto floor = [this, by] {
      const std::span<const T> x = grown_iterate();
      return rounding_floor(own_, rhs(), x, stop_.norm, by);
    };
    Yardstick y;
    y.initial = tested(0);
    y.reference = [this, by] { return pick(rhs_norms(own_, rhs(), by), stop_.norm); };
    y.residual = [this](double tolerance) { return tested(tolerance); };
    y.lost = [this, by] { return lost_to_underflow(a_.whole(), by); };
    y.vanishes = [this] {
      const std::span<const T> x = grown_iterate();
      const bool mine = !own_.box || rows_vanish(*own_.box, rhs(), x, own_.lines);
      return !any_over(ranks(), !mine);
    };
    y.floor = floor;
    y.floor_exceeds = [floor](double limit) { return floor() > limit; };
    y.doubtful = doubtful_share<T>(a_.whole());
    y.first_grows = plan_.multigrid() != nullptr;
    if (plan_.multigrid())
      y.window = 8 * sweeper_->sweeps_per_cycle();  // as of one process
    else
      y.transit = [this] { return transit(a_.whole()); };
    if (how_.clocks_agree)
      y.agree = [this](Moment mine) {
        std::array<std::int64_t, 2> both{
            ranks().number() == 0 ? std::bit_cast<std::int64_t>(std::max(0.0, mine.seconds)) : 0, mine.stop};
        ranks().max(both);
        return Moment{std::bit_cast<double>(both[0]), both[1] != 0};
      };
    return y;
  }

  void describe(Report& report) const {
    report.method = plan_.name();
    report.precision = sizeof(T) == sizeof(double) ? "double" : "float";
    report.unknowns = a_.whole().rows();
    report.norm = stop_.norm;
    report.reference = stop_.reference;
  }

  void conclude(Report& report) {
    if (sweeper_->executed().rung.empty()) sweeper_->advance({}, Want::nothing);
    const Executed ran = sweeper_->executed();
    report.bytes_per_update = sweeper_->bytes_per_update();
    report.rung = ran.rung;
    report.algorithm = ran.algorithm.empty() ? ran.rung : ran.algorithm;
    report.simd = ran.simd;
    report.threads = ran.threads;
    report.backend = fmt::format("ranks:{}+{}", ranks().count(), on_.name());
    const bool cycles = plan_.multigrid() || plan_.preconditioner();
    report.plan = fmt::format(
        "{} sweeps on {} slabs of {}, {}, rung {}, norm {}", report.method, slabs_.active, slabs_.all,
        cycles ? ran.blocking : fmt::format("halos of {}", slabs_.depth), ran.rung, name(report.norm));
    if (cycles) {
      report.cycles = made_in_all().cycles;
      report.work = made_in_all().work;
    }
    const double colours = plan_.method.red_black ? 2 : 1, sweeps = static_cast<double>(report.sweeps);
    if (plan_.method.red_black) report.work = sweeps / colours;
    if (report.seconds > 0)
      report.lups = static_cast<double>(report.unknowns) * sweeps / colours *
                    share_made_now(stop_, report.sweeps) / report.seconds;
    if (slabs_.active < ranks().count())
      report.notes.push_back(note(notes::idle_ranks, slabs_.active, ranks().count()));
  }

  const Distributed<T, D>& a_;
  const Plan& plan_;
  Stop stop_;
  const Backend& on_;
  const Exchanging how_;
  const Slabs slabs_;
  std::unique_ptr<Sweeper<T>> sweeper_;
  DistributedSweeper<T, D>* grid_ = nullptr;  ///< the sweeper, or the memory of the accelerated one
  std::optional<RankBox<T, D>> box_of_cycles_;
  RankBox<T, D>* box_ = nullptr;  ///< of either
  Counted made_before_{};         ///< before the snapshot that this solve goes on from
  OwnLines<T, D> own_;
};

}  // namespace

template <class T, int D>
Report solve_over(const Distributed<T, D>& a, const Plan& plan, std::span<const T> b, std::span<T> x,
                  const Stop& stop, const Backend& on, const Exchanging& how) {
  const Stop asked = collectively(*a.ranks(), [&] {
    require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
    require_sensible(plan.method);
    require_sensible(stop);
    require_shared(a, plan, stop, on);
    require_finite(OwnRows<T, D>{a}, b, "b");
    require_finite(OwnRows<T, D>{a}, std::span<const T>(x), "x");
    Stop sensible = stop;
    sensible.norm = tested_norm(a.whole(), stop.norm);
    return sensible;
  });
  const std::int64_t keeps = stop.keep ? 1 : 0, resumes = stop.resume ? 1 : 0;
  std::array<std::int64_t, 4> most{keeps, -keeps, resumes, -resumes};
  a.ranks()->max(most);
  if (most[0] != -most[1] || most[2] != -most[3])
    throw UsageError("some ranks keep or resume a solve and others do not: give all of them the same");
  return OverRanks<T, D>(a, plan, asked, on, how).run(b, x);
}

}  // namespace sweep

template <class T, int D>
Distributed<T, D>::Distributed(std::shared_ptr<Ranks> ranks, Stencil<T, D> whole, Index halo)
    : ranks_(std::move(ranks)), whole_(std::move(whole)), halo_(halo) {
  if (!ranks_) throw UsageError("no ranks are given");
  if (halo < 0) throw UsageError(fmt::format("a halo of {} slabs cannot be", halo));
  const sweep::Slabs slabs = sweep::slabs_of(*this, Plan{});
  const Index slab = whole_.rows() / slabs.all;
  first_row_ = slabs.begin(ranks_->number()) * slab;
  rows_ = (slabs.end(ranks_->number()) - slabs.begin(ranks_->number())) * slab;
}

template <class T, int D>
Report solve(const Distributed<T, D>& a, const Plan& plan, std::span<const T> b, std::span<T> x,
             const Stop& stop, const std::shared_ptr<const Backend>& on) {
  if (!on) throw UsageError("no backend is given");
  return sweep::solve_over<T, D>(a, plan, b, x, stop, *on, {});
}

#define JACOBI_INSTANTIATE(T, D)                                                                         \
  template class Distributed<T, D>;                                                                      \
  template Report solve<T, D>(const Distributed<T, D>&, const Plan&, std::span<const T>, std::span<T>,   \
                              const Stop&, const std::shared_ptr<const Backend>&);                       \
  template sweep::Slabs sweep::slabs_of<T, D>(const Distributed<T, D>&, const Plan&, const Exchanging&); \
  template Report sweep::solve_over<T, D>(const Distributed<T, D>&, const Plan&, std::span<const T>,     \
                                          std::span<T>, const Stop&, const Backend&, const Exchanging&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
