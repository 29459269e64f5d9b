#include "problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "axes.hpp"
#include "core/instantiate.hpp"
#include "core/walk.hpp"
#include "fields.hpp"
#include "holes.hpp"
#include "jacobi/error.hpp"
#include "named.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

/// The formula that holds on a side; empty for 0.
const std::string& side_formula(const SideText& side, const std::string& boundary) {
  return side.kind == BoundaryKind::dirichlet && side.values.empty() ? boundary : side.values;
}

/// Throws: UsageError for boundary values that no side takes.
void require_used(const Box& box, const std::string& boundary) {
  if (boundary.empty()) return;
  for (int k = 0; k < 2 * box.dimensions; ++k) {
    const SideText& side = box.sides[k / 2][k % 2];
    if (side.kind == BoundaryKind::dirichlet && side.values.empty()) return;
    for (const SidePart& part : side.parts)
      if (part.kind == SidePart::Kind::dirichlet && part.values.empty()) return;
  }
  throw UsageError(
      fmt::format("--boundary '{}': no side takes it, --bc says what holds on each; leave it out", boundary));
}

/// Whether coefficients k / h^2 and the diagonal they add up to are normal numbers of T.
template <class T>
bool holds_coefficients(const Box& box, double least_k, double largest_k) {
  if (!std::isnormal(static_cast<T>(least_k))) return false;
  double diagonal = 0;
  for (int d = 0; d < box.dimensions; ++d) {
    const auto [smallest, largest] = spacings_of(box, d);
    if (!std::isnormal(static_cast<T>(least_k / (largest * largest)))) return false;
    diagonal += 2 * largest_k / (smallest * smallest);
  }
  return std::isfinite(static_cast<T>(diagonal));
}

template <class T>
std::string precision_and_cure(const char* cure) {
  return sizeof(T) == sizeof(double) ? fmt::format("double precision: {}", cure)
                                     : fmt::format("single precision: {} or take --precision double", cure);
}

/// The grid with its boundary values evaluated.
template <class T, int D>
Grid<T, D> make_sides(const Box& box, const std::string& boundary) {
  Grid<T, D> grid = grid_of<T, D>(box);
  if (!holds_coefficients<T>(box, 1, 1))
    throw UsageError(fmt::format("--domain: with spacing {}, 1/spacing^2 is beyond the range of {}",
                                 spacings_in_words(box),
                                 precision_and_cure<T>("take other units of length")));
  for (int k = 0; k < 2 * D; ++k) {
    const SideText& side = box.sides[k / 2][k % 2];
    if (!side.parts.empty()) {
      grid.sides[k / 2][k % 2].values = fluxes_of_parts(grid, box, k);
      continue;
    }
    const std::string& formula = side_formula(side, boundary);
    if (side.kind == BoundaryKind::periodic || formula.empty()) continue;
    auto values = evaluate<T>(face_of(grid, box, k), side.values.empty() ? "--boundary" : "--bc", formula);
    const bool zero = std::all_of(values.begin(), values.end(), [](T v) { return v == T(0); });
    if (!zero) grid.sides[k / 2][k % 2].values = std::move(values);
  }
  return grid;
}

/// Throws: InputError for the first value that is not `good`; `must` says how it would be.
template <class T, int D, class Good>
void require_all(const Grid<T, D>& grid, const std::vector<T>& values, const char* where,
                 const std::string& must, Good&& good) {
  const auto bad = std::find_if_not(values.begin(), values.end(), good);
  if (bad == values.end()) return;
  const Index p = bad - values.begin();
  throw InputError(fmt::format("{} at {} {}, {}: it must be {}", *bad, where, grid.name(p),
                               point_in_words(coordinates(grid, position(grid, p)), D), must));
}

/// c at the unknowns.
template <class T, int D>
std::vector<T> reaction(const Grid<T, D>& grid, const Box& box, const std::string& text) {
  std::vector<T> c = at_unknowns<T>(grid, box, "--reaction", text);
  named("--reaction", text, [&] { require_all(grid, c, "unknown", ">= 0", [](T v) { return v >= 0; }); });
  return c;
}

