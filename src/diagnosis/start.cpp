/// Where an iteration begins, and what it has to reach.
#include <cmath>

#include "core/tested_norm.hpp"
#include "diagnosis/work.hpp"

namespace jacobi::diagnosis {

namespace {

/// Norm of the vector with entries value(i).
template <class Value>
double norm_of(const Work& w, Value&& value) {
  const Norm norm = w.options.stop.norm;
  const bool largest = norm == Norm::max_residual || norm == Norm::max_update;
  std::vector<double> parts(static_cast<std::size_t>(blocks_of(w.a.rows())));
  for_blocks(w.a.rows(), [&](Index s, Index first, Index last) {
    double part = 0;
    for (Index i = first; i < last; ++i) {
      const double x = std::abs(value(i));
      part = largest ? (x <= part ? part : x) : part + x * x;
    }
    parts[s] = part;
  });
  double sum = 0;
  for (const double part : parts) sum = largest ? (part <= sum ? sum : part) : sum + part;
  return largest ? sum : std::sqrt(sum);
}

}  // namespace

double tested_norm(const Work& w, View c) {
  if (is_update(w.options.stop.norm)) return norm_of(w, [&](Index i) { return c[i]; });
  return norm_of(w, [&](Index i) { return w.survey.diagonal[i] * c[i]; });
}

void measure_start(Work& w) {
  const Stop& stop = w.options.stop;
  w.start = correction(w.a, w.survey.diagonal, w.b, w.x0);
  ++w.d.products;
  w.d.norm_initial = tested_norm(w, w.start);
  double reference = stop.reference == Reference::initial ? w.d.norm_initial : 0;
  if (stop.reference == Reference::rhs) {
    const bool scaled = is_update(stop.norm);
    reference = norm_of(w, [&](Index i) { return scaled ? w.b[i] / w.survey.diagonal[i] : w.b[i]; });
    if (reference == 0) reference = w.d.norm_initial;
  }
  w.d.tolerance = std::max(stop.absolute, stop.relative * reference);
  if (!std::isfinite(w.d.norm_initial))
    w.d.warnings.push_back("the residual of the start is not finite: no sweeps are predicted");
}

std::optional<double> sweeps_at(const Work& w, double radius) {
  const Diagnosis& d = w.d;
  if (d.norm_initial <= d.tolerance) return is_update(w.options.stop.norm) ? 1 : 0;
  if (!(d.tolerance > 0) || !(radius < 1) || !std::isfinite(d.norm_initial)) return std::nullopt;
  return std::max(1.0, std::ceil(std::log(d.tolerance / d.norm_initial) / std::log(radius)));
}

}  // namespace jacobi::diagnosis
