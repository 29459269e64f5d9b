#include "dense_eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace jacobi::diagnosis_test {

double radius(const Eigen::MatrixXd& m) { return m.rows() == 0 ? 0 : m.eigenvalues().cwiseAbs().maxCoeff(); }

double least_eigenvalue(const Eigen::MatrixXd& m) {
  return m.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
}

}  // namespace jacobi::diagnosis_test
