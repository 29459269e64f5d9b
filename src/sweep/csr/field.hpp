/// Products in the memory of a sparse sweeper.
#pragma once
#include <algorithm>
#include <vector>

#include "sweep/accelerated/accelerate.hpp"
#include "sweep/csr/product.hpp"
#include "sweep/csr/sweeper.hpp"
#include "sweep/field.hpp"

namespace jacobi::sweep {

template <class T>
class CsrField final : public Field<T> {
 public:
  CsrField(const Csr<T>& a, const Plan& plan, int threads)
      : sweeper_(a, plan, threads),
        symmetric_(plan.method.acceleration == Acceleration::cg),
        rows_at_once_(sweeper_.is_sliced() ? slab_rows : piece_rows),
        zeros_(swept_array<T>(rows_at_once_, 1)) {}

  Sweeper<T>& sweeper() override { return sweeper_; }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return sweeper_.is_sliced() ? w_.slices.slabs : w_.pieces; }
  Run piece(Index s) const override {
    return {s * rows_at_once_, std::min(w_.rows - s * rows_at_once_, rows_at_once_)};
  }
  T* iterate() override { return w_.u; }
  T* new_vector() override {
    vectors_.push_back(sweeper_.vector());
    return vectors_.back().get();
  }
  const T* reciprocals() const override { return w_.scale; }
  void product(Index s, const T* x, T* y) const override { multiply(s, zeros_.get(), x, y, true); }
  void residual(Index s, const T* x, T* y) const override { multiply(s, w_.b + piece(s).first, x, y, false); }
  bool take_values(const Operator<T>& now) override {
    const Csr<T>* const a = std::get_if<Csr<T>>(&now);
    if (a && symmetric_) require_symmetric(*a);
    return sweeper_.take_values(now);
  }
  double product_bytes() const override {
    return sweeper_.bytes_per_update() - sweeper_.words() * static_cast<double>(sizeof(T));
  }
  const char* simd() const override { return products_.simd; }

 private:
  void multiply(Index s, const T* b, const T* x, T* y, bool negative) const {
    (sweeper_.is_sliced() ? products_.slices : products_.chunks)(w_, s, b, x, y, negative);
  }

  CsrSweeper<T> sweeper_;
  bool symmetric_;  ///< as the method asks
  const SparseWorkspace<T>& w_ = sweeper_.workspace();
  SparseProducts<T> products_ = sparse_products<T>();
  Index rows_at_once_;
  AlignedArray<T> zeros_;
  std::vector<AlignedArray<T>> vectors_;
};

}  // namespace jacobi::sweep
