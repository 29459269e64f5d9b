/// Estimates from Krylov spaces and slow modes.
#include <algorithm>
#include <cmath>

#include "core/blocks.hpp"
#include "core/tested_norm.hpp"
#include "diagnosis/estimates.hpp"

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

Index steps_for(const Matrix& m) {
  return std::min(m.a.rows(), m.self_adjoint ? m.effort.symmetric_steps : m.effort.general_steps);
}

/// Full orthogonalisation where it costs little beside the rest; a few vectors stay orthogonal by
/// themselves.
bool thorough(const Matrix& m, Index steps) {
  return steps > 4 && 8.0 * static_cast<double>(m.a.rows()) * static_cast<double>(steps * steps) <=
                          5 * m.effort.operations;
}

/// x - S^-1 A x, S the scale.
Iteration iteration_of(const Matrix& m, View scale, View weights, View balanced) {
  const Index steps = steps_for(m);
  return {.apply = [&m, scale, weights](
                       View x,
                       std::span<double> y) { return iterate(m.a, m.survey.diagonal, scale, weights, x, y); },
          .rows = m.a.rows(),
          .steps = steps,
          .weights = weights,
          .self_adjoint = m.self_adjoint,
          .thorough = thorough(m, steps),
          .generous = m.effort.generous,
          .balanced = balanced};
}

std::unique_ptr<Krylov> space_of(const Iteration& it, Vector start) {
  return std::make_unique<Krylov>(it.apply, it.weights, std::move(start), it.self_adjoint, it.thorough);
}

}  // namespace

double tested_norm(View diagonal, Norm norm, const Entries& c) {
  const bool scaled = !is_scaled(norm);
  const auto add = [&](Accumulated& sum, Index first, Index last) {
    std::array<double, block_rows> room;
    const View part = c(first, last, room);
    sum.add(first, last, [&](Index i) { return scaled ? diagonal[i] * part[i - first] : part[i - first]; });
  };
  return pick(norms_by_blocks(static_cast<Index>(diagonal.size()), add), norm);
}

Start start_of(const Matrix& m, View b, View x0, const Stop& stop) {
  const View diagonal = m.survey.diagonal;
  const bool blank = zero(x0), scaled = is_scaled(stop.norm);
  const double size =
      pick(norms_over(m.a.rows(), [&](Index i) { return scaled ? b[i] / diagonal[i] : b[i]; }), stop.norm);
  Start start{.correction = correction(m.a, diagonal, b, blank ? View() : x0),
              .tested = stop.norm,
              .products = !blank};
  start.norm = tested_norm(diagonal, stop.norm, entries_of(start.correction));
  start.tolerance = target_of(stop, start.norm, [size] { return size; }).tolerance;
  start.rounding = m.unit / 4 * size;
  return start;
}

Explored explore(const Matrix& m, View balanced, Vector correction) {
  const View weights = m.self_adjoint ? m.weights() : balanced;
  return explore(iteration_of(m, m.survey.diagonal, weights, balanced), std::move(correction));
}

Explored explore(const Iteration& it, Vector correction) {
  const bool blank = zero(correction) || !std::isfinite(dot({}, correction, correction));
  Explored seen;
  const auto take = [&](Vector start) {
    auto space = space_of(it, std::move(start));
    const Ritz r = grow(*space, it.steps);
    seen.products += space->steps();
    const bool ask = it.self_adjoint && space->finite() && (it.generous || r.radius() > 1);
    if (ask && !r.values.empty() && r.radius() >= seen.ritz.radius())
      seen.extreme = space->combine(r.largest.vector);
    if (ask && r.high.value.real() > 1) seen.highest = space->combine(r.high.vector);
    join(seen.ritz, r);
    space->finish();
    return space;
  };
  if (!blank) seen.space = take(std::move(correction));
  const bool narrow =
      seen.space && seen.space->finite() && seen.space->closed();  // says nothing of other modes
  if (blank || narrow || it.generous) take(random_vector(it.rows, it.balanced));
  if (seen.space && !seen.space->finite()) seen.space.reset();
  return seen;
}

std::optional<Trial> try_slow_mode(const Matrix& m, const Ritz& ritz, Depth& depth) {
  if (!m.self_adjoint || settled(ritz.high) || !m.survey.m_nonnegative) return {};
  const auto& steps = depth.distances().steps;
  if (steps.empty()) return {};
  Vector v(steps.size());
  for_blocks(m.a.rows(), [&](Index, Index first, Index last) {
    std::copy(steps.begin() + first, steps.begin() + last, v.begin() + first);
  });
  Trial trial{.quotient = quotient_of(m, v)};
  if (!(trial.quotient.value > ritz.high.value.real())) return trial;
  for_blocks(m.a.rows(), [&](Index, Index first, Index last) {
    for (Index i = first; i < last; ++i) v[i] /= trial.quotient.size;
  });
  trial.mode = SlowMode{.low = 1 - trial.quotient.value, .vector = std::move(v)};
  return trial;
}

