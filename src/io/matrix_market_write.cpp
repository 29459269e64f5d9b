#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "io/atomic_file.hpp"
#include "io/matrix_market.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {

template <class T>
void write_matrix_market_array(const std::string& path, std::span<const T> values, Index rows,
                               Index columns) {
  const auto size = static_cast<Index>(values.size());
  if (rows < 1 || columns < 1 || size % rows != 0 || size / rows != columns)
    throw UsageError(fmt::format("{}: {} values do not make {} x {}", path, size, rows, columns));
  write_atomically(path, [&](std::ostream& out) {
    fmt::memory_buffer text;
    const auto hand_on = [&] {
      out.write(text.data(), static_cast<std::streamsize>(text.size()));
      text.clear();
    };
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("%%MatrixMarket matrix array real general\n{} {}\n"),
                   rows, columns);
    for (Index k = 0; k < size; ++k) {
      const T value = values[static_cast<std::size_t>(k)];
      if (!std::isfinite(value))
        throw InputError(fmt::format("{}: entry ({}, {}) is {}, which Matrix Market files cannot hold", path,
                                     k % rows + 1, k / rows + 1, value));
      fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}\n"), value);
      if (text.size() > 1 << 16) hand_on();
    }
    hand_on();
  });
}

template void write_matrix_market_array(const std::string&, std::span<const float>, Index, Index);
template void write_matrix_market_array(const std::string&, std::span<const double>, Index, Index);

}  // namespace jacobi::io
