/// Conjugate gradients preconditioned by another sweeper.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <vector>

#include "sweep/accelerated/recurrence.hpp"

namespace jacobi::sweep {

/// With z = M^-1 r, from 0 by some steps of the inner sweeper, and inner products weighted as the field says:
///   p = z - (z, w) / (p, w) p; w = A p; alpha = (r, p) / (p, w); x += alpha p; r -= alpha w.
/// Each p is made conjugate to the one before explicitly, since cycles are symmetric only almost.
/// Source: Notay, "Flexible conjugate gradients", SIAM J. Sci. Comput. 22 (2000) 1444, m_max = 1.
template <class T>
class FlexibleCg : Recurrence<T> {
 public:
  static constexpr bool forks = true;  ///< the inner sweeper has a team of its own
  struct State : Recurrence<T>::State {
    double curvature = 0;  ///< (p, A p) of the last direction; 0: there is none
  };

  /// inner: of the same operator with 0 on its sides. cycle: its steps per application. singular: constants
  /// are the operator's null space, and are kept out of r and z.
  FlexibleCg(Field<T>& field, std::unique_ptr<Sweeper<T>> inner, std::vector<Step> cycle, bool singular)
      : Recurrence<T>(field),
        inner_(std::move(inner)),
        cycle_(std::move(cycle)),
        singular_(singular),
        z_(field.new_vector()),
        p_(field.new_vector()),
        w_(field.new_vector()),
        flat_(static_cast<std::size_t>(inner_->rows())),
        zero_(flat_.size()) {
    offsets_.push_back(0);
    for (Index s = 0; s < field.pieces(); ++s) offsets_.push_back(offsets_.back() + field.piece(s).count);
    by_ = {nullptr, 1, field.weights()};  // z takes the diagonal's place
  }

  double words() const {
    return 17 + inner_->bytes_per_update() * static_cast<double>(cycle_.size()) / sizeof(T);
  }
  std::string about() const { return fmt::format("preconditioned by {}", inner_->executed().blocking); }
  /// One cycle and one product per sweep.
  void account(Executed& ran) const {
    const Executed inner = inner_->executed();
    const double sweeps = static_cast<double>(ran.sweeps);
    ran.cycles = ran.sweeps;
    if (inner.cycles > 0) ran.work = sweeps * (1 + inner.work / static_cast<double>(inner.cycles));
  }
  static bool settle(State&) { return false; }

  void begin(Crew<T>& crew, State& s) { this->renew_residual(crew, s, w_); }

  bool step(Crew<T>& crew, State& s) {
    precondition(crew);
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

  /// z = M^-1 r.
  void precondition(Crew<T>& crew) {
    crew.pass([&](Index piece, Run run) {
      std::copy_n(r_ + run.first, run.count, flat_at(piece));
      return Sums{};
    });
    remove_mean(crew);
    inner_->load(flat_, zero_);
    inner_->advance(cycle_, Want::nothing);
    inner_->store(flat_);
    remove_mean(crew);
    crew.pass([&](Index piece, Run run) {
      std::copy_n(flat_at(piece), run.count, z_ + run.first);
      return Sums{};
    });
  }

  T* flat_at(Index piece) { return flat_.data() + offsets_[static_cast<std::size_t>(piece)]; }

  void remove_mean(Crew<T>& crew) {
    if (!singular_) return;
    const Sums sums = crew.pass([&](Index piece, Run run) {
      Sums part;
      for (Index i = 0; i < run.count; ++i) {
        const double weight = by_.weight ? static_cast<double>(by_.weight[run.first + i]) : 1;
        part.dot[0] += weight * static_cast<double>(flat_at(piece)[i]);
        part.dot[1] += weight;
      }
      return part;
    });
    const T mean = static_cast<T>(sums.dot[0] / sums.dot[1]);
    crew.pass([&](Index piece, Run run) {
      for (Index i = 0; i < run.count; ++i) flat_at(piece)[i] -= mean;
      return Sums{};
    });
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
  std::unique_ptr<Sweeper<T>> inner_;
  std::vector<Step> cycle_;
  bool singular_;
  T *z_, *p_, *w_;
  std::vector<T> flat_, zero_;  ///< as the inner sweeper takes them
  std::vector<Index> offsets_;  ///< of each piece there
};

}  // namespace jacobi::sweep
