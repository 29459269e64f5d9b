/// Estimates from Krylov spaces and slow modes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/tested_norm.hpp"
#include "diagnosis/balance.hpp"
#include "diagnosis/omega.hpp"
#include "diagnosis/work.hpp"

namespace jacobi::diagnosis {

namespace {

/// Grows a space until its extreme values settle, it closes, or the steps are spent.
Ritz grow(Krylov& space, Index steps) {
  Ritz r;
  for (Index size = 8; !space.closed(); size *= 2) {
    space.extend(std::min(size, steps) - space.steps());
    r = ritz(space);
    const bool both = !space.symmetric() || (settled(r.low) && settled(r.high));
    if (space.steps() >= steps || (both && settled(r.largest) && space.steps() >= 16)) break;
  }
  return r;
}

void join(Ritz& all, const Ritz& more) {
  if (more.values.empty()) return;
  if (all.values.empty()) {
    all = more;
    return;
  }
  all.values.insert(all.values.end(), more.values.begin(), more.values.end());
  if (more.radius() > all.radius()) all.largest = more.largest;
  if (more.low.value.real() < all.low.value.real()) all.low = more.low;
  if (more.high.value.real() > all.high.value.real()) all.high = more.high;
  all.departure = std::max(all.departure, more.departure);
  all.growth = std::max(all.growth, more.growth);
}

Index steps_for(const Work& w) {
  return std::min(w.a.rows(), w.self_adjoint() ? w.effort.symmetric_steps : w.effort.general_steps);
}

/// Full orthogonalisation where it costs no more than about 0.05 s; a few vectors stay orthogonal by
/// themselves.
bool thorough(const Work& w, Index steps) {
  return steps > 4 && 8.0 * static_cast<double>(w.a.rows()) * static_cast<double>(steps * steps) <= 1e8;
}

std::unique_ptr<Krylov> space_of(const Work& w, View scale, View weights, Vector start) {
  return std::make_unique<Krylov>(
      [&w, scale, weights](View x, std::span<double> y) {
        return iterate(w.a, w.survey.diagonal, scale, weights, x, y);
      },
      weights, std::move(start), w.self_adjoint(), thorough(w, steps_for(w)));
}

/// Random values, of the same size in the inner product of the weights.
Vector random_start(Index rows, View weights) {
  Vector v = random_vector(rows);
  for (std::size_t i = 0; i < weights.size(); ++i) v[i] /= std::sqrt(weights[i]);
  return v;
}

bool zero(View x) {
  return std::all_of(x.begin(), x.end(), [](double value) { return value == 0; });
}

}  // namespace

void explore(Work& w) {
  const Index steps = steps_for(w);
  const View weights = w.self_adjoint() ? w.weights : View(w.balance);
  const bool blank = zero(w.start) || !std::isfinite(dot({}, w.start, w.start));
  Vector extreme;
  const auto take = [&](Vector start) {
    auto space = space_of(w, w.survey.diagonal, weights, std::move(start));
    const Ritz r = grow(*space, steps);
    w.d.products += space->steps();
    const bool ask = w.self_adjoint() && space->finite() && (w.effort.generous || r.radius() > 1);
    if (ask && !r.values.empty() && r.radius() >= w.ritz.radius()) extreme = space->combine(r.largest.vector);
    join(w.ritz, r);
    space->finish();
    return space;
  };
  if (!blank) w.space = take(std::move(w.start));
  const bool narrow = w.space && w.space->finite() && w.space->closed();  // says nothing of other modes
  if (blank || narrow || w.effort.generous) take(random_start(w.a.rows(), w.balance));
  if (w.space && !w.space->finite()) w.space.reset();
  if (!extreme.empty()) prove_by_quotient(w, extreme);
}

namespace {

/// Where a matrix is too large to resolve its slowest mode: a trial vector that grows with the distance from
/// the strictly dominant rows, as the slowest mode of a diffusion does. Its Rayleigh quotient is a bound in
/// any case.
void try_slow_mode(Work& w) {
  if (w.slow || !w.self_adjoint() || settled(w.ritz.high) || !w.survey.m_nonnegative) return;
  find_depth(w);
  if (w.depth->steps.empty()) return;
  Vector v(w.depth->steps.size());
  for_blocks(w.a.rows(), [&](Index, Index first, Index last) {
    std::copy(w.depth->steps.begin() + first, w.depth->steps.begin() + last, v.begin() + first);
  });
  const Quotient quotient = prove_by_quotient(w, v);
  if (!(quotient.value > w.ritz.high.value.real())) return;
  for_blocks(w.a.rows(), [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) v[i] /= quotient.size;
  });
  w.slow = SlowMode{.low = 1 - quotient.value, .vector = std::move(v)};
}

void conclude_radius(Work& w) {
  Diagnosis& d = w.d;
  double radius = w.ritz.radius();
  bool resolved = settled(w.ritz.largest);
  if (w.slow && (1 - w.slow->low >= radius || w.slow->settled)) {
    const double other = std::abs(w.ritz.low.value) + w.ritz.low.residual;
    const bool at_slow_end = w.survey.m_nonnegative || other <= 1 - 0.9 * w.slow->low;
    resolved = at_slow_end ? w.slow->settled : settled(w.ritz.low);
    radius = std::max(radius, 1 - w.slow->low);
  }
  if (w.ritz.values.empty() && !w.slow) return;
  d.spectral_radius = std::clamp(radius, d.radius_lower, std::max(d.radius_lower, d.radius_upper));
  const bool capped = w.capped =
      !w.finite_sweeps && radius > (1 + 1e-3) * std::max(d.radius_lower, d.radius_upper);
  const bool grows = !w.self_adjoint() && w.ritz.growth > 10;
  if (capped)
    d.warnings.push_back(
        "the estimate of the spectral radius lay above the bound that is proved, which stands in for it: the "
        "matrix is far from normal, and the spectral radius may be much smaller");
  d.radius_resolved = (resolved && !capped) || w.finite_sweeps ||
                      d.radius_upper - d.radius_lower <= 1e-3 * std::abs(1 - radius);
  d.far_from_normal = capped || grows || (!w.self_adjoint() && w.ritz.departure > 0.5);
  if (grows)
    d.warnings.push_back(fmt::format(
        "the iteration matrix is far from normal: the norm may grow {:.2g} times and more before it "
        "falls, and estimates of its eigenvalues are rough",
        w.ritz.growth));
  if (!w.self_adjoint()) return;
  d.eigenvalues = Range{1 - w.ritz.high.value.real(), 1 - w.ritz.low.value.real()};
  if (w.slow) d.eigenvalues->low = std::min(d.eigenvalues->low, w.slow->low);
}

void conclude_weight(Work& w) {
  Weight best;
  if (w.finite_sweeps) {
    best.radius = 0;
  } else if (w.d.eigenvalues) {
    const auto [low, high] = *w.d.eigenvalues;
    if (!(low > 1e-13 * high)) return;
    best = {2 / (low + high), (high - low) / (high + low)};
  } else if (!w.ritz.values.empty() && settled(w.ritz.largest)) {  // else others lie where nobody knows
    best = best_weight(w.ritz.values);
  }
  if (!(best.radius < 1 - 1e-13)) return;
  w.d.best_omega = best.omega;
  w.d.radius_at_best_omega = best.radius;
}

using Values = std::span<const std::complex<double>>;

/// Chebyshev's factor of the ellipse around these values that has the axes of their extent, as much larger as
/// all need; none where it holds 0. Source: Manteuffel, Numer. Math. 28 (1977) 307.
std::optional<double> factor_of_ellipse(Values values) {
  double low = std::numeric_limits<double>::infinity(), high = -low, imaginary = 0;
  for (const auto& value : values) {
    low = std::min(low, value.real());
    high = std::max(high, value.real());
    imaginary = std::max(imaginary, std::abs(value.imag()));
  }
  const double center = (low + high) / 2, real = std::max((high - low) / 2, 1e-6 * std::abs(center));
  double times = 1;
  for (const auto& value : values)
    times = std::max(
        times, std::hypot((value.real() - center) / real, imaginary > 0 ? value.imag() / imaginary : 0));
  const double a = times * real, b = times * imaginary;
  if (!(a < center)) return {};
  return (a + b) / (center + std::sqrt(center * center - a * a + b * b));
}

/// Of methods that take products, as few as polynomials do that have roots at some of the least eigenvalues
/// of D^-1 A and are small in an ellipse around the others.
void predict_products(Work& w) {
  Diagnosis& d = w.d;
  if (w.self_adjoint() || w.finite_sweeps || w.ritz.values.empty() || !(d.tolerance > 0)) return;
  std::vector<std::complex<double>> values;
  for (const auto& value : w.ritz.values) values.push_back(1.0 - value);
  if (w.survey.m_nonnegative) values.emplace_back(1 - d.spectral_radius.value_or(0));  // an eigenvalue of M
  std::ranges::sort(values, {}, [](const auto& value) { return std::abs(value); });
  double log = std::log(2 * std::max(d.norm_initial / d.tolerance, 1.0));
  const double largest = std::abs(values.back());
  for (std::size_t roots = 0; roots < values.size() && roots <= 6; ++roots) {
    const auto factor = factor_of_ellipse(Values(values).subspan(roots));
    if (factor && *factor < 1) {
      const double sweeps = static_cast<double>(roots) + std::max(1.0, std::ceil(log / -std::log(*factor)));
      if (sweeps < d.products_sweeps.value_or(1e300)) d.products_sweeps = sweeps;
    }
    log += std::log(largest / std::abs(values[roots]));
  }
}

void predict_sweeps(Work& w) {
  Diagnosis& d = w.d;
  if (d.verdict == Verdict::diverges || !std::isfinite(d.norm_initial)) return;
  const bool known_start = d.norm_initial <= d.tolerance;
  if (!known_start && !w.space) return;
  const NormOf norm = [&](const Entries& c) { return tested_norm(w, c); };
  std::optional<double> sweeps = 0;
  if (!known_start) sweeps = steps_to(*w.space, norm, d.norm_initial, d.tolerance, w.effort.generous ? 6 : 1);
  if (!known_start && sweeps && w.slow) {
    const auto slow = steps_to(*w.slow, w.weights, w.space->start(), norm, d.tolerance);
    sweeps = slow ? std::optional(std::max(*sweeps, *slow)) : std::nullopt;
  }
  const bool open = !known_start && !w.space->closed() && !settled(w.ritz.largest);
  if (sweeps && open && d.radius_lower < 1)  // a space that has not met the slowest mode knows only the start
    sweeps = std::max(*sweeps, sweeps_to(d.tolerance / d.norm_initial, d.radius_lower));
  if (w.finite_sweeps) sweeps = std::min(sweeps.value_or(1e300), static_cast<double>(*w.finite_sweeps));
  if (sweeps) d.predicted_sweeps = *sweeps + (is_update(w.options.stop.norm) ? 1 : 0);
}

}  // namespace

