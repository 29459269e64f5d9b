#include "dry_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "axes.hpp"
#include "core/coefficients.hpp"
#include "core/forecast.hpp"
#include "core/instantiate.hpp"
#include "core/null_space.hpp"
#include "core/tested_norm.hpp"
#include "jacobi/predict.hpp"
#include "named.hpp"
#include "numbers.hpp"
#include "outputs.hpp"
#include "report.hpp"
#include "run.hpp"

namespace jacobi::cli {

namespace {

constexpr double looked_at_whole = 300e3;  // unknowns; of more, samples are made
constexpr double varying_whole =
    1e6;  // the same where coefficients may jump, whose cycles samples tell badly
constexpr double seen_points = 1 << 16, fewer_points = 1 << 14;  // on which formulas are evaluated
constexpr double timed_points = 1e6, timed_varying = 2e5;        // beyond most caches, within 0.2 s
constexpr Index most_waves = 1 << 22;                            // per direction, in memory

double points_of(const Box& box) {
  double points = 1;
  for (int d = 0; d < box.dimensions; ++d) points *= static_cast<double>(box.points[d]);
  return points;
}

std::string words_of_grid(const Box& box, bool constant, Index unknowns) {
  std::vector<Index> points(box.points.begin(), box.points.begin() + box.dimensions);
  return fmt::format("{} points, {}, spacing {}, {} coefficients", fmt::join(points, " x "),
                     counted(unknowns, "unknown"), spacings_in_words(box),
                     constant ? "constant" : "variable");
}

int tell_forecast(const PoissonOptions& o, const Box& box, Forecast& f, const std::string& description,
                  const std::string& tile_note) {
  std::vector<Note> before;
  if (!f.choice.reason.empty()) before.emplace_back(Note::Kind::choice, f.choice.reason);
  if (!tile_note.empty()) before.emplace_back(tile_note);
  for (const std::string& note : left_unwritten(o.files.files())) before.emplace_back(note);
  f.notes.insert(f.notes.begin(), before.begin(), before.end());
  if (!o.run.json.empty()) {
    ordered_json more = facts_of_run();
    more.update(problem_asked(o, box));
    write_text(o.run.json, with(to_json(f), more, "notes"));
  }
  if (o.run.talks())
    fmt::print("{}{}\n{}", description, o.copies > 1 ? fmt::format(", {} copies", o.copies) : "", to_text(f));
  return Exit::converged;
}

/// The plan, of a problem or of an outlook on one.
template <class From>
Choice plan_of(const PoissonOptions& o, const From& from) {
  return named("--schedule", o.schedule, [&] { return choose_plan(o, from); });
}

/// A problem small enough to be made.
template <class T, int D, int E>
int look_at_whole(const PoissonOptions& o, const Box& box, const Problem<T, D>& one,
                  const Problem<T, E>& problem) {
  Choice choice = plan_of(o, one);
  const std::string tile_note = o.tile.choose(one.a, o.copies, choice.plan);
  const Stop stop = o.stop.make();
  const auto on = o.run.make_backend();
  Forecast f;
  if (one.domain) {  // whose own slowest mode is not known; trial modes of a box with holes are none
    const SeenGrid<T, E> grid{problem.a, problem.b, problem.x};
    WholeGrid whole = whole_of(grid, choice, stop, on->threads());
    whole.outset.modes = one.domain->bounds_of_box();
    f = forecast<T, E>(whole, choice, grid, grid, stop, *on);
    f.of_box = f.one_mode;
  } else {
    f = forecast<T, E>(problem.a, choice, problem.b, problem.x, stop, *on);
  }
  f.memory += bytes_of_exact(o, static_cast<double>(problem.a.rows()));
  return tell_forecast(o, box, f, describe_grid(one, box), tile_note);
}

/// As many copies as are looked at; norms of all together grow with their number as the norm says.
template <class T>
int look_at_copies(const PoissonOptions& o, const Box& box, const Problem<T, 1>& one) {
  const double rows = static_cast<double>(one.a.rows());
  const Index fewer = std::clamp(static_cast<Index>(looked_at_whole / rows), Index(1), o.copies);
  const Problem<T, 2> seen = copies_of(one, fewer);
  if (fewer == o.copies) return look_at_whole(o, box, one, seen);
  Choice choice = plan_of(o, one);
  const std::string tile_note = o.tile.choose(one.a, o.copies, choice.plan);
  const Stop stop = o.stop.make();
  const auto on = o.run.make_backend();
  Outset outset = outset_of<T, 2>(seen.a, seen.b, seen.x, stop);
  const Norm norm = tested_norm(seen.a, stop.norm);
  const bool largest = norm == Norm::max_residual || norm == Norm::max_update;
  for (double* one_norm : {&outset.initial, &outset.rhs, &outset.floor})
    if (!largest) *one_norm *= std::sqrt(static_cast<double>(o.copies) / static_cast<double>(fewer));
  const WholeGrid whole{rows * static_cast<double>(o.copies),
                        bytes_to_solve(batch(one.a, o.copies), choice, on->threads()), norm, outset,
                        symmetric_and_constant(one.a)};
  const SeenGrid<T, 2> grid{seen.a, seen.b, seen.x};
  Forecast f = forecast<T, 2>(whole, choice, grid, grid, stop, *on);
  f.memory += bytes_of_exact(o, whole.rows);
  return tell_forecast(o, box, f, describe_grid(one, box), tile_note);
}

/// The operator of a box without what is given on its sides. varies: k is 1 at every point, but stored; else
/// points are spaced equally.
template <class T, int D>
Stencil<T, D> bare(Box box, bool varies, double reaction) {
  if (!varies) {
    box.axes = {};
    box.coordinates = Coordinates::cartesian;
  }
  Grid<T, D> grid = grid_of<T, D>(box);
  if (!varies) return poisson(std::move(grid), reaction);
  const std::vector<T> k(static_cast<std::size_t>(points_of(box)), T(1));
  return diffusion<T, D>(std::move(grid), k);
}

/// The problem on fewer points, with a right-hand side that has a solution.
template <class T, int D>
Problem<T, D> fewer(const PoissonOptions& o, const Box& box, double points) {
  Problem<T, D> p = make_problem<T, D>(with_at_most(box, points), o.problem);
  if (p.a.singular()) make_compatible<T, D>(p.a, p.b, o.stop.project_rhs);
  return p;
}

/// What the diagonal has beyond the neighbours' coefficients.
template <class T, int D>
double reaction_of(const Stencil<T, D>& a) {
  double rest = a.center(0);
  for (int k = 0; k < 2 * D; ++k) rest += a.off(k, 0);
  const double of_rounding = (2 * D + 1) * std::numeric_limits<T>::epsilon() * std::abs(a.center(0));
  return rest > of_rounding ? rest : 0;
}

/// Bytes are linear in what coefficients that vary add.
template <class T, int D>
double memory_of(const Stencil<T, D>& whole, const Problem<T, D>& seen, const Box& seen_box,
                 const Choice& choice, int threads) {
  const double constant = bytes_to_solve(whole, choice, threads);
  if (seen.a.is_constant()) return constant;
  const double more = bytes_to_solve(seen.a, choice, threads) -
                      bytes_to_solve(bare<T, D>(seen_box, false, 0), choice, threads);
  return constant + more * static_cast<double>(whole.rows()) / static_cast<double>(seen.a.rows());
}

template <class T, int D>
int look_at_samples(const PoissonOptions& o, const Box& box) {
  const Stop stop = o.stop.make();
  const auto on = o.run.make_backend();
  const Problem<T, D> seen = fewer<T, D>(o, box, seen_points), half = fewer<T, D>(o, box, fewer_points);
  const bool constant = seen.a.is_constant();
  const Stencil<T, D> all = bare<T, D>(box, false, constant ? reaction_of(seen.a) : 0);
  WholeGrid whole;
  whole.rows = static_cast<double>(all.rows());
  whole.norm = tested_norm(seen.a, stop.norm);
  whole.exact = symmetric_and_constant(seen.a);
  whole.outset =
      grown(outset_of<T, D>(seen.a, seen.b, seen.x, stop), static_cast<double>(seen.a.rows()),
            outset_of<T, D>(half.a, half.b, half.x, stop), static_cast<double>(half.a.rows()), whole.rows);
  if (whole.exact && *std::ranges::max_element(box.points) <= most_waves)
    whole.outset.modes = {all.slowest_mode(), all.fastest_mode()};
  const Outlook<T, D> outlook{
      constant ? all : seen.a, [&] { return bounds_of(whole.outset, whole.exact); },
      [&] { return whole.outset.floor; },
      [&] { return predicted(plain(), stop, whole.norm, whole.outset, whole.exact).tolerance; }};
  Choice choice = plan_of(o, outlook);
  const std::string tile_note = o.tile.choose(all, o.copies, choice.plan);
  const Box seen_box = with_at_most(box, seen_points);
  whole.memory = memory_of(all, seen, seen_box, choice, on->threads()) + bytes_of_exact(o, whole.rows);
  const Box timed_box = with_at_most(box, constant ? timed_points : timed_varying);
  const Stencil<T, D> timed = bare<T, D>(timed_box, !constant, constant ? reaction_of(seen.a) : 0);
  std::vector<T> b(static_cast<std::size_t>(timed.rows()), T(1));
  const std::vector<T> x(b.size());
  if (timed.singular()) make_compatible<T, D>(timed, b, true);
  Forecast f = forecast<T, D>(whole, choice, {seen.a, seen.b, seen.x}, {timed, b, x}, stop, *on);
  const auto sizes = [](const Box& one) {
    const std::vector<Index> points(one.points.begin(), one.points.begin() + one.dimensions);
    return fmt::format("{}", fmt::join(points, " x "));
  };
  f.notes.emplace_back(
      fmt::format("looked at on {} points, timed on {}: the grid itself was not made{}", sizes(seen_box),
                  sizes(timed_box),
                  constant ? "" : "; where coefficients jump it may take two or three times as many cycles"));
  return tell_forecast(o, box, f, words_of_grid(box, constant, all.rows()), tile_note);
}

}  // namespace

double bytes_of_exact(const PoissonOptions& o, double rows) {
  return o.problem.exact.empty() ? 0 : rows * sizeof(double);
}

Box with_at_most(const Box& box, double points) {
  constexpr double least = 33;
  const auto shrunk = [&](double factor) {
    Box small = box;
    for (int d = 0; d < box.dimensions; ++d) {
      const double size = static_cast<double>(box.points[d]);
      small.points[d] = static_cast<Index>(std::max(std::min(size, least), std::floor(size / factor)));
      small.axes[d] = resampled(box.axes[d], intervals_of(small, d));
    }
    return small;
  };
  double low = 1, high = std::max(1.0, points_of(box));
  if (points_of(box) <= points) return box;
  while (high > low * (1 + 1e-9)) {
    const double middle = std::sqrt(low * high);
    (points_of(shrunk(middle)) <= points ? high : low) = middle;
  }
  return shrunk(high);
}

template <class T, int D>
std::string describe_grid(const Problem<T, D>& p, const Box& box) {
  return words_of_grid(box, p.a.is_constant(), p.unknowns());
}

/// Files hold values of the whole grid, and a mask may leave nothing of a coarse one.
template <class T, int D>
int dry_run(const PoissonOptions& o, const Box& box) {
  const bool varies = !o.problem.diffusion.empty() || !o.problem.reaction.empty();
  if (o.copies == 1 && points_of(box) > (varies ? varying_whole : looked_at_whole) &&
      files_read(o.problem).empty() && !o.problem.has_holes() && !box.has_parts())
    return look_at_samples<T, D>(o, box);
  const Problem<T, D> one = make_problem<T, D>(box, o.problem, {}, mean_of(o.stop));
  if constexpr (D == 1)
    if (o.copies > 1) return look_at_copies(o, box, one);
  return look_at_whole(o, box, one, one);
}

#define JACOBI_INSTANTIATE(T, D)                                 \
  template int dry_run<T, D>(const PoissonOptions&, const Box&); \
  template std::string describe_grid<T, D>(const Problem<T, D>&, const Box&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
