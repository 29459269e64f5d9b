/// Sweeps as a preconditioner inside Eigen's conjugate gradients: -laplacian u + strong, varying reaction on
/// an n x n grid, assembled by Eigen, whose arrays are swept where they are. Prints the iterations with
/// Eigen's diagonal preconditioner and with three Chebyshev-weighted sweeps.
#include <Eigen/Sparse>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <jacobi/jacobi.hpp>
#include <memory>
#include <optional>
#include <vector>

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

/// What Eigen asks of a preconditioner: compute(A), then solve(r) for M^-1 r.
class Sweeps {
 public:
  Sweeps() = default;
  template <class A>
  explicit Sweeps(const A& a) {
    compute(a);
  }
  template <class A>
  Sweeps& analyzePattern(const A&) {
    return *this;
  }
  template <class A>
  Sweeps& factorize(const A& a) {
    return compute(a);
  }
  template <class A>
  Sweeps& compute(const A& a) {
    using namespace jacobi;
    const auto n = static_cast<std::size_t>(a.rows()), entries = static_cast<std::size_t>(a.nonZeros());
    const auto rows = Csr<double>::view(std::span<const int>(a.outerIndexPtr(), n + 1),
                                        std::span<const int>(a.innerIndexPtr(), entries),
                                        std::span<const double>(a.valuePtr(), entries));
    // eigenvalues of D^-1 A lie in (0, 2): A is dominant. As a smoother does, aim at the upper part.
    const Method method = chebyshev({0.1, 2});
    sweeper_ = backend()->bind(Operator<double>(rows), Plan(method));
    inverse_.emplace(*sweeper_, method, 3);
    z_.resize(a.rows());
    return *this;
  }
  template <class Vector>
  Eigen::VectorXd solve(const Vector& r) const {
    const Eigen::VectorXd b = r;
    inverse_->apply({b.data(), static_cast<std::size_t>(b.size())},
                    {z_.data(), static_cast<std::size_t>(z_.size())});
    return z_;
  }
  Eigen::ComputationInfo info() const { return Eigen::Success; }

 private:
  std::shared_ptr<jacobi::Sweeper<double>> sweeper_;
  mutable std::optional<jacobi::Preconditioner<double>> inverse_;
  mutable Eigen::VectorXd z_;
};

Matrix assemble(int n) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int p = 0; p < n * n; ++p) {
    entries.emplace_back(p, p, 4 + std::pow(10.0, p % 5 - 5));
    if (p % n > 0) entries.emplace_back(p, p - 1, -1);
    if (p % n + 1 < n) entries.emplace_back(p, p + 1, -1);
    if (p >= n) entries.emplace_back(p, p - n, -1);
    if (p + n < n * n) entries.emplace_back(p, p + n, -1);
  }
  Matrix a(n * n, n * n);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

template <class Preconditioner>
int iterations(const Matrix& a, const char* name) {
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(a.rows());
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Preconditioner> solver;
  solver.setTolerance(1e-8);
  solver.compute(a);
  const Eigen::VectorXd x = solver.solve(b);
  const double residual = (b - a * x).norm() / b.norm();
  std::printf("%-24s %4d iterations, residual %.1e\n", name, static_cast<int>(solver.iterations()), residual);
  return solver.info() == Eigen::Success && residual <= 1.1e-8 ? static_cast<int>(solver.iterations()) : -1;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 100;
  if (n < 2) {
    std::fprintf(stderr, "eigen_cg: give a size from 2 on\n");
    return 2;
  }
  const Matrix a = assemble(n);
  const int diagonal = iterations<Eigen::DiagonalPreconditioner<double>>(a, "diagonal");
  const int sweeps = iterations<Sweeps>(a, "three weighted sweeps");
  return diagonal > 0 && sweeps > 0 && sweeps <= diagonal ? 0 : 1;
}
