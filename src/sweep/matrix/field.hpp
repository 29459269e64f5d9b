/// Products in the memory of a matrix's sweeper.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "sweep/accelerated/accelerate.hpp"
#include "sweep/matrix/sweeper.hpp"

namespace jacobi::sweep {

/// S: the sweeper, whose kernels make products of rows_at_once() rows.
template <class T, class S>
class MatrixField final : public Field<T> {
 public:
  template <class... Bound>
  explicit MatrixField(const Plan& plan, Bound&&... bound)
      : sweeper_(std::forward<Bound>(bound)...), symmetric_(plan.method.acceleration == Acceleration::cg) {}

  Sweeper<T>& sweeper() override { return sweeper_; }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return (w_.rows + rows_at_once_ - 1) / rows_at_once_; }
  Run piece(Index s) const override { return w_.piece(s, rows_at_once_); }
  T* iterate() override { return w_.u; }
  const T* reciprocals() const override { return w_.scale; }
  void product(Index s, const T* x, T* y) const override {
    kernels_.product(w_, piece(s), zeros_.get(), x, y, true);
  }
  void residual(Index s, const T* x, T* y) const override {
    kernels_.product(w_, piece(s), w_.b + piece(s).first, x, y, false);
  }
  bool take_values(const Operator<T>& now) override {
    const auto* const a = std::get_if<typename S::Matrix>(&now);
    if (a && symmetric_) require_symmetric(*a);
    return sweeper_.take_values(now);
  }
  double product_bytes() const override { return sweeper_.product_bytes(); }
  const char* simd() const override { return kernels_.simd; }

 private:
  T* make_vector() override {
    vectors_.push_back(sweeper_.new_vector());
    return vectors_.back().get();
  }

  S sweeper_;
  bool symmetric_;  ///< as the method asks
  const typename S::Workspace& w_ = sweeper_.workspace();
  const MatrixKernels<T, typename S::Workspace>& kernels_ = sweeper_.kernels();
  Index rows_at_once_ = sweeper_.rows_at_once();
  AlignedArray<T> zeros_ = swept_array<T>(rows_at_once_, 1);
  std::vector<AlignedArray<T>> vectors_;
};

}  // namespace jacobi::sweep
