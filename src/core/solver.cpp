#include "jacobi/solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "core/apart.hpp"
#include "core/cancel.hpp"
#include "core/clock.hpp"
#include "core/exact_residual.hpp"
#include "core/excess.hpp"
#include "core/facts.hpp"
#include "core/keeping.hpp"
#include "core/lengths.hpp"
#include "core/loop.hpp"
#include "core/notes.hpp"
#include "core/null_space.hpp"
#include "core/own_units.hpp"
#include "core/reached.hpp"
#include "core/recognise.hpp"
#include "core/require.hpp"
#include "core/scale.hpp"
#include "core/teams.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"
#include "jacobi/rounding.hpp"

namespace jacobi {

namespace {

std::string name_of(const Backend* on) {
  if (!on) throw UsageError("no backend is given");
  return on->name();
}

/// The backend's name with the threads that swept: "threads:2" ran as "threads:1" where one did.
std::string as_run(const std::string& backend, int threads) {
  const std::size_t at = backend.rfind("threads:");
  return at == backend.npos ? backend : fmt::format("{}threads:{}", backend.substr(0, at), threads);
}

}  // namespace

template <class T>
struct [[gnu::visibility("hidden")]] Solver<T>::State {
  Operator<T> matrix;
  Plan plan;
  std::string backend;
  std::string recognised;         ///< what grid a sparse matrix is swept as
  std::optional<Note> stand_ins;  ///< for diagonal entries
  std::unique_ptr<Sweeper<T>> sweeper;
  double seconds_bind = 0;
  std::vector<T> start;       ///< the iterate that a solve begins from, where it is not 0
  std::vector<T> compatible;  ///< b of a singular operator, its mean removed
  std::vector<T> multiplied;  ///< b of a system whose squares would not fit
  std::shared_ptr<const Backend> on = nullptr;
  bool is_current = true;  ///< false while changed values could not be taken

  Report run(const Csr<T>& a, std::span<const T> b, std::span<T> x, const Stop& stop) {
    return regular(a, b, x, stop);
  }
  Report run(const Dense<T>& a, std::span<const T> b, std::span<T> x, const Stop& stop) {
    return regular(a, b, x, stop);
  }

  /// Tells what was done about the diagonal, and where a product with a finite x is not finite.
  Report run(const MatrixFree<T>& a, std::span<const T> b, std::span<T> x, const Stop& stop) {
    Report report = regular(a, b, x, stop);
    if (a.asked_for_diagonal()) report.notes.push_back(note(notes::diagonal_asked, a.rows()));
    if (!a.knows_diagonal()) report.notes.push_back(note(notes::diagonal_unknown));
    const bool failed = report.status == Status::not_finite || report.status == Status::diverged ||
                        report.status == Status::breakdown;
    const std::string fault = failed ? fault_of_product<T>(a, x) : "";
    if (!fault.empty()) report.notes.push_back(note(notes::fault_of_product, fault));
    return report;
  }

  template <int D>
  Report run(const Stencil<T, D>& a, std::span<const T> b, std::span<T> x, const Stop& stop) {
    return a.singular() ? singular(a, a, b, x, stop) : regular(a, b, x, stop);
  }
  Report run(const BoxStencil<T>& a, std::span<const T> b, std::span<T> x, const Stop& stop) {
    if (!a.singular()) return regular(a, b, x, stop);
    return std::visit([&](const auto& star) { return singular(a, star, b, x, stop); }, a.star());
  }

  /// A singular operator gets a compatible b before, and a solution of mean 0 after. star: a singular one on
  /// its grid.
  template <class A, int D>
  Report singular(const A& a, const Stencil<T, D>& star, std::span<const T> b, std::span<T> x,
                  const Stop& stop) {
    require_finite(a, b, "b");
    require_finite(a, std::span<const T>(x), "x");
    remove_mean<T, D>(star, x);  // which A does not see, but for its rounding
    compatible.assign(b.begin(), b.end());
    const Removed removed = make_compatible<T, D>(star, compatible, stop.project_rhs);
    Report report = regular(a, std::span<const T>(compatible), x, stop);
    remove_mean<T, D>(star, x);
    judge_again(a, std::span<const T>(compatible), x, stop, report);
    report.notes.push_back(removed.rounding ? note(notes::compatible, removed.mean)
                                            : note(notes::mean_removed, removed.mean, removed.relative,
                                                   removed.asked ? "as asked" : "as discretisation error",
                                                   a.residual_norms(b, x).l2));
    return report;
  }

