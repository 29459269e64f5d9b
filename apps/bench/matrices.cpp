#include "matrices.hpp"

#include <cstdint>
#include <random>
#include <utility>

namespace jacobi::cli {

template <class T>
Csr<T> grid_matrix(const std::vector<Index>& points, bool varied) {
  Index rows = 1;
  for (const Index n : points) rows *= n;
  std::vector<std::int64_t> offsets{0}, columns;
  std::vector<T> values;
  const auto conductance = [&](Index i, Index stride) {  // between i and i + stride
    const auto hash = static_cast<std::uint64_t>(i + stride) * 2654435761u % 1000;
    return varied ? 1 + static_cast<double>(hash) / 1000 : 1.0;
  };
  for (Index i = 0; i < rows; ++i) {
    std::vector<std::pair<Index, double>> row{{i, 0.0}};
    std::size_t diagonal = 0;  // its place in the row
    Index stride = 1;
    for (const Index n : points) {
      const double low = conductance(i - stride, stride), high = conductance(i, stride);
      if (i / stride % n > 0) {
        row.insert(row.begin(), {i - stride, -low});
        ++diagonal;
      }
      if (i / stride % n + 1 < n) row.push_back({i + stride, -high});
      row[diagonal].second += low + high;
      stride *= n;
    }
    for (const auto& [column, value] : row) {
      columns.push_back(column);
      values.push_back(static_cast<T>(value));
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  if (columns.size() > (std::size_t(1) << 31) - 1)
    return Csr<T>::template own<std::int64_t>(std::move(offsets), std::move(columns), std::move(values));
  return Csr<T>::template own<std::int32_t>({offsets.begin(), offsets.end()},
                                            {columns.begin(), columns.end()}, std::move(values));
}

template <class T>
Csr<T> random_matrix(Index n, Index per_row) {
  std::mt19937_64 engine(1);
  std::vector<std::int32_t> offsets{0}, columns;
  std::vector<T> values;
  for (Index i = 0; i < n; ++i) {
    columns.push_back(static_cast<std::int32_t>(i));
    values.push_back(static_cast<T>(per_row + 1));
    for (Index k = 1; k < per_row; ++k) {
      columns.push_back(static_cast<std::int32_t>(engine() % static_cast<std::uint64_t>(n)));
      values.push_back(T(-1));
    }
    offsets.push_back(static_cast<std::int32_t>(columns.size()));
  }
  return Csr<T>::template own<std::int32_t>(std::move(offsets), std::move(columns), std::move(values));
}

template <class T>
Csr<T> power_law_matrix(int scale) {
  const Index pages = Index(1) << scale;
  std::mt19937_64 engine(1);
  std::vector<Entry<T>> entries;
  entries.reserve(static_cast<std::size_t>(17 * pages));
  std::vector<Index> links(static_cast<std::size_t>(pages));
  for (Index link = 0; link < 16 * pages; ++link) {
    Index from = 0, to = 0;
    std::uint64_t bits = 0;
    for (int level = 0; level < scale; ++level, bits >>= 8) {
      if (level % 8 == 0) bits = engine();
      const std::uint64_t draw = bits & 255;  // quarters of 146, 49, 49 and 12 in 256
      from = 2 * from + (draw >= 195 ? 1 : 0);
      to = 2 * to + ((draw >= 146 && draw < 195) || draw >= 244 ? 1 : 0);
    }
    entries.push_back({to, from, T(0)});
    ++links[static_cast<std::size_t>(from)];
  }
  for (Entry<T>& e : entries)
    e.value = static_cast<T>(-0.85 / static_cast<double>(links[static_cast<std::size_t>(e.column)]));
  for (Index i = 0; i < pages; ++i) entries.push_back({i, i, T(1)});
  return Csr<T>::from_entries(pages, entries);
}

#define JACOBI_INSTANTIATE(T)                                      \
  template Csr<T> grid_matrix<T>(const std::vector<Index>&, bool); \
  template Csr<T> random_matrix<T>(Index, Index);                  \
  template Csr<T> power_law_matrix<T>(int);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
