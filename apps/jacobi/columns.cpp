#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "core/blocks.hpp"
#include "core/clock.hpp"
#include "core/facts.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/measure.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli {

namespace {

/// 0 for converged, more for worse ends.
std::ptrdiff_t badness(Status status) {
  constexpr std::array order = {Status::converged,  Status::sweep_limit, Status::time_limit,
                                Status::stagnated,  Status::breakdown,   Status::diverged,
                                Status::not_finite, Status::interrupted};
  return std::find(order.begin(), order.end(), status) - order.begin();
}

bool meets(const ColumnEnd& c) { return c.norm_final <= c.tolerance; }

bool worse(const ColumnEnd& a, const ColumnEnd& b) {
  const auto share = [](const ColumnEnd& c) { return c.tolerance > 0 ? c.norm_final / c.tolerance : 0; };
  const auto one = badness(a.status), other = badness(b.status);
  return one != other ? one > other : share(a) > share(b);
}

/// What a column is held to.
class ColumnTest {
 public:
  template <class A>
  ColumnTest(const A& a, const Method& method, const Stop& stop)
      : norm_(tested_norm(a, stop.norm)), by_(tested_divisor(norm_)) {
    if (is_update(norm_) && method.step) weight_ = std::max(1.0, method.step(0, {}).omega);
  }
  template <class A, class T>
  double norm(const A& a, const std::vector<T>& b, const std::vector<T>& x, double tolerance = 0) const {
    return weight_ * pick(true_residual_norms<T>(a, b, x, by_, norm_, tolerance / weight_), norm_);
  }
  template <class A, class T>
  Target target(const A& a, const std::vector<T>& b, const Stop& stop, double initial) const {
    return target_of(stop, initial, [&] { return pick(a.rhs_norms(b, by_), norm_); });
  }

 private:
  Norm norm_;
  Divisor by_;
  double weight_ = 1;  ///< of an update
};

/// Columns of a dense system at once. Each is multiplied by the power of two that brings its tolerance to
/// 1 ... 2: the norm of all together, at most 1, then holds every one of them to its own. Columns that this
/// does not suit, where it would overflow or there is nothing to do, take part as zeros.
template <class T>
class Together {
 public:
  Together(const System<T>& system, std::size_t first, std::size_t count, const Method& method, Stop stop)
      : system_(system), first_(first), count_(count), stop_(std::move(stop)), test_(a_, method, stop_) {
    for (std::size_t c = 0; c < count; ++c) {
      const double initial = norm(c, system.x[first + c]);
      const Target target = test_.target(a_, system.b[first + c], stop_, initial);
      ends_.push_back({Status::sweep_limit, 0, target.tolerance, initial, initial});
      targets_.push_back(target);
      const double size = target.tolerance > 0 ? std::max(initial, target.reference) / target.tolerance : 0;
      const bool suits = initial > target.tolerance && size < (sizeof(T) == 8 ? 1e100 : 1e15) &&
                         target.tolerance > 1e10 * std::numeric_limits<T>::min();
      scales_.push_back(suits ? std::ldexp(1.0, -std::ilogb(target.tolerance)) : 0.0);
    }
  }

  std::size_t taking_part() const {
    return count_ - static_cast<std::size_t>(std::count(scales_.begin(), scales_.end(), 0.0));
  }

  /// Sweeps all that take part; each is then measured by itself: those that do not meet their tolerance are
  /// told `sweep_limit`, or why the sweeps ended.
  Report solve(Solver<T>& solver, io::Columns<T>& solved) {
    const std::vector<T> b = woven(system_.b);
    std::vector<T> x = woven(system_.x);
    Stop all = stop_;
    all.relative = 0;
    all.absolute = 1;
    all.reference = Reference::none;
    Report report = solver.solve(b, x, all);
    std::vector<T> last(x.size());
    const bool knows_last = report.sweeps > 0 && solver.sweeper().store_update(last);
    for (std::size_t c = 0; c < count_; ++c) {
      if (scales_[c] == 0) continue;
      if (knows_last) updates_[c] = last_update(c, last);
      std::vector<T> own = solved[first_ + c];
      for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = static_cast<T>(static_cast<double>(x[i * count_ + c]) / scales_[c]);
      const double reached = norm(c, own, ends_[c].tolerance);
      if (!std::isfinite(reached)) continue;  // alone, from its start
      ColumnEnd& end = ends_[c];
      end.status = report.status == Status::converged ? Status::sweep_limit : report.status;
      end.sweeps = report.sweeps;
      end.norm_final = is_update(stop_.norm) && knows_last ? pick(updates_[c], stop_.norm) : reached;
      if (meets(end) && reached <= end.tolerance) end.status = Status::converged;
      solved[first_ + c] = std::move(own);
    }
    return report;
  }

