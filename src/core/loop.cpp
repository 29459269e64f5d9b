#include "core/loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/cadence.hpp"
#include "core/clock.hpp"
#include "core/going.hpp"
#include "core/notes.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"

namespace jacobi {

namespace {

template <class T>
class Iteration : Going {
 public:
  Iteration(Sweeper<T>& sweeper, const Method& method, const Stop& stop, const Yardstick& yardstick,
            Report& report)
      : Going(sweeper.sweeps_at_once(), !accelerated(method) && !stop.observe),
        sweeper_(sweeper),
        method_(method),
        stop_(stop),
        yardstick_(yardstick),
        report_(report),
        want_(want_of(stop.norm)),
        cycle_(sweeper.sweeps_per_cycle()),
        cadence_{cycle_, method.period},
        stagnation_(yardstick.transit, yardstick.window),
        history_(want_ == Want::update ? 1 : 0) {
    steps_.reserve(static_cast<std::size_t>(std::max(cycle_, most_sweeps_at_once)));
    updates_.resize(most_sweeps_at_once);
  }

  bool run() {
    prepare();
    if (stop_.resume) take(*stop_.resume, *this, stagnation_, history_);
    if (!std::isfinite(norm_initial_) || !std::isfinite(report_.reference_norm))
      end(Status::not_finite);
    else if (norm_initial_ > report_.tolerance || (is_update(stop_.norm) && !starts_at_solution()))
      while (!ended_) {
        tests_every_sweep() ? sweep_and_look_back() : sweep_to_next_check();
        keep_where_due();
      }
    else
      end((norm_ = trusted(norm_)) <= report_.tolerance ? Status::converged : Status::stagnated);
    return finish();
  }

 private:
  void prepare() {
    const Norms measured = sweeper_.norms(want_ == Want::update ? Want::correction : want_);
    norm_ = std::isfinite(measured.max) ? yardstick_.initial : measured.max;
    norm_initial_ = least_ = norm_;
    const Target target = target_of(stop_, norm_initial_, yardstick_.reference);
    report_.reference = target.of;
    report_.reference_norm = target.reference;
    report_.tolerance = target.tolerance;
    check_every_ = cadence_.between_checks(stop_, sweeper_.check_cost(want_));
    next_check_ = stop_.first_check > 0   ? cadence_.whole_periods(cadence_.in_sweeps(stop_.first_check))
                  : stop_.check_every > 0 ? check_every_
                                          : cadence_.whole_periods(cycle_);
    history_.add(0, norm_initial_);
    if (want_ == Want::update) history_.weigh_first(std::abs(method_.step(0, {}).omega));
    report_.seconds_setup += seconds_since(start_);
    start_ = Clock::now();
  }

  /// Sweeps of the next bundle: whole cycles, but for the last one before a limit.
  Index bundle(Index wanted) const {
    const Index most = std::max<Index>(1, most_sweeps_at_once / cycle_);
    return std::min(wanted, std::min(most, bundle_.next(cadence_.whole_cycles(wanted) / cycle_)) * cycle_);
  }

  /// The tested norm of the current iterate, by a pass; an update only where there was one.
  double measured() {
    const bool has_update = done_ > resumed_at_;
    return want_ != Want::update || has_update ? pick(sweeper_.norms(want_), stop_.norm) : norm_;
  }

  /// The tested norm of the current iterate, from scratch. An update does not decide alone: a short step is
  /// not a small D^-1 (b - A x), and at the rounding floor it may be 0.
  double confirmed() {
    if (want_ != Want::update) return trusted(yardstick_.residual(report_.tolerance));
    const double update = measured();
    if (!(update <= report_.tolerance)) return update;
    return std::max(update, trusted(yardstick_.residual(report_.tolerance)));
  }

  /// Whether D^-1 (b - A x), as the sweeps see it, is surely above the tolerance: then nothing is asked from
  /// scratch.
  bool is_surely_above() {
    return want_ == Want::update &&
           pick(sweeper_.norms(Want::correction), stop_.norm) > report_.tolerance * (1 + 1e-3);
  }

