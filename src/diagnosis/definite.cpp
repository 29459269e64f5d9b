#include "diagnosis/definite.hpp"

#include <Eigen/Sparse>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/abandon.hpp"
#include "core/blas.hpp"

namespace jacobi::diagnosis {

namespace {

using Sparse = Eigen::SparseMatrix<double>;

/// value of the lower triangle of C sym(A) C, C_i = 2^exponent_i near a_ii^-1/2: add(row, column, value) for
/// every entry of A; what lands in one place is to be added up.
template <class Add>
void scaled_triangle(const Csr<double>& a, const std::vector<int>& exponents, Add&& add) {
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i) {
      if (i % 4096 == 0) throw_if_cancelled();
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        const Index j = columns[k];
        const double value = std::ldexp(values[k], exponents[i] + exponents[j]);
        add(std::max(i, j), std::min(i, j), i == j ? value : value / 2);
      }
    }
  });
}

bool good_pivot(double pivot) { return pivot > 0 && std::isfinite(pivot); }

/// Opens what the library keeps to its heirs: the size of the factor before it is computed.
struct Simplicial : Eigen::SimplicialLLT<Sparse, Eigen::Lower, Eigen::AMDOrdering<int>> {
  double operations() const {
    double sum = 0;
    for (const int count : m_nonZerosPerCol) sum += static_cast<double>(count) * count;
    return sum;
  }
  bool sound() const {
    if (info() != Eigen::Success) return false;
    for (Eigen::Index j = 0; j < m_matrix.cols(); ++j)
      if (!good_pivot(m_matrix.valuePtr()[m_matrix.outerIndexPtr()[j]])) return false;
    return true;
  }
};

/// Of few entries: fill is kept low by the order of the unknowns.
class SparseFactor final : public Definite {
 public:
  SparseFactor(const Csr<double>& a, View diagonal) : Definite(a, diagonal) {
    std::vector<Eigen::Triplet<double, int>> triplets;
    triplets.reserve(static_cast<std::size_t>(a.entries()));
    scaled_triangle(a, exponents_, [&](Index i, Index j, double value) {
      triplets.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
    });
    own_->matrix.resize(a.rows(), a.rows());
    long_ = a.entries() > 100'000;
    unless_cancelled(
        [own = own_, all = std::move(triplets)] { own->matrix.setFromTriplets(all.begin(), all.end()); });
  }

  double operations() override {
    if (!analyzed_) unless_cancelled([own = own_] { own->plain.analyzePattern(own->matrix); });
    analyzed_ = true;
    return own_->plain.operations();
  }

 private:
  /// What factors are made of, and made into: kept by who makes them too.
  struct Own {
    Sparse matrix;
    Simplicial plain, other;
  };

  bool compute(double share, bool mirrored, bool keep) override {
    if (keep) operations();
    return unless_cancelled([own = own_, shift = shift_, share, mirrored, keep] {
      Sparse shifted = own->matrix;
      for (Eigen::Index j = 0; j < shifted.cols(); ++j)
        for (Sparse::InnerIterator at(shifted, j); at; ++at) {
          if (at.row() == j)
            at.valueRef() = (1 - share) * at.value() - shift;
          else if (mirrored)
            at.valueRef() = -at.value();
        }
      keep ? own->plain.factorize(shifted) : static_cast<void>(own->other.compute(shifted));
      return (keep ? own->plain : own->other).sound();
    });
  }
  Eigen::VectorXd solved(const Eigen::VectorXd& right) const override { return own_->plain.solve(right); }

  /// Of a small matrix there is nothing to wait for.
  template <class Work>
  std::invoke_result_t<Work> unless_cancelled(Work work) const {
    return long_ ? or_abandon(std::move(work)) : work();
  }

  std::shared_ptr<Own> own_ = std::make_shared<Own>();
  bool analyzed_ = false, long_ = false;
};

/// Of a matrix that is mostly full: by LAPACK.
class DenseFactor final : public Definite {
 public:
  DenseFactor(const Csr<double>& a, View diagonal) : Definite(a, diagonal), a_(a) {}