Radius radius_of(const Matrix& m, const Ritz& ritz, const std::optional<SlowMode>& slow,
                 const Proved& proved) {
  double radius = ritz.radius();
  bool resolved = settled(ritz.largest);
  if (slow && (1 - slow->low >= radius || slow->settled)) {
    const double other = std::abs(ritz.low.value) + ritz.low.residual;
    const bool at_slow_end = m.survey.m_nonnegative || other <= 1 - 0.9 * slow->low;
    resolved = at_slow_end ? slow->settled : settled(ritz.low);
    radius = std::max(radius, 1 - slow->low);
  }
  if (ritz.values.empty() && !slow) return {};
  const double most = std::max(proved.lower, proved.upper);
  const bool known = proved.finite_sweeps || proved.upper - proved.lower <= 1e-3 * std::abs(1 - radius);
  Radius r{.value = std::clamp(radius, proved.lower, most)};
  r.capped = !proved.finite_sweeps && radius > (1 + 1e-3) * most;
  r.resolved = (resolved && !r.capped) || known;
  if (!m.self_adjoint) {
    r.growth = ritz.growth > 10 ? ritz.growth : 1;
    r.far_from_normal = r.capped || r.growth > 1 || ritz.departure > 0.5;
    return r;
  }
  r.far_from_normal = r.capped;
  r.eigenvalues = Range{1 - ritz.high.value.real(), 1 - ritz.low.value.real()};
  if (slow) r.eigenvalues->low = std::min(r.eigenvalues->low, slow->low);
  return r;
}

std::optional<double> predict_sweeps(const Matrix& m, const Start& start, const Explored& seen,
                                     const std::optional<SlowMode>& slow, const Proved& proved) {
  if (proved.verdict == Verdict::diverges || !std::isfinite(start.norm)) return {};
  std::optional<double> sweeps = 0;
  if (!(start.norm <= start.tolerance)) {
    if (!seen.space) return {};
    const NormOf norm = [&](const Entries& c) { return tested_norm(m.survey.diagonal, start.tested, c); };
    sweeps = steps_to(*seen.space, norm, start.norm, start.tolerance, m.effort.generous ? 6 : 1);
    if (sweeps && slow) {
      const auto of_mode = steps_to(*slow, m.weights(), seen.space->start(), norm, start.tolerance);
      sweeps = of_mode ? std::optional(std::max(*sweeps, *of_mode)) : std::nullopt;
    }
    const bool open = !seen.space->closed() && !settled(seen.ritz.largest);
    if (sweeps && open && proved.lower < 1)  // a space that has not met the slowest mode knows only the start
      sweeps = std::max(*sweeps, sweeps_to(start.tolerance / start.norm, proved.lower));
  }
  if (proved.finite_sweeps)
    sweeps = std::min(sweeps.value_or(1e300), static_cast<double>(*proved.finite_sweeps));
  if (sweeps && is_update(start.tested)) ++*sweeps;
  return sweeps;
}

L1 estimate_l1(const Matrix& m, const Explored& seen, const Definite* factor, const Proved& proved) {
  const View diagonal = m.survey.diagonal;
  Vector scale = l1_divisors(m.a, diagonal);
  if (!std::ranges::all_of(scale, [](double size) { return std::isfinite(size); })) return {};
  if (proved.finite_sweeps) {  // the eigenvalues of a triangular matrix, of which Ritz values know little
    double radius = 0;
    for (std::size_t i = 0; i < scale.size(); ++i) radius = std::max(radius, 1 - diagonal[i] / scale[i]);
    return {.radius = radius, .resolved = true};
  }
  Vector weights;
  if (m.self_adjoint) {
    const double power = m.weights()[0] / diagonal[0];
    for (const double divisor : scale) weights.push_back(divisor * power);
  } else {  // its rows are others than those of plain Jacobi
    weights = balance(m.a, scale, m.effort.generous);
  }
  if (factor) {
    const SlowMode mode =
        smallest_mode(*factor, scale, weights, random_vector(m.a.rows()), slow_mode_products);
    if (!(mode.low > 0)) return {.products = slow_mode_products};
    return {.radius = 1 - mode.low, .resolved = mode.settled, .products = slow_mode_products};
  }
  Vector start = seen.space && !m.effort.generous
                     ? seen.space->start()
                     : random_vector(m.a.rows(), m.self_adjoint ? View() : View(weights));
  const Iteration it = iteration_of(m, scale, weights, weights);
  const auto space = space_of(it, std::move(start));
  const Ritz r = grow(*space, it.steps);
  if (!space->finite() || r.values.empty()) return {.products = space->steps()};
  return {.radius = r.radius(), .resolved = settled(r.largest), .products = space->steps()};
}

}  // namespace jacobi::diagnosis
