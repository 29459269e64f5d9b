#include "jacobi/convert.hpp"

#include <array>
#include <span>

#include "core/entry_rows.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/walk.hpp"

namespace jacobi {

template <class T>
std::vector<T> multiply(const Csr<T>& a, RightHandSide<T> x) {
  return multiply_by(a, x);
}

template <class T>
std::vector<T> multiply(const Dense<T>& a, RightHandSide<T> x) {
  require_lengths(a.rows(), {{"x", x.size()}});
  const Index n = a.order(), copies = a.copies();
  std::vector<T> y(x.size());
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < copies; ++c) {
      double sum = 0;
      for (Index j = 0; j < n; ++j)
        sum += static_cast<double>(a.at(i, j)) * static_cast<double>(x[j * copies + c]);
      y[i * copies + c] = static_cast<T>(sum);
    }
  return y;
}

template <class T, int D>
std::vector<T> multiply(const Stencil<T, D>& a, RightHandSide<T> x) {
  require_lengths(a.rows(), {{"x", x.size()}});
  std::vector<T> y(x.size());
  walk(a.grid(), [&](Index p, const std::array<Index, D>& at) {
    double sum = static_cast<double>(a.center(p)) * static_cast<double>(x[p]);
    for (int k = 0; k < 2 * D; ++k)
      if (const Index q = neighbour(a.grid(), p, at, k); q >= 0)
        sum += static_cast<double>(a.off(k, p)) * static_cast<double>(x[q]);
    y[p] = static_cast<T>(sum);
  });
  return y;
}

template <class T, int D>
Csr<T> to_csr(const Stencil<T, D>& a) {
  return csr_of_rows<T>(a.rows(), 2 * D + 1, "the entries of the grid", [&](auto&& begin_row, auto&& add) {
    walk(a.grid(), [&](Index p, const std::array<Index, D>& at) {
      begin_row();
      add(p, a.center(p));
      for (int k = 0; k < 2 * D; ++k)
        if (const Index q = neighbour(a.grid(), p, at, k); q >= 0) add(q, a.off(k, p));
    });
  });
}

template <class T>
Csr<T> to_csr(const Dense<T>& a) {
  const Index n = a.order();
  return csr_of_rows<T>(n, n, "the matrix as a sparse one", [&](auto&& begin_row, auto&& add) {
    for (Index i = 0; i < n; ++i) {
      begin_row();
      for (Index j = 0; j < n; ++j) add(j, a.at(i, j));
    }
  });
}

#define JACOBI_INSTANTIATE(T, D)                                                  \
  template std::vector<T> multiply<T, D>(const Stencil<T, D>&, RightHandSide<T>); \
  template Csr<T> to_csr<T, D>(const Stencil<T, D>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE
#define JACOBI_INSTANTIATE(T)                                             \
  template std::vector<T> multiply<T>(const Csr<T>&, RightHandSide<T>);   \
  template std::vector<T> multiply<T>(const Dense<T>&, RightHandSide<T>); \
  template Csr<T> to_csr<T>(const Dense<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi
