/// Cholesky factors, sparse or dense, that prove definiteness, and what else they give.
#pragma once
#include <memory>
#include <optional>

#include "diagnosis/krylov.hpp"
#include "diagnosis/survey.hpp"

namespace jacobi::diagnosis {

/// Whether the matrix is mostly full and LAPACK factors it: tens of times faster per operation.
bool dense_factor(const Csr<double>& a);

/// Factors of the symmetric part of A with positive diagonal, scaled by powers of two to a diagonal near 1.
class Definite {
 public:
  virtual ~Definite() = default;
  /// Multiplications that one factor takes. Cost: orders the unknowns (approximate minimum degree) of a
  /// sparse one.
  virtual double operations() = 0;
  /// True where A - share D (or 2 D - A - share D if `mirrored`) is proved positive definite: the shifted
  /// matrix has a Cholesky factor, and the shift exceeds the factor's backward error.
  /// Source: Rump, BIT 46 (2006) 433, theorem 2.3.
  bool proved(double share, bool mirrored);
  /// y = A^-1 S x with the factor of the last proved(0, false).
  void solve(View scale, View x, std::span<double> y) const;

 protected:
  Definite(const Csr<double>& a, View diagonal);
  double shift_;
  std::vector<int> exponents_;

 private:
  /// Factors the scaled triangle m as m - share diag(m) - shift I, or with the other signs off the diagonal.
  /// keep: for solved().
  virtual bool compute(double share, bool mirrored, bool keep) = 0;
  virtual Eigen::VectorXd solved(const Eigen::VectorXd& right) const = 0;
};

/// a must outlive the result.
std::unique_ptr<Definite> definite(const Csr<double>& a, View diagonal);

/// Smallest eigenvalue of S^-1 A and its vector by Lanczos on the inverse. `d` holds the factor of A;
/// weights: S, or a multiple of it that keeps inner products in range.
SlowMode smallest_mode(const Definite& d, View scale, View weights, View start, Index steps);

}  // namespace jacobi::diagnosis