  /// After the solution's mean was fixed, which costs rounding errors.
  template <class A>
  void judge_again(const A& a, std::span<const T> b, std::span<const T> x, const Stop& stop, Report& report) {
    report.residual_norm = residual_of<T>(a, b, x);
    report.backward_error = backward_error<T>(a, b, x);
    const double now = tested_residual<T>(a, b, x, stop.norm);
    if (!std::isfinite(now)) return;
    report.norm_final = is_update(stop.norm) ? std::max(report.norm_final, now) : now;
    if (report.status == Status::stagnated && report.norm_final <= report.tolerance &&
        is_sure<T>(a, b, x, stop.norm, report.tolerance))
      report.status = Status::converged;
    if (!report.converged() || now <= report.tolerance) return;
    report.status = Status::stagnated;
    if (report.contraction > 1) report.contraction.reset();  // rounding's
    report.notes.push_back(note(notes::mean_fixed, report.precision));
  }

  /// b, x and what stop says of norms are given in units of 2^unit; so is what the report says, but for its
  /// notes.
  template <class A>
  Report regular(const A& a, std::span<const T> b, std::span<T> x, const Stop& stop, int unit = 0) {
    const auto begin = Clock::now();
    Report report;
    describe(report, stop);
    require_finite(a, b, "b");
    require_finite(a, std::span<const T>(x), "x");
    Executed before = sweeper->executed();
    sweeper->load(b, x);
    const bool starts_from_0 = all_zero(std::span<const T>(x));
    if (!starts_from_0) start.assign(x.begin(), x.end());  // the yardstick writes into x
    Yardstick measure = yardstick(a, b, x, stop);
    measure.initial = tested_residual<T>(a, b, x, stop.norm);
    const int power =
        unit == 0 ? excess<T>(a, b, x, stop.norm, measure.initial, accelerated(plan.method)) : 0;
    if (power != 0) return scaled(a, b, x, stop, power);
    const Stop kept = keeping<T>(*sweeper, matrix, plan, stop, b, x, before);
    report.seconds_setup = std::exchange(seconds_bind, 0) + seconds_since(begin);
    const bool is_lost = iterate(*sweeper, plan.method, kept, measure, report);
    if (stop.resume) report.notes.push_back(note(notes::resumed, sweeps_kept(*stop.resume)));
    const bool failed = report.status == Status::diverged || report.status == Status::stagnated;
    if (failed && plan.matrix_precision != MatrixPrecision::as_given)
      report.notes.push_back(note(notes::narrow_matrix));
    if (report.status == Status::stagnated)
      report.notes.push_back(
          notes::stagnation(report, plan, is_update(stop.norm) ? measure.residual(0) : report.norm_final,
                            measure.floor(), measure.reference(), strictly_dominant(a), unit));
    sweeper->store(x);
    const bool is_finite = all_finite(std::span<const T>(x));
    if (report.sweeps > 0 && (is_lost || !is_finite)) {
      const double lost = report.norm_final;
      if (starts_from_0)
        std::ranges::fill(x, T(0));
      else
        std::ranges::copy(start, x.begin());
      report.norm_final = tested_residual<T>(a, b, x, stop.norm);
      report.update_norm = report.update_max = std::nullopt;  // of what was thrown away
      report.notes.push_back(note(notes::thrown_away, notes::norm_of_lost(std::ldexp(lost, unit), is_finite),
                                  std::ldexp(report.norm_final, unit)));
      if (report.norm_final <= report.tolerance && is_sure<T>(a, b, x, stop.norm, report.tolerance))
        report.status = Status::converged;
    }
    report.residual_norm = stop.norm == Norm::residual && std::isfinite(report.norm_final)
                               ? std::optional(report.norm_final)
                               : residual_of<T>(a, b, x);
    report.backward_error = backward_error<T>(a, b, x);
    conclude(report, stop, before);
    return report;
  }

  template <class A>
  Report scaled(const A& a, std::span<const T> b, std::span<T> x, const Stop& stop, int power) {
    multiplied = times_power_of_two<T>(b, -power);
    std::vector<T> y = times_power_of_two<T>(x, -power);
    Stop other = times_power_of_two(stop, -power);
    if (stop.observe)
      other.observe = [&](const Check& c) { return stop.observe(times_power_of_two(c, power)); };
    Report report = regular(a, std::span<const T>(multiplied), std::span<T>(y), other, power);
    std::ranges::copy(times_power_of_two<T>(y, power), x.begin());
    if (const std::vector<T> kept = times_power_of_two<T>(x, -power); kept != y)
      tell_of_kept<T>(report, a, multiplied, kept, stop);
    multiply(report, power);
    if (std::isfinite(report.norm_initial))  // which in other units may have been beyond all numbers
      report.tolerance =
          std::max(report.tolerance, std::min(stop.absolute, std::numeric_limits<double>::max()));
    if (power > 0) measure_again<T>(report, a, b, x, stop);
    report.notes.push_back(note(notes::units, power < 0 ? "vanish" : "overflow", -power));
    return report;
  }

