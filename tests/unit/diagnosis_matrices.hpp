/// Small matrices and what a dense solver says of them.
#pragma once
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <initializer_list>
#include <string>
#include <vector>

#include "dense_eigenvalues.hpp"
#include "jacobi/diagnosis.hpp"

namespace jacobi::diagnosis_test {

using Rows = std::vector<std::vector<double>>;

/// Zeros are not stored.
template <class T = double>
Csr<T> matrix(const Rows& rows) {
  std::vector<Entry<T>> entries;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (rows[i][j] != 0) entries.push_back({Index(i), Index(j), static_cast<T>(rows[i][j])});
  return Csr<T>::from_entries(static_cast<Index>(rows.size()), std::span<const Entry<T>>(entries));
}

inline Csr<double> sparse(Index n, const std::vector<Entry<double>>& entries) {
  return Csr<double>::from_entries(n, std::span<const Entry<double>>(entries));
}

/// -laplacian on an n x n grid: `diagonal`, and -1 - wind, -1 + wind, -1, -1 to the neighbours.
inline Csr<double> grid(Index n, double diagonal = 4, double wind = 0) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < n * n; ++i) {
    entries.push_back({i, i, diagonal});
    if (i % n > 0) entries.push_back({i, i - 1, -1 - wind});
    if (i % n < n - 1) entries.push_back({i, i + 1, -1 + wind});
    if (i >= n) entries.push_back({i, i - n, -1});
    if (i < n * n - n) entries.push_back({i, i + n, -1});
  }
  return sparse(n * n, entries);
}

template <class T>
std::vector<T> row_sums(const Csr<T>& a) {
  std::vector<T> sums(static_cast<std::size_t>(a.rows()));
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sums[i] += values[k];
    (void)columns;
  });
  return sums;
}

/// With b = A 1 and a start of zeros.
template <class T>
Diagnosis diagnose_ones(const Csr<T>& a, const DiagnoseOptions& options = {}) {
  const std::vector<T> b = row_sums(a), x(b.size());
  return diagnose<T>(a, b, x, options);
}

inline Eigen::MatrixXd dense(const Csr<double>& a) {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(a.rows(), a.rows());
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) m(i, columns[k]) = values[k];
  });
  return m;
}

/// I - S^-1 A.
inline Eigen::MatrixXd iteration(const Eigen::MatrixXd& a, const Eigen::VectorXd& s) {
  return Eigen::MatrixXd::Identity(a.rows(), a.cols()) - s.cwiseInverse().asDiagonal() * a;
}

inline double jacobi_radius(const Csr<double>& a) {
  const Eigen::MatrixXd m = dense(a);
  return radius(iteration(m, m.diagonal()));
}

inline bool has_proof(const Diagnosis& d, const std::string& name) {
  return std::any_of(d.proofs.begin(), d.proofs.end(), [&](const Proof& p) { return p.name == name; });
}

/// Sweeps of plain Jacobi until the norm of `stop` meets the tolerance, found by running them.
inline double sweeps_taken(const Csr<double>& a, std::vector<double> b, const Diagnosis& d, Norm norm,
                           double most = 1e6) {
  const bool update = norm == Norm::update || norm == Norm::max_update;
  const bool largest = norm == Norm::max_residual || norm == Norm::max_update;
  std::vector<double> x(b.size()), c(b.size()), diagonal(b.size());
  for (std::size_t i = 0; i < b.size(); ++i) diagonal[i] = a.diagonal(Index(i));
  for (double k = 0; k < most; ++k) {
    double sum = 0;
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i) {
        double r = b[i];
        for (auto e = offsets[i]; e < offsets[i + 1]; ++e) r -= values[e] * x[columns[e]];
        c[i] = r / diagonal[i];
        const double t = std::abs(update ? c[i] : r);
        sum = largest ? std::max(sum, t) : sum + t * t;
      }
    });
    if ((largest ? sum : std::sqrt(sum)) <= d.tolerance) return k + update;
    for (std::size_t i = 0; i < b.size(); ++i) x[i] += c[i];
  }
  return most;
}

}  // namespace jacobi::diagnosis_test
