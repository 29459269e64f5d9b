#include "core/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "core/blocks.hpp"
#include "core/clock.hpp"
#include "core/facts.hpp"
#include "core/lengths.hpp"
#include "core/notes.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"
#include "jacobi/solver.hpp"
#include "sweep/rungs.hpp"

namespace jacobi {

namespace {

/// 0 for converged, more for worse ends.
std::ptrdiff_t badness(Status status) {
  constexpr std::array order = {Status::converged,  Status::sweep_limit, Status::time_limit,
                                Status::stagnated,  Status::breakdown,   Status::diverged,
                                Status::not_finite, Status::interrupted};
  return std::find(order.begin(), order.end(), status) - order.begin();
}

bool meets(const ColumnReport& c) { return c.norm_final <= c.tolerance; }

bool worse(const ColumnReport& a, const ColumnReport& b) {
  const auto share = [](const ColumnReport& c) { return c.tolerance > 0 ? c.norm_final / c.tolerance : 0; };
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
    return target_of(stop, initial, [&] { return pick(rhs_norms<T>(a, b, by_), norm_); });
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
  Together(const Dense<T>& a, const Columns<T>& b, const Columns<T>& x, std::size_t first, std::size_t count,
           const Method& method, Stop stop)
      : a_(a), b_(b), x_(x), first_(first), count_(count), stop_(std::move(stop)), test_(a, method, stop_) {
    for (std::size_t c = 0; c < count; ++c) {
      const double initial = norm(c, x[first + c]);
      const Target target = test_.target(a_, b[first + c], stop_, initial);
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
  Report solve(Solver<T>& solver, Columns<T>& solved) {
    const std::vector<T> b = woven(b_);
    std::vector<T> x = woven(x_);
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
      ColumnReport& end = ends_[c];
      end.status = report.status == Status::converged ? Status::sweep_limit : report.status;
      end.sweeps = report.sweeps;
      end.norm_final = is_update(stop_.norm) && knows_last ? pick(updates_[c], stop_.norm) : reached;
      if (meets(end) && reached <= end.tolerance) end.status = Status::converged;
      solved[first_ + c] = std::move(own);
    }
    return report;
  }

  const std::vector<ColumnReport>& ends() const { return ends_; }
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
    return test_.norm(a_, b_[first_ + c], x, tolerance);
  }
  std::vector<T> woven(const Columns<T>& columns) const {
    std::vector<T> values(count_ * columns[0].size());
    for (std::size_t c = 0; c < count_; ++c)
      for (std::size_t i = 0; i < columns[0].size() && scales_[c] > 0; ++i)
        values[i * count_ + c] = static_cast<T>(static_cast<double>(columns[first_ + c][i]) * scales_[c]);
    return values;
  }

  const Dense<T>& a_;
  const Columns<T>&b_, &x_;
  std::size_t first_, count_;
  Stop stop_;
  ColumnTest test_;
  std::vector<ColumnReport> ends_;
  std::vector<Target> targets_;
  std::vector<double> scales_;  ///< 0: does not take part
  std::vector<Norms> updates_ = std::vector<Norms>(count_);
};

/// Of a name that only a device knows: nothing is said of several.
bool takes_several(const std::string& rung) {
  return rung.empty() ||
         std::ranges::any_of(dense_rungs(), [&](const Rung& one) { return one.name == rung && one.several; });
}

/// The number of columns that one pass over the matrix serves.
template <class T>
std::size_t columns_at_once(const Operator<T>& a, const Plan& plan, const Stop& stop) {
  const bool can = std::holds_alternative<Dense<T>>(a) && !stop.observe && !accelerated(plan.method) &&
                   plan.matrix_precision == MatrixPrecision::as_given && takes_several(plan.rung());
  return can ? static_cast<std::size_t>(most_copies<T>) : 1;
}

/// Solves for columns of a system, alone or in groups, and gathers what was reached.
template <class T>
class ColumnSolver {
 public:
  ColumnSolver(const Operator<T>& a, const Plan& plan, const Columns<T>& b, const Columns<T>& x,
               const Stop& stop, std::shared_ptr<const Backend> on)
      : a_(a), plan_(plan), b_(b), start_x_(x), stop_(stop), on_(std::move(on)), end_{x, {}} {
    columns_.resize(b.size());
  }

