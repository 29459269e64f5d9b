#include "jacobi/heat.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "core/cadence.hpp"
#include "core/clock.hpp"
#include "core/facts.hpp"
#include "core/fingerprint.hpp"
#include "core/instantiate.hpp"
#include "core/kept.hpp"
#include "core/lengths.hpp"
#include "core/notes.hpp"
#include "core/require.hpp"
#include "core/words.hpp"
#include "heat/theta.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi {

namespace {

constexpr Index ticks_per_step = Index(1) << 20;  ///< of dt: the shortest step of a step tolerance is one
constexpr Index most_steps = Index(1) << 42;

template <class T, int D>
void check(const Stencil<T, D>& a, std::span<const T> f, std::span<const T> u, double dt,
           const HeatOptions& o) {
  require_lengths(a.rows(), {{"f", f.size()}, {"u", u.size()}});
  require_finite(a, f, "f");
  require_finite(a, u, "u");
  if (a.grid().is_stretched())
    throw UsageError(
        "time steps need points that are spaced equally, in lengths: the equations of stretched axes and "
        "around "
        "an axis are multiplied by the volumes of cells");
  if (!(dt > 0) || !std::isfinite(dt))
    throw UsageError(fmt::format("a time step of {}: above 0 is needed", dt));
  if (std::ranges::any_of(a.center(), [](T d) { return !(d > 0); }))
    throw UsageError("steps in time need a diffusion, whose diagonal entries are above 0");
  const bool is_explicit = o.scheme == HeatScheme::explicit_euler;
  if (!is_explicit && !(o.theta >= 0.5 && o.theta <= 1))
    throw UsageError(fmt::format("theta = {}: from 0.5 (Crank-Nicolson) to 1 (implicit Euler)", o.theta));
  if (!is_explicit && !(o.relative > 0 && o.relative < 1))
    throw UsageError(fmt::format("a relative tolerance of {} for each step: between 0 and 1", o.relative));
  if (!(o.step_tolerance >= 0 && o.step_tolerance < 1) || (is_explicit && o.step_tolerance > 0))
    throw UsageError(is_explicit ? "a step tolerance goes with theta, whose steps may be of any length"
                                 : fmt::format("a step tolerance of {}: below 1", o.step_tolerance));
  if (!is_explicit) return;
  const StableStep most = largest_step(a);
  if (dt > most.step)
    throw UsageError(fmt::format(
        "a step of {} is too large for explicit Euler: the largest that is stable here is {} ({}); the theta "
        "method takes any",
        dt, digits_of(most.step, 6, Toward::below), heat::bound_in_words(most)));
}

/// Points that touch nothing keep their value: f is what keeps it.
template <class T, int D>
void hold_points_alone(const Domain<T, D>& domain, std::span<const T> u, std::vector<T>& f) {
  for (const Pocket& pocket : domain.pockets())
    if (pocket.points == 1) f[pocket.first] = domain.a().center(pocket.first) * u[pocket.first];
}

/// What a snapshot keeps beside u.
struct Counts {
  Index ticks = 0, steps = 0;
  int level = 0;
};

}  // namespace

template <class T, int D>
struct [[gnu::visibility("hidden")]] Heat<T, D>::State {
  heat::Problem<T, D> problem;
  double dt;
  std::vector<T> u;  ///< but explicit steps go on in their sweeper, where `ahead`
  Counts now = {};
  bool ahead = false;
  bool loaded = false;
  Bundle bundle{1};  ///< of explicit steps, between looks at the clock
  double seconds_bind = 0;
  std::optional<heat::ExplicitSteps<T, D>> explicit_steps = {};
  std::optional<heat::ThetaSteps<T, D>> theta = {};

  State(const Stencil<T, D>& a, std::vector<T> f, std::span<const T> start, double step,
        const HeatOptions& options, std::shared_ptr<const Backend> on, const Domain<T, D>* domain)
      : problem{a,
                std::move(f),
                options,
                std::move(on),
                domain ? heat::Balance<T, D>(*domain) : heat::Balance<T, D>(a),
                {}},
        dt(step),
        u(start.begin(), start.end()) {
    if (domain) problem.domain = *domain;
    const auto begin = Clock::now();
    if (is_explicit()) {
      explicit_steps.emplace(a, problem.options.rung, *problem.on);
      bundle = Bundle(explicit_steps->sweeper().sweeps_at_once());
    } else {
      theta.emplace(problem);
    }
    seconds_bind = seconds_since(begin);
  }

  bool is_explicit() const { return problem.options.scheme == HeatScheme::explicit_euler; }
  double time_of(Index ticks) const { return static_cast<double>(ticks) * (dt / ticks_per_step); }
  double length_of(int level) const { return std::ldexp(dt, level); }
  static Index ticks_of(int level) { return level >= 0 ? ticks_per_step << level : ticks_per_step >> -level; }

  std::span<const T> newest() {
    if (ahead) explicit_steps->sweeper().store(u);
    ahead = false;
    return u;
  }

