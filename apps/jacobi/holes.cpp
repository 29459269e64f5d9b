#include "holes.hpp"

#include <fmt/format.h>

#include "core/instantiate.hpp"
#include "fields.hpp"
#include "io/png.hpp"
#include "jacobi/error.hpp"
#include "named.hpp"

namespace jacobi::cli {

namespace {

/// What lies beyond the cut: a formula of values, or nothing where no flux passes.
struct MaskSide {
  bool insulated = false;
  std::string values;
};

MaskSide mask_side(const std::string& text) {
  const std::string kind = text.substr(0, text.find(':'));
  const std::string values = kind == text ? "0" : text.substr(kind.size() + 1);
  if (text.empty()) return {false, "0"};
  if (kind == "dirichlet" && !values.empty()) return {false, values};
  if (kind == "neumann" && values == "0") return {true, {}};
  throw UsageError(fmt::format("--mask-side '{}': write dirichlet:EXPR or neumann:0{}", text,
                               kind == "neumann" ? "; a flux through a staircase has no right size" : ""));
}

/// Bright pixels are inside; y upwards.
template <class T, int D>
std::vector<double> from_picture(const Grid<T, D>& grid, const Box& box, const std::string& path) {
  const io::GreyPicture picture = io::read_png(path);
  if (D != 2)
    throw InputError(fmt::format("a picture has 2 dimensions and the problem {}: take a .npy file", D));
  const AllPoints<T, D> all(grid, box);
  const auto has = [&](const Grid<T, D>& points) {
    return static_cast<Index>(picture.width) == points.unknowns[0] &&
           static_cast<Index>(picture.height) == points.unknowns[D - 1];
  };
  if (!has(grid) && !has(all.grid))
    throw InputError(fmt::format("{} x {} pixels fit neither all points, {} x {}, nor the unknowns, {} x {}",
                                 picture.width, picture.height, all.grid.unknowns[0],
                                 all.grid.unknowns[D - 1], grid.unknowns[0], grid.unknowns[D - 1]));
  std::vector<double> values(static_cast<std::size_t>(grid.rows()));
  walk(grid, [&](Index p, const Position<D>& at) {
    values[p] = picture.values[has(all.grid) ? all.index(at) : p] >= 128;
  });
  return values;
}

template <class T, int D>
std::vector<double> read_mask(const Grid<T, D>& grid, const Box& box, const std::string& text) {
  if (!text.ends_with(".png")) return at_unknowns<double>(grid, box, "--mask", text);
  return named("--mask", text, [&] { return from_picture(grid, box, text); });
}

/// visit(point of side k, the part that holds there, the value of `values`, and of `beta`).
template <class T, int D, class Visit>
void for_each_part(const Grid<T, D>& grid, const Box& box, int k, const std::string& boundary,
                   Visit&& visit) {
  struct Formulas {
    const SidePart& part;
    Expression values, beta, where;
  };
  std::vector<Formulas> all;
  const auto formula = [&](const std::string& text, const char* otherwise) {
    return Expression("--bc", text.empty() ? otherwise : text, D);
  };
  for (const SidePart& part : box.sides[k / 2][k % 2].parts) {
    const bool given = part.kind == SidePart::Kind::dirichlet && !boundary.empty();
    all.push_back({part, formula(part.values, given ? boundary.c_str() : "0"), formula(part.beta, "0"),
                   formula(part.where, "1")});
  }
  const Grid<T, D> face = face_of(grid, box, k);
  walk(face, [&](Index s, const Position<D>& at) {
    const auto place = coordinates(face, at);
    const auto holds = std::ranges::find_if(all, [&](Formulas& f) { return f.where(place) != 0; });
    if (holds == all.end())
      throw InputError(fmt::format("--bc: nothing is said of side {}{} at {}: end with one without 'where'",
                                   "xyz"[k / 2], k % 2 == 0 ? '-' : '+', point_in_words(place, D)));
    const bool robin = holds->part.kind == SidePart::Kind::robin;
    visit(s, holds->part.kind, holds->values(place), robin ? holds->beta(place) : 0.0);
  });
}

/// Points held and what Robin's parts add.
template <class T, int D>
void take_parts(const Stencil<T, D>& a, const Box& box, const std::string& boundary, int k,
                DomainPoints<T>& points) {
  std::vector<double> alpha(static_cast<std::size_t>(a.side_points(k))), beta(alpha.size());
  for_each_part(a.grid(), box, k, boundary, [&](Index s, SidePart::Kind kind, double value, double second) {
    const Index p = a.side_unknown(k, s);
    if (kind == SidePart::Kind::robin) {
      alpha[s] = value;
      beta[s] = second;
    } else if (kind == SidePart::Kind::dirichlet && points.kinds[p] == PointKind::unknown) {
      points.values.resize(points.kinds.size());
      points.kinds[p] = PointKind::fixed;
      points.values[p] = static_cast<T>(value);
    }
  });
  named("--bc", "robin", [&] { add_robin<T, D>(a, k, alpha, beta, points); });
}

}  // namespace

template <class T, int D>
std::vector<T> fluxes_of_parts(const Grid<T, D>& grid, const Box& box, int k) {
  std::vector<T> fluxes(static_cast<std::size_t>(grid.rows() / grid.unknowns[k / 2]));
  for_each_part(grid, box, k, "0", [&](Index s, SidePart::Kind kind, double value, double) {
    if (kind == SidePart::Kind::neumann) fluxes[s] = static_cast<T>(value);
  });
  return fluxes;
}

void require_holes(const ProblemText& text) {
  if (!text.mask_side.empty() && text.mask.empty())
    throw UsageError("--mask-side goes with --mask, which says where the inside is");
  if (!text.fix_value.empty() && text.fix.empty())
    throw UsageError("--fix-value goes with --fix, which says where it holds");
  if (text.fix.ends_with(".png") || text.fix_value.ends_with(".png"))
    throw UsageError("--fix and --fix-value take a formula or a .npy file; a picture is for --mask");
  mask_side(text.mask_side);
}

template <class T, int D>
std::shared_ptr<const Domain<T, D>> make_domain(const Stencil<T, D>& box_operator, const Box& box,
                                                const ProblemText& text) {
  const Grid<T, D>& grid = box_operator.grid();
  const MaskSide side = mask_side(text.mask_side);
  DomainPoints<T> points;
  points.insulated = side.insulated;
  points.kinds.resize(static_cast<std::size_t>(grid.rows()));
  if (!side.insulated && !text.mask.empty() && side.values != "0")
    points.values = evaluate<T>(grid, "--mask-side", side.values);
  if (!text.mask.empty()) {
    const std::vector<double> inside = read_mask(grid, box, text.mask);
    for (std::size_t p = 0; p < inside.size(); ++p)
      if (inside[p] == 0) points.kinds[p] = PointKind::outside;
  }
  if (!text.fix.empty()) {
    const std::vector<double> where = at_unknowns<double>(grid, box, "--fix", text.fix);
    const std::string& given = text.fix_value.empty() ? "0" : text.fix_value;
    const std::vector<T> held = at_unknowns<T>(grid, box, "--fix-value", given);
    points.values.resize(points.kinds.size());
    for (std::size_t p = 0; p < where.size(); ++p) {
      if (where[p] == 0) continue;
      points.kinds[p] = PointKind::fixed;
      points.values[p] = held[p];
    }
  }
  for (int k = 0; k < 2 * D; ++k)
    if (!box.sides[k / 2][k % 2].parts.empty()) take_parts(box_operator, box, text.boundary, k, points);
  return named(text.mask.empty() ? "--fix" : "--mask", text.mask.empty() ? text.fix : text.mask,
               [&] { return std::make_shared<const Domain<T, D>>(box_operator, std::move(points)); });
}

#define JACOBI_INSTANTIATE(T, D)                                                                   \
  template std::vector<T> fluxes_of_parts<T, D>(const Grid<T, D>&, const Box&, int);               \
  template std::shared_ptr<const Domain<T, D>> make_domain<T, D>(const Stencil<T, D>&, const Box&, \
                                                                 const ProblemText&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
