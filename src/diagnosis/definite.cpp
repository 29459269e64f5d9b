#include "diagnosis/definite.hpp"

#include <Eigen/Sparse>
#include <cmath>
#include <limits>

namespace jacobi::diagnosis {

namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// Opens what the library keeps to its heirs: the size of the factor before it is computed.
struct Solver : Eigen::SimplicialLLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>> {
  double operations() const {
    double sum = 0;
    for (const int count : m_nonZerosPerCol) sum += static_cast<double>(count) * count;
    return sum;
  }
  bool sound() const {
    if (info() != Eigen::Success) return false;
    for (Eigen::Index j = 0; j < m_matrix.cols(); ++j) {
      const double pivot = m_matrix.valuePtr()[m_matrix.outerIndexPtr()[j]];
      if (!(pivot > 0) || !std::isfinite(pivot)) return false;
    }
    return true;
  }
};

/// Lower triangle of C sym(A) C, C_i a power of two near a_ii^-1/2.
Matrix scaled_triangle(const Csr<double>& a, const std::vector<int>& exponents) {
  std::vector<Eigen::Triplet<double, int>> triplets;
  triplets.reserve(static_cast<std::size_t>(a.entries()));
  a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        const Index j = columns[k];
        const double value = std::ldexp(values[k], exponents[i] + exponents[j]);
        triplets.emplace_back(static_cast<int>(std::max(i, j)), static_cast<int>(std::min(i, j)),
                              i == j ? value : value / 2);
      }
  });
  const Eigen::Index n = static_cast<Eigen::Index>(a.rows());
  Matrix m(n, n);
  m.setFromTriplets(triplets.begin(), triplets.end());
  return m;
}

}  // namespace

struct Definite::Factor {
  Matrix matrix;
  std::vector<int> exponents;
  Solver plain, other;
  bool analyzed = false;
  double trace = 0, largest_row = 0;

  /// Backward error of a factor: |E| <= gamma_(n+1) |R^T| |R|, so ||E|| <= gamma_(n+1) trace; the rest covers
  /// the rounding of the entries, of the shifted diagonal, and underflow.
  double backward_error() const {
    const double n = static_cast<double>(matrix.rows());
    return 1.1 * epsilon / 2 * ((n + 4) * trace + 8 * largest_row) + n * 1e-290;
  }
};

Definite::Definite(const Csr<double>& a, View diagonal) : factor_(std::make_unique<Factor>()) {
  Factor& f = *factor_;
  f.exponents.resize(diagonal.size());
  for (std::size_t i = 0; i < diagonal.size(); ++i) f.exponents[i] = -(std::ilogb(diagonal[i]) / 2);
  f.matrix = scaled_triangle(a, f.exponents);
  Vector sums(diagonal.size(), 0.0);
  for (Eigen::Index j = 0; j < f.matrix.cols(); ++j)
    for (Matrix::InnerIterator at(f.matrix, j); at; ++at) {
      sums[at.row()] += std::abs(at.value());
      if (at.row() == j)
        f.trace += at.value();
      else
        sums[j] += std::abs(at.value());
    }
  for (const double sum : sums) f.largest_row = std::max(f.largest_row, sum);
}

Definite::~Definite() = default;

double Definite::operations() {
  Factor& f = *factor_;
  if (!f.analyzed) f.plain.analyzePattern(f.matrix);
  f.analyzed = true;
  return f.plain.operations();
}

bool Definite::proved(double share, bool mirrored) {
  Factor& f = *factor_;
  Matrix shifted = f.matrix;
  const double shift = f.backward_error();
  if (!std::isfinite(shift)) return false;
  for (Eigen::Index j = 0; j < shifted.cols(); ++j)
    for (Matrix::InnerIterator at(shifted, j); at; ++at) {
      if (at.row() == j)
        at.valueRef() = (1 - share) * at.value() - shift;
      else if (mirrored)
        at.valueRef() = -at.value();
    }
  const bool keep = share == 0 && !mirrored;
  if (keep) {
    operations();
    f.plain.factorize(shifted);
    return f.plain.sound();
  }
  f.other.compute(shifted);
  return f.other.sound();
}

void Definite::solve(View scale, View x, std::span<double> y) const {
  const Factor& f = *factor_;
  Eigen::VectorXd right(static_cast<Eigen::Index>(x.size()));
  for (std::size_t i = 0; i < x.size(); ++i)
    right[static_cast<Eigen::Index>(i)] = std::ldexp(scale[i] * x[i], f.exponents[i]);
  const Eigen::VectorXd left = f.plain.solve(right);
  for (std::size_t i = 0; i < x.size(); ++i)
    y[i] = std::ldexp(left[static_cast<Eigen::Index>(i)], f.exponents[i]);
}

SlowMode smallest_mode(const Definite& d, View scale, View start, Index steps) {
  const Apply inverse_of = [&](View x, std::span<double> y) {
    d.solve(scale, x, y);
    return dot(scale, x, y);
  };
  Krylov space(inverse_of, scale, Vector(start.begin(), start.end()), true, true);
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