/// Where k is 0 on whole Neumann sides and nowhere else, as on the axis of a cylinder: what to do. There the
/// equation of an unknown is 0 = 0; a little beside it the limit is taken.
template <class T, int D>
std::string advice_on_axis(const Grid<T, D>& points, const Box& box, const std::vector<T>& k) {
  constexpr double beside = 1e-9;  // of the length
  const auto on_side = [&](const Position<D>& at, int side) {
    return at[side / 2] == (side % 2 == 0 ? 0 : points.unknowns[side / 2] - 1);
  };
  std::array<bool, 2 * D> axis;
  for (int side = 0; side < 2 * D; ++side)
    axis[side] = box.sides[side / 2][side % 2].kind == BoundaryKind::neumann;
  walk(points, [&](Index p, const Position<D>& at) {
    for (int side = 0; side < 2 * D; ++side)
      if (on_side(at, side) && k[p] != 0) axis[side] = false;
  });
  bool explained = true;
  walk(points, [&](Index p, const Position<D>& at) {
    bool here = k[p] > 0;
    for (int side = 0; side < 2 * D; ++side) here = here || (axis[side] && on_side(at, side));
    explained = explained && here;
  });
  if (!explained) return {};
  std::string domain;
  for (int d = 0; d < D; ++d) {
    const double length = box.upper[d] - box.lower[d];
    domain += fmt::format("{}{}:{}", d == 0 ? "" : "x", box.lower[d] + (axis[2 * d] ? beside * length : 0),
                          box.upper[d] - (axis[2 * d + 1] ? beside * length : 0));
  }
  if (const std::size_t zero = domain.find("e-0"); zero != domain.npos) domain.erase(zero + 2, 1);
  return fmt::format(
      "; where it is 0 on an insulated side, as on the axis of a cylinder, begin beside that: --domain {}",
      domain);
}

/// k at all points.
template <class T, int D>
std::vector<T> diffusivity(const Grid<T, D>& grid, const Box& box, const std::string& text) {
  std::vector<T> k = at_points(grid, box, "--diffusion", text);
  named("--diffusion", text, [&] {
    const Grid<T, D> points = AllPoints<T, D>(grid, box).grid;
    const auto positive = [](T v) { return v > 0; };
    if (!std::ranges::all_of(k, positive))
      require_all(points, k, "grid point", "positive" + (is_file(text) ? "" : advice_on_axis(points, box, k)),
                  positive);
    const auto [least, largest] = std::minmax_element(k.begin(), k.end());
    if (!holds_coefficients<T>(box, *least, *largest))
      throw InputError(fmt::format("from {:g} to {:g}, divided by spacing^2, is beyond the range of {}",
                                   *least, *largest, precision_and_cure<T>("scale k, c and f alike")));
  });
  return k;
}

template <class T, int D>
Stencil<T, D> make_operator(const Grid<T, D>& grid, const Box& box, const ProblemText& text) {
  if (text.diffusion.empty() && text.reaction.empty()) return poisson(grid);
  std::vector<T> c;
  if (!text.reaction.empty()) c = reaction(grid, box, text.reaction);
  const bool one_c = std::adjacent_find(c.begin(), c.end(), std::not_equal_to<>()) == c.end();
  const bool constant = text.diffusion.empty() && one_c;
  std::vector<T> k;
  if (!constant) k = diffusivity(grid, box, text.diffusion.empty() ? "1" : text.diffusion);
  return named("--reaction", text.reaction, [&] {  // what is left to refuse: one that is lost to rounding
    return constant ? poisson(grid, c.front()) : diffusion<T, D>(grid, k, c);
  });
}

}  // namespace

std::vector<std::string> files_read(const ProblemText& text) {
  std::vector<std::string> files = {text.rhs,     text.diffusion, text.reaction, text.exact,
                                    text.initial, text.mask,      text.fix,      text.fix_value};
  std::erase_if(files, [](const std::string& one) { return !is_file(one); });
  return files;
}