  /// A residual, or what it may be instead where it meets the tolerance and that does not. What is not proved
  /// to be 0 meets no tolerance of 0.
  double trusted(double residual) {
    if (!(residual <= report_.tolerance)) return residual;
    if (residual == 0 && yardstick_.vanishes()) return 0;
    if (report_.tolerance == 0) residual = std::numeric_limits<double>::denorm_min();
    if (const double lost = yardstick_.lost(); lost > 0.01 * report_.tolerance) return residual + lost;
    const double tiny = 1e-16 * std::max(norm_initial_, report_.reference_norm);
    const bool doubted = yardstick_.floor_exceeds(std::max(report_.tolerance, tiny) / yardstick_.doubtful);
    return doubted ? yardstick_.doubtful * yardstick_.floor() : residual;
  }

  /// An accelerated method has no direction to go on in; a sweep finds an update of 0.
  bool starts_at_solution() const { return accelerated(method_) && norm_initial_ == 0; }

  /// Nor in which direction to go on, once its sweeps have found the solution: D^-1 (b - A x), where that
  /// meets the tolerance, stands for the next update, as which it would come.
  std::optional<double> norm_where_solved() {
    const bool can_do_no_more = report_.status == Status::stagnated || report_.status == Status::breakdown;
    if (!can_do_no_more || want_ != Want::update || !sweeper_.halted()) return {};
    const double norm = trusted(yardstick_.residual(report_.tolerance));
    return norm <= report_.tolerance ? std::optional(norm) : std::nullopt;
  }

  bool converged() {
    if (!(norm_ <= report_.tolerance) || !recheck_.due(done_)) return false;
    if (check_every_ == 1 && is_surely_above()) return false;
    const double norm = confirmed();
    if (!(norm <= report_.tolerance)) {
      recheck_.failed(done_);
      if (!std::isfinite(norm)) norm_ = norm;  // what was swept is not, or no longer, what was given
      return false;
    }
    norm_ = norm;
    return true;
  }

  void sweep_to_next_check() {
    const Index target = std::min(next_check_, stop_.max_sweeps);
    while (!ended_ && done_ < target) {
      const Index count = bundle(target - done_);
      const Clock::time_point begin = Clock::now();
      const Norms norms = advance(count, done_ + count == target ? want_ : Want::nothing);
      bundle_.took(cadence_.whole_cycles(count) / cycle_, yardstick_.agreed(seconds_since(begin)).seconds);
      if (done_ == target && !checked_) check(norms);
      if (done_ == target && want_ == Want::update && !may_end(norms)) look_ = 2;
      if (!ended_) poll();
      if (!ended_ && done_ < target) keep_where_due();
    }
    if (!ended_ && done_ >= stop_.max_sweeps) end(Status::sweep_limit);
    if (done_ >= next_check_)
      next_check_ =
          is_early(next_check_) ? std::min(2 * next_check_, check_every_) : next_check_ + check_every_;
  }

  /// Where nothing is asked of the cadence, checks come after 1, 2, 4, ... sweeps until they are as far
  /// apart.
  bool is_early(Index sweeps) const {
    return stop_.check_every == 0 && stop_.first_check == 0 && sweeps < check_every_;
  }

  /// Every update is tested, and there is more than one sweep before the clock is looked at.
  bool tests_every_sweep() const {
    return looks_back_ && cycle_ == 1 && want_ == Want::update && check_every_ == 1 &&
           done_ >= next_check_ - 1 && look_ > 1 && bundle_.next(stop_.max_sweeps - done_) > 1;
  }

  /// Many sweeps at once, each with its norm. Where one of them may end the iteration, what came after it is
  /// taken back, and that one sweep is checked like any other: the iterate returned is the first that
  /// satisfies the test.
  void sweep_and_look_back() {
    const Index start = done_, count = std::min(look_, bundle_.next(stop_.max_sweeps - done_));
    const Step before = before_;
    const Clock::time_point begin = Clock::now();
    make_steps(count);
    if (std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.rho != 1; })) {
      before_ = before;
      looks_back_ = false;  // a three-term step needs more than one iterate back
      return;
    }
    sweeper_.save();
    const std::span<Norms> updates = std::span(updates_).first(static_cast<std::size_t>(count));
    sweeper_.advance_measured(steps_, updates);
    bundle_.took(count, yardstick_.agreed(seconds_since(begin)).seconds);
    Index passed = 0;
    for (; passed < count && !may_end(updates[passed]); ++passed) note(start + passed + 1, updates[passed]);
    look_ = passed < count ? 1 : std::min(most_sweeps_at_once, 2 * look_);
    if (passed < count) {
      sweeper_.restore();
      before_ = before;
      done_ = start;
      check(advance(passed + 1, want_));
    }
    next_check_ = done_ + 1;
    if (!ended_) poll();
    if (!ended_ && done_ >= stop_.max_sweeps) end(Status::sweep_limit);
  }

