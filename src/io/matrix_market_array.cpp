#include <atomic>
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
std::vector<T> read_array(const Document& document, const Limits& limits) {
  const Header& header = document.header;
  const Pieces& pieces = document.pieces;
  constexpr Index least_bytes = 2;  // "1\n"; the last line may have one less
  if (header.is.entries > (pieces.bytes() + 1) / least_bytes) diagnose<T>(document);
  std::vector<Index> first(static_cast<std::size_t>(pieces.count()) + 1);
#pragma omp parallel for schedule(dynamic) if (pieces.count() > 1)
  for (Index i = 0; i < pieces.count(); ++i) first[static_cast<std::size_t>(i) + 1] = count_piece(pieces[i]);
  std::partial_sum(first.begin(), first.end(), first.begin());
  if (first.back() != header.is.entries) diagnose<T>(document);
  const Index size = header.is.rows * header.is.columns;
  Memory(document, limits.memory).take(size, sizeof(T), "values");
  std::vector<T> values(static_cast<std::size_t>(size));
  std::atomic<bool> sound = true;
#pragma omp parallel for schedule(dynamic) if (pieces.count() > 1)
  for (Index i = 0; i < pieces.count(); ++i) {
    const Index k = first[static_cast<std::size_t>(i)];
    if (sound && !fill_piece(pieces[i], header, k, first.back() - k, values)) sound = false;
  }
  if (!sound) diagnose<T>(document);
  return values;
}

template std::vector<float> read_array(const Document&, const Limits&);
template std::vector<double> read_array(const Document&, const Limits&);

}  // namespace jacobi::io::market
