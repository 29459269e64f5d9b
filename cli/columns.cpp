#include "columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/tested_norm.hpp"
#include "jacobi/rungs.hpp"
#include "report.hpp"

namespace jacobi::cli {

namespace {

/// The worst last.
int badness(Status status) {
  switch (status) {
    case Status::converged:
      return 0;
    case Status::sweep_limit:
      return 1;
    case Status::time_limit:
      return 2;
    case Status::stagnated:
      return 3;
    case Status::diverged:
      return 4;
    case Status::not_finite:
      return 5;
    case Status::interrupted:
      return 6;
  }
  return 6;
}

/// How far a norm is above its tolerance.
double excess(const ColumnEnd& c) { return c.norm_final > c.tolerance ? c.norm_final / c.tolerance : 0; }

bool worse(const ColumnEnd& a, const ColumnEnd& b) {
  const int one = badness(a.status), other = badness(b.status);
  return one != other ? one > other : excess(a) > excess(b);
}

/// Columns of a dense system at once. Each is multiplied by the power of two that brings its tolerance to
/// 1 ... 2: the norm of all together, at most 1, then holds every one of them to its own.
template <class T>
class Together {
 public:
  Together(const System<T>& system, std::size_t first, std::size_t count, Divisor divisor, const Stop& stop)
      : system_(system), first_(first), count_(count), stop_(stop) {
    by_ = is_update(stop.norm) ? divisor : Divisor::none;
    for (std::size_t c = 0; c < count; ++c) {
      const double initial = norm(c, system.x[first + c]);
      const Target target =
          target_of(stop, initial, [&] { return pick(a_.rhs_norms(system.b[first + c], by_), stop.norm); });
      ends_.push_back({Status::interrupted, 0, target.tolerance, initial, initial});
      references_.push_back(target.reference);
      scales_.push_back(target.tolerance > 0 ? std::ldexp(1.0, -std::ilogb(target.tolerance)) : 1.0);
    }
  }

  /// The report is that of the column farthest from its tolerance.
  Report solve(Solver<T>& solver, io::Columns<T>& solved) {
    const std::vector<T> b = woven(system_.b);
    std::vector<T> x = woven(system_.x);
    Stop all = stop_;
    all.relative = 0;
    all.absolute = 1;
    all.reference = Reference::none;
    Report report = solver.solve(b, x, all);
    std::size_t worst = 0;
    for (std::size_t c = 0; c < count_; ++c) {
      std::vector<T>& own = solved[first_ + c];
      for (std::size_t i = 0; i < own.size(); ++i)
        own[i] = static_cast<T>(static_cast<double>(x[i * count_ + c]) / scales_[c]);
      ends_[c].status = report.status;
      ends_[c].sweeps = report.sweeps;
      ends_[c].norm_final = norm(c, own);
      if (worse(ends_[c], ends_[worst])) worst = c;
    }
    report.reference = stop_.reference;
    report.reference_norm = references_[worst];
    report.tolerance = ends_[worst].tolerance;
    report.norm_initial = ends_[worst].norm_initial;
    report.norm_final = ends_[worst].norm_final;
    report.residual_norm = a_.residual_norms(system_.b[first_ + worst], solved[first_ + worst]).l2;
    report.update_norm = report.update_max = std::nullopt;  // of all together
    return report;
  }

  const std::vector<ColumnEnd>& ends() const { return ends_; }

 private:
  double norm(std::size_t c, const std::vector<T>& x) const {
    return pick(a_.residual_norms(system_.b[first_ + c], x, by_), stop_.norm);
  }
  std::vector<T> woven(const io::Columns<T>& columns) const {
    std::vector<T> values(count_ * columns[0].size());
    for (std::size_t c = 0; c < count_; ++c)
      for (std::size_t i = 0; i < columns[0].size(); ++i)
        values[i * count_ + c] = static_cast<T>(static_cast<double>(columns[first_ + c][i]) * scales_[c]);
    return values;
  }

  const System<T>& system_;
  const Dense<T>& a_ = *system_.dense;
  std::size_t first_, count_;
  const Stop& stop_;
  Divisor by_ = Divisor::none;
  std::vector<ColumnEnd> ends_;
  std::vector<double> references_, scales_;
};

/// The number of columns that one pass over the matrix serves.
template <class T>
std::size_t columns_at_once(const Plan& plan, bool dense) {
  const bool can = dense && plan.matrix_precision == MatrixPrecision::as_given &&
                   (plan.rung.empty() || dense_rung(plan.rung).several);
  return can ? static_cast<std::size_t>(most_copies<T>) : 1;
}

}  // namespace

template <class T>
ColumnsEnd<T> solve_columns(const System<T>& system, bool dense, const Plan& plan,
                            const std::shared_ptr<const Backend>& on, const Stop& stop) {
  const std::size_t count = system.b.size(), at_once = columns_at_once<T>(plan, dense);
  ColumnsEnd<T> end{{}, {}, system.x};
  std::optional<Solver<T>> solver;
  double seconds = 0, setup = 0, updates = 0;
  Index sweeps = 0, checks = 0;
  for (std::size_t first = 0, bound = 0; first < count; first += bound) {
    const std::size_t here = std::min(at_once, count - first);
    if (here != bound)
      solver.emplace(here == 1 ? operator_of(system, dense)
                               : Operator<T>(batch(*system.dense, static_cast<Index>(here))),
                     plan, on);
    bound = here;
    Stop left = stop;
    left.max_seconds = std::max(0.0, stop.max_seconds - seconds);
    std::vector<ColumnEnd> ends;
    Report report;
    if (here == 1) {
      report = solver->solve(system.b[first], end.x[first], left);
      ends = {{report.status, report.sweeps, report.tolerance, report.norm_initial, report.norm_final}};
    } else {
      Together<T> together(system, first, here, plan.method.divisor, left);
      report = together.solve(*solver, end.x);
      ends = together.ends();
    }
    seconds += report.seconds;
    setup += report.seconds_setup;
    updates += report.lups * report.seconds;
    sweeps = std::max(sweeps, report.sweeps);
    checks += report.checks;
    const ColumnEnd told{report.status, 0, report.tolerance, 0, report.norm_final};
    const ColumnEnd before{end.report.status, 0, end.report.tolerance, 0, end.report.norm_final};
    if (first == 0 || worse(told, before)) end.report = std::move(report);
    end.columns.insert(end.columns.end(), ends.begin(), ends.end());
    if (end.columns.back().status == Status::interrupted) break;
  }
  end.columns.resize(count);
  Report& r = end.report;
  r.unknowns = system.a.rows() * static_cast<Index>(count);
  r.seconds = seconds;
  r.seconds_setup = setup;
  r.sweeps = sweeps;
  r.checks = checks;
  if (seconds > 0) r.lups = updates / seconds;
  if (count > 1)
    r.notes.push_back(
        fmt::format("{} right-hand sides, {}: norm, tolerance and residual are those of the "
                    "one farthest from its tolerance",
                    count,
                    at_once > 1 ? fmt::format("up to {} in a sweep, each held to its own "
                                              "tolerance",
                                              at_once)
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