  const std::vector<ColumnEnd>& ends() const { return ends_; }
  /// Of what the last sweep changed of column c.
  const Norms& update(std::size_t c) const { return updates_[c]; }
  const Target& target(std::size_t c) const { return targets_[c]; }

 private:
  Norms last_update(std::size_t c, const std::vector<T>& woven) const {
    const Norms norms = norms_over(static_cast<Index>(woven.size() / count_), [&](Index i) {
      return static_cast<double>(woven[static_cast<std::size_t>(i) * count_ + c]);
    });
    return {norms.l2 / scales_[c], norms.max / scales_[c]};  // whose squares may not fit
  }
  double norm(std::size_t c, const std::vector<T>& x, double tolerance = 0) const {
    return test_.norm(a_, system_.b[first_ + c], x, tolerance);
  }
  std::vector<T> woven(const io::Columns<T>& columns) const {
    std::vector<T> values(count_ * columns[0].size());
    for (std::size_t c = 0; c < count_; ++c)
      for (std::size_t i = 0; i < columns[0].size() && scales_[c] > 0; ++i)
        values[i * count_ + c] = static_cast<T>(static_cast<double>(columns[first_ + c][i]) * scales_[c]);
    return values;
  }

  const System<T>& system_;
  const Dense<T>& a_ = *system_.dense;
  std::size_t first_, count_;
  Stop stop_;
  ColumnTest test_;
  std::vector<ColumnEnd> ends_;
  std::vector<Target> targets_;
  std::vector<double> scales_;  ///< 0: does not take part
  std::vector<Norms> updates_ = std::vector<Norms>(count_);
};

/// The number of columns that one pass over the matrix serves.
template <class T>
std::size_t columns_at_once(const Plan& plan, bool dense) {
  const bool can = dense && !accelerated(plan.method) && plan.matrix_precision == MatrixPrecision::as_given &&
                   (plan.rung.empty() || dense_rung(plan.rung).several);
  return can ? static_cast<std::size_t>(most_copies<T>) : 1;
}

/// Solves for columns of a system, alone or in groups, and gathers what was reached.
template <class T>
class ColumnSolver {
 public:
  ColumnSolver(const System<T>& system, bool dense, const Plan& plan, std::shared_ptr<const Backend> on,
               const Stop& stop)
      : system_(system), dense_(dense), plan_(plan), on_(std::move(on)), stop_(stop), end_{{}, {}, system.x} {
    end_.columns.resize(system.b.size());
  }

  /// Column c by itself, from its present iterate; `before`: sweeps that it has had.
  void alone(std::size_t c, Index before = 0) {
    Stop stop = left();  // binding is setup
    if (!one_) one_.emplace(operator_of(system_, dense_), plan_, on_);
    stop.max_sweeps = std::max<Index>(0, stop.max_sweeps - before);
    Report report = one_->solve(system_.b[c], end_.x[c], stop);
    report.sweeps += before;
    end_.columns[c] = {report.status, report.sweeps, report.tolerance, report.norm_initial,
                       report.norm_final};
    ended_ = c + 1;
    if (report.status == Status::interrupted) stopped_ = report.status;
    add(report);
    if (!told_ || worse(end_.columns[c], end_.columns[*told_])) {
      told_ = c;
      end_.report = std::move(report);
    }
  }

  void group(std::size_t first, std::size_t count) {
    Together<T> together(system_, first, count, plan_.method, left());
    Report report;
    if (together.taking_part() > 1) {
      if (bound_ != count)
        many_.emplace(Operator<T>(batch(*system_.dense, static_cast<Index>(count))), plan_, on_);
      bound_ = count;
      report = together.solve(*many_, end_.x);
      add(report);
    }
    for (std::size_t c = 0; c < count; ++c) {
      ColumnEnd& end = end_.columns[first + c] = together.ends()[c];
      const bool cut = report.status == Status::interrupted || report.status == Status::time_limit;
      const bool limited = report.sweeps > 0 && (cut || report.sweeps >= stop_.max_sweeps);
      if (end.status == Status::converged || (limited && end.sweeps > 0))
        tell(first + c, together.target(c), together.update(c), report);
      else
        alone(first + c, end.sweeps);
      if (stopped()) return;
    }
    if (report.status == Status::interrupted) stopped_ = report.status;
  }

  /// Whether it was interrupted, or the time is up: columns without a status keep that one.
  bool stopped() {
    if (!stopped_ && Watch::interrupted()) stopped_ = Status::interrupted;
    if (!stopped_ && left().max_seconds <= 0) stopped_ = Status::time_limit;
    return stopped_.has_value();
  }

