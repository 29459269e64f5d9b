#include "io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "io/matrix_market_parts.hpp"
#include "io/vanished.hpp"
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
MatrixFile<T> parse(const InputFile& input, const Limits& limits) {
  const Header header = parse_header(input);
  MatrixFile<T> file{header.is, {}, header.notes, {}, {}};
  const bool attached = header.attached.count() > 0;
  const Behind behind = attached ? behind_entries(input, header, limits) : Behind{input.size(), header.lines};
  const Pieces pieces(input, header.data, behind.at, limits.piece);
  const Document document{input.name(), header, pieces};
  if (header.is.coordinate)
    read_coordinate(document, limits, file);
  else
    read_array(document, limits, file);
  if (header.underflowed) list_underflows(document, file);
  if (attached) read_attached(input, header, behind, limits, file);
  return file;
}

template MatrixFile<float> parse(const InputFile&, const Limits&);
template MatrixFile<double> parse(const InputFile&, const Limits&);

}  // namespace market

template <class T>
MatrixFile<T> read_matrix_market(const InputFile& input) {
  return market::parse<T>(input, {});
}

template <class T>
MatrixFile<T> read_matrix_market(const std::string& path) {
  return read_matrix_market<T>(InputFile(path));
}

template <class T>
std::vector<T> as_vector(const MatrixFile<T>& file, const std::string& name) {
  const auto size = static_cast<std::size_t>(std::max(file.header.rows, file.header.columns));
  const auto spread = [&]<class Content>(const Content& from) -> std::vector<T> {
    if constexpr (std::is_same_v<Content, std::vector<T>>) {
      return from;
    } else {
      std::vector<T> values(size);
      std::vector<bool> given(size);
      for (std::size_t row = 0; row + 1 < from.offsets.size(); ++row)
        for (auto k = static_cast<std::size_t>(from.offsets[row]);
             k < static_cast<std::size_t>(from.offsets[row + 1]); ++k) {
          const std::size_t at = row + static_cast<std::size_t>(from.columns[k]);
          if (given[at])
            throw InputError(fmt::format("{}: entry {} of the vector is given twice", name, at + 1));
          given[at] = true;
          values[at] = from.values[k];
        }
      return values;
    }
  };
  std::vector<T> all = std::visit(spread, file.content);
  if (!file.underflows.empty() && std::ranges::all_of(all, [](T value) { return value == T(0); }))
    throw InputError(
        fmt::format("{}:{}: {}", name, file.underflows[0].line, too_small<T>(file.underflows[0].word)));
  return all;
}

#define JACOBI_INSTANTIATE(T)                                    \
  template MatrixFile<T> read_matrix_market(const InputFile&);   \
  template MatrixFile<T> read_matrix_market(const std::string&); \
  template std::vector<T> as_vector(const MatrixFile<T>&, const std::string&);
JACOBI_INSTANTIATE(float)
JACOBI_INSTANTIATE(double)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::io
