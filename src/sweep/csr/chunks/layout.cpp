#include "sweep/csr/chunks/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <utility>

#include "core/blocks.hpp"
#include "core/team.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"
#include "sweep/arrays.hpp"
#include "sweep/same_bits.hpp"

namespace jacobi::sweep {

using Order = std::vector<std::int32_t>;

namespace {

std::vector<std::int32_t> inverse(const Order& order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t p = 0; p < order.size(); ++p)
    place[static_cast<std::size_t>(order[p])] = static_cast<std::int32_t>(p);
  return place;
}

}  // namespace

Index filled(std::span<const std::int32_t> length, Index chunk) {
  Index sum = 0;
  for (std::size_t first = 0; first < length.size(); first += static_cast<std::size_t>(chunk)) {
    const std::size_t last = std::min(length.size(), first + static_cast<std::size_t>(chunk));
    sum += chunk * *std::max_element(length.begin() + first, length.begin() + last);
  }
  return sum;
}

Order sort_by_length(Order order, std::span<std::int32_t> length, Index entries, Index chunk) {
  const auto fits = [&] { return filled(length, chunk) <= entries + entries / 8 + chunk; };
  if (fits()) return order;
  const std::size_t rows = length.size();
  if (order.empty()) {
    order.resize(rows);
    std::iota(order.begin(), order.end(), 0);
  }
  std::vector<std::pair<std::int32_t, std::int32_t>> both(rows);  // length, row
  for (std::size_t p = 0; p < rows; ++p) both[p] = {length[p], order[p]};
  for (std::size_t window = 64;; window *= 8) {
    const Index windows = static_cast<Index>((rows + window - 1) / window);
    parallel_chunks(whole_team(), windows, 16, [&](Index from, Index to) {
      for (Index w = from; w < to; ++w) {
        const std::size_t first = static_cast<std::size_t>(w) * window, last = std::min(rows, first + window);
        std::stable_sort(both.begin() + first, both.begin() + last,
                         [](const auto& x, const auto& y) { return x.first > y.first; });
      }
    });
    for (std::size_t p = 0; p < rows; ++p) std::tie(length[p], order[p]) = both[p];
    if (window >= rows || fits()) return order;
  }
}

template <class T>
Index reach_of(const Csr<T>& a, const Order& order) {
  const Order place = inverse(order);
  std::atomic<Index> reach = 0;
  a.visit([&](auto offsets, auto columns, auto) {
    for_blocks(a.rows(), [&](Index, Index first, Index last) {
      Index most = 0;
      for (Index i = first; i < last; ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          const Index j = columns[k];
          most = std::max(most, std::abs(place.empty() ? i - j : Index(place[i]) - place[j]));
        }
      keep_most(reach, most);
    });
  });
  return reach;
}

namespace {

/// Copies the entries of all rows to where they belong; Column is the type of `columns`.
template <class T, class Column>
void fill(const Csr<T>& a, Chunks<T>& m, const Order& place, Column* columns, int threads) {
  constexpr Index lanes = chunk_rows<T>;
  a.visit([&](auto offsets, auto from, auto values) {
    parallel_for(threads, m.count, [&](Index c) {
      for (Index p = c * lanes; p < std::min(m.rows, (c + 1) * lanes); ++p) {
        const Index i = m.row(p), lane = p % lanes;
        const bool plain = m.kind[c] == Entries::plain, equal = m.kind[c] == Entries::equal;
        const Index least = m.base[c] + (plain ? 0 : lane);
        Index to = m.start[c] + (equal ? 0 : lane), at = m.index[c] + (plain ? lane : 0);
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          m.values[to] = values[k];
          columns[at] = static_cast<Column>((place.empty() ? Index(from[k]) : place[from[k]]) - least);
          to += equal ? 1 : lanes;
          at += plain ? lanes : 1;
        }
      }
    });
  });
}

