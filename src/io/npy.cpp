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
#include "io/input_file.hpp"
#include "io/npy_header.hpp"
#include "io/vanished.hpp"
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

/// True where double holds the value exactly: from its first binary digit to the last that is not 0 there
/// are no more than 53.
template <class S>
constexpr bool has_double(S value) {
  if constexpr (std::is_integral_v<S> && sizeof(S) == 8) {
    const auto bits = static_cast<std::uint64_t>(value);
    const std::uint64_t size = value < 0 ? 0 - bits : bits;
    return size == 0 || std::bit_width(size >> std::countr_zero(size)) <= 53;
  }
  return true;
}

/// Reads the values, of type S, from byte `data` on, and converts them.
template <class S>
void convert(const InputFile& file, std::size_t data, std::span<double> to) {
  if constexpr (std::is_same_v<S, double>) {
    file.read_to(data, {reinterpret_cast<char*>(to.data()), to.size_bytes()});
  } else {
    constexpr std::size_t at_once = (1 << 20) / sizeof(S);
    std::string buffer;
    for (std::size_t first = 0; first < to.size(); first += at_once) {
      const std::size_t count = std::min(at_once, to.size() - first);
      const std::span<const char> from = file.read(data + first * sizeof(S), count * sizeof(S), buffer);
      for (std::size_t i = 0; i < count; ++i) {
        S value;
        std::memcpy(&value, from.data() + i * sizeof(S), sizeof(S));
        to[first + i] = static_cast<double>(value);
        if (!has_double(value))
          throw InputError(
              fmt::format("{}: value {} (element {}) is beyond 2^53 and has no exact double; store it as one "
                          "with a.astype('<f8')",
                          file.name(), value, first + i + 1));
      }
    }
  }
}

void convert(const NpyHeader& header, const InputFile& file, std::span<double> to) {
  const bool is_signed = header.kind == 'i';
  const auto as = [&]<class S>(S) { convert<S>(file, header.data, to); };
  if (header.kind == 'f') return header.size == 8 ? as(double{}) : as(float{});
  switch (header.size) {
    case 1:
      return is_signed ? as(std::int8_t{}) : as(std::uint8_t{});
    case 2:
      return is_signed ? as(std::int16_t{}) : as(std::uint16_t{});
    case 4:
      return is_signed ? as(std::int32_t{}) : as(std::uint32_t{});
    default:
      return is_signed ? as(std::int64_t{}) : as(std::uint64_t{});
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

bool is_npy(const InputFile& file) {
  const std::string& name = file.name();
  return file.starts_with("\x93NUMPY") || name.ends_with(".npy") || name.ends_with(".npy.gz");
}

NpyArray read_npy(const InputFile& file, NpyOrder order) {
  const std::string& name = file.name();
  std::string buffer;
  const std::span<const char> begin = file.read(0, std::min(file.size(), largest_npy_header), buffer);
  NpyHeader header = parse_npy_header(std::as_bytes(begin), name);
  const std::size_t count = checked_count(header, file.size() - header.data, name);
  const bool turned = header.fortran_order && header.shape.size() > 1 && order == NpyOrder::c;
  const double needed = static_cast<double>(count) * sizeof(double) * (turned ? 2 : 1);
  if (needed > available_memory())
    throw InputError(fmt::format("{}: as doubles its values need {} of memory, {} are available", name,
                                 in_words(needed), in_words(available_memory())));
  NpyArray array;
  array.values.resize(count);
  convert(header, file, array.values);
  if (turned) array.values = to_c_order(array.values, header.shape);
  array.fortran_order = header.fortran_order && !turned;
  array.shape = std::move(header.shape);
  return array;
}

NpyArray read_npy(const std::string& path, NpyOrder order) { return read_npy(InputFile(path), order); }

template <class T>
std::vector<T> narrowed(std::vector<double> values, const std::string& name,
                        std::vector<std::string>* notes) {
  if constexpr (std::is_same_v<T, double>) {
    return values;
  } else {
    std::vector<T> narrow(values.begin(), values.end());
    Vanished<T> look;
    std::size_t first = 0;
    Index vanished = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isfinite(values[i]) && !std::isfinite(narrow[i]))
        throw InputError(
            fmt::format("{}: value {} (element {}) is beyond the largest float; read it as double", name,
                        values[i], i + 1));
      if (look.add(values[i], narrow[i]) && vanished++ == 0) first = i;
    }
    if (const std::string fault = look.fault(); !fault.empty()) throw InputError(name + ": " + fault);
    if (vanished > 0 && notes)
      notes->push_back(fmt::format("{}: value {} (element {}) is too small for float and taken as 0{}", name,
                                   values[first], first + 1, and_more(vanished)));
    return narrow;
  }
}
template std::vector<float> narrowed(std::vector<double>, const std::string&, std::vector<std::string>*);
template std::vector<double> narrowed(std::vector<double>, const std::string&, std::vector<std::string>*);

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
