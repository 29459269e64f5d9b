/// Eigenvalues of symmetric matrices of three rows.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace jacobi {

/// In ascending order. Source: Smith, "Eigenvalues of a symmetric 3 x 3 matrix", Commun. ACM 4, 1961.
inline std::array<double, 3> eigenvalues_of_3(const std::array<std::array<double, 3>, 3>& a) {
  const double beside = a[0][1] * a[0][1] + a[0][2] * a[0][2] + a[1][2] * a[1][2];
  const double mean = (a[0][0] + a[1][1] + a[2][2]) / 3;
  double squares = 2 * beside;
  for (int d = 0; d < 3; ++d) squares += (a[d][d] - mean) * (a[d][d] - mean);
  if (squares == 0) return {mean, mean, mean};
  const double p = std::sqrt(squares / 6);
  const auto b = [&](int i, int j) { return (a[i][j] - (i == j ? mean : 0)) / p; };
  const double determinant = b(0, 0) * (b(1, 1) * b(2, 2) - b(1, 2) * b(1, 2)) -
                             b(0, 1) * (b(0, 1) * b(2, 2) - b(1, 2) * b(0, 2)) +
                             b(0, 2) * (b(0, 1) * b(1, 2) - b(1, 1) * b(0, 2));
  const double angle = std::acos(std::clamp(determinant / 2, -1.0, 1.0)) / 3;
  std::array<double, 3> all{};
  for (int k = 0; k < 3; ++k) all[k] = mean + 2 * p * std::cos(angle + 2 * std::numbers::pi * k / 3);
  std::ranges::sort(all);
  return all;
}

}  // namespace jacobi
