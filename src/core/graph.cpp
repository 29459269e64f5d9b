#include "core/graph.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace jacobi {

namespace {

/// Where the entries of each column lie.
struct Transposed {
  std::vector<Index> offsets;
  std::vector<std::int32_t> rows;
};

template <class T>
Transposed transposed(const Csr<T>& a) {
  Transposed g;
  g.offsets.resize(static_cast<std::size_t>(a.rows()) + 1);
  g.rows.resize(static_cast<std::size_t>(a.entries()));
  a.visit([&](auto offsets, auto columns, auto) {
    for (const auto c : columns) ++g.offsets[static_cast<std::size_t>(c) + 1];
    std::partial_sum(g.offsets.begin(), g.offsets.end(), g.offsets.begin());
    std::vector<Index> next(g.offsets.begin(), g.offsets.end() - 1);
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        g.rows[static_cast<std::size_t>(next[columns[k]]++)] = static_cast<std::int32_t>(i);
  });
  return g;
}

/// Appends to `order` all that can be reached from `seed`, and marks it. Returns the number of levels.
template <class T>
Index walk_from(const Csr<T>& a, const Transposed& back, std::int32_t seed, std::vector<std::int32_t>& order,
                std::vector<char>& marks, char mark) {
  const auto take = [&](Index i) {
    if (marks[static_cast<std::size_t>(i)] == mark) return;
    marks[static_cast<std::size_t>(i)] = mark;
    order.push_back(static_cast<std::int32_t>(i));
  };
  Index levels = 0;
  std::size_t next = order.size();
  take(seed);
  a.visit([&](auto offsets, auto columns, auto) {
    for (std::size_t end = order.size(); next < end; end = order.size(), ++levels)
      for (; next < end; ++next) {
        const Index i = order[next];
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) take(columns[k]);
        for (Index k = back.offsets[i]; k < back.offsets[i + 1]; ++k) take(back.rows[k]);
      }
  });
  return levels;
}

}  // namespace

template <class T>
BreadthFirst breadth_first(const Csr<T>& a) {
  const Transposed back = transposed(a);
  const std::size_t rows = static_cast<std::size_t>(a.rows());
  BreadthFirst found;
  found.order.reserve(rows);
  std::vector<std::int32_t> probe;
  std::vector<char> marks(rows, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    if (marks[i] == 2) continue;
    probe.clear();  // the last row reached from anywhere lies at the rim
    walk_from(a, back, static_cast<std::int32_t>(i), probe, marks, 1);
    found.levels = std::max(found.levels, walk_from(a, back, probe.back(), found.order, marks, 2));
  }
  return found;
}

template <class T>
bool spreads_beyond(const Csr<T>& a, Index most) {
  std::vector<char> seen(static_cast<std::size_t>(a.rows()), 0);
  std::vector<Index> level{0}, next;
  seen[0] = 1;
  return a.visit([&](auto offsets, auto columns, auto) {
    for (; !level.empty(); level.swap(next)) {
      next.clear();
      for (const Index i : level)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          if (!std::exchange(seen[static_cast<std::size_t>(columns[k])], 1)) next.push_back(columns[k]);
      if (static_cast<Index>(next.size()) > most) return true;
    }
    return false;
  });
}

template bool spreads_beyond<double>(const Csr<double>&, Index);
template bool spreads_beyond<float>(const Csr<float>&, Index);
template BreadthFirst breadth_first<double>(const Csr<double>&);
template BreadthFirst breadth_first<float>(const Csr<float>&);

}  // namespace jacobi
