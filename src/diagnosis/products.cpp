/// An operator of which only products are known: estimates, and no proof.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
#include "core/clock.hpp"
#include "core/divides.hpp"
#include "core/facts.hpp"
#include "core/lengths.hpp"
#include "core/require.hpp"
#include "diagnosis/estimates.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace diagnosis {

namespace {

/// Products with A and M = I - D^-1 A in double, counted.
template <class T>
class Products {
 public:
  explicit Products(const MatrixFree<T>& a)
      : x_(static_cast<std::size_t>(a.rows())), y_(x_), size_(x_.size()), a_(a) {
    for (Index i = 0; i < a.rows(); ++i) size_[i] = std::abs(static_cast<double>(a.diagonal(i)));
  }

  Index count() const { return count_; }
  View size() const { return size_; }  ///< |D|

  /// D^-1 (b - A x), or b - A x where there is no D.
  Vector correction(std::span<const T> b, std::span<const T> x) {
    std::fill(y_.begin(), y_.end(), T(0));
    if (std::ranges::any_of(x, [](T value) { return value != 0; })) multiply(x);
    Vector r(b.size());
    for (Index i = 0; i < a_.rows(); ++i)
      r[i] = (static_cast<double>(b[i]) - static_cast<double>(y_[i])) / static_cast<double>(a_.diagonal(i));
    return r;
  }

  /// y = M x; returns dot(weights, x, y).
  double iterate(View weights, View x, std::span<double> y) {
    std::ranges::transform(x, x_.begin(), [](double value) { return static_cast<T>(value); });
    multiply(x_);
    return sum_blocks<1>(a_.rows(), [&](Index first, Index last) {
      for (Index i = first; i < last; ++i)
        y[i] = x[i] - static_cast<double>(y_[i]) / static_cast<double>(a_.diagonal(i));
      return std::array{dot(weights, x, y, first, last)};
    })[0];
  }

 private:
  void multiply(std::span<const T> x) {
    throw_if_cancelled();
    a_.apply(x, y_);
    ++count_;
  }

