/// Dense systems, and by how much their sweeps may differ.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "jacobi/dense.hpp"
#include "random.hpp"

namespace jacobi::test {

/// A dominant matrix whose lines lie apart, NaN between them: nothing may read there.
template <class T>
struct DenseCase {
  DenseCase(Index n, Layout layout, Index gap)
      : name(std::to_string(n) + (layout == Layout::row_major ? " by rows" : " by columns")),
        values(static_cast<std::size_t>((n + gap) * n - gap), std::numeric_limits<T>::quiet_NaN()),
        b(static_cast<std::size_t>(n)),
        x(b.size()),
        a(fill(n, layout, gap)) {}

  std::string name;
  std::vector<T> values, b, x;
  Dense<T> a;

 private:
  Dense<T> fill(Index n, Layout layout, Index gap) {
    Random random(static_cast<unsigned>(n));
    for (Index i = 0; i < n; ++i) {
      const auto at = [&](Index j) {
        return layout == Layout::row_major ? i * (n + gap) + j : i + j * (n + gap);
      };
      double sum = 0;
      for (Index j = 0; j < n; ++j) {
        const T value = static_cast<T>(random.real(-1, 1));
        values[at(j)] = value;
        sum += std::abs(static_cast<double>(value));
      }
      values[at(i)] = static_cast<T>((i % 2 == 0 ? 1.3 : -1.3) * sum + 0.1);
      b[i] = static_cast<T>(random.real(-3, 3));
      x[i] = static_cast<T>(random.real(-3, 3));
    }
    return Dense<T>::view(values, n, layout, n + gap);
  }
};

/// By how much n sweeps may differ: the bound of one, and what later sweeps add to it, which is less for
/// ||M|| < 1 and weights of at most 1; three-term steps may grow it fourfold.
template <class T>
double bound(const DenseCase<T>& c, const std::vector<T>& x, int sweeps) {
  const std::vector<double> sizes = c.a.magnitudes(c.b, x);
  double most = 0;
  for (Index i = 0; i < c.a.rows(); ++i)
    most = std::max(most, sizes[i] / std::abs(static_cast<double>(c.a.diagonal(i))) + std::abs(x[i]));
  return 4 * sweeps * 2 * static_cast<double>(c.a.rows() + 2) * std::numeric_limits<T>::epsilon() * most;
}

}  // namespace jacobi::test
