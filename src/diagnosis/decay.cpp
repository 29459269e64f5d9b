/// How fast the powers of M shrink a start r of a Krylov space: ||M^k r|| is about ||r|| ||V H^k e1||.
#include <cmath>
#include <limits>

#include "diagnosis/krylov.hpp"

namespace jacobi::diagnosis {

namespace {

constexpr double minus_infinity = -std::numeric_limits<double>::infinity();
constexpr Index far = Index(1) << 50;  // sweeps that nobody waits for

/// H^k e1 for any k: by eigenvectors where H is symmetric, by repeated squaring else, so that growth and
/// nilpotency come out right.
class Powers {
 public:
  explicit Powers(const Krylov& space) : symmetric_(space.symmetric()) {
    const Eigen::MatrixXd h = space.h();
    if (symmetric_) {
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((h + h.transpose()) / 2);
      vectors_ = eigen.eigenvectors();
      values_ = eigen.eigenvalues();
    } else {
      squares_.push_back({h, 0});
    }
  }

  /// exp(log_size) direction, ||direction|| = 1.
  struct Power {
    Eigen::VectorXd direction;
    double log_size;
  };
  double log_size(Index k) const { return at(k).log_size; }
  Power at(Index k) const { return symmetric_ ? by_eigenvectors(k) : square_and_multiply(k); }

 private:
  Power by_eigenvectors(Index k) const {
    const double power = static_cast<double>(k);
    Eigen::VectorXd c = vectors_.row(0).transpose();
    double largest = minus_infinity;
    Eigen::VectorXd logs(c.size());
    for (Index j = 0; j < c.size(); ++j) {
      logs[j] = std::log(std::abs(c[j])) + (k > 0 ? power * std::log(std::abs(values_[j])) : 0);
      largest = std::max(largest, logs[j]);
    }
    if (!(largest > minus_infinity)) return {c, minus_infinity};
    for (Index j = 0; j < c.size(); ++j)
      c[j] = std::exp(logs[j] - largest) * (c[j] < 0 ? -1 : 1) * (values_[j] < 0 && k % 2 == 1 ? -1 : 1);
    const double size = c.norm();
    return {vectors_ * c / size, largest + std::log(size)};
  }

  Power square_and_multiply(Index k) const {
    Power x{Eigen::VectorXd::Unit(squares_[0].matrix.rows(), 0), 0};
    for (std::size_t bit = 0; (k >> bit) > 0; ++bit) {
      if (bit >= squares_.size()) {
        const Scaled& last = squares_.back();
        const Eigen::MatrixXd square = last.matrix * last.matrix;
        const double size = square.norm();
        squares_.push_back({size > 0 ? Eigen::MatrixXd(square / size) : square,
                            size > 0 ? 2 * last.log_size + std::log(size) : 0});
      }
      if (((k >> bit) & 1) == 0) continue;
      x.direction = squares_[bit].matrix * x.direction;
      const double size = x.direction.norm();
      if (!(size > 0)) return {x.direction, minus_infinity};
      x.direction /= size;
      x.log_size += squares_[bit].log_size + std::log(size);
    }
    return x;
  }

  Eigen::MatrixXd vectors_;
  Eigen::VectorXd values_;
  bool symmetric_;
  struct Scaled {
    Eigen::MatrixXd matrix;
    double log_size;
  };
  mutable std::vector<Scaled> squares_;  ///< H^(2^i), as far as they were needed
};

/// The first k with log ||H^k e1|| <= target: looked at one by one as far as the space reaches, where it may
/// grow before it falls, then by doubling and bisection.
std::optional<Index> first_below(const Powers& powers, Index steps, double target) {
  for (Index k = 0; k <= steps; ++k)
    if (powers.log_size(k) <= target) return k;
  Index low = steps, high = std::max<Index>(1, 2 * steps);
  for (; powers.log_size(high) > target; high *= 2) {
    low = high;
    if (high > far) return std::nullopt;
  }
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (powers.log_size(middle) <= target ? high : low) = middle;
  }
  return high;
}

}  // namespace

std::optional<double> steps_to(const Krylov& space, const NormOf& norm, double norm_initial, double tolerance,
                               int rounds) {
  if (norm_initial <= tolerance) return 0;
  if (!(tolerance > 0) || space.steps() == 0) return std::nullopt;
  const Powers powers(space);
  double shape = norm_initial;  // norm of V times the direction, times the norm of the start
  std::optional<Index> k;
  for (int round = 0; round <= rounds; ++round) {
    const auto before = k;
    k = first_below(powers, space.steps(), std::log(tolerance / shape));
    if (!k || round == rounds) break;
    if (before && std::abs(static_cast<double>(*k - *before)) <= 0.01 * static_cast<double>(*before)) break;
    const auto power = powers.at(*k);
    if (!std::isfinite(power.log_size)) break;
    shape = space.start_size() * norm([&](Index first, Index last, std::span<double> room) -> View {
              space.combine(power.direction, first, last, room.data());
              return room.first(static_cast<std::size_t>(last - first));
            });
    if (!(shape > 0)) break;
  }
  if (!k) return std::nullopt;
  return static_cast<double>(*k);
}

std::optional<double> steps_to(const SlowMode& mode, View weights, View r, const NormOf& norm,
                               double tolerance) {
  const double part = std::abs(dot(weights, r, mode.vector)) * norm(entries_of(mode.vector));
  if (!(part > tolerance)) return 0;
  if (!(mode.low > 0) || !(tolerance > 0)) return std::nullopt;
  return std::max(0.0, std::ceil(std::log(tolerance / part) / std::log1p(-mode.low)));
}

}  // namespace jacobi::diagnosis
