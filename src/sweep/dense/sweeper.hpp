/// Sweeps over a bound dense matrix.
#pragma once
#include <algorithm>
#include <vector>

#include "sweep/dense/algorithm.hpp"
#include "sweep/matrix/sweeper.hpp"

namespace jacobi::sweep {

/// B: a workspace with its memory, made of a DenseView.
template <class T, class B>
class DenseSweeper : public MatrixSweeper<T, Dense<T>, B> {
 public:
  DenseSweeper(const DenseCase<T>& c, const Rung& rung,
               const MatrixKernels<T, typename B::Workspace>& kernels)
      : MatrixSweeper<T, Dense<T>, B>(c.a, c.plan, rung, kernels, c.view(rung)) {
    spread(this->scale_of(c.a), this->bound_.scale.get());
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
    spread(this->scale_of(*a), this->bound_.scale.get());
    a_ = *a;
    w_.forget();
    return true;
  }
  Executed executed() const override {
    Executed ran = MatrixSweeper<T, Dense<T>, B>::executed();
    ran.settled = w_.has_settled();
    ran.blocking = w_.way_in_words();
    return ran;
  }
  double bytes_per_update() const override {
    const double per_row = w_.entries() + this->rung_.words * static_cast<double>(w_.width);
    return per_row / static_cast<double>(a_.copies()) * sizeof(T);
  }
  /// Of a product: by columns enough for their lines.
  Index rows_at_once() const { return w_.by_rows ? dense_piece : 4 * dense_piece; }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    spread(b, this->bound_.b.get());
    spread(x, w_.u);
    w_.forget();
  }
  void do_store(std::span<T> x) const override {
    for (Index i = 0; i < w_.rows; ++i)
      std::copy_n(w_.u + i * w_.width, a_.copies(), x.begin() + i * a_.copies());
  }

  /// From values as the user has them to lines of w_.width.
  void spread(std::span<const T> from, T* to) const {
    for (Index i = 0; i < w_.rows; ++i)
      std::copy_n(from.begin() + i * a_.copies(), a_.copies(), to + i * w_.width);
  }

  using MatrixSweeper<T, Dense<T>, B>::a_;
  using MatrixSweeper<T, Dense<T>, B>::w_;
};

}  // namespace jacobi::sweep
