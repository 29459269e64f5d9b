#pragma once
#include <vector>

#include "jacobi/method.hpp"

namespace jacobi::test {

/// n steps: plain, weighted with changing omegas, or three-term ones after a first plain one.
inline std::vector<Step> make_steps(int kind, int n) {
  std::vector<Step> steps(static_cast<std::size_t>(n));
  for (int j = 0; j < n; ++j) {
    if (kind == 1) steps[j] = {0.5 + 0.1 * j, 1};
    if (kind == 2 && j > 0) steps[j] = {1.0 - 0.01 * j, 1.5 - 0.05 * j};
  }
  return steps;
}

}  // namespace jacobi::test
