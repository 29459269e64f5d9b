#include "io/matrix_market.hpp"

#include <fmt/format.h>

#include "core/memory.hpp"
#include "io/mapped_file.hpp"
#include "io/matrix_market_parts.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {
namespace market {

Memory::Memory(const Document& document, double available)
    : document_(document), available_(available < 0 ? available_memory() : available) {}

void Memory::take(Index count, std::size_t bytes, const char* what) {
  const double needed = static_cast<double>(count) * static_cast<double>(bytes);
  if (needed > available_)
    throw InputError(fmt::format("{}:{}: {} {} need {} of memory, {} are available", document_.name,
                                 document_.header.size_line, count, what, in_words(needed),
                                 in_words(available_)));
  available_ -= needed;
}

template <class T>
MatrixFile<T> parse(std::span<const char> text, const std::string& name, const Limits& limits) {
  const Header header = parse_header(text, name);
  const Pieces pieces(text.subspan(header.data), limits.piece);
  const Document document{name, header, pieces};
  MatrixFile<T> file{header.is, {}, header.notes};
  if (header.is.coordinate)
    read_coordinate(document, limits, file);
  else
    file.content = read_array<T>(document, limits);
  return file;
}

template MatrixFile<float> parse(std::span<const char>, const std::string&, const Limits&);
template MatrixFile<double> parse(std::span<const char>, const std::string&, const Limits&);

}  // namespace market

template <class T>
MatrixFile<T> parse_matrix_market(std::span<const char> text, const std::string& name) {
  return market::parse<T>(text, name, {});
}

template <class T>
MatrixFile<T> read_matrix_market(const std::string& path) {
  const MappedFile file(path);
  return parse_matrix_market<T>(file.text(), path);
}

template MatrixFile<float> parse_matrix_market(std::span<const char>, const std::string&);
template MatrixFile<double> parse_matrix_market(std::span<const char>, const std::string&);
template MatrixFile<float> read_matrix_market(const std::string&);
template MatrixFile<double> read_matrix_market(const std::string&);

}  // namespace jacobi::io
