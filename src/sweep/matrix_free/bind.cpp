#include "sweep/matrix_free/bind.hpp"

#include <fmt/format.h>

#include "core/matrix_free.hpp"
#include "core/memory.hpp"
#include "core/team.hpp"
#include "jacobi/error.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/divisors.hpp"
#include "sweep/matrix/sweeper.hpp"
#include "sweep/matrix_free/sweeps.hpp"

namespace jacobi::sweep {

namespace {

constexpr Rung products_rung{0, matrix_free_rung, "the caller's products", true, true, 5, 0.05, 1.0};

template <class T>
class FreeSweeper final : public MatrixSweeper<T, MatrixFree<T>, Vectors<T, FreeWorkspace<T>>> {
 public:
  FreeSweeper(const MatrixFree<T>& a, const Plan& plan, int threads)
      : MatrixSweeper<T, MatrixFree<T>, Vectors<T, FreeWorkspace<T>>>(a, plan, products_rung,
                                                                      free_kernels<T>().rung) {
    this->w_.threads = threads;
    this->w_.rows = a.rows();
    this->w_.a = &this->a_;
    this->bound_.take(free_piece, threads, false, true);
    take_scale(a);
  }

  bool take_values(const Operator<T>& now) override {
    const MatrixFree<T>* const a = std::get_if<MatrixFree<T>>(&now);
    if (!a || a->rows() != this->a_.rows() || a->knows_diagonal() != this->a_.knows_diagonal()) return false;
    take_scale(*a);
    this->a_ = *a;
    return true;
  }
  /// What the product moves beside x and A x is not known.
  double bytes_per_update() const override { return (this->rung_.words + 2) * sizeof(T); }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override {
    this->w_.b = b.data();
    parallel_for(this->w_.threads, this->w_.rows, [u = this->w_.u, x](Index i) { u[i] = x[i]; });
  }
  void do_store(std::span<T> x) const override {
    parallel_for(this->w_.threads, this->w_.rows, [u = this->w_.u, x](Index i) { x[i] = u[i]; });
  }

  void take_scale(const MatrixFree<T>& a) {
    const std::vector<T> scale = this->scale_of(a);
    std::copy(scale.begin(), scale.end(), this->bound_.scale.get());
  }
};

/// Products of the caller's, for accelerated methods.
template <class T>
class FreeField final : public Field<T> {
 public:
  FreeField(const MatrixFree<T>& a, const Plan& plan, int threads)
      : sweeper_(a, plan, threads), for_cg_(plan.method.acceleration == Acceleration::cg) {
    has_diagonal_ = a.knows_diagonal();
  }

  Sweeper<T>& sweeper() override { return sweeper_; }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return w_.pieces; }
  Run piece(Index s) const override { return w_.piece(s, free_piece); }
  T* iterate() override { return w_.u; }
  const T* reciprocals() const override { return has_diagonal_ ? w_.scale : nullptr; }
  const char* preconditioner() const override {
    return has_diagonal_ ? Field<T>::preconditioner() : "without a preconditioner";
  }
  bool makes_whole_products() const override { return true; }
  void begin_product(const T* x) const override { w_.multiply(x); }
  void product(Index s, const T*, T* y) const override {
    const Run rows = piece(s);
    std::copy_n(w_.r + rows.first, rows.count, y + rows.first);
  }
  void residual(Index s, const T*, T* y) const override {
    const Run rows = piece(s);
    for (Index i = rows.first; i < rows.first + rows.count; ++i) y[i] = w_.b[i] - w_.r[i];
  }
  bool take_values(const Operator<T>& now) override {
    const MatrixFree<T>* const a = std::get_if<MatrixFree<T>>(&now);
    if (a && for_cg_) require_symmetric(*a);
    return sweeper_.take_values(now);
  }
  double product_bytes() const override { return sweeper_.product_bytes(); }
  const char* simd() const override { return sweeper_.kernels().simd; }

 private:
  T* make_vector() override {
    vectors_.push_back(sweeper_.new_vector());
    return vectors_.back().get();
  }

  FreeSweeper<T> sweeper_;
  bool for_cg_, has_diagonal_ = false;
  const FreeWorkspace<T>& w_ = sweeper_.workspace();
  std::vector<AlignedArray<T>> vectors_;
};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const MatrixFree<T>& given, const Plan& plan, int threads) {
  if (given.rows() == 0) throw InputError("the operator has no rows");
  require_products_do(plan);
  const MatrixFree<T> a = completed(given, plan.method);
  require_memory((5 + vectors_of(plan)) * static_cast<double>(a.rows()) * sizeof(T), "the sweeps");
  if (!accelerated(plan.method)) return std::make_unique<FreeSweeper<T>>(a, plan, threads);
  require_alone(plan);
  if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
  return accelerate<T>(std::make_unique<FreeField<T>>(a, plan, threads), plan.method);
}

template std::unique_ptr<Sweeper<double>> bind(const MatrixFree<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind(const MatrixFree<float>&, const Plan&, int);

}  // namespace jacobi::sweep
