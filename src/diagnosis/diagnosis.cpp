#include "jacobi/diagnosis.hpp"
#include "core/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/cancel.hpp"
#include "core/clock.hpp"
#include "core/divides.hpp"
#include "core/lengths.hpp"
#include "core/require.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"
#include "diagnosis/estimates.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"

namespace jacobi {

namespace diagnosis {

namespace {

/// value(v) for each entry v of a matrix that outlives this: its places are not copied.
class Mapped {
 public:
  template <class T, class Value>
  Mapped(const Csr<T>& a, Value&& value)
      : values_(a.values().size()), a_(a.visit([&](auto offsets, auto columns, auto values) {
          std::ranges::transform(values, values_.begin(), value);
          return Csr<double>::view(offsets, columns, View(values_));
        })) {}
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;
  operator const Csr<double>&() const { return a_; }

 private:
  std::vector<double> values_;
  Csr<double> a_;
};

/// What is counted, not proved.
Diagnosis described(const Matrix& m) {
  Diagnosis d;
  d.rows = m.a.rows();
  d.entries = m.a.entries();
  d.symmetric = m.symmetry.symmetric;
  d.pattern_symmetric = m.symmetry.pattern;
  d.asymmetry = m.survey.largest > 0 ? m.symmetry.difference / m.survey.largest : 0;
  d.zero_diagonal = m.survey.first_zero;
  d.zero_diagonal_count = m.survey.zero_diagonals;
  d.not_definite = !m.symmetry.symmetric || !m.survey.positive_diagonal || m.negated;
  return d;
}

Diagnosis refuse_zero_diagonal(const Matrix& m) {
  Diagnosis d = described(m);
  d.verdict = Verdict::unusable;
  d.row_order = transversal(Mapped(m.a, [&](double value) { return std::abs(value) < m.least ? 0 : value; }));
  d.singular = !d.row_order && !transversal(m.a);
  const Index count = d.zero_diagonal_count;
  d.advice = fmt::format(
      "{} diagonal entr{} zero{}, and Jacobi divides by them; {}", count, count == 1 ? "y is" : "ies are",
      m.survey.smallest_diagonal > 0 ? ", or as good as that" : "",
      d.row_order
          ? "there is an order of the rows without a zero on the diagonal (--reorder-rows takes it), and "
            "methods that take products, bicgstab and anderson, need none"
      : d.singular
          ? "no order of the rows avoids that: A is singular whatever the values of its nonzeros"
          : "no order of the rows avoids that; methods that take products, bicgstab and anderson, need none");
  return d;
}

void put(Diagnosis& d, Proved proved) {
  d.proofs = std::move(proved.proofs);
  d.bound = std::move(proved.bound);
  d.radius_lower = proved.lower;
  d.radius_upper = proved.upper;
  d.positive_definite = proved.positive_definite;
  d.not_definite |= proved.not_definite || proved.singular;
  d.m_matrix = proved.m_matrix;
  d.singular = proved.singular;
  d.no_solution = std::move(proved.no_solution);
}

void put(Diagnosis& d, const Radius& radius, const std::optional<Weight>& best, const L1& l1) {
  d.spectral_radius = radius.value;
  d.radius_resolved = radius.resolved;
  d.eigenvalues = radius.eigenvalues;
  d.far_from_normal = radius.far_from_normal;
  if (best) d.best_omega = best->omega, d.radius_at_best_omega = best->radius;
  d.l1_radius = l1.radius;
  d.l1_resolved = l1.resolved;
}

/// The steps in their order: proofs, estimates, what is said of them.
Diagnosis run(const Matrix& m, View b, View x0, const DiagnoseOptions& options) {
  if (m.survey.zero_diagonals > 0) return refuse_zero_diagonal(m);
  const View diagonal = m.survey.diagonal;

  Proved proved = prove_by_rows(m, b);
  const bool lopsided = !m.self_adjoint && !proved.finite_sweeps;
  const Vector balanced = lopsided ? balance(m.a, diagonal, m.effort.generous) : Vector();
  proved = prove_by_powers(m, balanced, std::move(proved));
  throw_if_cancelled();
  Start start = start_of(m, b, x0, options.stop);
  const Explored seen = explore(m, balanced, std::move(start.correction));
  if (!seen.extreme.empty()) proved = prove_by_quotient(m, quotient_of(m, seen.extreme), std::move(proved));
  if (!seen.highest.empty()) proved = prove_not_definite(m, seen.highest, std::move(proved));
  throw_if_cancelled();
  Depth depth(m);
  proved = prove_by_weights(m, balanced, depth, std::move(proved));
  const auto factor = factor_of(m, options.cholesky, proved);
  std::optional<SlowMode> slow;
  if (factor) {
    slow = smallest_mode(*factor, diagonal, m.weights(), random_vector(m.a.rows()), slow_mode_products);
    proved = prove_by_factors(m, *factor, *slow, std::move(proved));
    if (!(slow->low > 0)) slow.reset();
  }
  if (!slow) {
    if (auto trial = try_slow_mode(m, seen.ritz, depth)) {
      proved = prove_by_quotient(m, trial->quotient, std::move(proved));
      slow = std::move(trial->mode);
    }
  }
  proved = conclude(m, std::move(proved));

  const Radius radius = radius_of(m, seen.ritz, slow, proved);
  const bool plain_will_do = radius.value.value_or(2) < 1 || proved.verdict == Verdict::converges;
  const L1 l1 = plain_will_do && !m.effort.generous ? L1() : estimate_l1(m, seen, factor.get(), proved);

  Diagnosis d = described(m);
  d.verdict = judge(proved, radius, seen.ritz);
  d.norm_initial = start.norm;
  d.tolerance = start.tolerance;
  d.predicted_sweeps = predict_sweeps(m, start, seen, slow, proved);
  d.products_sweeps = predict_products(m, start, seen.ritz, radius, proved);
  d.products = proved.products + start.products + seen.products + l1.products;
  d.warnings = warnings_of(m, start, proved, radius);
  put(d, radius, weight_of(radius, seen.ritz, proved), l1);
  const bool finite = proved.finite_sweeps.has_value();
  put(d, std::move(proved));
  const Advice advice = advise(m.self_adjoint, start, finite, d);
  d.method = advice.method;
  d.method_sweeps = advice.sweeps;
  d.advice = advice.sentence;
  return d;
}

/// With a positive diagonal where that is possible.
Diagnosis diagnose_double(const Csr<double>& a, View b, View x0, const DiagnoseOptions& options,
                          Stored type) {
  const auto begin = Clock::now();
  const Recycling recycling;
  const auto diagnosis_of = [&](const Csr<double>& matrix, View right, bool negated) {
    return run(look_at(matrix, type, negated, options), right, x0, options);
  };
  bool negative = true;
  for (Index i = 0; i < a.rows() && negative; ++i) negative = a.diagonal(i) < 0;
  Vector opposite(negative ? b.size() : 0);
  if (negative) std::ranges::transform(b, opposite.begin(), std::negate<>());
  Diagnosis d =
      negative ? diagnosis_of(Mapped(a, std::negate<>()), opposite, true) : diagnosis_of(a, b, false);
  d.seconds = seconds_since(begin);
  return d;
}

/// The smallest number of type T that divides(): next to the reciprocal of the largest one.
template <class T>
double least_divisor() {
  T least = 1 / std::numeric_limits<T>::max();
  while (divides(std::nextafter(least, T(0)))) least = std::nextafter(least, T(0));
  while (!divides(least)) least = std::nextafter(least, T(1));
  return static_cast<double>(least);
}

/// Power of two to divide these by where their squares would vanish or overflow, else 0. Large ones stay as
/// large as may be: what is small beside them must not vanish.
int rescaling_exponent(View values) {
  const Index count = static_cast<Index>(values.size());
  std::vector<double> parts(static_cast<std::size_t>(RowGroups(count).count()));
  for_blocks(count, [&](Index s, Index first, Index last) {
    double largest = 0;
    for (Index i = first; i < last; ++i) largest = std::max(largest, std::abs(values[i]));
    parts[s] = largest;
  });
  const double largest = parts.empty() ? 0 : *std::max_element(parts.begin(), parts.end());
  if (!(largest > 0) || !std::isfinite(largest) || squares_fit(largest)) return 0;
  return largest > 1 ? std::ilogb(largest) - 399 : std::ilogb(largest);
}

/// Nothing: entries too far apart to be told in the same units.
Diagnosis undecided(const Csr<double>& a) {
  Diagnosis d;
  d.rows = a.rows();
  d.entries = a.entries();
  d.warnings.push_back(
      "its entries differ by more in size than doubles can be scaled to hold: nothing is said of it");
  d.advice =
      "take other units: multiply rows, or replace unknowns by multiples of them, so that entries come "
      "closer in size, and ask again";
  return d;
}

/// Of A and b in units in which squares neither vanish nor overflow.
Diagnosis diagnose_scaled(const Csr<double>& a, View b, View x0, const DiagnoseOptions& options,
                          Stored type) {
  const int of_a = rescaling_exponent(a.values()), of_b = rescaling_exponent(b);
  if (of_a == 0 && of_b == 0) return diagnose_double(a, b, x0, options, type);
  const auto vanishes = [&](double v) { return v != 0 && std::ldexp(v, -of_a) == 0; };
  if (of_a > 0 && std::ranges::any_of(a.values(), vanishes)) return undecided(a);
  const std::vector<double> right = jacobi::times_power_of_two(b, -of_b),
                            start = jacobi::times_power_of_two(x0, of_a - of_b);
  DiagnoseOptions scaled = options;
  scaled.stop = jacobi::times_power_of_two(options.stop, is_scaled(options.stop.norm) ? of_a - of_b : -of_b);
  type.least = std::ldexp(type.least, -of_a);
  Diagnosis d =
      diagnose_double(Mapped(a, [&](double v) { return std::ldexp(v, -of_a); }), right, start, scaled, type);
  const int back = is_scaled(options.stop.norm) ? of_b - of_a : of_b;
  d.norm_initial = std::ldexp(d.norm_initial, back);
  d.tolerance = std::ldexp(d.tolerance, back);
  return d;
}

}  // namespace

}  // namespace diagnosis

template <class T>
Diagnosis diagnose(const Csr<T>& a, std::span<const T> b, std::span<const T> x0,
                   const DiagnoseOptions& options) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x0", x0.size()}});
  require_finite(a, b, "b");
  require_finite(a, x0, "x0");
  if (options.budget < 1) throw UsageError("diagnose: the budget must be at least 1 sweep");
  const diagnosis::Stored type{std::numeric_limits<T>::epsilon() / 2, diagnosis::least_divisor<T>()};
  const Cancelling wish(options.stop.cancel);
  DiagnoseOptions asked = options;
  asked.stop.norm = tested_norm(a, options.stop.norm);
  if constexpr (std::is_same_v<T, double>) {
    return diagnosis::diagnose_scaled(a, b, x0, asked, type);
  } else {
    const diagnosis::Vector right(b.begin(), b.end()), start(x0.begin(), x0.end());
    return diagnosis::diagnose_scaled(diagnosis::Mapped(a, [](float v) { return static_cast<double>(v); }),
                                      right, start, asked, type);
  }
}

