/// The box stencils that have a name, with their right-hand sides: compact Laplacians, tensor diffusion.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/instantiate.hpp"
#include "core/small_eigenvalues.hpp"
#include "jacobi/box_stencil.hpp"
#include "jacobi/error.hpp"

namespace jacobi {

namespace {

void require_box_reaction(double c) {
  if (!(c >= 0) || !std::isfinite(c))
    throw InputError(fmt::format("the reaction coefficient is {}: it must be >= 0 and finite", c));
}

/// A box of values in three directions, x fastest.
struct Values {
  std::array<Index, 3> n{1, 1, 1};
  std::vector<double> values;
  Index stride(int d) const { return d == 0 ? 1 : d == 1 ? n[0] : n[0] * n[1]; }
};

/// Where the points of a direction lie: unknowns, and points on Dirichlet sides around them.
template <class T, int D>
struct PointsOf {
  explicit PointsOf(const Grid<T, D>& grid) {
    for (int d = 0; d < D; ++d) {
      first[d] = grid.sides[d][0].kind == BoundaryKind::dirichlet ? 1 : 0;
      n[d] = grid.unknowns[d] + first[d] + (grid.sides[d][1].kind == BoundaryKind::dirichlet ? 1 : 0);
    }
  }
  Index count() const { return n[0] * n[1] * n[2]; }
  void require(std::size_t given, const char* what) const {
    if (given != static_cast<std::size_t>(count()))
      throw UsageError(
          fmt::format("{} has {} values: one for each of the {} points, {}, those on Dirichlet sides "
                      "included",
                      what, given, count(), fmt::join(std::span(n).first(D), " x ")));
  }
  std::array<Index, 3> n{1, 1, 1}, first{};
};

/// From all points to the unknowns of direction d by M = 1 + h^2/12 delta^2; on an insulated side f0 + h/3 f'
/// + h^2/12 f'' by one-sided differences, (7 f0 + 6 f1 - f2) / 12.
template <class T, int D>
Values averaged(const Values& f, const Grid<T, D>& grid, int d) {
  Values to = f;
  const Index n = grid.unknowns[d], all = f.n[d], stride = f.stride(d);
  const BoundaryKind low = grid.sides[d][0].kind, high = grid.sides[d][1].kind;
  const Index first = low == BoundaryKind::dirichlet ? 1 : 0;
  to.n[d] = n;
  to.values.assign(static_cast<std::size_t>(to.n[0] * to.n[1] * to.n[2]), 0);
  const auto mixed = [](double a, double b, double c) { return (a + 10 * b + c) / 12; };
  const auto one_sided = [](double a, double b, double c) { return (7 * a + 6 * b - c) / 12; };
  const Index before = stride, after = f.n[0] * f.n[1] * f.n[2] / (stride * all);
  for (Index outer = 0; outer < after; ++outer)
    for (Index inner = 0; inner < before; ++inner) {
      const double* const line = f.values.data() + outer * stride * all + inner;
      double* const out = to.values.data() + outer * stride * n + inner;
      const auto at = [&](Index i) { return line[i * stride]; };
      for (Index i = 0; i < n; ++i) {
        const Index p = i + first;
        double& value = out[i * stride];
        if (i == 0 && low == BoundaryKind::neumann)
          value = one_sided(at(0), at(1), at(2));
        else if (i == n - 1 && high == BoundaryKind::neumann)
          value = one_sided(at(p), at(p - 1), at(p - 2));
        else if (low == BoundaryKind::periodic)
          value = mixed(at((i + n - 1) % n), at(i), at((i + 1) % n));
        else
          value = mixed(at(p - 1), at(p), at(p + 1));
      }
    }
  return to;
}

/// Values at the unknowns only.
template <class T, int D>
Values inner_of(const Values& f, const Grid<T, D>& grid, const PointsOf<T, D>& points) {
  Values to;
  for (int d = 0; d < D; ++d) to.n[d] = grid.unknowns[d];
  for (Index z = 0; z < to.n[2]; ++z)
    for (Index y = 0; y < to.n[1]; ++y)
      for (Index x = 0; x < to.n[0]; ++x)
        to.values.push_back(f.values[static_cast<std::size_t>(
            x + points.first[0] + f.n[0] * (y + points.first[1] + f.n[1] * (z + points.first[2])))]);
  return to;
}

/// b less what the values on Dirichlet sides, corners among them, add to A u.
template <class T, int D>
std::vector<T> folded(const BoxStencil<T>& a, const PointsOf<T, D>& points, const Values& b,
                      std::span<const T> given) {
  std::vector<T> to(b.values.size());
  const auto& n = a.unknowns();
  Index row = 0;
  for (Index z = 0; z < n[2]; ++z)
    for (Index y = 0; y < n[1]; ++y)
      for (Index x = 0; x < n[0]; ++x, ++row) {
        double sum = b.values[static_cast<std::size_t>(row)];
        const std::array<Index, 3> at{x, y, z};
        bool is_inside = given.empty();
        if (!is_inside) {
          is_inside = true;
          for (int d = 0; d < D; ++d) is_inside = is_inside && at[d] > 0 && at[d] + 1 < n[d];
        }
        for (int k = -1; k <= 1 && !is_inside; ++k)
          for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i) {
              const std::array<int, 3> step{i, j, k};
              bool is_given = false, exists = true;
              Index place = 0;
              for (int d = 2; d >= 0; --d) {
                if (d >= D) {
                  exists = exists && step[d] == 0;
                  continue;
                }
                const Index to_d = a.beside(d, at[d], step[d]);
                is_given = is_given || to_d < 0;
                place = place * points.n[d] + points.first[d] + (to_d < 0 ? at[d] + step[d] : to_d);
              }
              if (exists && is_given)
                sum -= static_cast<double>(a.coefficient(i, j, k)) * static_cast<double>(given[place]);
            }
        to[static_cast<std::size_t>(row)] = static_cast<T>(sum);
      }
  return to;
}

template <class T, int D>
BoxProblem<T> problem_of(BoxStencil<T> a, const Grid<T, D>& grid, std::span<const T> f,
                         std::span<const T> given, bool compact) {
  const PointsOf<T, D> points(grid);
  points.require(f.size(), "f");
  if (!given.empty()) points.require(given.size(), "u given on Dirichlet sides");
  for (int d = 0; d < D && compact; ++d)
    if ((grid.sides[d][0].kind == BoundaryKind::neumann || grid.sides[d][1].kind == BoundaryKind::neumann) &&
        points.n[d] < 3)
      throw UsageError(
          fmt::format("an insulated side across {} needs 3 points along it, not {}", "xyz"[d], points.n[d]));
  Values values{points.n, std::vector<double>(f.begin(), f.end())};
  if (compact)
    for (int d = 0; d < D; ++d) values = averaged(values, grid, d);
  else
    values = inner_of(values, grid, points);
  std::vector<T> b = folded(a, points, values, given);
  return {std::move(a), std::move(b)};
}

/// coefficient(i, j, k) in the order of BoxStencil::constant().
template <class T, int D, class Of>
BoxStencil<T> box_of(const Grid<T, D>& grid, Of&& coefficient) {
  std::vector<T> c;
  for (int k = D > 2 ? -1 : 0; k <= (D > 2 ? 1 : 0); ++k)
    for (int j = D > 1 ? -1 : 0; j <= (D > 1 ? 1 : 0); ++j)
      for (int i = -1; i <= 1; ++i) c.push_back(static_cast<T>(coefficient(std::array{i, j, k})));
  return BoxStencil<T>::constant(grid, std::span<const T>(c));
}

using Tensor = std::array<std::array<double, 3>, 3>;

/// Throws: UsageError, InputError for what is no symmetric positive definite tensor.
template <int D>
Tensor checked_tensor(std::span<const double> upper) {
  constexpr std::size_t entries = D * (D + 1) / 2;
  constexpr const char* names = D == 1   ? "kxx, as 2"
                                : D == 2 ? "kxx,kxy,kyy, as 2,0.5,1"
                                         : "kxx,kxy,kxz,kyy,kyz,kzz, as 2,0.5,0,1,0,1";
  if (upper.size() != entries)
    throw UsageError(fmt::format("a tensor in {} dimensions has {} entries, {}: {} are given", D, entries,
                                 names, upper.size()));
  Tensor k{};
  std::size_t next = 0;
  for (int d = 0; d < D; ++d)
    for (int e = d; e < D; ++e) k[d][e] = k[e][d] = upper[next++];
  double largest = 0;
  for (const double entry : upper) {
    if (!std::isfinite(entry))
      throw InputError(fmt::format("an entry of the tensor is {}: it must be finite", entry));
    largest = std::max(largest, std::abs(entry));
  }
  for (int d = D; d < 3; ++d) k[d][d] = std::max(1.0, largest);  // above the least eigenvalue of the others
  const double least = eigenvalues_of_3(k).front();
  if (!(least > 1e-12 * largest))
    throw InputError(
        fmt::format("the tensor {} is not positive definite, its least eigenvalue is {:.3g}: {}",
                    fmt::join(upper, ","), least,
                    D == 1 ? "give a positive number, as 2"
                           : fmt::format("products of diagonal entries must exceed the squares of those "
                                         "beside them; give {}",
                                         names)));
  return k;
}

}  // namespace

