#include "jacobi/stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/grid_norms.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/memory.hpp"
#include "core/twofold.hpp"
#include "core/walk.hpp"
#include "jacobi/error.hpp"
#include "jacobi/method.hpp"

namespace jacobi {

namespace {

constexpr std::array<const char*, 6> direction_name = {"west", "east", "south", "north", "back", "front"};

template <class T>
void require_finite(const std::vector<T>& values, int k) {
  for (std::size_t s = 0; s < values.size(); ++s)
    if (!std::isfinite(values[s]))
      throw InputError(
          fmt::format("boundary value {} of the {} side is {}", s, direction_name[k], values[s]));
}

/// Of b - A x, each entry summed as a Sum does.
template <class Sum, class T, int D>
Accumulated::Whole residual_summed(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x,
                                   bool scaled, LineRange lines) {
  require_lengths(a.rows(), {{"b", b.size()}, {"x", x.size()}});
  const auto take = [&](Accumulated& part, Index first, Index last, auto&& sum) {
    part.add(first, last, [&](Index p) {
      const double r = sum(p).value();
      return scaled ? r / a.center(p) : r;
    });
  };
  return gather_residuals<Accumulated, Sum, Accumulated::Whole>(a, b, x, lines, take);
}

}  // namespace

template <class T, int D>
Stencil<T, D>::Stencil(Grid<T, D> grid, std::span<const T> center, const PerSide<std::span<const T>, D>& off,
                       std::shared_ptr<const std::vector<T>> owned)
    : grid_(std::move(grid)), rows_(grid_.rows()), center_(center), off_(off), owned_(std::move(owned)) {
  const auto holds = [&](std::span<const T> c) {
    return c.size() == 1 || c.size() == static_cast<std::size_t>(rows_);
  };
  constant_ = center_.size() == 1;
  for (int k = 0; k < 2 * D; ++k) {
    if (!holds(off_[k]) || !holds(center_))
      throw UsageError(fmt::format("coefficient array '{}' has {} values for {} unknowns",
                                   holds(center_) ? direction_name[k] : "center",
                                   holds(center_) ? off_[k].size() : center_.size(), rows_));
    constant_ = constant_ && off_[k].size() == 1;
    const Side<T>& side = grid_.sides[k / 2][k % 2];
    const bool mirrored = side.kind != BoundaryKind::dirichlet;
    if (mirrored && grid_.unknowns[k / 2] < 2)
      throw UsageError(fmt::format("the {} side is periodic or Neumann: 2 unknowns are needed across, not {}",
                                   direction_name[k], grid_.unknowns[k / 2]));
    if ((side.kind == BoundaryKind::periodic) !=
        (grid_.sides[k / 2][1 - k % 2].kind == BoundaryKind::periodic))
      throw UsageError(fmt::format("the {} side is periodic and the opposite one is not, or the reverse",
                                   direction_name[k]));
    const std::size_t given = side.values.size();
    if (given > 1 && given != static_cast<std::size_t>(side_points(k)))
      throw UsageError(fmt::format("the {} side has {} points, and {} values were given", direction_name[k],
                                   side_points(k), given));
    require_finite(side.values, k);
  }
  validate_coefficients();
  set_fluxes();
  singular_ = row_sums_vanish();
  if (singular_) require_symmetric();
}

template <class T, int D>
Stencil<T, D> Stencil<T, D>::constant(Grid<T, D> grid, T center, const PerSide<T, D>& off) {
  auto values = std::make_shared<std::vector<T>>(off.begin(), off.end());
  values->push_back(center);
  PerSide<std::span<const T>, D> spans;
  for (int k = 0; k < 2 * D; ++k) spans[k] = std::span<const T>(values->data() + k, 1);
  const std::span<const T> middle(values->data() + 2 * D, 1);
  return Stencil(std::move(grid), middle, spans, std::move(values));
}

template <class T, int D>
Stencil<T, D> Stencil<T, D>::variable(Grid<T, D> grid, std::span<const T> center,
                                      const PerSide<std::span<const T>, D>& off) {
  return Stencil(std::move(grid), center, off, nullptr);
}

template <class T, int D>
Stencil<T, D> Stencil<T, D>::validated() const {
  return owned_ ? *this : variable(grid_, center_, off_);  // what it keeps itself nobody has changed
}

template <class T, int D>
void Stencil<T, D>::validate_coefficients() const {
  const auto place = [&](std::span<const T> c, Index p) {
    return c.size() == 1 ? std::string("all points") : "point " + grid_.name(p);
  };
  for (Index p = 0; p < static_cast<Index>(center_.size()); ++p) {
    if (center_[p] == T(0)) throw InputError("ZeroDiagonal: " + place(center_, p));
    if (!std::isfinite(center_[p]))
      throw InputError(fmt::format("NonFiniteDiagonal: {} has {}", place(center_, p), center_[p]));
  }
  for (int k = 0; k < 2 * D; ++k) {
    throw_if_cancelled();
    for (Index p = 0; p < static_cast<Index>(off_[k].size()); ++p)
      if (!std::isfinite(off_[k][p]))
        throw InputError(fmt::format("NonFiniteCoefficient: {} of {} is {}", direction_name[k],
                                     place(off_[k], p), off_[k][p]));
  }
}

template <class T, int D>
Index Stencil<T, D>::side_points(int k) const {
  return rows_ / grid_.unknowns[k / 2];
}

template <class T, int D>
Index Stencil<T, D>::side_unknown(int k, Index s) const {
  const Index stride = stride_of(grid_, k / 2);
  const Index across = k % 2 == 0 ? 0 : grid_.unknowns[k / 2] - 1;
  return s % stride + across * stride + (s / stride) * stride * grid_.unknowns[k / 2];
}

template <class T, int D>
T Stencil<T, D>::boundary_value(int k, Index s) const {
  const std::vector<T>& values = grid_.sides[k / 2][k % 2].values;
  return values.empty() ? T(0) : values[values.size() == 1 ? 0 : s];
}

template <class T, int D>
void Stencil<T, D>::set_fluxes() {
  for (int k = 0; k < 2 * D; ++k) {
    const Side<T>& side = grid_.sides[k / 2][k % 2];
    if (side.kind != BoundaryKind::neumann || side.values.empty()) continue;
    require_memory(static_cast<double>(side_points(k)) * sizeof(double), "the fluxes of a side");
    flux_[k].resize(side_points(k));
    const Index inwards = k % 2 == 0 ? 0 : grid_.unknowns[k / 2] - 2;
    const double distance = grid_.axes[k / 2].at.empty()
                                ? grid_.spacing[k / 2]
                                : grid_.coordinate(k / 2, inwards + 1) - grid_.coordinate(k / 2, inwards);
    for (Index s = 0; s < side_points(k); ++s) {
      const double towards_mirror = off(k, side_unknown(k, s));
      flux_[k][s] = -towards_mirror * 2 * distance * boundary_value(k, s);
    }
  }
}

template <class T, int D>
void Stencil<T, D>::fold(std::span<const T> b, std::span<T> out) const {
  require_lengths(rows(), {{"b", b.size()}, {"out", out.size()}});
  if (b.data() != out.data()) std::copy(b.begin(), b.end(), out.begin());
  for (int k = 0; k < 2 * D; ++k) {
    const Side<T>& side = grid_.sides[k / 2][k % 2];
    if (side.values.empty() || side.kind == BoundaryKind::periodic) continue;
    for (Index s = 0; s < side_points(k); ++s) {
      const Index p = side_unknown(k, s);
      out[p] += side.kind == BoundaryKind::neumann ? static_cast<T>(flux_[k][s])
                                                   : -off(k, p) * boundary_value(k, s);
    }
  }
}

template <class T, int D>
Accumulated::Whole rhs_of_lines(const Stencil<T, D>& a, std::span<const T> b, bool scaled, LineRange lines) {
  require_lengths(a.rows(), {{"b", b.size()}});
  const auto add = [&](Accumulated& sum, Index line) {
    walk_lines(
        a.grid(), line, line + 1,
        [&](Index p, const PerDirection<Index, D>& at) {
          const double folded = b[p] + given(a, at);
          sum.add(scaled ? folded / a.center(p) : folded);
        },
        [&](Index first, Index last) {
          sum.add(first, last,
                  [&](Index p) { return scaled ? b[p] / static_cast<double>(a.center(p)) : b[p]; });
        });
  };
  return gathered_by_lines<Accumulated, Accumulated::Whole>(a.grid(), lines, add);
}
template <class T, int D>
Accumulated::Whole residual_of_lines(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x,
                                     bool scaled, bool twofold, LineRange lines) {
  return twofold ? residual_summed<TwofoldSum>(a, b, x, scaled, lines)
                 : residual_summed<DoubleSum>(a, b, x, scaled, lines);
}

template <class T, int D>
Norms Stencil<T, D>::rhs_norms(std::span<const T> b, bool scaled) const {
  return rhs_of_lines(*this, b, scaled, all_lines(grid_)).norms();
}
template <class T, int D>
Norms Stencil<T, D>::residual_norms(std::span<const T> b, std::span<const T> x, bool scaled) const {
  return residual_of_lines(*this, b, x, scaled, false, all_lines(grid_)).norms();
}
template <class T, int D>
Norms twofold_residual_norms(const Stencil<T, D>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return residual_of_lines(a, b, x, by != Divisor::none, true, all_lines(a.grid())).norms();
}

template <class T, int D>
bool Stencil<T, D>::row_sums_vanish() const {
  for (int k = 0; k < 2 * D; ++k)
    if (grid_.sides[k / 2][k % 2].kind == BoundaryKind::dirichlet) return false;
  const double margin = D * std::numeric_limits<T>::epsilon();  // of 2 D + 1 numbers rounded and added up
  for (Index p = 0; p < (constant_ ? 1 : rows_); ++p) {
    double sum = center(p), size = std::abs(sum);
    for (int k = 0; k < 2 * D; ++k) {
      sum += off(k, p);
      size += std::abs(static_cast<double>(off(k, p)));
    }
    if (std::abs(sum) > margin * size) return false;
  }
  return true;
}

template <class T, int D>
void Stencil<T, D>::require_symmetric() const {
  const double margin = 16 * std::numeric_limits<T>::epsilon();
  const auto compare = [&](Index p, double here, double there) {
    if (std::abs(here - there) > margin * (std::abs(here) + std::abs(there)))
      throw InputError(fmt::format(
          "the operator is singular (no Dirichlet side, row sums 0) and not symmetric at point {}: give "
          "one side a Dirichlet value or add a reaction term",
          grid_.name(p)));
  };
  if (constant_) {
    for (int k = 0; k < 2 * D; k += 2) compare(0, off(k, 0), off(k + 1, 0));
    return;
  }
  walk(grid_, [&](Index p, const PerDirection<Index, D>& at) {
    for (int k = 0; k < 2 * D; ++k) {
      const Index q = neighbour(grid_, p, at, k);
      // the mirror point stands on both sides of p: its two coefficients must be equal
      const bool mirrored = neighbour(grid_, q, position(grid_, q), k ^ 1) != p;
      compare(p, off(k, p), off(k ^ 1, mirrored ? p : q));
    }
  });
}

template <class T, int D>
double Stencil<T, D>::weight(Index p) const {
  const auto at = position(grid_, p);
  double w = 1;
  for (int k = 0; k < 2 * D; ++k) {
    const Index last = k % 2 == 0 ? 0 : grid_.unknowns[k / 2] - 1;
    if (grid_.sides[k / 2][k % 2].kind == BoundaryKind::neumann && at[k / 2] == last) w /= 2;
  }
  return w;
}

#define JACOBI_INSTANTIATE(T, D)                                                                       \
  template class Stencil<T, D>;                                                                        \
  template Norms twofold_residual_norms(const Stencil<T, D>&, std::span<const T>, std::span<const T>,  \
                                        Divisor);                                                      \
  template Accumulated::Whole rhs_of_lines(const Stencil<T, D>&, std::span<const T>, bool, LineRange); \
  template Accumulated::Whole residual_of_lines(const Stencil<T, D>&, std::span<const T>,              \
                                                std::span<const T>, bool, bool, LineRange);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