void conclude(Work& w) {
  try_slow_mode(w);
  conclude_radius(w);
  predict_sweeps(w);
  conclude_weight(w);
  predict_products(w);
}

void estimate_l1(Work& w) {
  const bool plain_will_do = w.d.spectral_radius.value_or(2) < 1 || w.d.verdict == Verdict::converges;
  if (plain_will_do && !w.effort.generous) return;
  const Survey& s = w.survey;
  Vector scale = l1_divisors(w.a, s.diagonal);
  if (!std::isfinite(*std::max_element(scale.begin(), scale.end(),
                                       [](double a, double b) { return std::abs(a) < std::abs(b); })))
    return;
  if (w.finite_sweeps) {  // the eigenvalues of a triangular matrix, of which Ritz values know little
    w.d.l1_radius = 0;
    for (std::size_t i = 0; i < scale.size(); ++i)
      w.d.l1_radius = std::max(*w.d.l1_radius, 1 - s.diagonal[i] / scale[i]);
    w.d.l1_resolved = true;
    return;
  }
  const double power = w.self_adjoint() ? w.weights[0] / s.diagonal[0] : 0;
  Vector weights;
  if (w.self_adjoint()) {
    for (const double divisor : scale) weights.push_back(divisor * power);
  } else {  // its rows are others than those of plain Jacobi
    weights = balance(w.a, scale, w.effort.generous);
  }
  if (w.factor) {
    const SlowMode mode = smallest_mode(*w.factor, scale, weights, random_vector(w.a.rows()), 25);
    w.d.products += 25;
    if (mode.low > 0) {
      w.d.l1_radius = 1 - mode.low;
      w.d.l1_resolved = mode.settled;
    }
    return;
  }
  Vector start = w.space && !w.effort.generous
                     ? w.space->start()
                     : random_start(w.a.rows(), w.self_adjoint() ? View() : View(weights));
  const auto space = space_of(w, scale, weights, std::move(start));
  const Ritz r = grow(*space, steps_for(w));
  w.d.products += space->steps();
  if (!space->finite() || r.values.empty()) return;
  w.d.l1_radius = r.radius();
  w.d.l1_resolved = settled(r.largest);
}

}  // namespace jacobi::diagnosis
