#include "jacobi/domain.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/memory.hpp"
#include "core/metric.hpp"
#include "core/notes.hpp"
#include "core/null_space.hpp"
#include "core/twofold.hpp"
#include "core/walk.hpp"
#include "core/words.hpp"
#include "core/zeros.hpp"
#include "jacobi/error.hpp"
#include "jacobi/predict.hpp"

namespace jacobi {

namespace {

template <class T, int D>
Grid<T, D> without_values(Grid<T, D> grid) {
  for (auto& pair : grid.sides)
    for (Side<T>& side : pair) side.values.clear();
  return grid;
}

/// A sum of row coefficients, or 0 where no more than rounding is left of them.
template <class T, int D>
double beyond_rounding(double sum, double size) {
  return std::abs(sum) > D * std::numeric_limits<T>::epsilon() * size ? sum : 0;
}

}  // namespace

template <class T, int D>
void add_robin(const Stencil<T, D>& box, int k, std::span<const double> alpha, std::span<const double> beta,
               DomainPoints<T>& to) {
  const Grid<T, D>& grid = box.grid();
  if (grid.sides[k / 2][k % 2].kind != BoundaryKind::neumann)
    throw UsageError("a Robin side is made of a Neumann side without a value");
  const Index count = box.side_points(k);
  const auto fits = [&](auto values) { return values.size() == 1 || std::ssize(values) == count; };
  if (!fits(alpha) || !fits(beta))
    throw UsageError(fmt::format("the side has {} points, and {} values of alpha and {} of beta were given",
                                 count, alpha.size(), beta.size()));
  to.diagonal.resize(static_cast<std::size_t>(box.rows()));
  to.source.resize(static_cast<std::size_t>(box.rows()));
  const Metric<T, D> metric(grid);
  for (Index s = 0; s < count; ++s) {
    const double a = alpha[alpha.size() == 1 ? 0 : s], b = beta[beta.size() == 1 ? 0 : s];
    const Index p = box.side_unknown(k, s);
    const double over = 2 / metric.over_side(position(grid, p), k);  // half a cell lies behind the side
    if (!(a >= 0) || !std::isfinite(a) || !std::isfinite(b))
      throw InputError(
          fmt::format("robin: alpha is {} and beta {} at point {}: both must be finite, and alpha >= 0", a, b,
                      grid.name(p)));
    to.diagonal[p] += static_cast<T>(over * a);
    to.source[p] += static_cast<T>(over * b);
  }
}

template <class T, int D>
Domain<T, D>::Domain(const Stencil<T, D>& box, DomainPoints<T> points)
    : points_(std::move(points)), bounds_(jacobi::bounds(box)), a_(make(box)) {}

template <class T, int D>
std::span<T> Domain<T, D>::array(int k) const {
  const std::size_t rows = coefficients_->size() / (2 * D + 1);
  return std::span<T>(*coefficients_).subspan(static_cast<std::size_t>(k) * rows, rows);
}

template <class T, int D>
double Domain<T, D>::value(Index p) const {
  return points_.values.empty() ? 0.0 : static_cast<double>(points_.values[p]);
}

template <class T, int D>
void Domain<T, D>::check(const Stencil<T, D>& box) const {
  const Index rows = box.rows();
  const auto require = [&](const char* name, std::size_t size) {
    if (size != 0 && size != static_cast<std::size_t>(rows))
      throw UsageError(fmt::format("{} of a domain: {} values for {} points", name, size, rows));
  };
  require("kinds", points_.kinds.size());
  require("values", points_.values.size());
  require("diagonal", points_.diagonal.size());
  require("source", points_.source.size());
  const auto name = [&](Index p) { return box.grid().name(p); };
  for (Index p = 0; p < std::ssize(points_.values); ++p)
    if (!is_unknown(p) && !std::isfinite(points_.values[p]))
      throw InputError(fmt::format("the value of point {} is {}: it must be finite", name(p), value(p)));
  for (Index p = 0; p < std::ssize(points_.source); ++p)
    if (!std::isfinite(points_.source[p]))
      throw InputError(
          fmt::format("the source of point {} is {}: it must be finite", name(p), points_.source[p]));
  for (Index p = 0; p < std::ssize(points_.diagonal); ++p)
    if (!(points_.diagonal[p] >= 0) || !std::isfinite(points_.diagonal[p]))
      throw InputError(fmt::format("what is added to the diagonal at point {} is {}: it must be >= 0",
                                   name(p), points_.diagonal[p]));
}

/// Whether a value that is given, or a reaction, acts on the unknown.
template <class T, int D>
bool Domain<T, D>::set_row(const Stencil<T, D>& box, Index p, const PerDirection<Index, D>& at) {
  const std::span<T> center = array(2 * D);
  if (!is_unknown(p)) {
    center[p] = box.center(p);  // by itself, and of the size of its neighbours' rows
    return true;
  }
  ++unknowns_;
  double rest = box.center(p), size = std::abs(rest), kept = 0, source = given(box, at);
  bool held = false, is_cut = false;
  for (int k = 0; k < 2 * D; ++k) {
    const double c = box.off(k, p);
    rest += c;
    size += std::abs(c);
    const Index q = neighbour(box.grid(), p, at, k);
    if (q >= 0 && kind(q) == PointKind::outside && points_.insulated) {
      is_cut = true;
      continue;
    }
    kept -= c;
    held = held || (c != 0 && (q < 0 || !is_unknown(q)));
    if (q >= 0 && !is_unknown(q))
      source -= c * value(q);
    else
      array(k)[p] = box.off(k, p);
  }
  const double reaction = beyond_rounding<T, D>(rest, size);
  const double added = points_.diagonal.empty() ? 0.0 : static_cast<double>(points_.diagonal[p]);
  center[p] = static_cast<T>((is_cut ? kept + reaction : box.center(p)) + added);
  source_[p] =
      static_cast<T>(source + (points_.source.empty() ? 0.0 : static_cast<double>(points_.source[p])));
  return held || beyond_rounding<T, D>(reaction + added, size) != 0;
}

/// Follows links from unknown to unknown: a part that is not held is a pocket.
template <class T, int D>
void Domain<T, D>::find_pockets(const Grid<T, D>& grid, std::vector<bool> held) {
  std::vector<bool> seen(held.size());
  std::vector<Index> stack;
  Index visited = 0;
  constexpr Index often = Index(1) << 16;
  const auto spread = [&](Index from, auto&& visit) {
    for (stack.assign(1, from), seen[from] = true; !stack.empty();) {
      if (++visited % often == 0) throw_if_cancelled();
      const Index p = stack.back();
      const auto at = position(grid, p);
      stack.pop_back();
      visit(p);
      for (int k = 0; k < 2 * D; ++k) {
        const Index q = array(k)[p] == 0 ? -1 : neighbour(grid, p, at, k);
        if (q < 0 || seen[q]) continue;
        seen[q] = true;
        stack.push_back(q);
      }
    }
  };
  const auto rows = static_cast<Index>(held.size());
  for (Index p = 0; p < rows; ++p)
    if (held[p] && !seen[p]) spread(p, [](Index) {});
  for (Index p = 0; p < rows; ++p) {
    if (seen[p]) continue;
    if (pocket_of_.empty()) pocket_of_.assign(held.size(), -1);
    Pocket pocket{0, p};
    spread(p, [&](Index q) {
      ++pocket.points;
      pocket_of_[q] = static_cast<std::int32_t>(pockets_.size());
    });
    pockets_.push_back(pocket);
  }
}

template <class T, int D>
Stencil<T, D> Domain<T, D>::make(const Stencil<T, D>& box) {
  check(box);
  const auto rows = static_cast<std::size_t>(box.rows());
  require_memory(static_cast<double>(rows) * (2 * D + 3) * sizeof(T), "a domain");
  coefficients_ = zeros<T>(rows, 2 * D + 1);
  source_.resize(rows);
  std::vector<bool> held(rows);
  walk(box.grid(), [&](Index p, const Position<D>& at) { held[p] = set_row(box, p, at); });
  if (unknowns_ == 0)
    throw InputError(fmt::format("none of the {} points is an unknown: all lie outside the mask or are fixed",
                                 box.rows()));
  Grid<T, D> grid = without_values(box.grid());
  find_pockets(grid, std::move(held));
  for (const Pocket& pocket : pockets_)  // of a point by itself nothing is left to divide by
    if (pocket.points == 1) array(2 * D)[pocket.first] = box.center(pocket.first);
  PerSide<std::span<const T>, D> off;
  for (int k = 0; k < 2 * D; ++k) off[k] = array(k);
  return Stencil<T, D>::variable(std::move(grid), array(2 * D), off);
}

template <class T, int D>
std::string Domain<T, D>::place(Index p) const {
  const auto at = position(a_.grid(), p);
  PerDirection<double, D> coordinates;
  for (int d = 0; d < D; ++d) coordinates[d] = a_.grid().coordinate(d, at[d]);
  return fmt::format("unknown {} at ({:.4g})", a_.grid().name(p), fmt::join(coordinates, ", "));
}

template <class T, int D>
void Domain<T, D>::add_given(std::span<const T> b, std::span<T> out) const {
  require_lengths(a_.rows(), {{"b", b.size()}, {"out", out.size()}});
  for (Index p = 0; p < a_.rows(); ++p) out[p] = is_unknown(p) ? b[p] + source_[p] : T(0);
}

template <class T, int D>
std::vector<Note> Domain<T, D>::fold(std::span<const T> b, std::span<T> out, bool project) const {
  add_given(b, out);
  if (pockets_.empty()) return {};
  struct Mean {
    TwofoldSum sum{0};
    double size = 0, weights = 0;
    double value() const { return sum.value() / weights; }
  };
  std::vector<Mean> means;
  const Metric<T, D> metric(a_.grid());
  const auto volume = [&](Index p) { return metric.volume(position(a_.grid(), p)); };
  const auto remove = [&](auto&& judge) {
    means.assign(pockets_.size(), {});
    for (Index p = 0; p < a_.rows(); ++p) {
      if (pocket_of_[p] < 0) continue;
      Mean& m = means[pocket_of_[p]];
      const double w = a_.weight(p);
      m.sum.add(w * out[p]);
      m.size += w * std::abs(static_cast<double>(out[p]));
      m.weights += w * volume(p);
    }
    for (std::size_t i = 0; i < means.size(); ++i) judge(means[i], pockets_[i]);
    for (Index p = 0; p < a_.rows(); ++p)
      if (pocket_of_[p] >= 0) out[p] -= static_cast<T>(means[pocket_of_[p]].value() * volume(p));
  };
  const double allowed = std::max(quadrature_error(a_.grid()), points_.insulated ? 1e-6 : 0.0);
  double most = 0;
  remove([&](const Mean& m, const Pocket& pocket) {
    const double rounding =
        (100 + std::sqrt(static_cast<double>(pocket.points))) * std::numeric_limits<T>::epsilon();
    const double off = std::abs(m.sum.value());
    if (!(off > rounding * m.size)) return;
    most = std::max(most, off / m.weights);
    if (!project && off > allowed * m.size)
      throw InputError(fmt::format(
          "no solution exists: nothing gives a value to the {} around {}, so the right-hand side (fluxes "
          "included) must have mean 0 there: subtract {:.10g}, have it removed (--project-rhs, "
          "Stop::project_rhs), or hold a point there at a value (--fix)",
          counted(pocket.points, "point"), place(pocket.first), m.value()));
  });
  if (most == 0) return {};
  remove([](const Mean&, const Pocket&) {});  // what rounding has left of it
  return {note(notes::mean_removed_of_parts, most, project ? "as asked" : "as discretisation error")};
}

template <class T, int D>
void Domain<T, D>::start(std::span<T> x) const {
  require_lengths(a_.rows(), {{"x", x.size()}});
  for (Index p = 0; p < a_.rows(); ++p)
    if (!is_unknown(p)) x[p] = 0;
}

template <class T, int D>
void Domain<T, D>::finish(std::span<T> x) const {
  require_lengths(a_.rows(), {{"x", x.size()}});
  std::vector<double> sums(pockets_.size()), weights(pockets_.size());
  const Metric<T, D> metric(a_.grid());
  for (Index p = 0; p < std::ssize(pocket_of_); ++p) {
    if (pocket_of_[p] < 0) continue;
    const double w = a_.weight(p) * metric.volume(position(a_.grid(), p));
    sums[pocket_of_[p]] += w * x[p];
    weights[pocket_of_[p]] += w;
  }
  for (Index p = 0; p < std::ssize(pocket_of_); ++p)
    if (pocket_of_[p] >= 0) x[p] -= static_cast<T>(sums[pocket_of_[p]] / weights[pocket_of_[p]]);
  show(x);
}

template <class T, int D>
void Domain<T, D>::show(std::span<T> x) const {
  require_lengths(a_.rows(), {{"x", x.size()}});
  for (Index p = 0; p < a_.rows(); ++p) {
    if (kind(p) == PointKind::fixed)
      x[p] = static_cast<T>(value(p));
    else if (kind(p) == PointKind::outside)
      x[p] = std::numeric_limits<T>::quiet_NaN();
  }
}

template <class T, int D>
void Domain<T, D>::finish(Report& report) const {
  report.unknowns = unknowns_;
  const auto fixed = std::ranges::count(points_.kinds, PointKind::fixed);
  const Index outside = a_.rows() - unknowns_ - fixed;
  if (unknowns_ < a_.rows())
    report.notes.push_back(note(notes::not_all_unknowns, a_.rows(), unknowns_, fixed, outside,
                                outside == 0        ? ""
                                : points_.insulated ? ", insulated"
                                                    : ", at given values"));
  if (pockets_.empty()) return;
  const Pocket& largest = *std::ranges::max_element(pockets_, {}, &Pocket::points);
  report.notes.push_back(note(notes::parts_without_values, counted(std::ssize(pockets_), "part"),
                              pockets_.size() == 1 ? "es" : "", counted(largest.points, "point"),
                              place(largest.first)));
}

#define JACOBI_INSTANTIATE(T, D)                                                                             \
  template class Domain<T, D>;                                                                               \
  template void add_robin<T, D>(const Stencil<T, D>&, int, std::span<const double>, std::span<const double>, \
                                DomainPoints<T>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
