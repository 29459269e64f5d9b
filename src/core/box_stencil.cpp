#include "core/box_stencil.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>
#include <utility>

#include "core/entry_rows.hpp"
#include "core/facts.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/small_eigenvalues.hpp"
#include "core/twofold.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"

namespace jacobi {

namespace {

/// visit(i, j, k, number of c(i, j, k)).
template <class Visit>
void each_of_27(Visit&& visit) {
  std::size_t number = 0;
  for (int k = -1; k <= 1; ++k)
    for (int j = -1; j <= 1; ++j)
      for (int i = -1; i <= 1; ++i) visit(std::array<int, 3>{i, j, k}, number++);
}

template <class T, int D>
void require_box_grid(const Grid<T, D>& grid) {
  if (grid.is_stretched() || grid.coordinates != Coordinates::cartesian)
    throw UsageError("a box stencil has the same coefficients everywhere: points must be equally spaced");
  for (int k = 0; k < 2 * D; ++k)
    if (std::ranges::any_of(grid.sides[k / 2][k % 2].values, [](T value) { return value != 0; }))
      throw UsageError(
          fmt::format("a box stencil reads corners, which values of sides do not hold: {}",
                      grid.sides[k / 2][k % 2].kind == BoundaryKind::dirichlet
                          ? "give those on Dirichlet sides at all points, as the argument `given`"
                          : "a Neumann side must be insulated; for another derivative take the star "
                            "(poisson, diffusion)"));
}

}  // namespace

template <class T>
bool BoxStencil<T>::is_even(int d) const {
  bool even = true;
  each_of_27([&](std::array<int, 3> at, std::size_t number) {
    auto other = at;
    other[d] = -at[d];
    even = even && coefficients_[number] == coefficient(other[0], other[1], other[2]);
  });
  return even;
}

template <class T>
bool BoxStencil<T>::symmetric() const {
  bool alike = true;
  each_of_27([&](std::array<int, 3> at, std::size_t number) {
    alike = alike && coefficients_[number] == coefficient(-at[0], -at[1], -at[2]);
  });
  return alike;
}

template <class T>
template <int D>
BoxStencil<T> BoxStencil<T>::constant(const Grid<T, D>& grid, std::span<const T> coefficients) {
  require_box_grid(grid);
  std::size_t count = 1;
  for (int d = 0; d < D; ++d) count *= 3;
  if (coefficients.size() != count)
    throw UsageError(
        fmt::format("a box stencil in {} dimensions has {} coefficients, x fastest: {} are given", D, count,
                    coefficients.size()));
  BoxStencil a;
  a.dimensions_ = D;
  for (int d = 0; d < D; ++d) {
    a.n_[d] = grid.unknowns[d];
    for (int e = 0; e < 2; ++e) a.sides_[2 * d + e] = grid.sides[d][e].kind;
  }
  constexpr std::size_t first = D == 1 ? 12 : D == 2 ? 9 : 0;  // of the middle line, or plane
  std::ranges::copy(coefficients, a.coefficients_.begin() + first);
  double sum = 0, size = 0;
  each_of_27([&](std::array<int, 3> at, std::size_t number) {
    const double c = a.coefficients_[number];
    if (!std::isfinite(c))
      throw InputError(
          fmt::format("coefficient {} of the box stencil is {}: it must be finite", number - first, c));
    sum += c;
    size += std::abs(c);
    for (int d = 0; d < D; ++d)
      for (int e = 0; e < D; ++e) a.moments_[d][e] -= 0.5 * c * at[d] * at[e];
  });
  if (a.diagonal() == 0) throw InputError("the centre of the box stencil is 0: Jacobi divides by it");
  for (int d = 0; d < D; ++d)
    if ((grid.sides[d][0].kind == BoundaryKind::neumann || grid.sides[d][1].kind == BoundaryKind::neumann) &&
        !a.is_even(d))
      throw UsageError(fmt::format(
          "a side across {0} is insulated and the coefficients differ between +{0} and -{0}, as mixed "
          "derivatives make them: the mirror image would not be du/dn = 0; give Dirichlet or periodic sides",
          "xyz"[d]));
  constexpr double rounding = 27 * std::numeric_limits<T>::epsilon();
  a.row_sum_ = std::abs(sum) <= rounding * size ? 0 : sum;
  Grid<T, D> bare = grid;
  for (auto& pair : bare.sides)
    for (Side<T>& side : pair) side.values.clear();
  a.has_cycles_ = a.row_sum_ >= 0;
  for (int d = 0; d < D; ++d) a.has_cycles_ = a.has_cycles_ && a.moments_[d][d] > 0;
  double center = a.has_cycles_ ? a.row_sum_ : 0;
  PerSide<T, D> off;
  for (int d = 0; d < D; ++d) {
    const double own = a.has_cycles_ ? a.moments_[d][d] : 1;
    off[2 * d] = off[2 * d + 1] = static_cast<T>(-own);
    center += 2 * own;
  }
  a.star_ =
      std::make_shared<const Star>(Stencil<T, D>::constant(std::move(bare), static_cast<T>(center), off));
  a.bounds_ = a.closed_form();
  if (!a.bounds_) a.bounds_ = a.of_tensor();
  return a;
}

template <class T>
std::optional<Range> BoxStencil<T>::closed_form() const {
  // the symbol by powers of s_d = 1 - cos(theta_d): c(-1) + c(0) + c(1) and -2 c(1) of each direction, whose
  // constant term is the row sum, without cancellation
  std::array<std::array<std::array<double, 2>, 2>, 2> symbol{};
  for (int d = 0; d < dimensions_; ++d)
    if (!is_even(d)) return {};
  each_of_27([&](std::array<int, 3> at, std::size_t number) {
    for (int m = 0; m < 8; ++m) {  // which directions give their s
      double factor = coefficients_[number];
      for (int d = 0; d < 3; ++d)
        if (m >> d & 1) factor *= at[d] == 0 ? 0 : -1;
      symbol[m & 1][m >> 1 & 1][m >> 2 & 1] += factor;
    }
  });
  symbol[0][0][0] = row_sum_;
  std::array<std::array<double, 2>, 3> ends{};
  for (int d = 0; d < dimensions_; ++d) {
    const double n = static_cast<double>(n_[d]), pi = std::numbers::pi;
    const BoundaryKind low = side(d, 0), high = side(d, 1);
    const auto of_angle = [](double theta) { return 2 * std::sin(theta / 2) * std::sin(theta / 2); };
    if (low == BoundaryKind::periodic)
      ends[d] = {0, of_angle(2 * pi * std::floor(n / 2) / n)};
    else if (low == high)
      ends[d] = low == BoundaryKind::neumann ? std::array{0.0, 2.0}
                                             : std::array{of_angle(pi / (n + 1)), of_angle(pi * n / (n + 1))};
    else
      ends[d] = {of_angle(pi / (2 * n)), of_angle(pi * (n - 0.5) / n)};
  }
  Range range{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (int v = 0; v < 8; ++v) {
    double value = 0;
    for (int m = 0; m < 8; ++m) {
      double factor = symbol[m & 1][m >> 1 & 1][m >> 2 & 1];
      for (int d = 0; d < 3; ++d)
        if (m >> d & 1) factor *= ends[d][v >> d & 1];
      value += factor;
    }
    value /= static_cast<double>(diagonal());
    range = {std::min(range.low, value), std::max(range.high, value)};
  }
  return range;
}

template <class T>
std::optional<Range> BoxStencil<T>::of_tensor() const {
  if (!has_cycles_ || !symmetric()) return {};
  std::array<std::array<double, 3>, 3> scaled{};
  for (int d = 0; d < 3; ++d)
    for (int e = 0; e < 3; ++e)
      scaled[d][e] = d == e || moments_[d][e] == 0
                         ? static_cast<double>(d == e)
                         : moments_[d][e] / std::sqrt(moments_[d][d] * moments_[e][e]);
  bool is_one = true;  // nothing but second differences and mixed ones
  each_of_27([&](std::array<int, 3> at, std::size_t number) {
    const int away = std::abs(at[0]) + std::abs(at[1]) + std::abs(at[2]);
    double expected = 0;
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < d; ++e)
        if (away == 2 && at[d] != 0 && at[e] != 0) expected = -0.5 * at[d] * at[e] * moments_[d][e];
    const double c = coefficients_[number], size = std::abs(static_cast<double>(diagonal()));
    if (away >= 2) is_one = is_one && std::abs(c - expected) <= 8 * std::numeric_limits<T>::epsilon() * size;
  });
  if (!is_one) return {};
  const auto eigenvalues = eigenvalues_of_3(scaled);
  const double low = dimensions_ == 1 ? 1 : eigenvalues.front(),
               high = dimensions_ == 1 ? 1 : eigenvalues.back();
  if (!(low > 0)) return {};
  const double reaction = row_sum_ / static_cast<double>(diagonal());  // which K does not scale
  return std::visit(
      [&](const auto& s) {
        return Range{low * (s.slowest_mode() - reaction) + reaction,
                     high * (s.fastest_mode() - reaction) + reaction};
      },
      *star_);
}

template <class T>
double BoxStencil<T>::divisor(Index, Divisor by) const {
  if (by == Divisor::none) return 1;
  if (by == Divisor::diagonal) return static_cast<double>(diagonal());
  double sum = 0;
  for (const T c : coefficients_) sum += std::abs(static_cast<double>(c));
  return std::copysign(sum, static_cast<double>(diagonal()));
}

template <class T>
std::string BoxStencil<T>::name(Index p) const {
  return std::visit([&](const auto& s) { return s.grid().name(p); }, *star_);
}
template <class T>
bool BoxStencil<T>::singular() const {
  return row_sum_ == 0 && std::visit([](const auto& s) { return s.singular(); }, *star_);
}
template <class T>
double BoxStencil<T>::weight(Index p) const {
  return std::visit([&](const auto& s) { return s.weight(p); }, *star_);
}

template <class T>
Norms BoxStencil<T>::rhs_norms(std::span<const T> b, Divisor by) const {
  require_lengths(rows(), {{"b", b.size()}});
  const double over = divisor(0, by);
  return norms_over(RowGroups(rows()), [&](Index p) { return static_cast<double>(b[p]) / over; });
}
template <class T>
Norms BoxStencil<T>::residual_norms(std::span<const T> b, std::span<const T> x, Divisor by) const {
  return residual_norms_by<DoubleSum>(*this, b, x, by);
}
template <class T>
Norms twofold_residual_norms(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x, Divisor by) {
  return residual_norms_by<TwofoldSum>(a, b, x, by);
}

template <class T>
double rounding_floor(const BoxStencil<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by) {
  return rounding_floor_by(a, b, x, norm, by);
}

template <class T>
std::vector<T> multiply(const BoxStencil<T>& a, RightHandSide<T> x) {
  return multiply_by(a, x);
}

template <class T>
Csr<T> to_csr(const BoxStencil<T>& a) {
  Index per_row = 1;
  for (int d = 0; d < a.dimensions(); ++d) per_row *= 3;
  return csr_of_rows<T>(a.rows(), per_row, "the entries of the grid", [&](auto&& begin_row, auto&& add) {
    for (Index p = 0; p < a.rows(); ++p) {
      begin_row();
      a.each_entry(p, add);
    }
  });
}

#define JACOBI_INSTANTIATE(T, D) \
  template BoxStencil<T> BoxStencil<T>::constant<D>(const Grid<T, D>&, std::span<const T>);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(T)                                                                         \
  template class BoxStencil<T>;                                                                       \
  template Norms twofold_residual_norms(const BoxStencil<T>&, std::span<const T>, std::span<const T>, \
                                        Divisor);                                                     \
  template double rounding_floor(const BoxStencil<T>&, std::span<const T>, std::span<const T>, Norm,  \
                                 Divisor);                                                            \
  template std::vector<T> multiply<T>(const BoxStencil<T>&, RightHandSide<T>);                        \
  template Csr<T> to_csr<T>(const BoxStencil<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