  template <class A>
  Yardstick yardstick(const A& a, std::span<const T> b, std::span<T> x, const Stop& stop) {
    const Divisor by = tested_divisor(stop.norm);
    Yardstick y;
    y.reference = [&a, b, by, &stop] { return pick(rhs_norms<T>(a, b, by), stop.norm); };
    y.residual = [this, &a, b, x, &stop](double tolerance) {
      sweeper->store(x);
      return tested_residual<T>(a, b, x, stop.norm, tolerance);
    };
    y.lost = [&a, by, lost = std::optional<double>()]() mutable {
      if (!lost) lost = lost_to_underflow(a, by);
      return *lost;
    };
    y.vanishes = [this, &a, b, x] {
      sweeper->store(x);
      return solves_exactly<T>(a, b, x);
    };
    y.floor = [this, &a, b, x, by, &stop] {
      sweeper->store(x);
      return rounding_floor(a, b, std::span<const T>(x), stop.norm, by);
    };
    y.floor_exceeds = [this, &a, b, x, by, &stop](double limit) {
      sweeper->store(x);
      return rounding_exceeds(limit, a, b, std::span<const T>(x), stop.norm, by);
    };
    y.doubtful = doubtful_share<T>(a);
    y.first_grows = plan.multigrid() != nullptr;
    if (plan.multigrid() || (plan.amg() && !accelerated(plan.method)))
      y.window = (plan.amg() ? 16 : 8) *
                 sweeper->sweeps_per_cycle();  // a cycle leads from every unknown to every other one
    else
      y.transit = [&a] { return transit(a); };
    return y;
  }

  void describe(Report & report, const Stop& stop) const {
    report.method = plan.name();
    report.precision = sizeof(T) == sizeof(double) ? "double" : "float";
    report.unknowns = sweeper->rows();
    report.norm = stop.norm;
    report.reference = stop.reference;
  }

  std::string cadence_in_words(const Stop& stop, Index every) const {
    const Index cycle = sweeper->sweeps_per_cycle();
    const bool doubles = stop.check_every == 0 && stop.first_check == 0 && every > cycle;
    return fmt::format(
        "{}every {}",
        doubles ? fmt::format("after 1, 2, 4, ... {}, then ", cycle > 1 ? "cycles" : "sweeps") : "",
        every == 1 ? "sweep" : fmt::format("{} sweeps", every));
  }

