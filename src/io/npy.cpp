#include "io/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/memory.hpp"
#include "io/atomic_file.hpp"
#include "io/mapped_file.hpp"
#include "io/npy_header.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace {

static_assert(std::endian::native == std::endian::little, "values are copied as they lie in memory");

/// product(shape), or the largest number when it does not fit.
std::size_t product(std::span<const std::size_t> shape) {
  constexpr std::size_t largest = std::numeric_limits<std::size_t>::max();
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::size_t count = 1;
  for (const std::size_t points : shape) {
    if (count > largest / points) return largest;
    count *= points;
  }
  return count;
}

/// The number of values, proved to be exactly those that follow the header.
std::size_t checked_count(const NpyHeader& header, std::size_t available, const std::string& name) {
  const std::size_t count = product(header.shape);
  if (count > std::numeric_limits<std::size_t>::max() / header.size)
    throw InputError(
        fmt::format("{}: its shape ({}) needs more bytes than can be counted; the file is damaged", name,
                    fmt::join(header.shape, ", ")));
  const std::size_t needed = count * header.size;
  if (needed > available)
    throw InputError(
        fmt::format("{}: cut off: shape ({}) needs {} bytes of data, not {}; copy the file again", name,
                    fmt::join(header.shape, ", "), needed, available));
  if (needed < available)
    throw InputError(
        fmt::format("{}: {} bytes too many after the data of shape ({}); store one array per file", name,
                    available - needed, fmt::join(header.shape, ", ")));
  return count;
}

/// True where double holds the value exactly.
template <class S>
constexpr bool has_double(S value) {
  if constexpr (std::is_integral_v<S> && sizeof(S) == 8) {
    constexpr S largest = S{1} << 53;
    if (value > largest) return false;
    if constexpr (std::is_signed_v<S>) return value >= -largest;
  }
  return true;
}

/// Copies and converts values of type S.
template <class S>
void convert(const std::byte* from, std::vector<double>& to, const std::string& name) {
  if constexpr (std::is_same_v<S, double>) {
    if (!to.empty()) std::memcpy(to.data(), from, to.size() * sizeof(S));
  } else {
    for (std::size_t i = 0; i < to.size(); ++i) {
      S value;
      std::memcpy(&value, from + i * sizeof(S), sizeof(S));
      to[i] = static_cast<double>(value);
      if (!has_double(value))
        throw InputError(
            fmt::format("{}: value {} (element {}) is beyond 2^53 and has no exact double", name, value, i));
    }
  }
}

void convert(const NpyHeader& header, const std::byte* from, std::vector<double>& to,
             const std::string& name) {
  const bool is_signed = header.kind == 'i';
  if (header.kind == 'f')
    return header.size == 8 ? convert<double>(from, to, name) : convert<float>(from, to, name);
  switch (header.size) {
    case 1:
      return is_signed ? convert<std::int8_t>(from, to, name) : convert<std::uint8_t>(from, to, name);
    case 2:
      return is_signed ? convert<std::int16_t>(from, to, name) : convert<std::uint16_t>(from, to, name);
    case 4:
      return is_signed ? convert<std::int32_t>(from, to, name) : convert<std::uint32_t>(from, to, name);
    default:
      return is_signed ? convert<std::int64_t>(from, to, name) : convert<std::uint64_t>(from, to, name);
  }
}

/// From first index fastest to last index fastest.
std::vector<double> to_c_order(const std::vector<double>& values, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> stride(shape.size(), 1), index(shape.size(), 0);
  for (std::size_t d = 1; d < shape.size(); ++d) stride[d] = stride[d - 1] * shape[d - 1];
  std::vector<double> sorted(values.size());
  std::size_t from = 0;
  for (double& value : sorted) {
    value = values[from];
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += stride[d];
      if (++index[d] < shape[d]) break;
      from -= stride[d] * shape[d];
      index[d] = 0;
    }
  }
  return sorted;
}

}  // namespace

NpyArray parse_npy(std::span<const std::byte> bytes, const std::string& name, NpyOrder order) {
  NpyHeader header = parse_npy_header(bytes, name);
  const std::size_t count = checked_count(header, bytes.size() - header.data, name);
  const bool turned = header.fortran_order && header.shape.size() > 1 && order == NpyOrder::c;
  const double needed = static_cast<double>(count) * sizeof(double) * (turned ? 2 : 1);
  if (needed > available_memory())
    throw InputError(fmt::format("{}: as doubles its values need {} of memory, {} are available", name,
                                 in_words(needed), in_words(available_memory())));
  NpyArray array;
  array.values.resize(count);
  convert(header, bytes.data() + header.data, array.values, name);
  if (turned) array.values = to_c_order(array.values, header.shape);
  array.fortran_order = header.fortran_order && !turned;
  array.shape = std::move(header.shape);
  return array;
}

NpyArray read_npy(const std::string& path, NpyOrder order) {
  const MappedFile file(path);
  return parse_npy(std::as_bytes(file.text()), path, order);
}

template <class T>
std::vector<T> narrowed(std::vector<double> values, const std::string& name) {
  if constexpr (std::is_same_v<T, double>) {
    return values;
  } else {
    std::vector<T> narrow(values.begin(), values.end());
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::isfinite(values[i]) && !std::isfinite(narrow[i]))
        throw InputError(fmt::format(
            "{}: value {} (element {}) is beyond the largest float; read it as double", name, values[i], i));
    return narrow;
  }
}
template std::vector<float> narrowed(std::vector<double>, const std::string&);
template std::vector<double> narrowed(std::vector<double>, const std::string&);

template <class T>
void write_npy(const std::string& path, std::span<const T> values, std::span<const std::size_t> shape) {
  if (product(shape) != values.size())
    throw UsageError(
        fmt::format("{}: shape ({}) does not hold {} values", path, fmt::join(shape, ", "), values.size()));
  const std::string header = make_npy_header(sizeof(T) == 4 ? "<f4" : "<f8", shape);
  write_atomically(path, [&](std::ostream& out) {
    out.write(header.data(), static_cast<std::streamsize>(header.size()));
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size_bytes()));
  });
}

template void write_npy<float>(const std::string&, std::span<const float>, std::span<const std::size_t>);
template void write_npy<double>(const std::string&, std::span<const double>, std::span<const std::size_t>);

}  // namespace jacobi::io
