#include "jacobi/convert.hpp"

#include <span>
#include <utility>

#include "core/blocks.hpp"
#include "core/instantiate.hpp"
#include "core/lengths.hpp"
#include "core/memory.hpp"
#include "core/walk.hpp"

namespace jacobi {

template <class T>
std::vector<T> multiply(const Csr<T>& a, RightHandSide<T> x) {
  require_lengths(a.rows(), {{"x", x.size()}});
  std::vector<T> y(x.size());
  a.visit([&](auto offsets, auto columns, auto values) {
    for_blocks(blocks_over(a), [&](Index, Index first, Index last) {
      for (Index i = first; i < last; ++i) {
        double sum = 0;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          sum += static_cast<double>(values[k]) * static_cast<double>(x[columns[k]]);
        y[i] = static_cast<T>(sum);
      }
    });
  });
  return y;
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
  std::vector<Entry<T>> entries;
  require_memory(static_cast<double>(a.rows()) * (2 * D + 1) * 2 * sizeof(Entry<T>),
                 "the entries of the grid");
  entries.reserve(static_cast<std::size_t>(a.rows() * (2 * D + 1)));
  walk(a.grid(), [&](Index p, const std::array<Index, D>& at) {
    entries.push_back({p, p, a.center(p)});
    for (int k = 0; k < 2 * D; ++k)
      if (const Index q = neighbour(a.grid(), p, at, k); q >= 0) entries.push_back({p, q, a.off(k, p)});
  });
  return Csr<T>::from_entries(a.rows(), entries);
}

template <class T>
Csr<T> to_csr(const Dense<T>& a) {
  const Index n = a.order();
  require_memory(static_cast<double>(n) * static_cast<double>(n) * (sizeof(T) + sizeof(Index)),
                 "the matrix as a sparse one");
  std::vector<Index> offsets(static_cast<std::size_t>(n + 1)), columns;
  std::vector<T> values;
  columns.reserve(static_cast<std::size_t>(n * n));
  values.reserve(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      columns.push_back(j);
      values.push_back(a.at(i, j));
    }
    offsets[i + 1] = static_cast<Index>(values.size());
  }
  return Csr<T>::own(std::move(offsets), std::move(columns), std::move(values));
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