  void conclude(Report & report, const Stop& stop, const Executed& before) {
    if (sweeper->executed().rung.empty()) sweeper->advance({}, Want::nothing);  // says which rung it is
    const Executed ran = sweeper->executed();
    if (ran.sweeps - before.sweeps != report.sweeps)
      throw std::logic_error(fmt::format("{} sweeps were reported and {} counted by rung '{}'", report.sweeps,
                                         ran.sweeps - before.sweeps, ran.rung));
    report.bytes_per_update = sweeper->bytes_per_update();
    report.rung = ran.rung;
    report.algorithm = ran.algorithm.empty() ? ran.rung : ran.algorithm;
    report.simd = ran.simd;
    report.threads = ran.threads;
    report.backend = as_run(backend, ran.threads);
    if (ran.upload_seconds > 0) report.seconds_upload = ran.upload_seconds;
    if (ran.download_seconds > 0) report.seconds_download = ran.download_seconds;
    if (ran.occupancy > 0) report.occupancy = ran.occupancy;
    report.plan = fmt::format("{} sweeps, rung {}{}{}, norm {}", report.method, ran.rung,
                              ran.blocking.empty() ? "" : ": ", ran.blocking,
                              cadence_in_words(stop, report.check_every));
    if (plan.tiling()) {
      report.cycles = ran.cycles - before.cycles;
      report.redundant_work = ran.redundant_work;
    }
    if (plan.multigrid() || plan.preconditioner() || plan.amg()) {
      report.cycles = ran.cycles - before.cycles;
      report.work = ran.work - before.work;
    }
    if (plan.method.red_black) report.work = ran.work - before.work;
    if (stand_ins) report.notes.push_back(*stand_ins);
    if (!recognised.empty()) report.notes.push_back(note(notes::grid, recognised));
    if (const auto few = note_on_threads()) report.notes.push_back(*few);
    const double whole_sweeps = plan.method.red_black ? *report.work : static_cast<double>(report.sweeps);
    if (report.seconds > 0)
      report.lups = static_cast<double>(report.unknowns) * whole_sweeps *
                    share_made_now(stop, report.sweeps) / report.seconds;
  }
};

/// The sparse matrix as a grid, where it is one and may be swept as one.
template <class T>
std::optional<Recognised<T>> as_grid(const Operator<T>& matrix, const Plan& plan) {
  const Csr<T>* a = std::get_if<Csr<T>>(&matrix);
  const bool may =
      plan.recognise_grids && plan.rung().empty() && !plan.amg() && plan.method.divisor == Divisor::diagonal;
  if (!a || !may) return {};
  return recognise(*a);
}

/// Binds the grid if there is one. What is refused there is refused in the terms of the matrix.
template <class T>
std::unique_ptr<Sweeper<T>> bind_either(const Backend& on, const Operator<T>& matrix,
                                        std::optional<Recognised<T>>& grid, const Plan& plan) {
  if (grid) {
    try {
      return on.bind(grid->grid, plan);
    } catch (const InputError&) {
      grid.reset();
    }
  }
  return on.bind(matrix, plan);
}

template <class T>
Solver<T>::Solver(Operator<T> a, Plan plan, std::shared_ptr<const Backend> on, std::stop_token cancel)
    : state_(new State{std::move(a), std::move(plan), name_of(on.get()), "", {}, nullptr, 0, {}, {}, {}}) {
  const auto begin = Clock::now();
  const Cancelling asked(std::move(cancel));
  require_sensible(state_->plan.method);
  if (!state_->plan.method.step) state_->plan.method.step = plain().step;  // products ask for none
  auto grid = as_grid(state_->matrix, state_->plan);
  throw_if_cancelled();
  if (auto* const products = std::get_if<MatrixFree<T>>(&state_->matrix)) {
    require_products_do(state_->plan);
    *products = completed(*products, state_->plan.method);
  }
  if (accelerated(state_->plan.method)) state_->stand_ins = notes::some_stand_in(state_->matrix);
  state_->sweeper = bind_either(*on, state_->matrix, grid, state_->plan);
  if (grid) state_->recognised = grid->words;
  state_->start.reserve(
      static_cast<std::size_t>(state_->sweeper->rows()));  // touched only where it is needed
  state_->seconds_bind = seconds_since(begin);
  state_->on = std::move(on);
}

template <class T>
void Solver<T>::values_changed() {
  State& s = *state_;
  const auto begin = Clock::now();
  s.is_current = false;
  s.matrix = std::visit([](const auto& a) -> Operator<T> { return validated(a); }, s.matrix);
  auto grid = as_grid(s.matrix, s.plan);
  const bool same_kind = grid.has_value() != s.recognised.empty();
  if (!same_kind || !s.sweeper->take_values(grid ? grid->grid : s.matrix))
    s.sweeper = bind_either(*s.on, s.matrix, grid, s.plan);
  s.recognised = grid ? grid->words : "";
  if (accelerated(s.plan.method)) s.stand_ins = notes::some_stand_in(s.matrix);
  s.seconds_bind += seconds_since(begin);
  s.is_current = true;
}

template <class T>
Solver<T>::~Solver() = default;
template <class T>
Solver<T>::Solver(Solver&&) noexcept = default;
template <class T>
Solver<T>& Solver<T>::operator=(Solver&&) noexcept = default;

template <class T>
Report Solver<T>::solve(std::span<const T> b, std::span<T> x, const Stop& stop) {
  if (!state_->is_current)
    throw UsageError("values_changed() has failed: give values that can be solved for, and call it again");
  require_lengths(state_->sweeper->rows(), {{"b", b.size()}, {"x", x.size()}});
  require_apart<T>(x, b, state_->matrix);
  require_sensible(stop);
  return std::visit(
      [&](const auto& a) {
        Stop asked = stop;
        asked.norm = tested_norm(a, stop.norm);
        Report report = state_->run(a, b, x, asked);
        const bool is_left_open = stop.norm == Norm::automatic && asked.norm == Norm::scaled_residual;
        if (is_left_open || (!is_scaled(asked.norm) && rows_differ(a)))
          report.notes.push_back(note(notes::rows_differ, row_spread(a),
                                      is_left_open ? "each is tested in its own units (norm scaled-residual)"
                                                   : "the residual's norm sees the large ones only; norm "
                                                     "scaled-residual takes each in its own units"));
        else if (notes::leaves_a_row(report))
          report.notes.push_back(note(notes::row_left, *report.backward_error));
        return report;
      },
      state_->matrix);
}

template <class T>
const Operator<T>& Solver<T>::matrix() const {
  return state_->matrix;
}

template <class T>
Sweeper<T>& Solver<T>::sweeper() {
  return *state_->sweeper;
}

template class Solver<double>;
template class Solver<float>;

}  // namespace jacobi
