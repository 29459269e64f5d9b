#include "jacobi/diagnosis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/clock.hpp"
#include "core/divides.hpp"
#include "core/lengths.hpp"
#include "core/scale.hpp"
#include "core/tested_norm.hpp"
#include "diagnosis/balance.hpp"
#include "diagnosis/work.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"

namespace jacobi {

namespace diagnosis {

namespace {

/// Effort from the cost of a product with the vector operations that go with it.
Effort effort_for(const Work& w) {
  const double rows = static_cast<double>(w.a.rows()), budget = static_cast<double>(w.options.budget);
  const double size = static_cast<double>(w.a.entries()) + 4 * rows + 1, products = 2e7 / size;
  const double orthogonal = std::sqrt(2.5e7 / (rows + 1));  // vectors that are cheap to keep orthogonal
  Effort e;
  const auto between = [](double value, double least, double most) {
    return static_cast<Index>(std::clamp(value, std::min(least, most), most));
  };
  e.generous = products >= 2 * budget;
  e.symmetric_steps = between(products, std::max(2.0, budget / 10), 250.0);
  e.general_steps = between(std::min(products, orthogonal), std::max(2.0, std::sqrt(budget)), 120.0);
  e.weight_products = between(products, std::max(1.0, budget / 4), 200.0);
  return e;
}

/// An order of the rows that leaves nothing on the diagonal that sweeps cannot divide by.
std::optional<std::vector<Index>> order_of_divisors(const Csr<double>& a) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    std::vector<double> divisors(values.begin(), values.end());
    for (double& value : divisors)
      if (!divides(value)) value = 0;
    return transversal(Csr<double>::view(offsets, columns, std::span<const double>(divisors)));
  });
}

void refuse_zero_diagonal(Work& w) {
  Diagnosis& d = w.d;
  d.verdict = Verdict::unusable;
  d.row_order = order_of_divisors(w.a);
  d.singular = !d.row_order && !transversal(w.a);
  const Index count = d.zero_diagonal_count;
  d.advice = fmt::format(
      "{} diagonal entr{} zero{}, and Jacobi divides by them; {}", count, count == 1 ? "y is" : "ies are",
      w.survey.smallest_diagonal > 0 ? ", or as good as that" : "",
      d.row_order
          ? "there is an order of the rows without a zero on the diagonal (--reorder-rows takes it), and "
            "methods that take products, bicgstab and anderson, need none"
      : d.singular
          ? "no order of the rows avoids that: A is singular whatever the values of its nonzeros"
          : "no order of the rows avoids that; methods that take products, bicgstab and anderson, need none");
}

/// Sets the inner product of D, by a power of two, where its entries have one sign and no product overflows.
void find_inner_product(Work& w) {
  const Survey& s = w.survey;
  if (!w.symmetry.symmetric || !s.positive_diagonal || !(s.largest_diagonal / s.smallest_diagonal < 1e200))
    return;
  w.weights = s.diagonal;
  const int middle = (std::ilogb(s.largest_diagonal) + std::ilogb(s.smallest_diagonal)) / 2;
  if (std::abs(middle) <= 64) return;
  w.scaled_diagonal = s.diagonal;
  for (double& weight : w.scaled_diagonal) weight = std::ldexp(weight, -middle);
  w.weights = w.scaled_diagonal;
}

void run(Work& w) {
  w.survey = survey(w.a);
  w.symmetry = symmetry(w.a, w.survey.diagonal, w.unit);
  Diagnosis& d = w.d;
  d.rows = w.a.rows();
  d.entries = w.a.entries();
  d.symmetric = w.symmetry.symmetric;
  d.pattern_symmetric = w.symmetry.pattern;
  d.asymmetry = w.survey.largest > 0 ? w.symmetry.difference / w.survey.largest : 0;
  d.zero_diagonal = w.survey.first_zero;
  d.zero_diagonal_count = w.survey.zero_diagonals;
  if (d.zero_diagonal_count > 0) return refuse_zero_diagonal(w);
  w.effort = effort_for(w);
  find_inner_product(w);
  prove_by_rows(w);
  if (!w.self_adjoint() && !w.finite_sweeps) w.balance = balance(w.a, w.survey.diagonal, w.effort.generous);
  prove_by_powers(w);
  measure_start(w);
  explore(w);
  prove_by_weights(w);
  prove_by_factors(w);
  conclude(w);
  estimate_l1(w);
  advise(w);
}

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