namespace {

template <class T, int D>
Problem<T, D> problem_of(const Box& box, const ProblemText& text,
                         const std::function<void(const Stencil<T, D>&)>& look, Mean mean) {
  require_used(box, text.boundary);
  require_holes(text);
  const Grid<T, D> grid = make_sides<T, D>(box, text.boundary);
  Problem<T, D> problem{make_operator<T, D>(grid, box, text), {}, {}, {}};
  if (text.has_holes() || box.has_parts()) {
    problem.domain = make_domain(problem.a, box, text);
    problem.a = problem.domain->a();
  }
  if (look) look(problem.a);
  problem.b = at_unknowns<T>(grid, box, "--rhs", text.rhs);
  times_volumes<T, D>(grid, problem.b);
  if (text.initial.empty())
    problem.x.resize(problem.b.size());
  else
    problem.x = at_unknowns<T>(grid, box, "--initial", text.initial);
  if (!text.exact.empty()) problem.exact = exact_at(grid, box, text.exact);
  if (!problem.domain || mean == Mean::any) return problem;
  problem.notes = problem.domain->fold(problem.b, problem.b, mean == Mean::removed);
  problem.domain->start(problem.x);
  return problem;
}

}  // namespace

template <class T, int D>
Problem<T, D> make_problem(const Box& box, const ProblemText& text,
                           const std::function<void(const Stencil<T, D>&)>& look, Mean mean) {
  return with_example(D, [&] { return problem_of<T, D>(box, text, look, mean); });
}

namespace {

/// Throws: UsageError for options that a stencil with the same coefficients everywhere does not go with.
void require_boxed(const Box& box, const ProblemText& text) {
  if (!text.tensor.empty() && text.stencil == "compact")
    throw UsageError(
        "--tensor is of second order, and --stencil compact of fourth for the Laplacian: give one of them, "
        "as --tensor 2,0.5,1");
  const char* const beside = text.has_holes()          ? "--mask and --fix"
                             : box.has_parts()         ? "sides in parts or Robin sides in --bc"
                             : !text.diffusion.empty() ? "--diffusion"
                             : !box.is_plain()         ? "--axis-x, -y, -z and --coordinates"
                                                       : nullptr;
  if (beside)
    throw UsageError(
        fmt::format("{} has the same coefficients at all points and goes without {}: for example jacobi "
                    "poisson --points 65 {}",
                    text.boxed_by(), beside, text.boxed_example()));
}

/// Throws: UsageError for what is no list of numbers.
std::vector<double> tensor_of(const std::string& text) {
  std::vector<double> entries;
  std::size_t from = 0;
  while (from <= text.size()) {
    const std::size_t comma = std::min(text.find(',', from), text.size());
    double entry = 0;
    if (const std::string fault = read_finite(text.substr(from, comma - from), entry); !fault.empty())
      throw UsageError(fmt::format("--tensor {}: {}; give kxx,kxy,kyy, as --tensor 2,0.5,1", text, fault));
    entries.push_back(entry);
    from = comma + 1;
  }
  return entries;
}

/// c, one number for all points.
template <class T, int D>
double one_reaction(const Grid<T, D>& grid, const Box& box, const std::string& text) {
  if (text.empty()) return 0;
  const std::vector<T> c = reaction(grid, box, text);
  if (std::ranges::adjacent_find(c, std::not_equal_to<>()) != c.end())
    throw UsageError(
        fmt::format("--reaction '{}' varies, and a box stencil has the same coefficients everywhere: give "
                    "one number, as 2",
                    text));
  return c.front();
}

}  // namespace

template <class T, int D>
BoxedProblem<T, D> make_boxed_problem(const Box& box, const ProblemText& text) {
  require_boxed(box, text);
  require_used(box, text.boundary);
  Grid<T, D> grid = make_sides<T, D>(box, text.boundary);
  for (auto& pair : grid.sides)
    for (Side<T>& side : pair)
      if (side.kind == BoundaryKind::dirichlet) side.values.clear();  // which lack corners; see below
  const double c = one_reaction(grid, box, text.reaction);
  Problem<T, D> shown{poisson(grid, c), {}, {}, {}};
  if (text.initial.empty())
    shown.x.resize(static_cast<std::size_t>(grid.rows()));
  else
    shown.x = at_unknowns<T>(grid, box, "--initial", text.initial);
  const std::vector<T> zero(shown.x.size());
  const PointField<T> given = on_all_points<T, D>(shown.a, box, zero, text.boundary);
  const std::vector<T> f = at_points(grid, box, "--rhs", text.rhs);
  BoxProblem<T> made =
      text.tensor.empty() ? compact_poisson<T, D>(grid, f, given.values, c)
                          : named("--tensor", text.tensor, [&] {
                              return tensor_diffusion<T, D>(grid, tensor_of(text.tensor), f, given.values, c);
                            });
  shown.b = std::move(made.b);
  if (!text.exact.empty()) shown.exact = exact_at(grid, box, text.exact);
  return {std::move(made.a), std::move(shown)};
}

