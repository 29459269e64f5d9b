/// Conjugate gradients preconditioned by the diagonal.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sweep/accelerated/recurrence.hpp"

namespace jacobi::sweep {

/// With z = D^-1 r and inner products weighted as the field says:
///   w = A p; alpha = (r, z) / (p, w); x += alpha p; r -= alpha w; p = z + (r, z)_new / (r, z) p.
/// Where r, once renewed, had drifted away, p starts anew.
/// Source: Saad, "Iterative Methods for Sparse Linear Systems", algorithm 9.1.
template <class T>
class Cg : Recurrence<T> {
 public:
  static constexpr bool forks = false;
  using State = typename Recurrence<T>::State;

  Cg(Field<T>& field, const Method&) : Recurrence<T>(field), p_(field.new_vector()), w_(field.new_vector()) {}

  double words() const { return by_.scale ? 13 : 11; }
  std::string about() const { return field_.preconditioner(); }
  static bool settle(State&) { return false; }  // the last iterate has the least error in the norm of A

  void begin(Crew<T>& crew, State& s) {
    if (has_both_signs(crew)) return s.end("the diagonal has entries of both signs");
    renew_residual(crew, s, w_);
    turn(crew, s, 0);
  }

  bool step(Crew<T>& crew, State& s) {
    if (s.rz == 0 && !restart(crew, s)) return false;
    const double curvature = times_direction(crew);
    const bool same_sign =  // their product may underflow
        (s.rz > 0 && curvature > 0) || (s.rz < 0 && curvature < 0);
    if (!same_sign || !std::isfinite(curvature)) return fail(crew, s, curvature), false;
    const double alpha = s.rz / curvature;
    s.update = {std::abs(alpha) * s.direction.l2, std::abs(alpha) * s.direction.max};
    const double before = s.rz;
    descend(crew, s, static_cast<T>(alpha));
    double beta = s.rz / before;
    if (this->is_due(s) && lost_touch(crew, s, w_)) beta = 0;
    turn(crew, s, beta);
    return true;
  }

  std::string why(const State& s) const {
    return fmt::format("conjugate gradients end: {}{}", s.fault,
                       s.size != 0 ? fmt::format(" ({:.3g})", s.size) : std::string());
  }

 private:
  /// w = A p; (p, w).
  double times_direction(Crew<T>& crew) {
    crew.begin_product(p_);
    return crew
        .pass([&](Index piece, Run run) {
          field_.product(piece, p_, w_);
          return kernels_.dot(run, by_.weight, p_, w_);
        })
        .dot[0];
  }

  /// x += alpha p; r -= alpha w.
  void descend(Crew<T>& crew, State& s, T alpha) {
    const Sums sums =
        crew.pass([&](Index, Run run) { return kernels_.descend(run, by_, alpha, p_, w_, x_, r_); });
    s.residual = sums.norms();
    s.rz = sums.dot[1];
  }

  /// p = D^-1 r + beta p.
  void turn(Crew<T>& crew, State& s, double beta) {
    direct(crew, s, p_, [&](Run run) { return kernels_.turn(run, by_, static_cast<T>(beta), r_, p_); });
  }

  bool restart(Crew<T>& crew, State& s) {
    renew_residual(crew, s, w_);
    turn(crew, s, 0);
    if (s.rz == 0) s.end("the residual carried along is 0 in this precision", Status::stagnated);
    return s.rz != 0;
  }

  bool has_both_signs(Crew<T>& crew) {
    if (!by_.scale) return false;
    const Sums sums = crew.pass([&](Index, Run run) {
      const auto positive = std::count_if(by_.scale + run.first, by_.scale + run.first + run.count,
                                          [](T value) { return value > 0; });
      return Sums{{static_cast<double>(positive), static_cast<double>(run.count)}};
    });
    return sums.dot[0] != 0 && sums.dot[0] != sums.dot[1];
  }

  /// Why (p, A p) has not the sign of the diagonal: compared with what rounding can make of (p, D p).
  void fail(Crew<T>& crew, State& s, double curvature) {
    if (!std::isfinite(curvature))
      return s.end("numbers overflowed: give the system in other units", Status::breakdown);
    const double size = crew.pass([&](Index, Run run) { return energy(run); }).dot[0];
    if (s.direction.max < std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon())
      return s.end("the next direction vanishes in this precision", Status::stagnated);
    if (std::abs(curvature) <= 16 * std::numeric_limits<T>::epsilon() * std::abs(size))
      return s.end(
          "(p, A p) is 0 up to rounding for a direction p: A is singular, and the right-hand side may have "
          "no "
          "solution, or this precision cannot tell A from a singular matrix");
    s.end(
        "(p, A p) has not the sign of the diagonal for a direction p: A is not definite; take bicgstab or "
        "anderson",
        Status::breakdown, curvature);
  }

  /// (p, D p)
  Sums energy(Run run) const {
    double sum = 0;
    for (Index i = run.first; i < run.first + run.count; ++i) {
      const double p = static_cast<double>(p_[i]),
                   weight = by_.weight ? static_cast<double>(by_.weight[i]) : 1;
      sum += weight * p * p / static_cast<double>(by_.scale ? by_.scale[i] : by_.same);
    }
    return {{sum}};
  }

  using Recurrence<T>::by_, Recurrence<T>::field_, Recurrence<T>::kernels_, Recurrence<T>::r_,
      Recurrence<T>::x_;
  using Recurrence<T>::direct, Recurrence<T>::lost_touch, Recurrence<T>::renew_residual;
  T *p_, *w_;
};

}  // namespace jacobi::sweep
