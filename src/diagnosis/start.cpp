/// Where an iteration begins, and what it has to reach.
#include <fmt/format.h>

#include <cmath>

#include "core/tested_norm.hpp"
#include "diagnosis/work.hpp"

namespace jacobi::diagnosis {

namespace {

/// Tested norm of the vector with entries value(i).
template <class Value>
double norm_of(const Work& w, Value&& value) {
  return pick(norms_over(w.a.rows(), value), w.options.stop.norm);
}

}  // namespace

double tested_norm(const Work& w, const Entries& c) {
  const bool scaled = !is_scaled(w.options.stop.norm);
  const auto add = [&](Accumulated& sum, Index first, Index last) {
    std::array<double, block_rows> room;
    const View part = c(first, last, room);
    for (Index i = first; i < last; ++i)
      sum.add(scaled ? w.survey.diagonal[i] * part[i - first] : part[i - first]);
  };
  return pick(norms_by_blocks(w.a.rows(), add), w.options.stop.norm);
}

void measure_start(Work& w) {
  const Stop& stop = w.options.stop;
  const bool blank = std::all_of(w.x0.begin(), w.x0.end(), [](double value) { return value == 0; });
  w.start = blank ? quotients(w.b, w.survey.diagonal) : correction(w.a, w.survey.diagonal, w.b, w.x0);
  w.d.products += !blank;
  w.d.norm_initial = tested_norm(w, entries_of(w.start));
  const bool scaled = is_scaled(stop.norm);
  const double size = norm_of(w, [&](Index i) { return scaled ? w.b[i] / w.survey.diagonal[i] : w.b[i]; });
  w.d.tolerance = target_of(stop, w.d.norm_initial, [size] { return size; }).tolerance;
  const double rounding = w.unit / 4 * size;  // of an unknown, on average
  if (w.d.tolerance > 0 && w.d.tolerance < 0.1 * rounding)
    w.d.warnings.push_back(fmt::format(
        "the tolerance, {:.1e}, is below what rounding the unknowns leaves, about {:.1e} at least: "
        "a solve will stand still above it",
        w.d.tolerance, rounding));
  if (!std::isfinite(w.d.norm_initial))
    w.d.warnings.push_back("the residual of the start is not finite: no sweeps are predicted");
}

std::optional<double> sweeps_at(const Work& w, double radius) {
  return sweeps_between(w.d.norm_initial, w.d.tolerance, is_update(w.options.stop.norm), radius);
}

}  // namespace jacobi::diagnosis
