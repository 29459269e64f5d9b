/// BiCGStab preconditioned from the right, by the diagonal or by cycles.
#pragma once
#include <fmt/format.h>

#include <limits>
#include <memory>
#include <utility>

#include "sweep/accelerated/best.hpp"
#include "sweep/accelerated/preconditioning.hpp"
#include "sweep/accelerated/recurrence.hpp"

namespace jacobi::sweep {

/// D stands for what preconditions. With q = r_0 fixed and (., .) the plain inner product, or that of D^-1
/// times both where rows differ much in size, sweep after sweep in turn
///   first:  p = r + beta (p - omega v); y = D^-1 p; v = A y; alpha = (q, r) / (q, v); x += alpha y;
///           r -= alpha v;
///   second: y = D^-1 r; t = A y; omega = (t, r) / (t, t); x += omega y; r -= omega t;
///           beta = (q, r)_new / (q, r) alpha / omega.
/// r is the residual of x after either. Where, once renewed, it had drifted away, or where a quotient breaks
/// down, everything starts anew from there.
/// Source: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631.
template <class T>
class BiCgStab : Recurrence<T> {
 public:
  static constexpr bool forks = false;
  struct State : Recurrence<T>::State {
    double qr = 0, q = 0;  ///< (q, r), ||q||
    double alpha = 0, omega = 0, beta = 0;
    double best = std::numeric_limits<double>::infinity();
    double at_restart = std::numeric_limits<double>::infinity();  ///< best residual then
    int futile = 0;                                               ///< restarts since then
    double leap = least_leap;  ///< by which the residual may exceed the best one
    double at_leap = std::numeric_limits<double>::infinity();  ///< best residual when it last exceeded that
    bool second = false;                                       ///< which sweep comes
  };

  /// preconditioning: in place of the diagonal; by fields whose products are whole alone.
  BiCgStab(Field<T>& field, const Method&, std::unique_ptr<Preconditioning<T>> preconditioning = nullptr)
      : Recurrence<T>(field, factors_by_rows(field)),
        preconditioning_(std::move(preconditioning)),
        best_(field),
        q_(field.new_vector()),
        p_(field.new_vector()),
        v_(field.new_vector()),
        t_(field.new_vector()),
        y_(field.new_vector()) {
    if (preconditioning_) by_.scale = nullptr, by_.same = 1;
  }

  bool by_rows() const { return by_.rows; }
  bool by_cycles() const { return preconditioning_ != nullptr; }
  double words() const {
    return (by_.scale ? 14.5 : 13.5) + (by_.rows ? 2 : 0) +
           (preconditioning_ ? 1 + preconditioning_->words() : 0);
  }
  std::string about() const {
    return fmt::format("{}, two sweeps an iteration",
                       preconditioning_ ? fmt::format("preconditioned by {}", preconditioning_->about())
                                        : field_.preconditioner());
  }
  /// A cycle and a product per sweep.
  void account(Executed& ran) const {
    if (!preconditioning_) return;
    ran.cycles = ran.sweeps;
    ran.work = static_cast<double>(ran.sweeps) * (1 + preconditioning_->work());
  }

  void begin(Crew<T>& crew, State& s) {
    restart(crew, s);
    s.futile = 0;
    look(crew, s);
  }

  bool step(Crew<T>& crew, State& s) {
    for (int tries = 0; tries < 2; ++tries) {
      if (s.fault) return false;
      if (s.residual.l2 == 0)
        return s.end("the residual carried along is 0 in this precision", Status::stagnated), false;
      if (s.second ? second(crew, s) : first(crew, s)) {
        look(crew, s);
        return true;
      }
      restart(crew, s);
    }
    if (!s.fault)
      s.end(
          "a quotient has no meaning even after a restart, as where the spectrum is imaginary or numbers "
          "overflow; take anderson");
    return false;
  }

  bool settle(State& s) {
    if (!(s.best < s.residual.l2)) return false;
    best_.take_back();
    return true;
  }

  std::string why(const State& s) const { return fmt::format("BiCGStab ends: {}", s.fault); }

 private:
  static constexpr double least_leap = 1e4, most_leap = 5e5;  ///< by more than that it would be diverging
  static constexpr double tiny = 0.01 * std::numeric_limits<T>::epsilon();  ///< a cosine: no angle at all

