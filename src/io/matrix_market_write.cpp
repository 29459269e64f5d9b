#include <fmt/compile.h>
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "io/atomic_file.hpp"
#include "io/matrix_market.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

/// Collects text and hands it on in large portions.
class Sink {
 public:
  explicit Sink(std::ostream& out) : out_(out) {}
  ~Sink() = default;
  template <class Format, class... Values>
  void add(const Format& format, const Values&... values) {
    fmt::format_to(std::back_inserter(buffer_), format, values...);
    if (buffer_.size() > portion) flush();
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

 private:
  static constexpr std::size_t portion = 1 << 16;
  std::ostream& out_;
  fmt::memory_buffer buffer_;
};

template <class T>
void require_finite(const std::string& path, T value, Index row, Index column) {
  if (!std::isfinite(value))
    throw InputError(fmt::format("{}: entry ({}, {}) is {}, which Matrix Market files cannot hold", path,
                                 row + 1, column + 1, value));
}

template <class I>
void require_arrays(const std::string& path, Index rows, Index columns, std::span<const I> offsets,
                    std::span<const I> places, std::size_t values) {
  const auto require = [&](bool sound, const char* what) {
    if (!sound) throw UsageError(fmt::format("{}: cannot write the matrix: {}", path, what));
  };
  require(rows > 0 && columns > 0 && values > 0, "it has no entries");
  require(offsets.size() == static_cast<std::size_t>(rows) + 1, "rows + 1 offsets needed");
  require(places.size() == values, "as many columns as values needed");
  require(offsets.front() == 0 && static_cast<std::size_t>(offsets.back()) == values,
          "the offsets must go from 0 to the number of values");
  for (std::size_t i = 1; i < offsets.size(); ++i) require(offsets[i] >= offsets[i - 1], "the offsets fall");
  for (const I place : places) require(place >= 0 && place < columns, "a column lies outside of it");
}

}  // namespace

template <class T, class I>
void write_matrix_market(const std::string& path, Index rows, Index columns, std::span<const I> offsets,
                         std::span<const I> places, std::span<const T> values) {
  require_arrays(path, rows, columns, offsets, places, values.size());
  write_atomically(path, [&](std::ostream& out) {
    Sink sink(out);
    sink.add(FMT_COMPILE("%%MatrixMarket matrix coordinate real general\n{} {} {}\n"), rows, columns,
             values.size());
    for (Index row = 0; row < rows; ++row)
      for (auto k = static_cast<std::size_t>(offsets[static_cast<std::size_t>(row)]);
           k < static_cast<std::size_t>(offsets[static_cast<std::size_t>(row) + 1]); ++k) {
        require_finite(path, values[k], row, static_cast<Index>(places[k]));
        sink.add(FMT_COMPILE("{} {} {}\n"), row + 1, places[k] + 1, values[k]);
      }
    sink.flush();
  });
}

template <class T>
void write_matrix_market_array(const std::string& path, std::span<const T> values, Index rows,
                               Index columns) {
  const auto size = static_cast<Index>(values.size());
  if (rows < 1 || columns < 1 || size % rows != 0 || size / rows != columns)
    throw UsageError(fmt::format("{}: {} values do not make {} x {}", path, size, rows, columns));
  write_atomically(path, [&](std::ostream& out) {
    Sink sink(out);
    sink.add(FMT_COMPILE("%%MatrixMarket matrix array real general\n{} {}\n"), rows, columns);
    for (Index k = 0; k < size; ++k) {
      const T value = values[static_cast<std::size_t>(k)];
      require_finite(path, value, k % rows, k / rows);
      sink.add(FMT_COMPILE("{}\n"), value);
    }
    sink.flush();
  });
}

#define JACOBI_WRITE(T, I)                                                                \
  template void write_matrix_market(const std::string&, Index, Index, std::span<const I>, \
                                    std::span<const I>, std::span<const T>);
JACOBI_WRITE(float, std::int32_t)
JACOBI_WRITE(float, std::int64_t)
JACOBI_WRITE(double, std::int32_t)
JACOBI_WRITE(double, std::int64_t)
template void write_matrix_market_array(const std::string&, std::span<const float>, Index, Index);
template void write_matrix_market_array(const std::string&, std::span<const double>, Index, Index);

}  // namespace jacobi::io