namespace {

/// Whether b sums to more than rounding may leave of a sum of 0.
template <class T>
bool has_mean(const std::vector<T>& b) {
  double sum = 0, size = 0;
  for (const T value : b) {
    sum += value;
    size += std::abs(static_cast<double>(value));
  }
  return std::abs(sum) > 100 * std::numeric_limits<T>::epsilon() * size;
}

}  // namespace

template <class T>
Diagnosis diagnose(const Csr<T>& a, const std::vector<std::vector<T>>& b,
                   const std::vector<std::vector<T>>& x0, const DiagnoseOptions& options) {
  const std::size_t count = b.size();
  if (count == 0 || x0.size() != count)
    throw UsageError(fmt::format("{} right-hand sides and {} initial iterates: as many of each, at least one",
                                 count, x0.size()));
  Diagnosis d = diagnose<T>(a, std::span<const T>(b[0]), std::span<const T>(x0[0]), options);
  DiagnoseOptions few = options;
  few.cholesky = Cholesky::never;
  few.budget = 5;
  std::size_t c = 0;
  while (d.no_solution.empty() && d.singular && ++c < count)
    if (has_mean(b[c]))
      d.no_solution = diagnose<T>(a, std::span<const T>(b[c]), std::span<const T>(x0[c]), few).no_solution;
  if (!d.no_solution.empty() && count > 1)
    d.no_solution = fmt::format("right-hand side {} of {}: {}", c + 1, count, d.no_solution);
  return d;
}

template Diagnosis diagnose<double>(const Csr<double>&, std::span<const double>, std::span<const double>,
                                    const DiagnoseOptions&);
template Diagnosis diagnose<float>(const Csr<float>&, std::span<const float>, std::span<const float>,
                                   const DiagnoseOptions&);
template Diagnosis diagnose<double>(const Csr<double>&, const std::vector<std::vector<double>>&,
                                    const std::vector<std::vector<double>>&, const DiagnoseOptions&);
template Diagnosis diagnose<float>(const Csr<float>&, const std::vector<std::vector<float>>&,
                                   const std::vector<std::vector<float>>&, const DiagnoseOptions&);

}  // namespace jacobi
