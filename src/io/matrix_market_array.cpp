#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/matrix_market_parts.hpp"

namespace jacobi::io::market {
namespace {

Index count_piece(std::span<const char> piece) {
  const char* const end = piece.data() + piece.size();
  Index values = 0;
  for (const char* p = next_entry(piece.data(), end); p < end; p = next_entry(next_line(p, end), end))
    ++values;
  return values;
}

/// Where the stored values stand: column after column, each from its first stored row.
class Walk {
 public:
  /// Begins at stored value number k, counted from 0.
  Walk(const Header& header, Index k) : header_(header) {
    if (header.mirrored())
      for (; k >= length(); ++at_.column) k -= length();
    else
      at_.column = k / length();
    at_.row = first_row() + (header.mirrored() ? k : k % length());
  }
  const Place& at() const { return at_; }
  void next() {
    if (++at_.row < header_.is.rows) return;
    ++at_.column;
    at_.row = first_row();
  }

 private:
  Index first_row() const { return !header_.mirrored() ? 0 : at_.column + (header_.skew() ? 1 : 0); }
  Index length() const { return header_.is.rows - first_row(); }

  const Header& header_;
  Place at_;
};

/// Reads one piece, whose first value is number k of `left` and more.
template <class T>
bool fill_piece(std::span<const char> piece, const Header& header, Index k, Index left, std::vector<T>& to) {
  const char* const end = piece.data() + piece.size();
  const Index rows = header.is.rows;
  Walk walk(header, left > 0 ? k : 0);
  for (const char* p = next_entry(piece.data(), end); p < end; p = next_entry(p, end), walk.next()) {
    T value;
    p = read_element(p, end, header, value);
    if (p == nullptr || left-- <= 0) return false;
    const auto [row, column] = walk.at();
    to[static_cast<std::size_t>(row + column * rows)] = value;
    if (header.mirrored() && row != column)
      to[static_cast<std::size_t>(column + row * rows)] = header.skew() ? -value : value;
  }
  return true;
}

}  // namespace

template <class T>
void read_array(const Document& document, const Limits& limits, MatrixFile<T>& file) {
  const Header& header = document.header;
  const Pieces& pieces = document.pieces;
  std::vector<Index> first(static_cast<std::size_t>(pieces.count()) + 1);
  for_each_piece(pieces, [&](std::span<const char> piece, Index i) {
    first[static_cast<std::size_t>(i) + 1] = count_piece(piece);
    return true;
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  const Index size = header.is.rows * header.is.columns;
  if (header.mirrored() && first.back() == size && size != header.is.entries) {  // both triangles
    Header whole = header;
    whole.is.symmetry = Symmetry::general;
    whole.is.entries = size;
    read_array(Document{document.name, whole, pieces}, limits, file);
    if (whole.underflowed) header.note_underflow();
    return require_alike(document, std::get<std::vector<T>>(file.content), file);
  }
  const bool empty =
      limits.empty_is_zero && first.back() == 0 && std::min(header.is.rows, header.is.columns) == 1;
  if (first.back() != header.is.entries && !empty) diagnose<T>(document);
  if (empty)
    file.notes.push_back(fmt::format("{}: no value follows the size in line {}: read as {} zeros",
                                     document.name, header.size_line, size));
  Memory(document, limits.memory).take(size, sizeof(T), "values");
  std::vector<T> values(static_cast<std::size_t>(size));
  const bool sound = for_each_piece(pieces, [&](std::span<const char> piece, Index i) {
    const Index k = first[static_cast<std::size_t>(i)];
    return fill_piece(piece, header, k, first.back() - k, values);
  });
  if (!sound) diagnose<T>(document);
  file.content = std::move(values);
}

template void read_array(const Document&, const Limits&, MatrixFile<float>&);
template void read_array(const Document&, const Limits&, MatrixFile<double>&);

}  // namespace jacobi::io::market