  /// Column c is left as it began.
  void not_reached(std::size_t c) {
    const ColumnTest test(system_.a, plan_.method, stop_);
    const double norm = test.norm(system_.a, system_.b[c], system_.x[c]);
    const Target target = test.target(system_.a, system_.b[c], stop_, norm);
    end_.columns[c] = {*stopped_, 0, target.tolerance, norm, norm};
  }

  ColumnsEnd<T> finish() {
    Report& r = end_.report;
    r.unknowns = system_.a.rows() * static_cast<Index>(system_.b.size());
    r.seconds = seconds_;
    r.seconds_setup = setup_;
    r.checks = checks_;
    for (const ColumnEnd& c : end_.columns) r.sweeps = std::max(r.sweeps, c.sweeps);
    for (std::size_t c = ended_; c < end_.columns.size(); ++c) not_reached(c);
    if (ended_ < end_.columns.size()) r.status = *stopped_;
    if (seconds_ > 0) r.lups = updates_ / seconds_;
    return std::move(end_);
  }

 private:
  const System<T>& system_;
  bool dense_;
  const Plan& plan_;
  std::shared_ptr<const Backend> on_;
  const Stop& stop_;
  ColumnsEnd<T> end_;

  Stop left() const {
    Stop stop = stop_;
    stop.max_seconds = std::max(0.0, stop_.max_seconds - (seconds_since(start_) - setup_));
    return stop;
  }
  void add(const Report& report) {
    seconds_ += report.seconds;
    setup_ += report.seconds_setup;
    updates_ += report.lups * report.seconds;
    checks_ += report.checks;
  }
  /// The report of a group is told with the numbers of its column c, if that is the worst so far.
  void tell(std::size_t c, const Target& target, const Norms& update, Report report) {
    ended_ = c + 1;
    const ColumnEnd& own = end_.columns[c];
    if (told_ && !worse(own, end_.columns[*told_])) return;
    told_ = c;
    report.status = own.status;
    report.reference = target.of;
    report.reference_norm = target.reference;
    report.tolerance = own.tolerance;
    report.norm_initial = own.norm_initial;
    report.norm_final = own.norm_final;
    report.residual_norm =
        told(true_residual_norms<T>(*system_.dense, system_.b[c], end_.x[c], Divisor::none, Norm::residual));
    report.backward_error = backward_error<T>(*system_.dense, system_.b[c], end_.x[c]);
    report.update_norm = update.l2;  // not that of all together
    report.update_max = update.max;
    report.history = {{0, own.norm_initial}, {own.sweeps, own.norm_final}};
    end_.report = std::move(report);
  }

  std::optional<Solver<T>> one_, many_;
  std::size_t bound_ = 0;
  std::optional<std::size_t> told_;
  std::optional<Status> stopped_;
  std::size_t ended_ = 0;  ///< columns that have been told how they ended
  Clock::time_point start_ = Clock::now();
  double seconds_ = 0, setup_ = 0, updates_ = 0;
  Index checks_ = 0;
};

}  // namespace

template <class T>
ColumnsEnd<T> solve_columns(const System<T>& system, bool dense, const Plan& plan,
                            const std::shared_ptr<const Backend>& on, const Stop& stop) {
  const std::size_t count = system.b.size(), at_once = columns_at_once<T>(plan, dense);
  ColumnSolver<T> columns(system, dense, plan, on, stop);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t here = std::min(at_once, count - first);
    here == 1 ? columns.alone(first) : columns.group(first, here);
    if (columns.stopped()) break;
  }
  ColumnsEnd<T> end = columns.finish();
  if (count > 1)
    end.report.notes.push_back(fmt::format(
        "{} right-hand sides, {}: norm, tolerance and residual are those of the one nearest to or "
        "farthest beyond its tolerance",
        count,
        at_once > 1 ? fmt::format("up to {} in a sweep, each held to its own tolerance", at_once)
                    : "one after the other"));
  return end;
}

template ColumnsEnd<double> solve_columns(const System<double>&, bool, const Plan&,
                                          const std::shared_ptr<const Backend>&, const Stop&);
template ColumnsEnd<float> solve_columns(const System<float>&, bool, const Plan&,
                                         const std::shared_ptr<const Backend>&, const Stop&);

nlohmann::ordered_json to_json(const std::vector<ColumnEnd>& columns) {
  auto list = nlohmann::ordered_json::array();
  for (const ColumnEnd& c : columns)
    list.push_back({{"status", name(c.status)},
                    {"sweeps", c.sweeps},
                    {"tolerance", or_null(c.tolerance)},
                    {"norm_initial", or_null(c.norm_initial)},
                    {"norm_final", or_null(c.norm_final)}});
  return list;
}

}  // namespace jacobi::cli