template <class T, int D>
std::vector<double> exact_at(const Grid<T, D>& grid, const Box& box, const std::string& text,
                             std::optional<double> time) {
  return at_unknowns<double>(grid, box, "--exact", text, time);
}

template <class T>
Problem<T, 2> copies_of(const Problem<T, 1>& one, Index copies) {
  if (one.domain)
    throw UsageError(
        "--copies: --mask, --fix and sides in parts give points coefficients of their own: solve one copy");
  if (!one.a.is_constant())
    throw UsageError(
        "--copies: --diffusion or a varying --reaction gives coefficients point by point, which copies "
        "cannot share: solve one copy, or divide f and c by a constant k");
  if (one.a.singular())
    throw UsageError(
        "--copies: the problem is singular: give one end a Dirichlet value in --bc, or add --reaction");
  const auto each = [&](const std::vector<T>& values) {
    std::vector<T> all;
    all.reserve(values.size() * static_cast<std::size_t>(copies));
    for (const T value : values) all.insert(all.end(), static_cast<std::size_t>(copies), value);
    return all;
  };
  return {batch(one.a, copies), each(one.b), each(one.x), {}};
}

template Problem<double, 2> copies_of<double>(const Problem<double, 1>&, Index);
template Problem<float, 2> copies_of<float>(const Problem<float, 1>&, Index);

template <class T, int D>
PointField<T> on_all_points(const Stencil<T, D>& a, const Box& box, std::span<const T> x,
                            const std::string& boundary) {
  const Grid<T, D>& grid = a.grid();
  const AllPoints<T, D> all(grid, box);
  PointField<T> field{std::vector<T>(static_cast<std::size_t>(all.grid.rows())), shape_of(all.grid)};
  walk(grid, [&](Index p, const Position<D>& at) { field.values[all.index(at)] = x[p]; });
  for (int k = 0; k < 2 * D; ++k) {
    const int d = k / 2;
    const SideText& side = box.sides[d][k % 2];
    const std::string& formula = side_formula(side, boundary);
    if (side.kind != BoundaryKind::dirichlet || formula.empty()) continue;
    const Grid<T, D> face = face_of(all.grid, box, k);
    const auto values = evaluate<T>(face, "--boundary", formula);
    const Index stride = stride_of(all.grid, d);
    walk(face, [&](Index s, const Position<D>& at) {
      Index p = k % 2 == 0 ? 0 : (box.points[d] - 1) * stride;
      for (int e = 0; e < D; ++e) p += at[e] * stride_of(all.grid, e);
      field.values[p] = values[s];
    });
  }
  return field;
}

double memory_needed(const Box& box, const ProblemText& text, std::size_t size_of_number) {
  double points = 1;
  for (int d = 0; d < box.dimensions; ++d) points *= static_cast<double>(box.points[d]);
  const bool variable = !text.diffusion.empty() || !text.reaction.empty() || text.has_holes() ||
                        box.has_parts() || !box.is_plain();
  const double swept = 3 + (variable ? 2 * (2 * box.dimensions + 1) + 2 : 0),
               vectors = 3;  // b, the initial iterate, x
  return points * (static_cast<double>(size_of_number) * (swept + vectors) +
                   (text.exact.empty() ? 0 : sizeof(double)));
}

#define JACOBI_INSTANTIATE(T, D)                                                                     \
  template Problem<T, D> make_problem<T, D>(const Box&, const ProblemText&,                          \
                                            const std::function<void(const Stencil<T, D>&)>&, Mean); \
  template BoxedProblem<T, D> make_boxed_problem<T, D>(const Box&, const ProblemText&);              \
  template std::vector<double> exact_at<T, D>(const Grid<T, D>&, const Box&, const std::string&,     \
                                              std::optional<double>);                                \
  template PointField<T> on_all_points<T, D>(const Stencil<T, D>&, const Box&, std::span<const T>,   \
                                             const std::string&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
