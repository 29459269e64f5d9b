/// Grids on which the device's sweeps must give the bits of rung 0: all sides and coefficients, blocks that
/// are full, cut off and one unknown wide.
#pragma once
#include <vector>

#include "ladder/cases.hpp"

namespace jacobi::test {

inline std::vector<std::array<Index, 1>> device_sizes(std::integral_constant<int, 1>) {
  return {{1}, {2}, {97}, {256}, {700}};
}
inline std::vector<std::array<Index, 2>> device_sizes(std::integral_constant<int, 2>) {
  return {{1, 1}, {2, 2}, {5, 1}, {1, 6}, {64, 16}, {70, 35}};
}
inline std::vector<std::array<Index, 3>> device_sizes(std::integral_constant<int, 3>) {
  return {{1, 1, 1}, {2, 2, 2}, {11, 13, 4}, {66, 3, 2}};
}

template <class T, int D>
std::vector<Case<T, D>> device_cases(std::vector<std::vector<T>>& keep) {
  return make_cases<T, D>(keep, device_sizes(std::integral_constant<int, D>()));
}

/// Whose arrays live on.
template <class T, int D>
Stencil<T, D> case_operator(const std::array<Index, D>& n, int coefficients, int sides = 0) {
  static std::vector<std::vector<T>> keep;
  keep.reserve(10000);
  return make_case_operator(make_case_grid<T, D>(n, sides), coefficients, keep);
}

}  // namespace jacobi::test
