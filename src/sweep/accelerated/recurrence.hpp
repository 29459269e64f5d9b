/// What methods share that carry their residual along by a recurrence.
#pragma once
#include <cmath>

#include "sweep/accelerated/accelerated.hpp"

namespace jacobi::sweep {

/// r, the residual of the iterate x, preconditioned by the diagonal. It is renewed from b - A x whenever it
/// has fallen to a hundredth.
/// Source: Sleijpen and van der Vorst, Computing 56 (1996) 141.
template <class T>
class Recurrence {
 public:
  struct State : Standing {
    double rz = 0;      ///< (r, D^-1 r), weighted as the field says
    Norms direction;    ///< of the vector that the next step goes along
    double anchor = 0;  ///< ||b - A x|| when r was last renewed
    int losses = 0;     ///< renewals in a row that found r far below it
  };

 protected:
  explicit Recurrence(Field<T>& field) : Recurrence(field, factors_of(field)) {}
  Recurrence(Field<T>& field, const Factors<T>& by)
      : field_(field), by_(by), x_(field.iterate()), r_(field.new_vector()) {}

  /// Makes a direction, run by run, and brings its ghosts up to date.
  template <class Make>
  void direct(Crew<T>& crew, State& s, T* direction, Make&& make) {
    s.direction = crew.pass([&](Index piece, Run run) {
                        const Sums sums = make(run);
                        field_.renew(piece, direction);
                        return sums;
                      })
                      .norms();
  }

  /// r = b - A x, made in `room`; returns how far r was from that.
  double renew_residual(Crew<T>& crew, State& s, T* room) {
    crew.renew(x_);
    crew.begin_product(x_);
    const Sums sums = crew.pass([&](Index piece, Run run) {
      field_.residual(piece, x_, room);
      return kernels_.renew(run, by_, room, r_);
    });
    s.residual = sums.norms();
    s.rz = sums.dot[1];
    s.anchor = s.residual.l2;
    return std::sqrt(sums.dot[2]);
  }

  static bool is_due(const State& s) { return s.residual.l2 < 0.01 * s.anchor; }

  /// Renews r; says whether it had lost touch.
  bool drifted(Crew<T>& crew, State& s, T* room) {
    const double drift = renew_residual(crew, s, room);
    return !(drift <= 0.1 * s.residual.l2);
  }

  /// The same; ends where that happens thrice without any progress.
  bool lost_touch(Crew<T>& crew, State& s, T* room) {
    const double before = s.anchor;
    const bool lost = drifted(crew, s, room);
    s.losses = lost && s.residual.l2 > 0.5 * before ? s.losses + 1 : 0;
    if (s.losses == 3)
      s.end("the residual stands at what rounding leaves of it, whatever its recurrence says",
            Status::stagnated, s.residual.l2);
    return lost;
  }

  Field<T>& field_;
  Kernels<T> kernels_ = kernels<T>();
  Factors<T> by_;
  T *x_, *r_;
};

}  // namespace jacobi::sweep
