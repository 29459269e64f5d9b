/// Conjugate gradients preconditioned by cycles.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <utility>

#include "sweep/accelerated/preconditioning.hpp"
#include "sweep/accelerated/recurrence.hpp"

namespace jacobi::sweep {

/// With z = M^-1 r and inner products weighted as the field says:
///   p = z - (z, w) / (p, w) p; w = A p; alpha = (r, p) / (p, w); x += alpha p; r -= alpha w.
/// Each p is made conjugate to the one before explicitly, since cycles are symmetric only almost.
/// Source: Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput. 22 (2000) 1444, m_max = 1.
template <class T>
class FlexibleCg : Recurrence<T> {
 public:
  static constexpr bool forks = true;  ///< what preconditions has a team of its own
  struct State : Recurrence<T>::State {
    double curvature = 0;  ///< (p, A p) of the last direction; 0: there is none
  };

  FlexibleCg(Field<T>& field, std::unique_ptr<Preconditioning<T>> by)
      : Recurrence<T>(field),
        preconditioning_(std::move(by)),
        z_(field.new_vector()),
        p_(field.new_vector()),
        w_(field.new_vector()) {
    by_ = {nullptr, 1, field.weights()};  // z takes the diagonal's place
  }

  bool by_cycles() const { return true; }
  double words() const { return 17 + preconditioning_->words(); }
  std::string about() const { return fmt::format("preconditioned by {}", preconditioning_->about()); }
  /// One cycle and one product per sweep.
  void account(Executed& ran) const {
    const double work = preconditioning_->work();
    ran.cycles = ran.sweeps;
    if (work > 0) ran.work = static_cast<double>(ran.sweeps) * (1 + work);
  }
  static bool settle(State&) { return false; }

  void begin(Crew<T>& crew, State& s) { this->renew_residual(crew, s, w_); }

  bool step(Crew<T>& crew, State& s) {
    preconditioning_->apply(crew, r_, z_);
    const double beta = s.curvature == 0 ? 0 : -product(crew, z_, w_) / s.curvature;
    this->direct(crew, s, p_, [&](Run run) { return kernels_.turn(run, by_, static_cast<T>(beta), z_, p_); });
    crew.begin_product(p_);
    s.curvature = crew.pass([&](Index piece, Run run) {
                        field_.product(piece, p_, w_);
                        return kernels_.dot(run, by_.weight, p_, w_);
                      })
                      .dot[0];
    const double alpha = product(crew, r_, p_) / s.curvature;
    if (!std::isfinite(alpha) || alpha <= 0) return fail(s, alpha), false;
    s.update = {alpha * s.direction.l2, alpha * s.direction.max};
    s.residual = crew.pass([&](Index, Run run) {
                       return kernels_.descend(run, by_, static_cast<T>(alpha), p_, w_, x_, r_);
                     })
                     .norms();
    if (this->is_due(s) && this->lost_touch(crew, s, z_)) s.curvature = 0;
    return true;
  }

  std::string why(const State& s) const { return fmt::format("conjugate gradients end: {}", s.fault); }

 private:
  double product(Crew<T>& crew, const T* a, const T* b) {
    return crew.pass([&](Index, Run run) { return kernels_.dot(run, by_.weight, a, b); }).dot[0];
  }

  void fail(State& s, double alpha) const {
    if (s.residual.l2 == 0)
      return s.end("the residual carried along is 0 in this precision", Status::stagnated);
    if (!std::isfinite(s.curvature))
      return s.end("numbers overflowed: give the system in other units", Status::breakdown);
    s.end(alpha <= 0 ? "(r, p) and (p, A p) differ in sign for a direction p: A or the cycle is not definite"
                     : "(p, A p) is 0 in this precision for a direction p: take bicgstab or multigrid");
  }

  using Recurrence<T>::by_, Recurrence<T>::field_, Recurrence<T>::kernels_, Recurrence<T>::r_,
      Recurrence<T>::x_;
  std::unique_ptr<Preconditioning<T>> preconditioning_;
  T *z_, *p_, *w_;
};

}  // namespace jacobi::sweep
