#include "diagnosis/krylov.hpp"

#include <cmath>
#include <limits>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
namespace jacobi::diagnosis {

Krylov::Krylov(Apply apply, View weights, Vector start, bool symmetric, bool thorough)
    : apply_(std::move(apply)), weights_(weights), symmetric_(symmetric), thorough_(thorough) {
  start_size_ = std::sqrt(dot(weights_, start, start));
  finite_ = std::isfinite(start_size_);
  closed_ = !finite_ || start_size_ == 0;
  if (closed_) return;
  basis_.push_back(std::move(start));
  sizes_.push_back(start_size_);
}

/// <V_j, y> for j = first, ...
Eigen::VectorXd Krylov::project(const Vector& y, Index first) const {
  const Index rows = static_cast<Index>(y.size()), count = static_cast<Index>(basis_.size()) - first;
  Eigen::MatrixXd parts = Eigen::MatrixXd::Zero(count, RowGroups(rows).count());
  for_blocks(rows, [&](Index s, Index begin, Index end) {
    for (Index j = 0; j < count; ++j) parts(j, s) = dot(weights_, basis_[first + j], y, begin, end);
  });
  Eigen::VectorXd h = Eigen::VectorXd::Zero(count);
  for (Index s = 0; s < parts.cols(); ++s) h += parts.col(s);
  for (Index j = 0; j < count; ++j) h[j] /= sizes_[first + j];
  return h;
}

/// y = y / scale - sum_j h_j V_j; returns its norm.
double Krylov::subtract(Vector& y, double scale, const Eigen::VectorXd& h, Index first) const {
  return std::sqrt(sum_blocks<1>(static_cast<Index>(y.size()), [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) y[i] /= scale;
    for (Index j = 0; j < h.size(); ++j) {
      const Vector& v = basis_[first + j];
      const double c = h[j] / sizes_[first + j];
      for (Index i = begin; i < end; ++i) y[i] -= c * v[i];
    }
    double sum = 0;
    for (Index i = begin; i < end; ++i) sum += (weights_.empty() ? 1 : weights_[i]) * y[i] * y[i];
    return std::array{sum};
  })[0]);
}

void Krylov::step() {
  Vector y(basis_[0].size());
  const double size = sizes_.back();
  const double product = apply_(basis_.back(), y);
  const bool all = thorough_ || !symmetric_;
  const Index first = all ? 0 : std::max<Index>(0, steps_ - 1);
  Eigen::VectorXd h(steps_ + 1 - first);
  if (all) {
    h = project(y, 0) / size;
  } else {  // <V_(j-1), M V_j> is known from the step before
    if (h.size() > 1) h[0] = next_;
    h[h.size() - 1] = product / size / size;
  }
  next_ = subtract(y, size, h, first);
  if (thorough_) {
    const Eigen::VectorXd more = project(y, first);
    next_ = subtract(y, 1, more, first);
    h += more;
  }
  if (!std::isfinite(next_) || !h.allFinite()) {
    finite_ = false;
    closed_ = true;
    return;
  }
  h_.col(steps_).segment(first, h.size()) = h;
  h_(steps_ + 1, steps_) = next_;
  ++steps_;
  closed_ = next_ <= 64 * epsilon * std::hypot(h.norm(), next_);
  if (closed_) return;
  basis_.push_back(std::move(y));
  sizes_.push_back(next_);
}

void Krylov::extend(Index steps) {
  steps = std::min(steps, basis_.empty() ? 0 : static_cast<Index>(basis_[0].size()) - steps_);
  h_.conservativeResizeLike(Eigen::MatrixXd::Zero(steps_ + steps + 1, steps_ + steps));
  for (Index s = 0; s < steps && !closed_; ++s) {
    throw_if_cancelled();
    step();
  }
}

void Krylov::finish() {
  if (steps_ > 0 && static_cast<Index>(basis_.size()) > steps_) basis_.pop_back();
}

void Krylov::combine(const Eigen::VectorXd& c, Index first, Index last, double* out) const {
  std::fill(out, out + (last - first), 0.0);
  for (Index j = 0; j < c.size(); ++j)
    for (Index i = first; i < last; ++i) out[i - first] += c[j] / sizes_[j] * basis_[j][i];
}

Vector Krylov::combine(const Eigen::VectorXd& c) const {
  Vector x(basis_[0].size());
  for_blocks(static_cast<Index>(x.size()),
             [&](Index, Index begin, Index end) { combine(c, begin, end, x.data() + begin); });
  return x;
}

namespace {

Ritz symmetric_ritz(const Krylov& space) {
  const Eigen::MatrixXd h = space.h();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen((h + h.transpose()) / 2);
  const Index m = h.rows();
  const auto pair = [&](Index j) {
    return RitzPair{.value = eigen.eigenvalues()[j],
                    .residual = space.next() * std::abs(eigen.eigenvectors()(m - 1, j)),
                    .vector = eigen.eigenvectors().col(j)};
  };
  Ritz r;
  for (Index j = 0; j < m; ++j) r.values.emplace_back(eigen.eigenvalues()[j]);
  r.low = pair(0);
  r.high = pair(m - 1);
  r.largest = std::abs(r.low.value) > std::abs(r.high.value) ? r.low : r.high;
  return r;
}

/// How far rounding may move an eigenvalue of this condition, of m rows: its first order, or Elsner's bound
/// where that is smaller (Golub & Van Loan, "Matrix Computations", 7.2.2 and 7.2.3).
double moved_by_rounding(double size, double condition, Index m) {
  const double rows = static_cast<double>(m);
  const double any = 2 * size * std::pow(rows * epsilon, 1 / rows);
  const double first_order = rows * epsilon * size * condition;
  return first_order < any ? first_order : any;  // the condition may be no number
}

Ritz general_ritz(const Krylov& space) {
  const Eigen::MatrixXd h = space.h();
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(h);
  const Eigen::MatrixXcd vectors = eigen.eigenvectors();
  const Eigen::VectorXd lengths = vectors.colwise().norm(), duals = vectors.inverse().rowwise().norm();
  const Index m = h.rows();
  const double norm = h.norm();
  Ritz r;
  double squares = 0;
  for (Index j = 0; j < m; ++j) {
    const std::complex<double> value = eigen.eigenvalues()[j];
    r.values.push_back(value);
    squares += std::norm(value);
    if (std::abs(value) < r.radius()) continue;
    r.largest = {.value = value,
                 .residual = space.next() * std::abs(vectors(m - 1, j)) / lengths[j] +
                             moved_by_rounding(norm, lengths[j] * duals[j], m)};
  }
  const double size = h.squaredNorm();
  if (size > 0) r.departure = std::sqrt(std::max(0.0, size - squares) / size);
  Eigen::VectorXd x = Eigen::VectorXd::Unit(m, 0);
  for (Index k = 0; k < m; ++k) {
    x = h * x / std::max(1.0, r.radius());
    r.growth = std::max(r.growth, x.norm());
  }
  return r;
}

}  // namespace

Ritz ritz(const Krylov& space) {
  if (space.steps() == 0) return {};
  return space.symmetric() ? symmetric_ritz(space) : general_ritz(space);
}

bool settled(const RitzPair& pair) {
  return pair.residual <= std::max(1e-10, 0.03 * std::abs(1 - std::abs(pair.value)));
}

}  // namespace jacobi::diagnosis