  std::vector<T> x_, y_;
  std::vector<double> size_;
  const MatrixFree<T>& a_;
  Index count_ = 0;
};

/// What must be known before anything is estimated.
template <class T>
Diagnosis described(const MatrixFree<T>& a) {
  Diagnosis d;
  d.rows = a.rows();
  d.matrix_free = true;
  d.claimed = a.bounds();
  d.asymmetry = asymmetry_seen(a);
  d.symmetric = d.asymmetry <= most_asymmetry<T>;
  d.products = 2 + (a.asked_for_diagonal() ? a.rows() : 0);
  for (Index i = 0; i < a.rows() && a.knows_diagonal(); ++i) {
    if (divides(a.diagonal(i))) continue;
    if (d.zero_diagonal.size() < 10) d.zero_diagonal.push_back(i);
    ++d.zero_diagonal_count;
  }
  return d;
}

/// Ritz values of a self-adjoint M lie among its eigenvalues, up to rounding.
template <class T>
void compare_claims(Diagnosis& d) {
  if (!d.claimed || !d.eigenvalues) return;
  const double slack = 1000 * std::numeric_limits<T>::epsilon() * std::max(1.0, d.claimed->high);
  const auto [low, high] = *d.eigenvalues;
  if (low < d.claimed->low - slack)
    d.warnings.push_back(fmt::format(
        "the bounds given are wrong: products show an eigenvalue of D^-1 A of {:.4g} or below", low));
  if (high > d.claimed->high + slack)
    d.warnings.push_back(fmt::format(
        "the bounds given are wrong: products show an eigenvalue of D^-1 A of {:.4g} or above", high));
}

/// "1 diagonal entry is zero, ...".
std::string zeros_in_words(Index count) {
  return fmt::format(
      "{} diagonal entr{} zero, or as good as that, and Jacobi divides by them; methods that take products, "
      "bicgstab and anderson, need none",
      count, count == 1 ? "y is" : "ies are");
}

/// The eigenvalues of M that products show, and what follows for sweeps.
template <class T>
void estimate(Diagnosis& d, const MatrixFree<T>& a, Products<T>& products, Start start, Index budget) {
  const bool one_sign = std::ranges::all_of(a.diagonal(), [](T value) { return value > 0; }) ||
                        std::ranges::all_of(a.diagonal(), [](T value) { return value < 0; });
  const bool self_adjoint = d.symmetric && one_sign;
  const View weights = self_adjoint ? products.size() : View();
  constexpr double cheap = 1e8;  // operations, of making vectors orthogonal
  const double steps = static_cast<double>(budget);
  const Iteration it{.apply = [&](View x, std::span<double> y) { return products.iterate(weights, x, y); },
                     .rows = a.rows(),
                     .steps = std::min(a.rows(), budget),
                     .weights = weights,
                     .self_adjoint = self_adjoint,
                     .thorough = self_adjoint && 8 * static_cast<double>(a.rows()) * steps * steps <= cheap};
  const Explored seen = explore(it, std::move(start.correction));
  Radius radius;
  if (!seen.ritz.values.empty()) {
    radius = {.value = seen.ritz.radius(), .resolved = settled(seen.ritz.largest)};
    if (self_adjoint)
      radius.eigenvalues = Range{1 - seen.ritz.high.value.real(), 1 - seen.ritz.low.value.real()};
    else
      radius.far_from_normal = seen.ritz.growth > 10 || seen.ritz.departure > 0.5;
  }
  const Proved nothing;
  d.verdict = judge(nothing, radius, seen.ritz);
  d.spectral_radius = radius.value;
  d.radius_resolved = radius.resolved;
  d.eigenvalues = radius.eigenvalues;
  d.far_from_normal = radius.far_from_normal;
  if (const auto best = weight_of(radius, seen.ritz, nothing))
    d.best_omega = best->omega, d.radius_at_best_omega = best->radius;
  if (!self_adjoint) {
    std::vector<std::complex<double>> eigenvalues;
    for (const auto& value : seen.ritz.values) eigenvalues.push_back(1.0 - value);
    d.products_sweeps = products_to(start, std::move(eigenvalues));
  }
  const NormOf norm = [&](const Entries& c) { return tested_norm(products.size(), start.tested, c); };
  if (start.norm <= start.tolerance)
    d.predicted_sweeps = 0;
  else if (seen.space)
    d.predicted_sweeps = steps_to(*seen.space, norm, start.norm, start.tolerance, 1);
  if (d.predicted_sweeps && is_update(start.tested)) ++*d.predicted_sweeps;
  compare_claims<T>(d);
  const Advice advice = advise(self_adjoint, start, false, d);
  d.method = advice.method;
  d.method_sweeps = advice.sweeps;
  d.advice = advice.sentence;
}

template <class T>
Diagnosis diagnose_products(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x0,
                            const DiagnoseOptions& options) {
  require_finite(a, b, "b");
  require_finite(a, x0, "x0");
  Diagnosis d = described(a);
  if (d.zero_diagonal_count > 0) {
    d.verdict = Verdict::unusable;
    d.advice = zeros_in_words(d.zero_diagonal_count);
    return d;
  }
  Products<T> products(a);
  const Norm norm = tested_norm(a, options.stop.norm);
  const Divisor by = tested_divisor(norm);
  Start start{.correction = products.correction(b, x0), .tested = norm};
  start.norm = tested_norm(products.size(), norm, entries_of(start.correction));
  start.tolerance =
      target_of(options.stop, start.norm, [&] { return pick(a.rhs_norms(b, by), norm); }).tolerance;
  d.norm_initial = start.norm;
  d.tolerance = start.tolerance;
  if (!std::isfinite(start.norm))
    d.warnings.push_back("the residual of the start is not finite: no sweeps are predicted");
  if (a.knows_diagonal())
    estimate(d, a, products, std::move(start), options.budget);
  else
    d.advice = fmt::format(
        "the diagonal, which sweeps divide by, is not given: {}",
        d.symmetric ? "cg goes without, two products having shown A as symmetric" : "bicgstab goes without");
  d.products += products.count();
  return d;
}

}  // namespace

}  // namespace diagnosis

template <class T>
Diagnosis diagnose(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x0,
                   const DiagnoseOptions& options) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x0", x0.size()}});
  if (options.budget < 1) throw UsageError("diagnose: the budget must be at least 1 sweep");
  if (a.rows() == 0) throw InputError("the operator has no rows");
  const auto begin = Clock::now();
  const Cancelling wish(options.stop.cancel);
  const diagnosis::Recycling recycling;
  const bool asks = options.ask_diagonal && a.rows() <= MatrixFree<T>::most_asked;
  Diagnosis d = diagnosis::diagnose_products(asks ? a.with_diagonal() : a, b, x0, options);
  d.seconds = seconds_since(begin);
  return d;
}

template Diagnosis diagnose<double>(const MatrixFree<double>&, std::span<const double>,
                                    std::span<const double>, const DiagnoseOptions&);
template Diagnosis diagnose<float>(const MatrixFree<float>&, std::span<const float>, std::span<const float>,
                                   const DiagnoseOptions&);

}  // namespace jacobi
