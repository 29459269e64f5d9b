#include "heat/theta.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/instantiate.hpp"
#include "jacobi/rounding.hpp"

namespace jacobi::heat {

template <class T, int D>
ThetaSteps<T, D>::ThetaSteps(const Problem<T, D>& problem) : problem_(problem) {
  if (problem.options.theta < 1) explicit_.emplace(problem.a, problem.options.rung, *problem.on);
  right_side_.resize(problem.f.size());
  next_.resize(problem.f.size());
  if (!problem.balance.has_parts()) return;
  problem.a.fold(problem.f, next_);
  sources_ = problem.balance.sums(next_);
}

/// What every solve is held to. Tests follow each cycle, so that no clock has a say in the bits.
template <class T, int D>
Stop ThetaSteps<T, D>::solves() const {
  Stop stop;
  stop.relative = problem_.options.relative;
  stop.reference = Reference::initial;
  stop.norm = Norm::residual;
  stop.check_every = 1;
  return stop;
}

template <class T, int D>
void ThetaSteps<T, D>::bind(int level, double dt, std::stop_token cancel) {
  bound(level, dt, std::move(cancel));
}

template <class T, int D>
auto ThetaSteps<T, D>::bound(int level, double dt, std::stop_token cancel) -> Bound& {
  if (const auto found = bound_.find(level); found != bound_.end()) return found->second;
  constexpr std::size_t most = 3;  // dt, and what it may become
  if (bound_.size() >= most) {
    const bool low_is_farther = level - bound_.begin()->first > std::prev(bound_.end())->first - level;
    bound_.erase(low_is_farther ? bound_.begin() : std::prev(bound_.end()));
  }
  Bound& made = bound_[level];
  try {
    const Stencil<T, D>& a = problem_.a;
    const T shift = static_cast<T>(1 / (problem_.options.theta * dt));
    PerSide<std::span<const T>, D> off;
    for (int k = 0; k < 2 * D; ++k) off[k] = a.off(k);
    for (const T d : a.center()) made.largest = std::max<double>(made.largest, std::abs(d + shift));
    if (a.is_constant()) {
      PerSide<T, D> one;
      for (int k = 0; k < 2 * D; ++k) one[k] = off[k][0];
      made.shifted = Stencil<T, D>::constant(a.grid(), a.center(0) + shift, one);
    } else {
      made.center.assign(a.center().begin(), a.center().end());
      for (T& d : made.center) d += shift;
      made.shifted = Stencil<T, D>::variable(a.grid(), made.center, off);
    }
    made.choice = choose(*made.shifted, solves(), problem_.on->methods());
    if (Multigrid* const cycle = std::get_if<Multigrid>(&made.choice.plan.by))
      cycle->full = false;  // the old value is a better start
    made.first.emplace(*made.shifted, made.choice.plan, problem_.on, std::move(cancel));
  } catch (...) {
    bound_.erase(level);
    throw;
  }
  return made;
}

/// f + u* / (theta dt), u* the old value after (1 - theta) dt explicitly; and the start, which is u. Returns
/// what rounding leaves of the residual, as rounding_floor() says.
template <class T, int D>
double ThetaSteps<T, D>::make_right_side(double dt, const Bound& by, std::span<const T> u) {
  std::span<const T> from = u;
  const double theta = problem_.options.theta;
  if (explicit_) {
    Sweeper<T>& sweeper = explicit_->sweeper();
    const Step half = explicit_->step((1 - theta) * dt);
    sweeper.load(problem_.f, u);
    sweeper.advance({&half, 1}, Want::nothing);
    sweeper.store(right_side_);
    from = right_side_;
  }
  const T over = static_cast<T>(1 / (theta * dt));
  const std::span<const T> f(problem_.f);
  const auto [of_u, of_right_side] = sum_blocks<2>(problem_.a.rows(), [&](Index first, Index last) {
    std::array<double, 2> squares{};
    for (Index p = first; p < last; ++p) {
      right_side_[p] = f[p] + over * from[p];
      next_[p] = u[p];
      squares[0] += static_cast<double>(u[p]) * u[p];
      squares[1] += static_cast<double>(right_side_[p]) * right_side_[p];
    }
    return squares;
  });
  return std::numeric_limits<T>::epsilon() * (2 * by.largest * std::sqrt(of_u) + std::sqrt(of_right_side));
}

/// At the new u, which may be far larger than the old one.
template <class T, int D>
bool ThetaSteps<T, D>::stands_at_rounding(const Report& report, const Bound& by) const {
  return report.status == Status::stagnated &&
         report.norm_final <=
             2 * rounding_floor<T, D>(*by.shifted, right_side_, next_, Norm::residual, Divisor::none);
}

template <class T, int D>
void ThetaSteps<T, D>::step(int level, double dt, std::vector<T>& u, const Stop& limit, Solved& solved) {
  Bound& by = bound(level, dt, limit.cancel);
  Stop stop = solves();
  stop.absolute = make_right_side(dt, by, u);
  stop.max_seconds = limit.max_seconds;
  stop.progress = limit.progress;
  stop.cancel = limit.cancel;
  bool is_second = false;
  const auto run = [&](const Plan& plan, const Stop& until) {
    is_second = &plan != &by.choice.plan;
    std::optional<Solver<T>>& solver = is_second ? by.second : by.first;
    if (!solver) solver.emplace(*by.shifted, plan, problem_.on, limit.cancel);
    return solver->solve(right_side_, next_, until);
  };
  const Report report = jacobi::solve<T>(by.choice, next_, stop, run);
  solved.sweeps += report.sweeps;
  solved.cycles += report.cycles.value_or(0);
  solved.method = report.method;
  solved.threads = report.threads;
  solved.status = report.status;
  solved.norm = report.norm_final;
  solved.tolerance = report.tolerance;
  if (stands_at_rounding(report, by)) solved.status = Status::converged;
  if (solved.status != Status::converged) return;
  if (is_second && report.converged()) {  // and it does in every step to come
    by.choice = {Plan(*by.choice.fallback)};
    by.first = std::move(by.second);
    by.second.reset();
  }
  if (problem_.balance.has_parts()) {  // whose heat a solve leaves as it is to its tolerance only
    std::vector<double> wanted = problem_.balance.sums(u);
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] += dt * sources_[i];
    problem_.balance.set(wanted, next_);
  }
  u.swap(next_);
}

#define JACOBI_INSTANTIATE(T, D) template class ThetaSteps<T, D>;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::heat
