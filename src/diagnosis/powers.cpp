/// Proofs from powers of a small M.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/cancel.hpp"
#include "diagnosis/proofs.hpp"

namespace jacobi::diagnosis {

namespace {

constexpr double underflow = 1e-290;  // of a whole product of normalised matrices, generously

/// |trace M^k| / rows <= radius^k <= ||M^k||, every rounding error bounded.
struct PowerBounds {
  double lower = 0, upper = std::numeric_limits<double>::infinity();  ///< of the spectral radius
  bool below_one = false, above_one = false;                          ///< decided without taking a root
  double power = 1;                                                   ///< the largest k
  std::optional<Index> nilpotent = {};                                ///< M to this power is exactly zero
};

/// 2^exponent (value + something of Frobenius norm <= error).
struct Ball {
  Eigen::MatrixXd value;
  double error = 0, exponent = 0;
  double size() const { return value.norm() * (1 + 1e-9); }
  bool zero() const { return error == 0 && value.isZero(0); }
};

bool integral(const Eigen::MatrixXd& m) { return (m.array() == m.array().round()).all(); }

/// Products of integers below 2^52 in sum are exact; others are off by gamma_n |X| |Y|.
/// Source: Higham, "Accuracy and Stability of Numerical Algorithms", (3.13).
Ball multiply(const Ball& x, const Ball& y) {
  const double p = x.size(), q = y.size();
  const bool exact = x.error == 0 && y.error == 0 && p * q < 0x1p52 && integral(x.value) && integral(y.value);
  Ball z;
  z.value.noalias() = x.value * y.value;
  const double rounding = static_cast<double>(x.value.rows() + 4) * epsilon * p * q + underflow;
  z.error = (p * y.error + q * x.error + x.error * y.error) * (1 + 1e-9) + (exact ? 0 : rounding);
  z.exponent = x.exponent + y.exponent;
  return z;
}

void normalise(Ball& x) {
  const double size = x.value.cwiseAbs().maxCoeff();
  if (!(size > 0x1p20 || size < 0x1p-20) || size == 0) return;
  const int e = std::ilogb(size);
  x.value *= std::ldexp(1.0, -e);
  x.error = std::ldexp(x.error, -e) + underflow;
  x.exponent += e;
}

Ball iteration_matrix(const Csr<double>& a, View diagonal, View weights) {
  Ball m;
  m.value.setZero(a.rows(), a.rows());
  bool exact = true;
  each_off_diagonal(a, [&](Index i, Index j, double value) {
    const double quotient = -value / diagonal[i];
    const double times = weights.empty() ? 1 : std::sqrt(weights[i] / weights[j]);  // 2^k
    m.value(i, j) = quotient * times;
    exact &= std::abs(quotient) > 1e-200 && std::abs(value) > 1e-200 && std::abs(quotient * times) > 1e-290 &&
             std::fma(quotient, diagonal[i], value) == 0;
  });
  m.error = exact ? 0 : m.size() * epsilon + underflow;
  return m;
}

/// |trace X Y| / rows <= radius^k for X Y = M^k; the sum has rows^2 terms.
void raise_lower(PowerBounds& b, const Ball& x, const Ball& y, double k) {
  const double rows = static_cast<double>(x.value.rows()), p = x.size(), q = y.size();
  const double sum = std::abs(x.value.cwiseProduct(y.value.transpose()).sum());
  const double doubt = (p * y.error + q * x.error + x.error * y.error) * (1 + 1e-9) +
                       (rows * rows + 4) * epsilon * p * q + underflow;
  if (!(sum > doubt)) return;
  const double log = std::log2((sum - doubt) / rows) + x.exponent + y.exponent - 1e-6;
  b.above_one |= log > 0;
  b.lower = std::max(b.lower, std::exp2(log / k) * (1 - 1e-12));
}

void lower_upper(PowerBounds& b, const Ball& x, double k) {
  if (x.zero()) {
    b.nilpotent = std::min(static_cast<Index>(k), static_cast<Index>(x.value.rows()));
    b.below_one = true;
    b.upper = 0;
    return;
  }
  const double log = std::log2(x.size() + x.error) + x.exponent + 1e-6;
  b.below_one |= log < 0;
  b.upper = std::min(b.upper, std::exp2(log / k) * (1 + 1e-12));
}

/// M balanced by t_i = weights_i^1/2, powers of two, where there are weights. Cost: 2 rows^3 operations per
/// squaring, 3e8 at most.
PowerBounds power_bounds(const Csr<double>& a, View diagonal, View weights) {
  PowerBounds b;
  const double rows = static_cast<double>(a.rows());
  const int squarings = static_cast<int>(std::min(24.0, 3e8 / (2 * rows * rows * rows)));
  const Ball m = iteration_matrix(a, diagonal, weights);
  if (!std::isfinite(m.size())) return b;
  Ball identity, x = m;
  identity.value.setIdentity(a.rows(), a.rows());
  const std::array first{identity, m, multiply(m, m)};
  for (int s = 0; s <= squarings; ++s) {
    throw_if_cancelled();
    if (s > 0) x = multiply(x, x);
    b.power = std::ldexp(1.0, s);
    normalise(x);
    if (!std::isfinite(x.size() + x.error)) break;
    lower_upper(b, x, b.power);
    if (x.error > x.size() || b.nilpotent) break;
    for (std::size_t j = 0; j < first.size(); ++j)  // all three: traces of periodic matrices vanish but
      raise_lower(b, x, first[j], b.power + static_cast<double>(j));  // for multiples of the period
    if ((b.below_one || b.above_one) && b.upper - b.lower < 1e-3 * b.upper) break;
  }
  return b;
}

}  // namespace

Proved prove_by_powers(const Matrix& m, View balanced, Proved known) {
  constexpr Index most_rows = 256;
  if (m.a.rows() > most_rows || m.a.rows() == 0) return known;
  const PowerBounds p = power_bounds(m.a, m.survey.diagonal, balanced);
  known.lower = std::max(known.lower, p.lower);
  known.upper = std::min(known.upper, p.upper);
  if (p.nilpotent) {
    if (known.finite_sweeps) return known;
    known.finite_sweeps = p.nilpotent;
    known.converges(
        "nilpotent",
        fmt::format("the power {} of M is exactly zero: the spectral radius is 0 and, without rounding, "
                    "plain Jacobi is at the solution after as many sweeps",
                    *p.nilpotent),
        0);
  } else if (p.below_one) {
    known.converges("powers of M",
                    fmt::format("||M^{:.0f}|| < 1, rounding included: the spectral radius is at most {}",
                                p.power, radius_in_words(p.upper, Toward::above)),
                    p.upper);
  } else if (p.above_one) {
    known.diverges(
        "powers of M",
        fmt::format("the trace of a power of M up to {:.0f}, rounding included, shows that the spectral "
                    "radius is at least {}",
                    p.power + 2, radius_in_words(p.lower, Toward::below)),
        p.lower);
  }
  return known;
}

}  // namespace jacobi::diagnosis
