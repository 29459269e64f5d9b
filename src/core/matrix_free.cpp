#include "core/matrix_free.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
#include "core/divides.hpp"
#include "core/lengths.hpp"
#include "core/memory.hpp"
#include "core/spread.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/error.hpp"
#include "jacobi/measure.hpp"

namespace jacobi {

void require_products_do(const Plan& plan) {
  const bool rung = !plan.rung().empty() && plan.rung() != matrix_free_rung;
  const std::string what = plan.multigrid() || plan.preconditioner() || plan.amg() ? "multigrid"
                           : plan.tiling() || plan.blocking().is_given()           ? "cutting rows into tiles"
                           : plan.method.red_black || plan.method.divisor == Divisor::l1
                               ? "method " + plan.method.name
                           : rung                                               ? "rung " + plan.rung()
                           : plan.matrix_precision != MatrixPrecision::as_given ? "a narrower matrix"
                                                                                : "";
  if (!what.empty())
    throw UsageError(fmt::format(
        "a matrix-free operator gives products and no entries, which {} needs: take method plain, weighted, "
        "chebyshev, scheduled, cg, bicgstab or anderson, and no rung",
        what));
}

template <class T>
MatrixFree<T>::MatrixFree(Index rows, Apply apply, std::vector<T> diagonal, std::optional<Range> bounds)
    : MatrixFree([&] {
        Source source{rows, std::move(apply), {}, bounds};
        if (!diagonal.empty()) source.diagonal = [given = std::move(diagonal)] { return given; };
        return source;
      }()) {}

template <class T>
MatrixFree<T>::MatrixFree(Source source) : source_(std::make_shared<const Source>(std::move(source))) {
  if (!source_->apply) throw UsageError("a matrix-free operator without a function that makes its products");
  if (rows() < 0) throw UsageError(fmt::format("a matrix-free operator of {} rows", rows()));
  if (const auto& range = source_->bounds) {
    const auto [low, high] = *range;
    if (!(low > 0) || !(low <= high) || !std::isfinite(high))
      throw UsageError(fmt::format(
          "bounds of the eigenvalues of D^-1 A, {} to {}: 0 < low <= high < infinity is needed", low, high));
  }
  take(source_->diagonal ? source_->diagonal() : std::vector<T>());
}

template <class T>
void MatrixFree<T>::take(std::vector<T> diagonal) {
  if (!diagonal.empty()) require_lengths(rows(), {{"the diagonal", diagonal.size()}});
  T largest = 0;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    if (!std::isfinite(diagonal[i]))
      throw InputError(fmt::format("entry {} of the diagonal{} is {}: every entry must be finite", i,
                                   asked_ ? ", asked for by a product," : "", diagonal[i]));
    largest = std::max(largest, std::abs(diagonal[i]));
  }
  stand_in_ = stand_in(largest);
  diagonal_ = std::make_shared<const std::vector<T>>(std::move(diagonal));
}

template <class T>
void MatrixFree<T>::apply(std::span<const T> x, std::span<T> y) const {
  require_lengths(rows(), {{"x", x.size()}, {"y", y.size()}});
  source_->apply(x, y);
}

template <class T>
double MatrixFree<T>::divisor(Index i, Divisor kind) const {
  if (kind == Divisor::none || diagonal_->empty()) return 1;
  const T own = diagonal(i);
  return divides(own) ? static_cast<double>(own) : stand_in_;
}

template <class T>
MatrixFree<T> MatrixFree<T>::with_diagonal() const {
  if (knows_diagonal()) return *this;
  if (rows() > most_asked)
    throw UsageError(fmt::format(
        "sweeps and anderson divide by the diagonal, which is not given and costs a product for each of {} "
        "rows (up to {} are made): give it, or take cg or bicgstab, which do without",
        rows(), most_asked));
  std::vector<T> unit(static_cast<std::size_t>(rows())), column(unit.size()), diagonal(unit.size());
  for (std::size_t i = 0; i < unit.size(); ++i) {
    throw_if_cancelled();
    unit[i] = 1;
    apply(unit, column);
    unit[i] = 0;
    diagonal[i] = column[i];
  }
  MatrixFree complete = *this;
  complete.asked_ = true;
  complete.take(std::move(diagonal));
  return complete;
}

template <class T>
MatrixFree<T> MatrixFree<T>::validated() const {
  MatrixFree now = *this;
  now.asked_ = false;
  now.take(source_->diagonal ? source_->diagonal() : std::vector<T>());
  return asked_ ? now.with_diagonal() : now;
}

template <class T>
Norms MatrixFree<T>::rhs_norms(std::span<const T> b, Divisor by) const {
  require_lengths(rows(), {{"b", b.size()}});
  return norms_over(rows(), [&](Index i) { return static_cast<double>(b[i]) / divisor(i, by); });
}

template <class T>
Norms MatrixFree<T>::residual_norms(std::span<const T> b, std::span<const T> x, Divisor by) const {
  require_lengths(rows(), {{"b", b.size()}, {"x", x.size()}});
  std::vector<T> product(x.size());
  apply(x, product);
  return norms_over(rows(), [&](Index i) {
    return (static_cast<double>(b[i]) - static_cast<double>(product[i])) / divisor(i, by);
  });
}