  /// Whether to go on; steps: made so far.
  bool looks(const HeatStop& stop, Clock::time_point begin, HeatReport& r) const {
    const double seconds = seconds_since(begin);
    if (seconds > stop.max_seconds) r.status = Status::time_limit;
    const bool goes_on = !stop.progress || stop.progress({now.steps, time_of(now.ticks), seconds});
    if (stop.cancel.stop_requested() || !goes_on) r.status = Status::interrupted;
    return r.finished();
  }

  void run_explicit(Index steps, const HeatStop& stop, Clock::time_point begin, HeatReport& r) {
    Sweeper<T>& sweeper = explicit_steps->sweeper();
    if (!loaded) sweeper.load(problem.f, u);
    loaded = ahead = true;
    const Step one = explicit_steps->step(dt);
    std::vector<Step> call;
    for (Index count = 0; steps > 0; steps -= count) {
      count = bundle.next(steps);
      call.assign(static_cast<std::size_t>(count), one);
      const auto start = Clock::now();
      sweeper.advance(call, Want::nothing);
      bundle.took(count, seconds_since(start));
      now.steps += count;
      now.ticks += count * ticks_per_step;
      r.sweeps += count;
      if (!looks(stop, begin, r)) break;
    }
    const Executed ran = sweeper.executed();
    r.method = "weighted";
    r.algorithm = ran.algorithm;
    r.threads = ran.threads;
    r.step = dt;
  }

  /// One step of the theta method from `from`; false where it could not be solved for.
  bool solve_step(int level, std::vector<T>& from, const Stop& limit, HeatReport& r) {
    heat::Solved solved;
    theta->step(level, length_of(level), from, limit, solved);
    r.sweeps += solved.sweeps;
    r.cycles += solved.cycles;
    r.method = solved.method;
    r.threads = solved.threads;
    r.status = solved.status;
    const bool failed = !r.finished() && r.status != Status::interrupted && r.status != Status::time_limit;
    if (failed)
      r.notes.push_back(note(notes::step_not_solved, time_of(now.ticks), name(solved.status), solved.norm,
                             solved.tolerance));
    return r.finished();
  }

  void count(int level, HeatReport& r) {
    now.ticks += ticks_of(level);
    r.step = length_of(level);
  }

  /// Two steps of half the length beside one: what they differ by tells the error of the two.
  void try_step(Index left, const Stop& limit, std::vector<T>& whole, std::vector<T>& halves, HeatReport& r) {
    constexpr int least = -19, most = 20;
    const double order = problem.options.theta == 0.5 ? 2 : 1;
    int level = now.level;
    while (ticks_of(level) > left) --level;
    whole = u;
    halves = u;
    if (!solve_step(level, whole, limit, r)) return;
    for (int half = 0; half < 2; ++half)
      if (!solve_step(level - 1, halves, limit, r)) return;
    const Norms off = norms_over(u.size(), [&](Index p) { return double(halves[p]) - whole[p]; });
    const Norms size = norms_over(u.size(), [&](Index p) { return double(halves[p]); });
    const double error = off.max / (std::exp2(order) - 1),
                 allowed = problem.options.step_tolerance * size.max;
    if (error > allowed && level > least) {
      now.level = level - 1;
      ++r.rejected;
      return;
    }
    u.swap(halves);
    now.steps += 2;
    count(level, r);
    r.step /= 2;
    // the error of a step twice as long is 2^(order + 1) times as large: half as much more is room to spare
    if (error * std::exp2(order + 2) <= allowed && level == now.level) now.level = std::min(level + 1, most);
  }

  void run_theta(Index end, const HeatStop& stop, Clock::time_point begin, HeatReport& r) {
    Stop limit;
    limit.cancel = stop.cancel;
    limit.progress = [&](const Progress&) {
      return !stop.progress || stop.progress({now.steps, time_of(now.ticks), seconds_since(begin)});
    };
    std::vector<T> whole, halves;
    auto last_look = begin;
    try {
      while (now.ticks < end && r.finished()) {
        limit.max_seconds = std::max(0.0, stop.max_seconds - seconds_since(begin));
        if (problem.options.step_tolerance > 0) {
          try_step(end - now.ticks, limit, whole, halves, r);
        } else if (solve_step(0, u, limit, r)) {
          ++now.steps;
          count(0, r);
        }
        const bool asked = stop.cancel.stop_requested();  // which a step without a sweep did not hear
        if (r.finished() && (asked || seconds_since(last_look) > 0.1)) {
          last_look = Clock::now();
          looks(stop, begin, r);
        }
      }
    } catch (const Interrupted&) {  // while a step was bound
      r.status = Status::interrupted;
    }
  }

