#include "sweep/dense/bind.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "jacobi/simd.hpp"
#include "machine/caches.hpp"
#include "sweep/arrays.hpp"
#include "sweep/dense/blas.hpp"
#include "sweep/dense/workspace.hpp"
#include "sweep/divisors.hpp"

namespace jacobi::sweep {

namespace {

template <class T>
class DenseSweeper final : public Sweeper<T> {
 public:
  DenseSweeper(const Dense<T>& a, const Plan& plan, int threads)
      : a_(a), rung_(&dense_rung(plan.rung.empty() ? "fused" : plan.rung)) {
    simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
    if (rung_->number == dense_rung("blas").number) require_blas();
    run_ = dense_rung_functions<T>(rung_->number);
    w_.a = a_.data();
    w_.rows = a_.rows();
    w_.leading = a_.leading();
    w_.by_rows = a_.layout() == Layout::row_major;
    w_.threads = rung_->parallel ? threads : 1;
    w_.in_l2 = static_cast<double>(a_.entries()) * sizeof(T) <= 0.75 * w_.threads * machine::cache_bytes(2);
    w_.pieces = (w_.rows + dense_piece - 1) / dense_piece;
    partials_.resize(static_cast<std::size_t>(w_.pieces));
    w_.partials = partials_.data();
    for (auto* array : {&b_, &scale_, &r_, &u_, &v_}) *array = new_vector();
    w_.b = b_.get();
    w_.scale = scale_.get();
    w_.r = r_.get();
    w_.u = u_.get();
    w_.v = v_.get();
    const std::vector<double> divisors = a_.divisors(plan.method.divisor);
    for (Index i = 0; i < w_.rows; ++i) {
      scale_[i] = static_cast<T>(1 / divisors[i]);
      if (a_.diagonal(i) == 0 || !std::isfinite(scale_[i])) refuse_divisor(i, a_.diagonal(i), w_.rows);
    }
  }

  Index rows() const override { return w_.rows; }
  void load(std::span<const T> b, std::span<const T> x) override {
    std::copy(b.begin(), b.end(), b_.get());
    std::copy(x.begin(), x.end(), w_.u);
  }
  Norms advance(std::span<const Step> steps, Want want) override { return run_.advance(w_, steps, want); }
  Norms norms(Want want) override { return run_.norms(w_, want); }
  void save() override {
    if (!saved_) saved_ = new_vector();
    std::copy_n(w_.u, w_.rows, saved_.get());
    sweeps_saved_ = w_.ran.sweeps;
  }
  void restore() override {
    std::copy_n(saved_.get(), w_.rows, w_.u);
    w_.ran.sweeps = sweeps_saved_;
  }
  void store(std::span<T> x) const override { std::copy_n(w_.u, w_.rows, x.begin()); }
  Executed executed() const override { return w_.ran; }
  double bytes_per_update() const override {
    return (static_cast<double>(w_.rows) + rung_->words) * sizeof(T);
  }
  double check_cost(Want want) const override {
    return want == Want::update ? rung_->update_cost : rung_->pass_cost;
  }

 private:
  AlignedArray<T> new_vector() const { return swept_array<T>(w_.pieces * dense_piece, 1); }

  Dense<T> a_;  ///< cheap: a view, or shared with the caller
  const Rung* rung_;
  DenseRung<T> run_{};
  DenseWorkspace<T> w_;
  AlignedArray<T> b_, scale_, r_, u_, v_, saved_;
  std::vector<Partial> partials_;
  Index sweeps_saved_ = 0;
};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int threads) {
  require_memory(6.0 * static_cast<double>(a.rows()) * sizeof(T), "the sweeps");
  return std::make_unique<DenseSweeper<T>>(a, plan, threads);
}

template std::unique_ptr<Sweeper<double>> bind<double>(const Dense<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind<float>(const Dense<float>&, const Plan&, int);

}  // namespace jacobi::sweep