namespace {

/// Reproducible numbers between -1 and 1: the engine is the same everywhere.
template <class T>
std::vector<T> random_numbers(Index count, std::mt19937_64& engine) {
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(static_cast<double>(engine() >> 11) * 0x1p-52 - 1);
  return values;
}

template <class T>
double inner_product(const std::vector<T>& a, const std::vector<T>& b) {
  return sum_blocks<1>(static_cast<Index>(a.size()), [&](Index first, Index last) {
    double sum = 0;
    for (Index i = first; i < last; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
    return std::array{sum};
  })[0];
}

}  // namespace

template <class T>
double asymmetry_seen(const MatrixFree<T>& a) {
  std::mt19937_64 engine(1);
  const std::vector<T> u = random_numbers<T>(a.rows(), engine), v = random_numbers<T>(a.rows(), engine);
  std::vector<T> au(u.size()), av(v.size());
  a.apply(u, au);
  a.apply(v, av);
  const auto length = [](const std::vector<T>& x) { return std::sqrt(inner_product(x, x)); };
  const double size = length(u) * length(av) + length(v) * length(au);
  return size > 0 ? std::abs(inner_product(u, av) - inner_product(v, au)) / size : 0;
}

template <class T>
double rounding_floor(const MatrixFree<T>& a, std::span<const T> b, std::span<const T> x, Norm norm,
                      Divisor by) {
  std::mt19937_64 engine(2);
  std::vector<T> s(x.begin(), x.end()), half(x.begin(), x.end()), product(x.size()), whole(x.size()),
      part(x.size());
  for (std::size_t i = 0; i < s.size(); ++i)
    if (engine() >> 63 == 0) s[i] = -s[i], half[i] = 0;
  a.apply(s, product);
  a.apply(x, whole);
  a.apply(half, part);
  const auto in_norm = [&](auto&& of_row) {
    return pick(norms_over(a.rows(),
                           [&](Index i) {
                             const double size = of_row(i);
                             return is_scaled(norm) ? size / a.divisor(i, by) : size;
                           }),
                norm);
  };
  const double own = std::numeric_limits<T>::epsilon() * in_norm([&](Index i) {
                       return std::abs(static_cast<double>(b[i])) + std::abs(static_cast<double>(product[i]));
                     });
  const double seen = in_norm([&](Index i) {
    return 2 * static_cast<double>(part[i]) - static_cast<double>(whole[i]) - static_cast<double>(product[i]);
  });
  constexpr double narrower = 100;
  return seen > narrower * own ? seen : own;
}

template <class T>
std::string fault_of_product(const MatrixFree<T>& a, std::span<const T> x) {
  const auto is_finite = [](T value) { return std::isfinite(value); };
  if (!std::ranges::all_of(x, is_finite)) return "";
  std::vector<T> product(x.size());
  a.apply(x, product);
  const auto bad = std::ranges::find_if_not(product, is_finite);
  if (bad == product.end()) return "";
  return fmt::format("entry {} of A x is {}, although every entry of x is finite", bad - product.begin(),
                     *bad);
}

template <class T>
double row_spread(const MatrixFree<T>& a) {
  const std::span<const T> diagonal = a.diagonal();
  return spread_of(static_cast<Index>(diagonal.size()), [&](Index i) { return diagonal[i]; });
}

template <class T>
Norm tested_norm(const MatrixFree<T>& a, Norm norm) {
  if (is_scaled(norm) && !a.knows_diagonal())
    throw UsageError(
        fmt::format("norm {} divides by the diagonal of the operator, which is not given", name(norm)));
  if (norm != Norm::automatic) return norm;
  return row_spread(a) > most_row_spread ? Norm::scaled_residual : Norm::residual;
}

template <class T>
double lost_to_underflow(const MatrixFree<T>& a, Divisor by) {
  double least = std::numeric_limits<double>::infinity();
  for (Index i = 0; i < a.rows(); ++i) least = std::min(least, std::abs(a.divisor(i, by)));
  const double rows = static_cast<double>(a.rows());
  return rows * std::sqrt(rows) * 8 * static_cast<double>(std::numeric_limits<T>::denorm_min()) / least;
}

template <class T>
std::vector<T> multiply(const MatrixFree<T>& a, RightHandSide<T> x) {
  require_lengths(a.rows(), {{"x", x.size()}});
  std::vector<T> y(x.size());
  a.apply(x, y);
  return y;
}

#define JACOBI_INSTANTIATE(T)                                                                           \
  template class MatrixFree<T>;                                                                         \
  template double asymmetry_seen<T>(const MatrixFree<T>&);                                              \
  template double rounding_floor<T>(const MatrixFree<T>&, std::span<const T>, std::span<const T>, Norm, \
                                    Divisor);                                                           \
  template std::string fault_of_product<T>(const MatrixFree<T>&, std::span<const T>);                   \
  template double row_spread<T>(const MatrixFree<T>&);                                                  \
  template Norm tested_norm<T>(const MatrixFree<T>&, Norm);                                             \
  template double lost_to_underflow<T>(const MatrixFree<T>&, Divisor);                                  \
  template std::vector<T> multiply<T>(const MatrixFree<T>&, RightHandSide<T>);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
