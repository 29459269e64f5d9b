/// Vectors behind the entries in the same file, as AmgX and lis write systems.
#include <fmt/format.h>

#include "io/matrix_market_parts.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io::market {
namespace {

/// Behind the next `count` lines of entries; nothing where there are fewer.
std::optional<Behind> behind_lines(const Document& document, Index count) {
  std::optional<Behind> found;
  for_each_line(document, [&](const Line& line) {
    if (--count > 0) return true;
    found = Behind{line.next, line.number};
    return false;
  });
  return found;
}

/// A header for n x columns values of a vector behind those of the file's own.
Header header_of_vectors(const Header& header, Index n, Index columns, Behind behind) {
  Header part;
  part.is.coordinate = part.vector = header.attached.indexed;
  part.is.rows = n;
  part.is.columns = columns;
  part.is.entries = n * columns;
  part.size_line = header.attached.line;
  part.lines = behind.lines;
  return part;
}

/// lis's: rows and values; every row once.
template <class T>
std::vector<std::vector<T>> indexed_vectors(const InputFile& input, const Header& header, Behind behind,
                                            const Limits& limits) {
  std::vector<std::vector<T>> vectors;
  const Index n = header.is.rows;
  for (Index left = header.attached.count(); left > 0; --left) {
    const Header part = header_of_vectors(header, n, 1, behind);
    const Pieces rest(input, behind.at, input.size(), limits.piece);
    const std::optional<Behind> next =
        left > 1 ? behind_lines(Document{input.name(), part, rest}, n) : std::nullopt;
    const Pieces pieces(input, behind.at, next ? next->at : input.size(), limits.piece);
    MatrixFile<T> file{part.is, {}, {}, {}, {}};
    read_coordinate(Document{input.name(), part, pieces}, limits, file);
    vectors.push_back(as_vector(file, input.name()));
    if (next) behind = *next;
  }
  return vectors;
}

/// AmgX's: values, which it reads without, and writes with, how many they are before them.
template <class T>
std::vector<std::vector<T>> plain_vectors(const InputFile& input, const Header& header, Behind behind,
                                          const Limits& limits) {
  const Index n = header.is.rows, count = header.attached.count();
  const Pieces pieces(input, behind.at, input.size(), limits.piece);
  Header part = header_of_vectors(header, n, count, behind);
  const Document document{input.name(), part, pieces};
  Index found = 0;
  for_each_line(document, [&](const Line&) { return ++found, true; });
  const bool counted = found == (n + 1) * count;
  if (!counted && found != n * count)
    throw InputError(fmt::format("{}:{}: {} of {} values announced here, {} follow the entries", input.name(),
                                 header.attached.line, count == 1 ? "a vector" : "two vectors", n, found));
  if (counted) part.is.rows = n + 1;
  part.is.entries = found;
  MatrixFile<T> file{part.is, {}, {}, {}, {}};
  read_array(document, limits, file);
  const auto& values = std::get<std::vector<T>>(file.content);
  std::vector<std::vector<T>> vectors;
  for (Index c = 0; c < count; ++c) {
    const auto begin = values.begin() + c * part.is.rows;
    if (counted && *begin != static_cast<T>(n))
      throw InputError(fmt::format("{}:{}: {} stands where a vector's length does, which is {}", input.name(),
                                   header.attached.line, *begin, n));
    vectors.emplace_back(begin + (counted ? 1 : 0), begin + part.is.rows);
  }
  return vectors;
}

}  // namespace

Behind behind_entries(const InputFile& input, const Header& header, const Limits& limits) {
  const Pieces pieces(input, header.data, input.size(), limits.piece);
  if (header.is.entries == 0) return {header.data, header.lines};
  return behind_lines(Document{input.name(), header, pieces}, header.is.entries)
      .value_or(Behind{input.size(), header.lines});
}

template <class T>
void read_attached(const InputFile& input, const Header& header, Behind behind, const Limits& limits,
                   MatrixFile<T>& file) {
  std::vector<std::vector<T>> vectors = header.attached.indexed
                                            ? indexed_vectors<T>(input, header, behind, limits)
                                            : plain_vectors<T>(input, header, behind, limits);
  if (header.attached.rhs) file.rhs = std::move(vectors.front());
  if (header.attached.solution)
    file.notes.push_back(
        fmt::format("{}: a solution stands in the file too; it is not used: --initial X.mtx starts from one",
                    input.name()));
}

template void read_attached(const InputFile&, const Header&, Behind, const Limits&, MatrixFile<float>&);
template void read_attached(const InputFile&, const Header&, Behind, const Limits&, MatrixFile<double>&);

}  // namespace jacobi::io::market
