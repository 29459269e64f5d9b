/// Products in the memory of a dense sweeper.
#pragma once
#include <algorithm>
#include <vector>

#include "sweep/accelerated/accelerate.hpp"
#include "sweep/dense/product.hpp"
#include "sweep/dense/sweeper.hpp"
#include "sweep/field.hpp"

namespace jacobi::sweep {

template <class T>
class DenseField final : public Field<T> {
 public:
  DenseField(const Dense<T>& a, const Plan& plan, int threads)
      : sweeper_(a, by_fused(plan), threads), symmetric_(plan.method.acceleration == Acceleration::cg) {}

  Sweeper<T>& sweeper() override { return sweeper_; }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return (w_.rows + rows_at_once() - 1) / rows_at_once(); }
  Run piece(Index s) const override {
    return {s * rows_at_once(), std::min(w_.rows - s * rows_at_once(), rows_at_once())};
  }
  T* iterate() override { return w_.u; }
  T* new_vector() override {
    vectors_.push_back(sweeper_.bound().new_vector());
    return vectors_.back().get();
  }
  const T* reciprocals() const override { return w_.scale; }
  void product(Index s, const T* x, T* y) const override { multiply(s, zeros_.get(), x, y, true); }
  void residual(Index s, const T* x, T* y) const override { multiply(s, w_.b, x, y, false); }
  bool take_values(const Operator<T>& now) override {
    const Dense<T>* const a = std::get_if<Dense<T>>(&now);
    if (a && symmetric_) require_symmetric(*a);
    return sweeper_.take_values(now);
  }
  double product_bytes() const override { return static_cast<double>(w_.rows) * sizeof(T); }
  const char* simd() const override { return products_.simd; }

 private:
  /// A rung that keeps nothing of an iterate, since it is changed here.
  static Plan by_fused(Plan plan) {
    plan.rung = "fused";
    return plan;
  }
  /// By columns, pieces long enough for their lines.
  Index rows_at_once() const { return w_.by_rows ? dense_piece : 4 * dense_piece; }
  void multiply(Index s, const T* b, const T* x, T* y, bool negative) const {
    const Run rows = piece(s);
    products_.rows(w_, rows.first, rows.first + rows.count, b, x, y, negative);
  }

  DenseSweeper<T> sweeper_;
  bool symmetric_;  ///< as the method asks
  const DenseWorkspace<T>& w_ = sweeper_.bound().w;
  DenseProducts<T> products_ = dense_products<T>();
  AlignedArray<T> zeros_ = sweeper_.bound().new_vector();
  std::vector<AlignedArray<T>> vectors_;
};

}  // namespace jacobi::sweep