bool all_negative_diagonal(const Csr<double>& a) {
  for (Index i = 0; i < a.rows(); ++i)
    if (!(a.diagonal(i) < 0)) return false;
  return true;
}

Diagnosis diagnose_double(const Csr<double>& a, View b, View x0, const DiagnoseOptions& options,
                          double unit) {
  const auto begin = Clock::now();
  const Recycling recycling;
  Diagnosis d;
  if (all_negative_diagonal(a)) {
    const Mapped positive(a, std::negate<>());
    Vector right(b.begin(), b.end());
    for (double& value : right) value = -value;
    Work w{.a = positive, .b = right, .x0 = x0, .options = options, .unit = unit, .negated = true};
    run(w);
    d = std::move(w.d);
  } else {
    Work w{.a = a, .b = b, .x0 = x0, .options = options, .unit = unit};
    run(w);
    d = std::move(w.d);
  }
  d.seconds = seconds_since(begin);
  return d;
}

/// Power of two to divide these by where their squares would vanish or overflow, else 0. Large ones stay as
/// large as may be: what is small beside them must not vanish.
int excess(View values) {
  const Index count = static_cast<Index>(values.size());
  std::vector<double> parts(static_cast<std::size_t>(Blocks(count).count()));
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
      "closer "
      "in size, and ask again";
  return d;
}

/// Of A and b in units in which squares neither vanish nor overflow.
Diagnosis diagnose_scaled(const Csr<double>& a, View b, View x0, const DiagnoseOptions& options,
                          double unit) {
  const int of_a = excess(a.values()), of_b = excess(b);
  if (of_a == 0 && of_b == 0) return diagnose_double(a, b, x0, options, unit);
  const auto vanishes = [&](double v) { return v != 0 && std::ldexp(v, -of_a) == 0; };
  if (of_a > 0 && std::ranges::any_of(a.values(), vanishes)) return undecided(a);
  const std::vector<double> right = jacobi::times_power_of_two(b, -of_b),
                            start = jacobi::times_power_of_two(x0, of_a - of_b);
  DiagnoseOptions scaled = options;
  scaled.stop = jacobi::times_power_of_two(options.stop, is_scaled(options.stop.norm) ? of_a - of_b : -of_b);
  Diagnosis d =
      diagnose_double(Mapped(a, [&](double v) { return std::ldexp(v, -of_a); }), right, start, scaled, unit);
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
  if (options.budget < 1) throw UsageError("diagnose: the budget must be at least 1 sweep");
  constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
  DiagnoseOptions asked = options;
  asked.stop.norm = tested_norm(a, options.stop.norm);
  if constexpr (std::is_same_v<T, double>) {
    return diagnosis::diagnose_scaled(a, b, x0, asked, unit);
  } else {
    const diagnosis::Vector right(b.begin(), b.end()), start(x0.begin(), x0.end());
    return diagnosis::diagnose_scaled(diagnosis::Mapped(a, [](float v) { return static_cast<double>(v); }),
                                      right, start, asked, unit);
  }
}

template Diagnosis diagnose<double>(const Csr<double>&, std::span<const double>, std::span<const double>,
                                    const DiagnoseOptions&);
template Diagnosis diagnose<float>(const Csr<float>&, std::span<const float>, std::span<const float>,
                                   const DiagnoseOptions&);

}  // namespace jacobi