  /// Norms of sweeps made many at a time agree with those of a check within rounding.
  bool may_end(const Norms& norms) const {
    const double norm = pick(norms, stop_.norm);
    return !(norm > report_.tolerance * (1 + 1e-9)) || !std::isfinite(norm) ||
           norm > 0.999 * stop_.growth * least_ || stands_;
  }

  void make_steps(Index count) {
    steps_.clear();
    for (Index j = 0; j < count; ++j) steps_.push_back(before_ = method_.step(done_ + j, before_));
  }

  Norms advance(Index count, Want want) {
    make_steps(count);
    const bool apart = want == Want::correction;  // which no sweep measures in passing
    const Norms measured = sweeper_.advance(steps_, apart ? Want::nothing : want);
    const Norms norms = apart ? sweeper_.norms(want) : measured;
    Index made = count;
    if (const std::optional<Halt> halt = sweeper_.halted()) {
      made -= halt->unmade;
      report_.notes.emplace_back(Note::Kind::halt, halt->why);
      end(halt->status);
    }
    done_ += made;
    if (made > 0) checked_ = false;
    return norms;
  }

  /// Takes down the norm after so many sweeps, which does not end the iteration.
  void note(Index sweeps, const Norms& norms) {
    ++checks_;
    checked_ = true;
    done_ = sweeps;
    norm_ = pick(norms, stop_.norm);
    history_.add(done_, norm_);
    stands_ = stands(norms);
  }

  void check(const Norms& norms) {
    judge(norms);
    if (stop_.observe && !stop_.observe(look()) && !ended_) end(Status::interrupted);
  }

  Check look() const {
    return {done_, norm_, report_.tolerance, [this] {
              std::vector<T> x(static_cast<std::size_t>(sweeper_.rows()));
              sweeper_.store(x);
              return std::vector<double>(x.begin(), x.end());
            }};
  }

  void judge(const Norms& norms) {
    ++checks_;
    checked_ = true;
    norm_ = pick(norms, stop_.norm);
    if (yardstick_.first_grows && checks_ == 1 && std::isfinite(norm_)) least_ = std::max(least_, norm_);
    history_.add(done_, norm_);
    if (converged()) return end(Status::converged);
    if (!std::isfinite(norm_) || (!is_early(done_) && has_grown())) return end(Status::diverged);
    if (stands(norms) || stands_) end(Status::stagnated);
  }

  /// A long step of an accelerated method may lead to a solution far away: its residual tells. A norm that
  /// fell below the rounding of the first one was none to grow from.
  bool has_grown() {
    const double least = std::max(least_, std::numeric_limits<T>::epsilon() * norm_initial_);
    if (!(norm_ > stop_.growth * least)) return false;
    return !accelerated(method_) || want_ != Want::update ||
           pick(sweeper_.norms(Want::correction), stop_.norm) > stop_.growth * norm_initial_;
  }

  /// Takes the norm into account. Sweeps that let the norm grow do the same to rounding errors.
  bool stands(const Norms& norms) {
    grown_ = std::max(grown_, norm_ / least_);
    least_ = std::min(least_, std::max(norm_, report_.tolerance));
    const auto floor = [this] { return grown_ * method_.growth * yardstick_.floor(); };
    return stagnation_.stands(done_, norm_, norms.l2, floor) ||
           (method_.acceleration == Acceleration::anderson && stagnation_.wanders(done_));
  }

  void poll() {
    const auto [now, stops] = yardstick_.agreed(seconds_since(start_), stop_.cancel.stop_requested());
    if (now > stop_.max_seconds) return end(Status::time_limit);
    if (stops) return end(Status::interrupted);
    if (!stop_.progress || now < last_poll_ + 0.02) return;
    last_poll_ = now;
    if (!stop_.progress(progress(now))) end(Status::interrupted);
  }

