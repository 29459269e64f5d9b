#include "sweep/csr/device_layout.hpp"

#include <algorithm>
#include <numeric>

#include "core/team.hpp"
#include "core/teams.hpp"
#include "sweep/arrays.hpp"
#include "sweep/csr/chunks/layout.hpp"

namespace jacobi::sweep {

template <class T>
Sell<T> sell_order(const Csr<T>& a) {
  Sell<T> m;
  m.length.resize(static_cast<std::size_t>(a.rows()));
  a.visit([&](auto offsets, auto, auto) {
    for (Index i = 0; i < a.rows(); ++i) m.length[i] = static_cast<std::int32_t>(offsets[i + 1] - offsets[i]);
  });
  m.row_at = sort_by_length({}, m.length, a.entries(), sell_rows);
  m.chunks = (a.rows() + sell_rows - 1) / sell_rows;
  m.start.resize(static_cast<std::size_t>(m.chunks) + 1);
  for (Index c = 0; c < m.chunks; ++c) {
    const auto first = m.length.begin() + c * sell_rows;
    const auto last = std::min(first + sell_rows, m.length.end());
    m.start[c + 1] = sell_rows * *std::max_element(first, last);
  }
  std::partial_sum(m.start.begin(), m.start.end(), m.start.begin());
  return m;
}

template <class T>
void fill(Sell<T>& m, const Csr<T>& a) {
  m.values = swept_array<T>(m.start.back(), 1);
  m.columns = swept_array<std::int32_t>(m.start.back(), 1);
  a.visit([&](auto offsets, auto columns, auto values) {
    parallel_for(whole_team(), m.chunks, [&](Index c) {
      std::fill(m.values.get() + m.start[c], m.values.get() + m.start[c + 1], T(0));
      std::fill(m.columns.get() + m.start[c], m.columns.get() + m.start[c + 1], 0);
      for (Index p = c * sell_rows; p < std::min(a.rows(), (c + 1) * sell_rows); ++p) {
        const Index i = m.row_at.empty() ? p : m.row_at[p];
        Index to = m.start[c] + p % sell_rows;
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k, to += sell_rows) {
          m.values[to] = values[k];
          m.columns[to] = static_cast<std::int32_t>(columns[k]);
        }
      }
    });
  });
}

#define JACOBI_INSTANTIATE(T)                    \
  template Sell<T> sell_order<T>(const Csr<T>&); \
  template void fill<T>(Sell<T>&, const Csr<T>&);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep
