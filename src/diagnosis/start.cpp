/// Where an iteration begins, and what it has to reach.
#include <cmath>

#include "core/tested_norm.hpp"
#include "diagnosis/estimates.hpp"

namespace jacobi::diagnosis {

double tested_norm(const Matrix& m, Norm norm, const Entries& c) {
  const bool scaled = !is_scaled(norm);
  const auto add = [&](Accumulated& sum, Index first, Index last) {
    std::array<double, block_rows> room;
    const View part = c(first, last, room);
    for (Index i = first; i < last; ++i)
      sum.add(scaled ? m.survey.diagonal[i] * part[i - first] : part[i - first]);
  };
  return pick(norms_by_blocks(m.a.rows(), add), norm);
}

Start start_of(const Matrix& m, View b, View x0, const Stop& stop) {
  const View diagonal = m.survey.diagonal;
  const bool blank = zero(x0), scaled = is_scaled(stop.norm);
  const double size =
      pick(norms_over(m.a.rows(), [&](Index i) { return scaled ? b[i] / diagonal[i] : b[i]; }), stop.norm);
  Start start{.correction = correction(m.a, diagonal, b, blank ? View() : x0),
              .tested = stop.norm,
              .products = !blank};
  start.norm = tested_norm(m, stop.norm, entries_of(start.correction));
  start.tolerance = target_of(stop, start.norm, [size] { return size; }).tolerance;
  start.rounding = m.unit / 4 * size;
  return start;
}

std::optional<double> sweeps_at(const Start& start, double radius) {
  return sweeps_between(start.norm, start.tolerance, is_update(start.tested), radius);
}

}  // namespace jacobi::diagnosis
