#include "sweep/csr/slices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "machine/caches.hpp"
#include "sweep/arrays.hpp"

namespace jacobi::sweep {

namespace {

Index slabs_of(Index rows) { return (rows + slab_rows - 1) / slab_rows; }

}  // namespace

template <class T>
Slices<T> slice(const Csr<T>& a, int threads) {
  Slices<T> m;
  m.slabs = m.slices = slabs_of(a.rows());
  m.start.resize(static_cast<std::size_t>(m.slabs * m.slices) + 1);
  const auto for_entries = [&](auto&& visit) {
    a.visit([&](auto offsets, auto columns, auto values) {
#pragma omp parallel for schedule(static) num_threads(threads)
      for (Index slab = 0; slab < m.slabs; ++slab)
        for (Index i = slab * slab_rows; i < std::min(a.rows(), (slab + 1) * slab_rows); ++i)
          for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
            visit(slab * m.slices + Index(columns[k]) / slab_rows, i, Index(columns[k]), values[k]);
    });
  };
  for_entries([&](Index cell, Index, Index, T) { ++m.start[cell + 1]; });
  std::partial_sum(m.start.begin(), m.start.end(), m.start.begin());
  m.row = swept_array<std::uint16_t>(m.start.back(), threads);
  m.column = swept_array<std::uint16_t>(m.start.back(), threads);
  m.values = swept_array<T>(m.start.back(), threads);
  std::vector<Index> next(m.start.begin(), m.start.end() - 1);
  for_entries([&](Index cell, Index i, Index j, T value) {
    const Index to = next[cell]++;
    m.row[to] = static_cast<std::uint16_t>(i % slab_rows);
    m.column[to] = static_cast<std::uint16_t>(j % slab_rows);
    m.values[to] = value;
  });
  return m;
}

template <class T>
bool is_scattered(const Csr<T>& a) {
  const double l2 = machine::cache_bytes(2), unknowns = static_cast<double>(a.rows()) * sizeof(T);
  const double entries = static_cast<double>(a.entries());
  const double visits = static_cast<double>(a.rows()) * static_cast<double>(slabs_of(a.rows()));
  if (unknowns < 2 * (l2 > 0 ? l2 : 1 << 20) || entries > 2 * visits || visits > 4 * entries) return false;
  const Index often = 4 * a.entries() / a.rows();
  Index far = 0, hot = 0;
  a.visit([&](auto offsets, auto columns, auto) {
    std::vector<std::int32_t> uses(static_cast<std::size_t>(a.rows()));
    for (const auto j : columns) ++uses[static_cast<std::size_t>(j)];
#pragma omp parallel for schedule(static) reduction(+ : far, hot)
    for (Index i = 0; i < a.rows(); ++i) {
      if (uses[i] > often) hot += uses[i];
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        far += std::abs(i - Index(columns[k])) > slab_rows / 2;
    }
  });
  return static_cast<double>(far) > 0.5 * entries && static_cast<double>(hot) < 0.2 * entries;
}

#define JACOBI_INSTANTIATE(T)                      \
  template Slices<T> slice<T>(const Csr<T>&, int); \
  template bool is_scattered<T>(const Csr<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