  Progress progress(double now) const {
    Progress p{done_, norm_, report_.tolerance, history_.contraction(), {}, now};
    if (p.contraction && *p.contraction < 1 && norm_ > report_.tolerance && report_.tolerance > 0) {
      const double each = now / static_cast<double>(std::max<Index>(1, done_));
      const double sweeps = std::log(report_.tolerance / norm_) / std::log(*p.contraction);
      const double allowed = static_cast<double>(stop_.max_sweeps - done_);
      p.seconds_left = std::min(each * std::min(sweeps, allowed), stop_.max_seconds - now);
    }
    return p;
  }

  void end(Status status) {
    report_.status = status;
    ended_ = true;
  }

  void keep_where_due() {
    const auto agree = [&](bool due) { return yardstick_.agreed(due ? 1 : 0).seconds > 0; };
    keeping_.where_due(ended_, report_.status, agree, [&](Snapshot& snapshot) {
      sweeper_.keep(snapshot, method_.step(done_, before_).rho != 1);
      keep(*this, stagnation_, history_, snapshot);
    });
  }

  bool finish() {
    if (!checked_) {  // stopped between two checks
      norm_ = measured();
      ++checks_;
      history_.add(done_, norm_);
    }
    const bool settled = report_.status != Status::converged && sweeper_.settle();
    if (settled) {
      norm_ = done_ > 0 ? measured() : norm_initial_;
      report_.notes.push_back(jacobi::note(notes::best_iterate));
    }
    report_.seconds = seconds_since(start_);
    report_.norm_final = norm_;
    const std::optional<double> solved = norm_where_solved();
    const bool lost = !solved && is_lost();
    if (report_.status != Status::converged && !lost) {
      if (done_ > 0) norm_ = solved ? *solved : confirmed();
      if (done_ > 0 && norm_ <= report_.tolerance) end(Status::converged);
    }
    const bool was_stopped = report_.status == Status::sweep_limit || report_.status == Status::time_limit ||
                             report_.status == Status::interrupted;
    if (was_stopped && method_.acceleration == Acceleration::cg && norm_ > norm_initial_)
      report_.notes.push_back(jacobi::note(notes::residual_rises));
    report_.sweeps = done_;
    report_.checks = checks_;
    report_.check_every = check_every_;
    report_.norm_initial = norm_initial_;
    report_.norm_final = norm_;
    if (!settled) {  // else the history is not of what led to the iterate returned
      history_.amend(norm_);
      report_.contraction = history_.contraction();
      if (report_.status == Status::stagnated && report_.contraction > 1) report_.contraction.reset();
    }
    report_.history = history_.take();
    if (done_ == resumed_at_) return lost;  // no sweep was made, and no update
    const Norms update = sweeper_.norms(Want::update);
    report_.update_norm = told(update);
    report_.update_max = update.max;
    return lost;
  }

  /// Ended by itself at a norm above that of the start. A long last step may have led to the solution.
  bool is_lost() {
    if (report_.status != Status::diverged && report_.status != Status::stagnated &&
        report_.status != Status::breakdown)
      return false;
    const bool by_step = want_ == Want::update && done_ > 0;
    const double reached = by_step ? pick(sweeper_.norms(Want::correction), stop_.norm) : norm_;
    return !(reached <= norm_initial_);
  }

  Sweeper<T>& sweeper_;
  const Method& method_;
  const Stop& stop_;
  const Yardstick& yardstick_;
  Report& report_;
  const Want want_;
  const Index cycle_;  ///< sweeps of one
  const Cadence cadence_;
  Stagnation stagnation_;
  History history_;
  std::vector<Step> steps_;
  std::vector<Norms> updates_;  ///< after each of them, where each is tested
  Clock::time_point start_ = Clock::now();
  Keeping keeping_{stop_};
  double last_poll_ = 0;
  bool ended_ = false;
};

}  // namespace

template <class T>
bool iterate(Sweeper<T>& sweeper, const Method& method, const Stop& stop, const Yardstick& yardstick,
             Report& report) {
  return Iteration<T>(sweeper, method, stop, yardstick, report).run();
}

template bool iterate<double>(Sweeper<double>&, const Method&, const Stop&, const Yardstick&, Report&);
template bool iterate<float>(Sweeper<float>&, const Method&, const Stop&, const Yardstick&, Report&);

}  // namespace jacobi
