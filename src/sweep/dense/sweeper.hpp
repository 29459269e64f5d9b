/// Sweeps over a bound dense matrix.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/blas.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "sweep/dense/bound.hpp"
#include "sweep/dense/default_rung.hpp"
#include "sweep/dense/refined.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::sweep {

template <class T>
class DenseSweeper final : public Sweeper<T> {
 public:
  DenseSweeper(const Dense<T>& a, const Plan& plan, int threads)
      : a_(a),
        divisor_(plan.method.divisor),
        zeros_(zeros_for(plan.method)),
        rung_(plan.rung.empty()
                  ? &default_dense_rung(a.order(), sizeof(T), a.layout() == Layout::row_major, a.copies())
                  : &dense_rung(plan.rung)),
        bound_(a.data(), a.order(), a.leading(), a.layout() == Layout::row_major,
               rung_->parallel ? threads : 1, a.copies() > 1) {
    simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
    if (rung_->number == dense_rung("blas").number) require_blas();
    if (a.copies() > 1 && !rung_->several)
      throw UsageError(
          fmt::format("rung '{}' sweeps for one right-hand side; {} go with textbook, blas or fused",
                      rung_->name, a.copies()));
    if (rung_->number == dense_rung("paired").number) bound_.pair();
    run_ = dense_rung_functions<T>(rung_->number);
    const std::vector<T> scale = sweep::reciprocals(a, divisor_, zeros_);
    spread(std::span<const T>(scale), bound_.scale.get());
  }

  Index rows() const override { return a_.rows(); }
  void do_load(std::span<const T> b, std::span<const T> x) override {
    spread(b, bound_.b.get());
    spread(x, w_.u);
    w_.begun = false;
  }
  Norms advance(std::span<const Step> steps, Want want) override { return run_.advance(w_, steps, want); }
  Norms norms(Want want) override { return run_.norms(w_, want); }
  void do_save() override {
    if (!saved_) saved_ = bound_.new_vector();
    std::copy_n(w_.u, w_.unknowns(), saved_.get());
    sweeps_saved_ = w_.ran.sweeps;
  }
  void do_restore() override {
    std::copy_n(saved_.get(), w_.unknowns(), w_.u);
    w_.begun = false;
    w_.ran.sweeps = sweeps_saved_;
  }
  void do_store(std::span<T> x) const override {
    for (Index i = 0; i < w_.rows; ++i)
      std::copy_n(w_.u + i * w_.width, a_.copies(), x.begin() + i * a_.copies());
  }
  bool store_update(std::span<T> d) const override {
    for (Index i = 0; i < w_.rows; ++i)
      for (Index c = 0; c < a_.copies(); ++c)
        d[i * a_.copies() + c] = w_.u[i * w_.width + c] - w_.v[i * w_.width + c];
    return w_.width > 1;
  }
  bool take_values(const Operator<T>& now) override {
    const Dense<T>* const a = std::get_if<Dense<T>>(&now);
    if (!a || a->data() != a_.data() || a->rows() != a_.rows()) return false;
    const std::vector<T> scale = sweep::reciprocals(*a, divisor_, zeros_);
    spread(std::span<const T>(scale), bound_.scale.get());
    a_ = *a;
    w_.begun = false;
    return true;
  }
  Executed executed() const override {
    Executed ran = w_.ran;
    if (rung_->number == dense_rung("blas").number && !blas_kernel().empty())
      ran.blocking = "OpenBLAS's kernels for " + blas_kernel();
    if (rung_->number >= dense_rung("fused").number && w_.width == 1) {
      ran.settled = w_.choice.made();
      ran.blocking = w_.way_in_words();
    }
    return ran;
  }
  double bytes_per_update() const override {
    const double per_row = w_.entries() + rung_->words * static_cast<double>(w_.width);
    return per_row / static_cast<double>(a_.copies()) * sizeof(T);
  }
  double check_cost(Want want) const override {
    return want == Want::update ? rung_->update_cost : rung_->pass_cost;
  }

  const Bound<T>& bound() const { return bound_; }

 private:
  /// From values as the user has them to lines of w_.width.
  void spread(std::span<const T> from, T* to) const {
    for (Index i = 0; i < w_.rows; ++i)
      std::copy_n(from.begin() + i * a_.copies(), a_.copies(), to + i * w_.width);
  }

  Dense<T> a_;  ///< cheap: a view, or shared with the caller
  Divisor divisor_;
  Zeros zeros_;
  const Rung* rung_;
  Bound<T> bound_;
  DenseWorkspace<T>& w_ = bound_.w;
  DenseRung<T> run_{};
  AlignedArray<T> saved_;
  Index sweeps_saved_ = 0;
};

}  // namespace jacobi::sweep