  double operations() override {
    const double n = static_cast<double>(a_.rows());
    return n * n * n / 6;
  }

 private:
  bool compute(double share, bool mirrored, bool keep) override {
    auto own = std::make_shared<Eigen::MatrixXd>(Eigen::MatrixXd::Zero(a_.rows(), a_.rows()));
    Eigen::MatrixXd& m = *own;
    scaled_triangle(a_, exponents_, [&](Index i, Index j, double value) {
      m(i, j) += i == j ? (1 - share) * value - shift_ : mirrored ? -value : value;
    });
    const auto factor = [own, n = a_.rows()] { return factor_cholesky(n, own->data()); };
    bool sound = a_.rows() > 1024 ? or_abandon(factor) : factor();
    for (Eigen::Index j = 0; sound && j < m.cols(); ++j) sound = good_pivot(m(j, j));
    if (keep) factor_ = std::move(m);
    return sound;
  }
  Eigen::VectorXd solved(const Eigen::VectorXd& right) const override {
    Eigen::VectorXd x = factor_.triangularView<Eigen::Lower>().solve(right);
    factor_.triangularView<Eigen::Lower>().transpose().solveInPlace(x);
    return x;
  }

  const Csr<double>& a_;
  Eigen::MatrixXd factor_;
};

/// Backward error of a factor: |E| <= gamma_(n+1) |R^T| |R|, so ||E|| <= gamma_(n+1) trace, whatever the
/// order of its sums; the rest covers the rounding of the entries, of the shifted diagonal, and underflow.
double backward_error(double n, double trace, double largest_row) {
  return 1.1 * epsilon / 2 * ((n + 4) * trace + 8 * largest_row) + n * 1e-290;
}

}  // namespace

bool dense_factor(const Csr<double>& a) {
  return a.rows() > 100 && a.entries() / a.rows() > a.rows() / 4 && has_cholesky();
}

Definite::Definite(const Csr<double>& a, View diagonal) : exponents_(diagonal.size()) {
  for (std::size_t i = 0; i < diagonal.size(); ++i) exponents_[i] = -(std::ilogb(diagonal[i]) / 2);
  Vector sums(diagonal.size(), 0.0);
  double trace = 0;
  scaled_triangle(a, exponents_, [&](Index i, Index j, double value) {
    sums[i] += std::abs(value);
    if (i == j)
      trace += value;
    else
      sums[j] += std::abs(value);
  });
  shift_ = backward_error(static_cast<double>(a.rows()), trace, *std::max_element(sums.begin(), sums.end()));
}

std::unique_ptr<Definite> definite(const Csr<double>& a, View diagonal) {
  if (dense_factor(a)) return std::make_unique<DenseFactor>(a, diagonal);
  return std::make_unique<SparseFactor>(a, diagonal);
}

bool Definite::proved(double share, bool mirrored) {
  return std::isfinite(shift_) && compute(share, mirrored, share == 0 && !mirrored);
}

void Definite::solve(View scale, View x, std::span<double> y) const {
  Eigen::VectorXd right(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    right[static_cast<Eigen::Index>(i)] = std::ldexp(scale[i] * x[i], exponents_[i]);
  const Eigen::VectorXd left = solved(right);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = std::ldexp(left[static_cast<Eigen::Index>(i)], exponents_[i]);
}

SlowMode smallest_mode(const Definite& d, View scale, View weights, View start, Index steps) {
  const Apply inverse_of = [&](View x, std::span<double> y) {
    d.solve(scale, x, y);
    return dot(weights, x, y);
  };
  Krylov space(inverse_of, weights, Vector(start.begin(), start.end()), true, true);
  space.extend(steps);
  if (space.steps() == 0 || !space.finite()) return {};
  const Ritz r = ritz(space);
  const double inverse = r.high.value.real();
  if (!(inverse > 0)) return {};
  return {.low = 1 / inverse,
          .vector = space.combine(r.high.vector),
          .settled = r.high.residual <= 0.05 * inverse};
}

}  // namespace jacobi::diagnosis
