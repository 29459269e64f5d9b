/// Dense systems on the device beside rung 0 of the host.
#pragma once
#include <string>
#include <vector>

#include "device/matrices.hpp"
#include "ladder/dense_cases.hpp"

namespace jacobi::test {

inline constexpr std::initializer_list<Index> dense_device_sizes = {1, 2, 3, 31, 33, 64, 100, 257};

/// Where a rung of the device leaves the bound of rung 0, or its bits.
template <class T>
std::string dense_fault(const DenseCase<T>& c, const std::string& rung, bool bitwise,
                        const Method& method = plain()) {
  const auto right = matrix_on_host<T>(c.a, method), other = matrix_on_device<T>(c.a, {method, rung});
  return first_fault<T>(*right, *other, c.b, c.x, {0, 1, 4}, bitwise,
                        [&](const auto& x, int sweeps) { return bound(c, x, sweeps); });
}

/// Every right-hand side has the bits that it has alone.
template <class T>
void expect_copies_as_alone(const DenseCase<T>& c, Sweeper<T>& one, Sweeper<T>& several, Index copies) {
  const Index n = c.a.order();
  const auto together = random_values<T>(n * copies, -1, 1, 3),
             start = random_values<T>(n * copies, -1, 1, 4);
  const auto found = swept(several, together, start, 2, 3);
  std::vector<T> b(n), x(n);
  for (Index k = 0; k < copies; ++k) {
    for (Index i = 0; i < n; ++i) b[i] = together[k + copies * i], x[i] = start[k + copies * i];
    const auto alone = swept(one, b, x, 2, 3);
    for (Index i = 0; i < n; ++i)
      ASSERT_EQ(found[k + copies * i], alone[i]) << n << " " << copies << " " << k;
  }
}

}  // namespace jacobi::test