  Snapshot keep() {
    Snapshot snapshot;
    const HeatOptions& o = problem.options;
    const Plan plan(plain());
    snapshot.of =
        fmt::format("{}\nscheme {}\ntheta {}\ntime step {}\ntolerance of a step {}\nstep tolerance {}",
                    fingerprint<T>(Operator<T>(problem.a), plan, {}, problem.f, problem.f),
                    is_explicit() ? "explicit" : "theta", o.theta, dt, o.relative, o.step_tolerance);
    const std::span<const T> x = newest();
    snapshot.vectors["u"] = {x.begin(), x.end()};
    keep_value(snapshot, "counts", now);
    return snapshot;
  }
};

template <class T, int D>
Heat<T, D>::Heat(const Stencil<T, D>& a, std::span<const T> f, std::span<const T> u, double dt,
                 const HeatOptions& options, std::shared_ptr<const Backend> on) {
  check(a, f, u, dt, options);
  state_ =
      std::make_unique<State>(a, std::vector<T>(f.begin(), f.end()), u, dt, options, std::move(on), nullptr);
}

template <class T, int D>
Heat<T, D>::Heat(const Domain<T, D>& domain, std::span<const T> f, std::span<const T> u, double dt,
                 const HeatOptions& options, std::shared_ptr<const Backend> on) {
  check(domain.a(), f, u, dt, options);
  std::vector<T> given(f.size()), start(u.begin(), u.end());
  domain.add_given(f, given);
  domain.start(start);
  hold_points_alone<T, D>(domain, start, given);
  state_ = std::make_unique<State>(domain.a(), std::move(given), start, dt, options, std::move(on), &domain);
}

template <class T, int D>
Heat<T, D>::~Heat() = default;
template <class T, int D>
Heat<T, D>::Heat(Heat&&) noexcept = default;
template <class T, int D>
Heat<T, D>& Heat<T, D>::operator=(Heat&&) noexcept = default;

template <class T, int D>
HeatReport Heat<T, D>::run(Index steps, const HeatStop& stop) {
  if (steps < 0) throw UsageError(fmt::format("{} time steps cannot be made", steps));
  return run_to(whole_steps() + steps, stop);
}

template <class T, int D>
HeatReport Heat<T, D>::run_to(Index steps, const HeatStop& stop) {
  State& s = *state_;
  if (steps < whole_steps() || steps > most_steps)
    throw UsageError(fmt::format("to step {} from step {}: steps go forward, to {} at most", steps,
                                 whole_steps(), most_steps));
  HeatReport r;
  r.scheme = s.is_explicit() ? "explicit-euler" : "theta";
  r.theta = s.is_explicit() ? 0 : s.problem.options.theta;
  r.precision = sizeof(T) == sizeof(double) ? "double" : "float";
  r.unknowns = s.problem.domain ? s.problem.domain->unknowns() : s.problem.a.rows();
  r.backend = s.problem.on->name();
  r.step = s.dt;
  r.content_initial = content();
  r.seconds_setup = std::exchange(s.seconds_bind, 0);
  const Index before = s.now.steps;
  if (!s.is_explicit()) {
    const auto begin = Clock::now();
    try {
      s.theta->bind(s.now.level, s.length_of(s.now.level), stop.cancel);
    } catch (const Interrupted&) {
      r.status = Status::interrupted;
    }
    r.seconds_setup += seconds_since(begin);
  }
  const auto begin = Clock::now();
  if (r.finished()) {
    if (s.is_explicit())
      s.run_explicit(steps - whole_steps(), stop, begin, r);
    else
      s.run_theta(steps * ticks_per_step, stop, begin, r);
  }
  r.seconds = seconds_since(begin);
  r.steps = s.now.steps - before;
  r.time = time();
  if (r.seconds > 0)
    r.lups = static_cast<double>(s.problem.a.rows()) * static_cast<double>(r.sweeps) / r.seconds;
  r.content_final = content();
  if (r.finished() && !std::isfinite(r.content_final)) r.status = Status::not_finite;
  return r;
}

template <class T, int D>
std::vector<T> Heat<T, D>::u() const {
  const std::span<const T> x = state_->newest();
  std::vector<T> u(x.begin(), x.end());
  if (state_->problem.domain) state_->problem.domain->show(u);
  return u;
}

template <class T, int D>
double Heat<T, D>::time() const {
  return state_->time_of(state_->now.ticks);
}
template <class T, int D>
Index Heat<T, D>::whole_steps() const {
  return state_->now.ticks / ticks_per_step;
}
template <class T, int D>
double Heat<T, D>::content() const {
  return state_->problem.balance.content(state_->newest());
}

template <class T, int D>
Snapshot Heat<T, D>::keep() const {
  return state_->keep();
}
template <class T, int D>
void Heat<T, D>::resume(const Snapshot& snapshot) {
  State& s = *state_;
  require_same(snapshot.of, s.keep().of);
  const std::vector<double>& u = vector_of(snapshot, "u", s.u.size());
  std::ranges::transform(u, s.u.begin(), [](double value) { return static_cast<T>(value); });
  take_value(snapshot, "counts", s.now);
  s.ahead = s.loaded = false;
}

#define JACOBI_INSTANTIATE(T, D) template class Heat<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