  /// False where it breaks down; x and r stay.
  bool first(Crew<T>& crew, State& s) {
    if (!(std::abs(s.qr) > tiny * s.q * s.residual.l2)) return false;
    turn(crew, s);
    const Sums sums = times(crew, v_, q_);
    const double qv = sums.dot[0];
    if (!(std::abs(qv) > tiny * s.q * std::sqrt(sums.dot[1])) || !std::isfinite(qv)) return false;
    s.alpha = s.qr / qv;
    move(crew, s, s.alpha, v_);
    scale(crew, s);
    s.second = true;
    return true;
  }

  bool second(Crew<T>& crew, State& s) {
    const Sums sums = times(crew, t_, r_);
    const double tr = sums.dot[0], tt = sums.dot[1];
    if (!(std::abs(tr) > 1e-6 * std::sqrt(tt) * s.residual.l2) || !std::isfinite(tt)) return false;
    s.omega = tr / tt;
    const double before = s.qr;
    move(crew, s, s.omega, t_);
    s.beta = s.qr / before * s.alpha / s.omega;
    s.second = false;
    if (this->is_due(s) && drifted(crew, s, t_)) restart(crew, s);
    return true;
  }

  /// p = r + beta (p - omega v); y = D^-1 p.
  void turn(Crew<T>& crew, State& s) {
    const T beta = static_cast<T>(s.beta), omega = static_cast<T>(s.omega);
    direct(crew, s, y_, [&](Run run) { return kernels_.turn_two(run, by_, beta, omega, r_, v_, p_, y_); });
    precondition(crew, s, p_);
  }

  /// y = D^-1 r.
  void scale(Crew<T>& crew, State& s) {
    direct(crew, s, y_, [&](Run run) { return kernels_.turn(run, by_, T(0), r_, y_); });
    precondition(crew, s, r_);
  }

  /// y = M^-1 from, where M is not the diagonal.
  void precondition(Crew<T>& crew, State& s, const T* from) {
    if (!preconditioning_) return;
    preconditioning_->apply(crew, from, y_);
    direct(crew, s, y_, [&](Run run) { return kernels_.turn(run, by_, T(0), y_, y_); });
  }

  /// to = A y; (to, with), (to, to).
  Sums times(Crew<T>& crew, T* to, const T* with) {
    crew.begin_product(y_);
    return crew.pass([&](Index piece, Run run) {
      field_.product(piece, y_, to);
      return kernels_.dot_two(run, by_, to, with);
    });
  }

  /// x += factor y; r -= factor u, u = A y.
  void move(Crew<T>& crew, State& s, double factor, const T* u) {
    const Sums sums = crew.pass(
        [&](Index, Run run) { return kernels_.step(run, by_, static_cast<T>(factor), y_, u, q_, x_, r_); });
    s.update = {std::abs(factor) * s.direction.l2, std::abs(factor) * s.direction.max};
    s.residual = sums.norms();
    if (s.second) s.qr = sums.dot[1];  // of the first sweep's r, (q, r) is 0
  }

  /// From b - A x, with q = r. Ends after the fifth time without progress.
  void restart(Crew<T>& crew, State& s) {
    renew_residual(crew, s, t_);
    crew.pass([&](Index, Run run) {
      std::copy_n(r_ + run.first, run.count, q_ + run.first);
      return Sums{};
    });
    s.q = s.residual.l2;
    s.qr = s.q * s.q;
    s.beta = 0;
    s.second = false;
    s.futile = s.best < 0.5 * s.at_restart ? 1 : s.futile + 1;
    s.at_restart = s.futile == 1 ? s.best : s.at_restart;
    if (s.futile > 5) s.end("restarts do not reduce the residual any more", Status::stagnated);
  }

  /// Keeps the best iterate, and goes back to it where the residual has grown far above its; further where it
  /// did before, from the same iterate: the same sweeps would follow.
  void look(Crew<T>& crew, State& s) {
    best_.look(crew, s.residual.l2, s.best);
    if (s.residual.l2 <= s.leap * s.best) return;
    s.leap = s.best < s.at_leap ? least_leap : most_leap;
    s.at_leap = s.best;
    best_.take_back(crew);
    restart(crew, s);
  }

  using Recurrence<T>::by_, Recurrence<T>::field_, Recurrence<T>::kernels_, Recurrence<T>::r_,
      Recurrence<T>::x_;
  using Recurrence<T>::direct, Recurrence<T>::drifted, Recurrence<T>::renew_residual;
  std::unique_ptr<Preconditioning<T>> preconditioning_;
  Best<T> best_;
  T *q_, *p_, *v_, *t_, *y_;
};

}  // namespace jacobi::sweep
