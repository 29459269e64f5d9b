#include "sweep/dense/bind.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/blas.hpp"
#include "core/memory.hpp"
#include "jacobi/error.hpp"
#include "jacobi/rungs.hpp"
#include "jacobi/simd.hpp"
#include "sweep/accelerated/accelerate.hpp"
#include "sweep/dense/bound.hpp"
#include "sweep/dense/product.hpp"
#include "sweep/dense/refined.hpp"
#include "sweep/divisors.hpp"
#include "sweep/field.hpp"

namespace jacobi::sweep {

template <class T>
std::vector<T> reciprocals(const Dense<T>& a, Divisor kind) {
  const std::vector<double> divisors = a.divisors(kind);
  std::vector<T> scale(divisors.size());
  for (Index i = 0; i < a.rows(); ++i) {
    scale[i] = static_cast<T>(1 / divisors[i]);
    if (a.diagonal(i) == 0 || !std::isfinite(scale[i])) refuse_divisor(i, a.diagonal(i), a.rows());
  }
  return scale;
}
template std::vector<double> reciprocals(const Dense<double>&, Divisor);
template std::vector<float> reciprocals(const Dense<float>&, Divisor);

namespace {

template <class T>
class DenseSweeper final : public Field<T> {
 public:
  DenseSweeper(const Dense<T>& a, const Plan& plan, int threads)
      : a_(a),
        rung_(&dense_rung(plan.rung.empty() ? "fused" : plan.rung)),
        bound_(a.data(), a.order(), a.leading(), a.layout() == Layout::row_major,
               rung_->parallel ? threads : 1, a.copies() > 1) {
    simd::chosen();  // JACOBI_SIMD takes effect before the first dispatch
    if (rung_->number == dense_rung("blas").number) require_blas();
    if (a.copies() > 1 && !rung_->several)
      throw UsageError(
          fmt::format("rung '{}' sweeps for one right-hand side; {} go with textbook, blas or fused",
                      rung_->name, a.copies()));
    run_ = dense_rung_functions<T>(rung_->number);
    const std::vector<T> scale = sweep::reciprocals(a, plan.method.divisor);
    spread(std::span<const T>(scale), bound_.scale.get());
    if (!accelerated(plan.method)) return;
    products_ = dense_products<T>();
    zeros_ = bound_.new_vector();
  }

  Index rows() const override { return a_.rows(); }
  void load(std::span<const T> b, std::span<const T> x) override {
    spread(b, bound_.b.get());
    spread(x, w_.u);
  }
  Norms advance(std::span<const Step> steps, Want want) override { return run_.advance(w_, steps, want); }
  Norms norms(Want want) override { return run_.norms(w_, want); }
  void save() override {
    if (!saved_) saved_ = bound_.new_vector();
    std::copy_n(w_.u, w_.unknowns(), saved_.get());
    sweeps_saved_ = w_.ran.sweeps;
  }
  void restore() override {
    std::copy_n(saved_.get(), w_.unknowns(), w_.u);
    w_.ran.sweeps = sweeps_saved_;
  }
  void store(std::span<T> x) const override {
    for (Index i = 0; i < w_.rows; ++i)
      std::copy_n(w_.u + i * w_.width, a_.copies(), x.begin() + i * a_.copies());
  }
  Executed executed() const override { return w_.ran; }
  double bytes_per_update() const override {
    const double per_row = static_cast<double>(w_.rows) + rung_->words * static_cast<double>(w_.width);
    return per_row / static_cast<double>(a_.copies()) * sizeof(T);
  }
  double check_cost(Want want) const override {
    return want == Want::update ? rung_->update_cost : rung_->pass_cost;
  }

  int threads() const override { return w_.threads; }
  Index pieces() const override { return (w_.rows + rows_at_once() - 1) / rows_at_once(); }
  Run piece(Index s) const override {
    return {s * rows_at_once(), std::min(w_.rows - s * rows_at_once(), rows_at_once())};
  }
  T* iterate() override { return w_.u; }
  T* new_vector() override {
    vectors_.push_back(bound_.new_vector());
    return vectors_.back().get();
  }
  const T* reciprocals() const override { return w_.scale; }
  void product(Index s, const T* x, T* y) const override { multiply(s, zeros_.get(), x, y, true); }
  void residual(Index s, const T* x, T* y) const override { multiply(s, w_.b, x, y, false); }
  double product_bytes() const override { return static_cast<double>(w_.rows) * sizeof(T); }
  const char* simd() const override { return products_.simd; }

 private:
  /// By columns, pieces long enough for their lines.
  Index rows_at_once() const { return w_.by_rows ? dense_piece : 4 * dense_piece; }
  void multiply(Index s, const T* b, const T* x, T* y, bool negative) const {
    const Run rows = piece(s);
    products_.rows(w_, rows.first, rows.first + rows.count, b, x, y, negative);
  }

  /// From values as the user has them to lines of w_.width.
  void spread(std::span<const T> from, T* to) const {
    for (Index i = 0; i < w_.rows; ++i)
      std::copy_n(from.begin() + i * a_.copies(), a_.copies(), to + i * w_.width);
  }

  Dense<T> a_;  ///< cheap: a view, or shared with the caller
  const Rung* rung_;
  Bound<T> bound_;
  DenseWorkspace<T>& w_ = bound_.w;
  DenseRung<T> run_{};
  AlignedArray<T> saved_;
  Index sweeps_saved_ = 0;
  std::vector<AlignedArray<T>> vectors_;
  DenseProducts<T> products_{};
  AlignedArray<T> zeros_;
};

}  // namespace

template <class T>
std::unique_ptr<Sweeper<T>> bind(const Dense<T>& a, const Plan& plan, int threads) {
  const double rows = static_cast<double>(a.order());
  if (plan.matrix_precision == MatrixPrecision::as_given) {
    const double lines = a.copies() > 1 ? static_cast<double>(most_copies<T>) : 1;
    const double vectors = (6 + vectors_of(plan.method)) * lines;
    require_memory(vectors * static_cast<double>(a.order()) * sizeof(T), "the sweeps");
    if (!accelerated(plan.method)) return std::make_unique<DenseSweeper<T>>(a, plan, threads);
    require_alone(plan);
    if (a.copies() > 1)
      throw UsageError(fmt::format("method {} solves for one right-hand side at a time", plan.method.name));
    auto field = std::make_unique<DenseSweeper<T>>(a, plan, threads);
    if (plan.method.acceleration == Acceleration::cg) require_symmetric(a);
    return accelerate<T>(std::move(field), plan.method);
  }
  if (accelerated(plan.method))
    throw UsageError(
        fmt::format("a matrix stored narrower is for sweeps with weights, not method {}", plan.method.name));
  if (a.copies() > 1) throw UsageError("a matrix stored narrower is swept for one right-hand side at a time");
  if constexpr (std::is_same_v<T, double>) {
    require_memory(
        rows * rows * (plan.matrix_precision == MatrixPrecision::bf16 ? 2 : 4) + 18 * rows * sizeof(T),
        "the matrix stored narrower");
    return bind_refined(a, plan, threads);
  } else {
    throw UsageError("a narrower matrix goes with a solve in double precision");
  }
}

template std::unique_ptr<Sweeper<double>> bind<double>(const Dense<double>&, const Plan&, int);
template std::unique_ptr<Sweeper<float>> bind<float>(const Dense<float>&, const Plan&, int);

}  // namespace jacobi::sweep
