#include "jacobi/convert.hpp"

#include <array>
#include <limits>
#include <span>
#include <utility>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
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
  const Index most = a.rows() * (2 * D + 1);
  require_memory(static_cast<double>(most) * (sizeof(T) + sizeof(Index)), "the entries of the grid");
  const auto fill = [&]<class I>(I) {
    std::vector<I> offsets, columns;
    std::vector<T> values;
    offsets.reserve(static_cast<std::size_t>(a.rows() + 1));
    columns.reserve(static_cast<std::size_t>(most));
    values.reserve(static_cast<std::size_t>(most));
    walk(a.grid(), [&](Index p, const std::array<Index, D>& at) {
      const std::size_t begin = columns.size();
      offsets.push_back(static_cast<I>(begin));
      const auto add = [&](Index q, T value) {  // in order of columns; both ways may lead to one
        std::size_t place = columns.size();
        while (place > begin && columns[place - 1] > q) --place;
        if (place > begin && columns[place - 1] == q) {
          values[place - 1] += value;
          return;
        }
        columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(place), static_cast<I>(q));
        values.insert(values.begin() + static_cast<std::ptrdiff_t>(place), value);
      };
      add(p, a.center(p));
      for (int k = 0; k < 2 * D; ++k)
        if (const Index q = neighbour(a.grid(), p, at, k); q >= 0) add(q, a.off(k, p));
    });
    offsets.push_back(static_cast<I>(columns.size()));
    return Csr<T>::own(std::move(offsets), std::move(columns), std::move(values));
  };
  // NOLINTNEXTLINE(bugprone-branch-clone): the types differ
  return most < std::numeric_limits<std::int32_t>::max() ? fill(std::int32_t()) : fill(std::int64_t());
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
    if (i % 64 == 0) throw_if_cancelled();
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
