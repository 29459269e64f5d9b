#include "sweep/csr/sliced/slices.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include "core/clock.hpp"
#include "core/team.hpp"
#include "machine/caches.hpp"
#include "sweep/arrays.hpp"
#include "sweep/csr/popularity.hpp"

namespace jacobi::sweep {

namespace {

Index slabs_of(Index rows) { return (rows + slab_rows - 1) / slab_rows; }

/// Seconds of one stretch of entries: unknowns gathered from anywhere, in independent sums; or from one
/// slice, sums in a slab of rows, as add_slice() has them.
template <class T>
double time_gathered(std::span<const T> values, auto columns, const T* x, T* sums) {
  const auto begin = Clock::now();
  T sum[8] = {};
  for (std::size_t k = 0; k + 8 <= values.size(); k += 8)
    for (std::size_t j = 0; j < 8; ++j) sum[j] += values[k + j] * x[columns[k + j]];
  for (std::size_t j = 0; j < 8; ++j) sums[j] += sum[j];
  return seconds_since(begin);
}
template <class T>
double time_sliced(std::span<const T> values, auto columns, const T* x, T* sums) {
  const auto begin = Clock::now();
  for (std::size_t k = 0; k < values.size(); ++k)
    sums[k % slab_rows] -= values[k] * x[columns[k] % slab_rows];
  return seconds_since(begin);
}

/// Measures on a sample which of the two takes longer, stretches in turn: processors differ by how many
/// misses they bear at a time. Some 2 ms.
template <class T>
bool slices_are_faster(const Csr<T>& a) {
  constexpr Index stretches = 32;
  const Index length = std::min<Index>(16384, a.entries() / stretches);
  const AlignedArray<T> x = swept_array<T>(a.rows(), 1), sums = swept_array<T>(slab_rows, 1);
  std::vector<double> gathered, sliced;
  a.visit([&](auto, auto columns, auto values) {
    for (Index s = 0; s < stretches; ++s) {
      const auto from = static_cast<std::size_t>((a.entries() - length) / stretches * s);
      const auto v = values.subspan(from, length);
      const auto c = columns.subspan(from, length);
      if (s % 2 == 0)
        gathered.push_back(time_gathered<T>(v, c, x.get(), sums.get()));
      else
        sliced.push_back(time_sliced<T>(v, c, x.get(), sums.get()));
    }
  });
  std::ranges::nth_element(gathered, gathered.begin() + stretches / 4);
  std::ranges::nth_element(sliced, sliced.begin() + stretches / 4);
  return sums[0] == 0 && sliced[stretches / 4] < gathered[stretches / 4];  // x is 0: read, so not left out
}

/// visit(its cell, row, column, value) for every entry, those of a slab in order.
template <class T, class Visit>
void for_entries(const Csr<T>& a, const Slices<T>& m, int threads, Visit&& visit) {
  a.visit([&](auto offsets, auto columns, auto values) {
    parallel_for(threads, m.slabs, [&](Index slab) {
      for (Index i = slab * slab_rows; i < std::min(a.rows(), (slab + 1) * slab_rows); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          visit(slab * m.slices + Index(columns[k]) / slab_rows, i, Index(columns[k]), values[k]);
    });
  });
}

}  // namespace

template <class T>
Slices<T> slice(const Csr<T>& a, int threads) {
  Slices<T> m;
  m.slabs = m.slices = slabs_of(a.rows());
  m.start.resize(static_cast<std::size_t>(m.slabs * m.slices) + 1);
  for_entries(a, m, threads, [&](Index cell, Index, Index, T) { ++m.start[cell + 1]; });
  std::partial_sum(m.start.begin(), m.start.end(), m.start.begin());
  m.row = swept_array<std::uint16_t>(m.start.back(), threads);
  m.column = swept_array<std::uint16_t>(m.start.back(), threads);
  m.values = swept_array<T>(m.start.back(), threads);
  std::vector<Index> next(m.start.begin(), m.start.end() - 1);
  for_entries(a, m, threads, [&](Index cell, Index i, Index j, T value) {
    const Index to = next[cell]++;
    m.row[to] = static_cast<std::uint16_t>(i % slab_rows);
    m.column[to] = static_cast<std::uint16_t>(j % slab_rows);
    m.values[to] = value;
  });
  return m;
}

template <class T>
void take_values(const Csr<T>& a, Slices<T>& m, int threads) {
  std::vector<Index> next(m.start.begin(), m.start.end() - 1);
  for_entries(a, m, threads, [&](Index cell, Index, Index, T value) { m.values[next[cell]++] = value; });
}

template <class T>
bool is_scattered(const Csr<T>& a) {
  const double unknowns = static_cast<double>(a.rows()) * sizeof(T);
  const double entries = static_cast<double>(a.entries());
  const double visits = static_cast<double>(a.rows()) * static_cast<double>(slabs_of(a.rows()));
  if (unknowns < 2 * machine::assumed_cache_bytes(2) || entries > 2 * visits || visits > 4 * entries)
    return false;
  const Index often = 4 * a.entries() / a.rows();
  Index hot = 0;
  for (const std::int32_t uses : column_uses(a))
    if (uses > often) hot += uses;
  return static_cast<double>(hot) < 0.2 * entries && is_far_from_diagonal(a, slab_rows / 2) &&
         slices_are_faster(a);
}

#define JACOBI_INSTANTIATE(T)                                   \
  template Slices<T> slice<T>(const Csr<T>&, int);              \
  template void take_values<T>(const Csr<T>&, Slices<T>&, int); \
  template bool is_scattered<T>(const Csr<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