  /// Column c by itself, from its present iterate; `before`: sweeps that it has had.
  void alone(std::size_t c, Index before = 0) {
    Stop stop = left();  // binding is setup
    if (!one_) one_.emplace(a_, plan_, on_, stop.cancel);
    stop.max_sweeps = std::max<Index>(0, stop.max_sweeps - before);
    Report report = one_->solve(b_[c], end_.x[c], stop);
    report.sweeps += before;
    columns_[c] = {report.status, report.sweeps, report.tolerance, report.norm_initial, report.norm_final};
    ended_ = c + 1;
    if (report.status == Status::interrupted) stopped_ = report.status;
    add(report);
    take_backward_error(report.backward_error);
    if (!told_ || worse(columns_[c], columns_[*told_])) {
      told_ = c;
      end_.report = std::move(report);
    }
  }

  void group(std::size_t first, std::size_t count) {
    const Dense<T>& a = std::get<Dense<T>>(a_);
    Together<T> together(a, b_, start_x_, first, count, plan_.method, left());
    Report report;
    if (together.taking_part() > 1) {
      if (bound_ != count)
        many_.emplace(Operator<T>(batch(a, static_cast<Index>(count))), plan_, on_, stop_.cancel);
      bound_ = count;
      report = together.solve(*many_, end_.x);
      add(report);
    }
    for (std::size_t c = 0; c < count; ++c) {
      ColumnReport& end = columns_[first + c] = together.ends()[c];
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
    const Report& r = end_.report;
    const bool unwanted =
        stop_.cancel.stop_requested() ||
        (stop_.progress && !stop_.progress({r.sweeps, r.norm_final, r.tolerance, {}, {}, 0}));
    if (!stopped_ && unwanted) stopped_ = Status::interrupted;
    if (!stopped_ && left().max_seconds <= 0) stopped_ = Status::time_limit;
    return stopped_.has_value();
  }

  /// Column c is left as it began.
  void not_reached(std::size_t c) {
    columns_[c] = std::visit(
        [&](const auto& a) -> ColumnReport {
          const ColumnTest test(a, plan_.method, stop_);
          const double norm = test.norm(a, b_[c], end_.x[c]);
          take_backward_error(backward_error<T>(a, b_[c], end_.x[c]));
          return {*stopped_, 0, test.target(a, b_[c], stop_, norm).tolerance, norm, norm};
        },
        a_);
  }

  Solutions<T> finish() {
    Report& r = end_.report;
    r.unknowns = static_cast<Index>(b_.size() * b_[0].size());
    r.seconds = seconds_;
    r.seconds_setup = setup_;
    r.checks = checks_;
    for (const ColumnReport& c : columns_) r.sweeps = std::max(r.sweeps, c.sweeps);
    for (std::size_t c = ended_; c < columns_.size(); ++c) not_reached(c);
    if (ended_ < columns_.size()) r.status = *stopped_;
    if (seconds_ > 0) r.lups = updates_ / seconds_;
    if (columns_.size() > 1) {
      r.backward_error = largest_backward_error_;
      r.columns = std::move(columns_);
    }
    return std::move(end_);
  }

 private:
  const Operator<T>& a_;
  const Plan& plan_;
  const Columns<T>&b_, &start_x_;
  const Stop& stop_;
  std::shared_ptr<const Backend> on_;
  Solutions<T> end_;
  std::vector<ColumnReport> columns_;
  std::optional<double> largest_backward_error_;

  void take_backward_error(std::optional<double> share) {
    if (share) largest_backward_error_ = std::max(largest_backward_error_.value_or(0), *share);
  }
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
    const ColumnReport& own = columns_[c];
    const Dense<T>& a = std::get<Dense<T>>(a_);
    take_backward_error(backward_error<T>(a, b_[c], end_.x[c]));
    if (told_ && !worse(own, columns_[*told_])) return;
    told_ = c;
    report.status = own.status;
    report.reference = target.of;
    report.reference_norm = target.reference;
    report.tolerance = own.tolerance;
    report.norm_initial = own.norm_initial;
    report.norm_final = own.norm_final;
    report.residual_norm = told(true_residual_norms<T>(a, b_[c], end_.x[c], Divisor::none, Norm::residual));
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
Solutions<T> solve_columns(const Operator<T>& a, const Plan& plan, const Columns<T>& b, const Columns<T>& x,
                           const Stop& stop, const std::shared_ptr<const Backend>& on) {
  const std::size_t count = b.size(), at_once = columns_at_once(a, plan, stop);
  ColumnSolver<T> columns(a, plan, b, x, stop, on);
  for (std::size_t first = 0; first < count; first += at_once) {
    const std::size_t here = std::min(at_once, count - first);
    here == 1 ? columns.alone(first) : columns.group(first, here);
    if (first + here < count && columns.stopped()) break;
  }
  Solutions<T> end = columns.finish();
  if (count > 1)
    end.report.notes.push_back(
        note(notes::columns, count,
             at_once > 1 ? fmt::format("up to {} in a sweep, each held to its own tolerance", at_once)
                         : std::string("one after the other")));
  if (count > 1 && stop.reference == Reference::rhs) {
    const auto is_zero = [](const std::vector<T>& values) {
      return std::ranges::count(values, T(0)) == std::ssize(values);
    };
    std::size_t held = 0, number = 0;
    for (std::size_t c = count; c-- > 0;)
      if (is_zero(b[c]) && !is_zero(x[c])) ++held, number = c + 1;
    if (held > 0)
      end.report.notes.push_back(note(notes::column_of_zeros, number,
                                      held == 1 ? "" : fmt::format(", as those of {} others are", held - 1)));
  }
  return end;
}

template <class T>
Solutions<T> solve(const Operator<T>& a, const Choice& choice, const Columns<T>& b, Columns<T> x,
                   const Stop& stop, const std::shared_ptr<const Backend>& on) {
  const Index rows = std::visit([](const auto& one) { return one.rows(); }, a);
  if (b.empty() || b.size() != x.size())
    throw UsageError(fmt::format("{} right-hand sides and {} initial iterates: as many of each, at least one",
                                 b.size(), x.size()));
  for (std::size_t c = 0; c < b.size(); ++c) require_lengths(rows, {{"b", b[c].size()}, {"x", x[c].size()}});
  if (b.size() > 1 && (stop.keep || stop.resume))
    throw UsageError("a checkpoint is of one right-hand side: solve for them one by one");
  Choice taken = choice;
  if (b.size() > 1) taken = {choice.plan, choice.reason};  // with which no other method goes on
  Solutions<T> end{std::move(x), {}};
  end.report = solve<T>(taken, end.x[0], stop, [&](const Plan& plan, const Stop& until) {
    Solutions<T> reached = solve_columns(a, plan, b, end.x, until, on);
    for (std::size_t c = 0; c < b.size(); ++c) std::ranges::copy(reached.x[c], end.x[c].begin());
    return std::move(reached.report);
  });
  return end;
}

#define JACOBI_INSTANTIATE(T)                                                                                \
  template Solutions<T> solve_columns(const Operator<T>&, const Plan&, const Columns<T>&, const Columns<T>&, \
                                      const Stop&, const std::shared_ptr<const Backend>&);                   \
  template Solutions<T> solve(const Operator<T>&, const Choice&, const Columns<T>&, Columns<T>, const Stop&, \
                              const std::shared_ptr<const Backend>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