/// Start, base and common length of every chunk, and, if `squeeze`, its kind. Returns the largest
/// distance of a column from its base.
template <class T>
Index measure(const Csr<T>& a, Chunks<T>& m, const Order& place, bool squeeze) {
  constexpr Index lanes = chunk_rows<T>;
  std::atomic<Index> farthest = 0;
  a.visit([&](auto offsets, auto columns, auto values) {
    const auto column = [&](Index k) {
      return place.empty() ? static_cast<std::int32_t>(columns[k]) : place[columns[k]];
    };
    parallel_for(whole_team(), m.count, [&](Index c) {
      std::int32_t least = std::numeric_limits<std::int32_t>::max(), most = 0, longest = 0;
      std::int32_t full = (c + 1) * lanes > m.rows ? 0 : least;
      bool runs = squeeze && full > 0, equal = runs;
      for (Index p = c * lanes; p < std::min(m.rows, (c + 1) * lanes); ++p) {
        const Index i = m.row(p), lane = p % lanes, head = offsets[m.row(c * lanes)];
        runs = runs && m.length[p] == m.length[c * lanes];
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
          const std::int32_t at = column(k);
          least = std::min(least, at);
          most = std::max(most, at);
          runs = runs && at == column(head + (k - offsets[i])) + lane;
          equal = equal && runs && same_bits(values[k], values[head + (k - offsets[i])]);
        }
        longest = std::max(longest, m.length[p]);
        full = std::min(full, m.length[p]);
      }
      m.base[c] = longest > 0 ? least : 0;
      m.full[c] = full;
      m.kind[c] = !runs ? Entries::plain : equal ? Entries::equal : Entries::runs;
      m.start[c + 1] = runs && equal ? longest : longest * lanes;
      m.index[c + 1] = runs ? longest : longest * lanes;
      if (longest > 0) keep_most(farthest, most - least);
    });
  });
  for (auto* sums : {&m.start, &m.index}) std::partial_sum(sums->begin(), sums->end(), sums->begin());
  return farthest;
}

}  // namespace

template <class T>
Chunks<T> lay_out(const Csr<T>& a, Order order, bool squeeze, int threads) {
  constexpr Index lanes = chunk_rows<T>;
  if (a.rows() > most_places)
    throw BackendError(
        fmt::format("{} rows: the vector rungs take fewer than 2^31; take --rung fused", a.rows()));
  Chunks<T> m;
  m.rows = a.rows();
  m.squeeze = squeeze;
  m.count = m.pieces() * piece_rows / lanes;  // whole pieces
  m.length = swept_array<std::int32_t>(m.count * lanes, threads);
  a.visit([&](auto offsets, auto, auto) {
    for (Index p = 0; p < m.rows; ++p) {
      const Index i = order.empty() ? p : order[static_cast<std::size_t>(p)];
      m.length[p] = static_cast<std::int32_t>(offsets[i + 1] - offsets[i]);
    }
  });
  const std::span length(m.length.get(), static_cast<std::size_t>(m.rows));
  m.row_at = sort_by_length(std::move(order), length, a.entries(), lanes);
  const Order place = inverse(m.row_at);
  for (auto* firsts : {&m.start, &m.index}) firsts->resize(static_cast<std::size_t>(m.count) + 1);
  m.kind.resize(static_cast<std::size_t>(m.count));
  m.base.resize(static_cast<std::size_t>(m.count));
  m.full.resize(static_cast<std::size_t>(m.count));
  const Index farthest = measure(a, m, place, squeeze);
  m.values = swept_array<T>(m.start.back(), threads);
  const Index plain = std::count(m.kind.begin(), m.kind.end(), Entries::plain);
  const bool narrow = squeeze && farthest <= std::numeric_limits<std::uint16_t>::max();
  m.squeezed = narrow || (squeeze && 2 * plain <= m.count);
  if (narrow) {
    m.narrow = swept_array<std::uint16_t>(m.index.back(), threads);
    fill(a, m, place, m.narrow.get(), threads);
  } else {
    m.wide = swept_array<std::int32_t>(m.index.back(), threads);
    fill(a, m, place, m.wide.get(), threads);
  }
  return m;
}

template <class T>
void take_values(const Csr<T>& a, Chunks<T>& m, int threads) {
  constexpr Index lanes = chunk_rows<T>;
  std::atomic<bool> fits = true;
  a.visit([&](auto offsets, auto, auto values) {
    parallel_for(threads, m.count, [&](Index c) {
      for (Index p = c * lanes; p < std::min(m.rows, (c + 1) * lanes); ++p) {
        const bool equal = m.kind[c] == Entries::equal, first = p == c * lanes;
        const Index i = m.row(p), step = equal ? 1 : lanes;
        Index to = m.start[c] + (equal ? 0 : p % lanes);
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k, to += step) {
          if (!equal || first)
            m.values[to] = values[k];
          else if (!same_bits(m.values[to], values[k]))
            fits = false;
        }
      }
    });
  });
  if (fits) return;
  Order order = std::move(m.row_at);
  const bool squeeze = m.squeeze;
  m = {};  // two at a time are too many
  m = lay_out(a, std::move(order), squeeze, threads);
}

#define JACOBI_INSTANTIATE(T)                                     \
  template Index reach_of<T>(const Csr<T>&, const Order&);        \
  template Chunks<T> lay_out<T>(const Csr<T>&, Order, bool, int); \
  template void take_values<T>(const Csr<T>&, Chunks<T>&, int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