template <class T, int D>
BoxStencil<T> compact_laplacian(const Grid<T, D>& grid, double reaction) {
  require_box_reaction(reaction);
  return box_of<T>(grid, [&](const std::array<int, 3>& at) {
    const auto second = [&](int d) { return (at[d] == 0 ? 2 : -1) / (grid.spacing[d] * grid.spacing[d]); };
    const auto mean = [&](int d) { return (at[d] == 0 ? 10 : 1) / 12.0; };
    double sum = 0, all = reaction;
    for (int d = 0; d < D; ++d) {
      double product = second(d);
      for (int e = 0; e < D; ++e) product *= e == d ? 1 : mean(e);
      sum += product;
      all *= mean(d);
    }
    return sum + all;
  });
}

template <class T, int D>
BoxProblem<T> compact_poisson(const Grid<T, D>& grid, std::span<const T> f, std::span<const T> given,
                              double reaction) {
  return problem_of(compact_laplacian<T, D>(grid, reaction), grid, f, given, true);
}

template <class T, int D>
BoxStencil<T> tensor_operator(const Grid<T, D>& grid, std::span<const double> tensor, double reaction) {
  const Tensor k = checked_tensor<D>(tensor);
  require_box_reaction(reaction);
  return box_of<T>(grid, [&](const std::array<int, 3>& at) {
    const int away = std::abs(at[0]) + std::abs(at[1]) + std::abs(at[2]);
    double sum = away == 0 ? reaction : 0;
    for (int d = 0; d < D; ++d) {
      const double h = grid.spacing[d];
      if (away == 0) sum += 2 * k[d][d] / (h * h);
      if (away == 1 && at[d] != 0) sum -= k[d][d] / (h * h);
      for (int e = 0; e < d; ++e)
        if (away == 2 && at[d] != 0 && at[e] != 0) sum -= k[d][e] * at[d] * at[e] / (2 * h * grid.spacing[e]);
    }
    return sum;
  });
}

template <class T, int D>
BoxProblem<T> tensor_diffusion(const Grid<T, D>& grid, std::span<const double> tensor, std::span<const T> f,
                               std::span<const T> given, double reaction) {
  return problem_of(tensor_operator<T, D>(grid, tensor, reaction), grid, f, given, false);
}

#define JACOBI_INSTANTIATE(T, D)                                                                          \
  template BoxStencil<T> compact_laplacian<T, D>(const Grid<T, D>&, double);                              \
  template BoxProblem<T> compact_poisson<T, D>(const Grid<T, D>&, std::span<const T>, std::span<const T>, \
                                               double);                                                   \
  template BoxStencil<T> tensor_operator<T, D>(const Grid<T, D>&, std::span<const double>, double);       \
  template BoxProblem<T> tensor_diffusion<T, D>(const Grid<T, D>&, std::span<const double>,               \
                                                std::span<const T>, std::span<const T>, double);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
