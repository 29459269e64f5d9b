/// Arnoldi's process: what a few products with M tell of all its powers, and how fast these shrink a start.
#pragma once
#include <complex>
#include <functional>
#include <optional>

#include "diagnosis/vectors.hpp"

#ifndef EIGEN_DONT_PARALLELIZE
#define EIGEN_DONT_PARALLELIZE  // on one core: the same bits for any number of threads
#endif
#include <Eigen/Dense>

namespace jacobi::diagnosis {

/// y = M x; returns their inner product.
using Apply = std::function<double(View x, std::span<double> y)>;

/// V with M V = V H + rest, V's columns orthonormal in the inner product of the weights (all 1 if empty).
/// Source: Saad, "Numerical Methods for Large Eigenvalue Problems", 6.2; Lanczos where `symmetric`.
class Krylov {
 public:
  /// symmetric: M is self-adjoint in this inner product; then each vector is made orthogonal to two before
  /// it only, which keeps the extreme eigenvalues right, unless `thorough`.
  Krylov(Apply apply, View weights, Vector start, bool symmetric, bool thorough);

  /// Takes up to `steps` more. Cost: a product each, and reading the vectors before it.
  void extend(Index steps);
  /// The space is invariant, or a vector was not finite: more steps are of no use.
  bool closed() const { return closed_; }
  bool finite() const { return finite_; }
  bool symmetric() const { return symmetric_; }
  Index steps() const { return steps_; }
  double start_size() const { return start_size_; }  ///< norm of the start
  const Vector& start() const { return basis_[0]; }
  double next() const { return next_; }  ///< norm of the rest
  Eigen::MatrixXd h() const { return h_.topLeftCorner(steps_, steps_); }
  /// Gives back what only further steps would need: there are none after it.
  void finish();
  /// Entries first ... last - 1 of sum_j c_j V_j.
  void combine(const Eigen::VectorXd& c, Index first, Index last, double* out) const;
  Vector combine(const Eigen::VectorXd& c) const;

 private:
  Eigen::VectorXd project(const Vector& y, Index first) const;
  double subtract(Vector& y, double scale, const Eigen::VectorXd& h, Index first) const;
  void step();

  Apply apply_;
  View weights_;
  bool symmetric_, thorough_, closed_ = false, finite_ = true;
  std::vector<Vector> basis_;  ///< V_j = basis_[j] / sizes_[j]
  Vector sizes_;
  Eigen::MatrixXd h_;
  Index steps_ = 0;
  double start_size_ = 0, next_ = 0;
};

/// Eigenvalue of H and how far it is from being one of M: ||M v - value v|| for the unit vector v.
struct RitzPair {
  std::complex<double> value = 0;
  double residual = 0;
  Eigen::VectorXd vector = {};  ///< in terms of V, for symmetric processes
};

struct Ritz {
  std::vector<std::complex<double>> values;
  RitzPair largest;      ///< in magnitude
  RitzPair low, high;    ///< of real values, for symmetric processes
  double departure = 0;  ///< of H from a normal matrix, 0 to 1: Henrici's number over ||H||_F
  double growth = 1;     ///< max_k ||H^k e1|| / max(1, radius)^k
  double radius() const { return std::abs(largest.value); }
};

Ritz ritz(const Krylov& space);

/// The residual is small against the distance from 1, on which sweeps depend.
bool settled(const RitzPair& pair);

/// Entries first ... last - 1 of a vector, which may be made in `room`.
using Entries = std::function<View(Index first, Index last, std::span<double> room)>;
using NormOf = std::function<double(const Entries&)>;

inline Entries entries_of(View v) {
  return [v](Index first, Index last, std::span<double>) {
    return v.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  };
}

/// The first k with norm(M^k r) <= tolerance, r the start of the space; nothing where H does not get there.
/// rounds: vectors that are formed to measure the norm.
std::optional<double> steps_to(const Krylov& space, const NormOf& norm, double norm_initial, double tolerance,
                               int rounds);

/// One slowly decaying mode of M.
struct SlowMode {
  double low = 0;  ///< eigenvalue of D^-1 A: the mode decays by 1 - low
  Vector vector;   ///< norm 1 in the inner product of D
  bool settled = false;
};

/// The same for the part of r that lies in that mode, in the inner product of the weights.
std::optional<double> steps_to(const SlowMode& mode, View weights, View r, const NormOf& norm,
                               double tolerance);

}  // namespace jacobi::diagnosis
