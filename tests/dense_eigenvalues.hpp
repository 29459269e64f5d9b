/// What a dense solver says; its templates are compiled once.
#pragma once
#include <Eigen/Core>

namespace jacobi::diagnosis_test {

double radius(const Eigen::MatrixXd& m);
/// Of a symmetric matrix.
double least_eigenvalue(const Eigen::MatrixXd& m);

}  // namespace jacobi::diagnosis_test
