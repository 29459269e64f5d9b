#include "dense_matrices.hpp"
#include "core/team.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "contenders.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

void require_entries(Index n, std::size_t size) {
  require_room(fmt::format("{0} x {0} entries", n),
               static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(size),
               "take a smaller n");
}

template <class T>
DenseMatrix<T> dominant_matrix(Index n, Layout layout, double share, bool slow) {
  require_entries(n, sizeof(T));
  const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  AlignedArray<T> values = aligned_array<T>(count, huge_page);
  if (!values) throw BackendError(fmt::format("no memory for {0} x {0} entries", n));
  ask_huge_pages(values.get(), count * sizeof(T));
  T* const start = values.get();
  parallel_for(whole_team(), n, [&](Index i) {
    double sum = 0;
    const auto at = [&](Index j) { return layout == Layout::row_major ? i * n + j : i + j * n; };
    for (Index j = 0; j < n; ++j) {
      const auto hash = (static_cast<std::uint64_t>(i * n + j) * 0x9e3779b97f4a7c15u) >> 11;
      const double number = static_cast<double>(hash) * 0x1p-52 - 1;
      const T value = static_cast<T>(slow ? -std::abs(number) : number);
      start[at(j)] = value;
      if (i != j) sum += std::abs(static_cast<double>(value));
    }
    start[at(i)] = static_cast<T>(n > 1 ? sum / share : 1);
  });
  return {std::move(values), Dense<T>::view({start, count}, n, layout)};
}

template DenseMatrix<double> dominant_matrix(Index, Layout, double, bool);
template DenseMatrix<float> dominant_matrix(Index, Layout, double, bool);

}  // namespace jacobi::cli
