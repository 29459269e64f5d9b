#include "sweep/csr/popularity.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>

#include "core/blocks.hpp"
#include "core/teams.hpp"

namespace jacobi::sweep {

namespace {

constexpr Index line_bytes = 64;

/// Of the largest `count`.
Index sum_of_largest(std::vector<Index> values, std::size_t count) {
  if (count < values.size())
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count), values.end(),
                     std::greater<>());
  return std::accumulate(
      values.begin(), values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size())), Index{0});
}

}  // namespace

template <class T>
std::vector<std::int32_t> column_uses(const Csr<T>& a) {
  std::vector<std::int32_t> uses(static_cast<std::size_t>(a.rows()));
  a.visit([&](auto, auto columns, auto) {
    for (const auto j : columns) ++uses[static_cast<std::size_t>(j)];
  });
  return uses;
}

template <class T>
bool is_far_from_diagonal(const Csr<T>& a, Index places) {
  std::atomic<Index> far = 0;
  a.visit([&](auto offsets, auto columns, auto) {
    for_blocks(a.rows(), [&](Index, Index first, Index last) {
      Index here = 0;
      for (Index i = first; i < last; ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) here += std::abs(i - Index(columns[k])) > places;
      far += here;
    });
  });
  return 2 * far > a.entries();
}

template <class T>
std::vector<std::int32_t> by_popularity(const Csr<T>& a, double near, double held) {
  const Index bytes = a.rows() * Index{sizeof(T)};
  if (static_cast<double>(bytes) <= held || a.rows() > std::numeric_limits<std::int32_t>::max() ||
      !is_far_from_diagonal(a, static_cast<Index>(held / 8) / Index{sizeof(T)}))
    return {};
  const std::vector<std::int32_t> uses = column_uses(a);
  constexpr std::size_t line = line_bytes / sizeof(T);
  std::vector<Index> of_lines(uses.size() / line + 1);
  for (std::size_t j = 0; j < uses.size(); ++j) of_lines[j / line] += uses[j];
  const std::size_t room = static_cast<std::size_t>(near) / line_bytes;
  const Index as_it_is = sum_of_largest(std::move(of_lines), room);
  const Index together = sum_of_largest({uses.begin(), uses.end()}, room * line);
  if (20 * (together - as_it_is) < a.entries()) return {};

  // counted, not compared: first[c] is the place of the first unknown with that many uses fewer than the most
  const std::int32_t most = *std::ranges::max_element(uses);
  std::vector<std::int32_t> first(static_cast<std::size_t>(most) + 2), order(uses.size());
  for (const std::int32_t u : uses) ++first[static_cast<std::size_t>(most - u) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  for (std::size_t i = 0; i < uses.size(); ++i)
    order[static_cast<std::size_t>(first[static_cast<std::size_t>(most - uses[i])]++)] =
        static_cast<std::int32_t>(i);
  return order;
}

#define JACOBI_INSTANTIATE(T)                                       \
  template std::vector<std::int32_t> column_uses<T>(const Csr<T>&); \
  template bool is_far_from_diagonal<T>(const Csr<T>&, Index);      \
  template std::vector<std::int32_t> by_popularity<T>(const Csr<T>&, double, double);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
