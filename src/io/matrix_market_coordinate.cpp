#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>

#include "core/aligned.hpp"
#include "core/teams.hpp"
#include "io/matrix_market_parts.hpp"

namespace jacobi::io::market {
namespace {

/// How many entries are read before they are put in their rows: the rows lie far apart in memory, which is
/// fetched meanwhile.
constexpr std::size_t batch_size = 128;

/// Adds 1 to a counter that other threads use too unless `alone`, and returns what was there before.
template <class I>
I advance(I& counter, bool alone) {
  return alone ? counter++ : std::atomic_ref<I>(counter).fetch_add(1, std::memory_order_relaxed);
}

/// Whether one thread reads all pieces.
bool is_alone(const Pieces& pieces) { return pieces.count() <= 1 || whole_team() == 1; }

/// Zeros; on large pages where the system has them, since entries are put all over the array.
template <class V>
std::vector<V> zeros(std::size_t size) {
  std::vector<V> array;
  array.reserve(size);
  ask_huge_pages(array.data(), size * sizeof(V));
  array.resize(size);
  return array;
}

/// Counts entries in counters[row], a batch at a time.
template <class I>
class Counter {
 public:
  Counter(I* counters, bool alone) : counters_(counters), alone_(alone) {}
  void add(Index row) {
    if (waiting_ == batch_size) flush();
    rows_[waiting_++] = row;
    __builtin_prefetch(counters_ + row, 1);
  }
  void flush() {
    for (std::size_t k = 0; k < waiting_; ++k) advance(counters_[rows_[k]], alone_);
    waiting_ = 0;
  }

 private:
  I* counters_;
  bool alone_;
  std::size_t waiting_ = 0;
  std::array<Index, batch_size> rows_;
};

/// Puts entries where cursors[row] points, a batch at a time.
template <class T, class I>
class Filler {
 public:
  Filler(I* cursors, SparseArrays<T, I>& to, bool alone) : cursors_(cursors), to_(to), alone_(alone) {}
  void add(Index row, Index column, T value) {
    if (waiting_ == batch_size) flush();
    places_[waiting_] = {row, column};
    values_[waiting_++] = value;
    __builtin_prefetch(cursors_ + row, 1);
  }
  void flush() {
    const Index size = static_cast<Index>(to_.values.size());
    std::array<Index, batch_size> at;
    for (std::size_t k = 0; k < waiting_; ++k) at[k] = advance(cursors_[places_[k].row], alone_);
    for (std::size_t k = 0; k < waiting_; ++k) {
      if (at[k] >= size) continue;  // only in a file that changed since it was counted
      to_.columns[static_cast<std::size_t>(at[k])] = static_cast<I>(places_[k].column);
      to_.values[static_cast<std::size_t>(at[k])] = values_[k];
    }
    waiting_ = 0;
  }

 private:
  I* cursors_;
  SparseArrays<T, I>& to_;
  bool alone_;
  std::size_t waiting_ = 0;
  std::array<Place, batch_size> places_;
  std::array<T, batch_size> values_;
};

/// Which triangles hold entries.
struct Triangles {
  std::atomic<bool> lower = false, upper = false;
  bool both() const { return lower && upper; }
};

/// Counts the entries of one piece, mirrored ones included; returns how many lines they are, -1 at a faulty
/// one.
template <class I>
Index count_piece(std::span<const char> piece, const Header& header, Counter<I> rows, Triangles& triangles) {
  const char* const end = piece.data() + piece.size();
  Index entries = 0;
  bool lower = false, upper = false;
  for (const char* p = next_entry(piece.data(), end); p < end; p = next_entry(next_line(p, end), end)) {
    Place place;
    if (!header.mirrored()) {
      p = read_index(p, header.is.rows, place.row);
    } else {
      p = read_place(p, header, place);
      lower |= place.row > place.column;
      upper |= place.row < place.column;
      if (p != nullptr && place.row != place.column) rows.add(place.column);
    }
    if (p == nullptr) return -1;
    rows.add(place.row);
    ++entries;
  }
  rows.flush();
  if (lower) triangles.lower = true;
  if (upper) triangles.upper = true;
  return entries;
}

/// Stores the entries of one piece, and mirrored ones; returns how many lines they are, -1 at a faulty one.
template <class T, class I>
Index fill_piece(std::span<const char> piece, const Header& header, Filler<T, I> to) {
  const char* const end = piece.data() + piece.size();
  Index entries = 0;
  for (const char* p = next_entry(piece.data(), end); p < end; p = next_entry(p, end)) {
    Place place;
    T value;
    p = read_entry(p, end, header, place, value);
    if (p == nullptr) return -1;
    to.add(place.row, place.column, value);
    if (header.mirrored() && place.row != place.column)
      to.add(place.column, place.row, header.skew() ? -value : value);
    ++entries;
  }
  to.flush();
  return entries;
}

/// Calls work(piece), which returns the number of its entries, for all pieces; diagnoses the file where one
/// is faulty or they are not as many as announced.
template <class T, class Work>
void go_through(const Document& document, const Work& work) {
  std::atomic<Index> entries = 0;
  const bool sound = for_each_piece(document.pieces, [&](std::span<const char> piece, Index) {
    const Index found = work(piece);
    entries += found;
    return found >= 0;
  });
  if (!sound || entries != document.header.is.entries) diagnose<T>(document);
}

/// offsets of rows + 2: offsets[row + 2] = entries of the row.
template <class T, class I>
std::vector<I> count(const Document& document, Memory& memory, Triangles& triangles) {
  memory.take(document.header.is.rows + 2, sizeof(I), "rows");
  std::vector<I> offsets = zeros<I>(static_cast<std::size_t>(document.header.is.rows) + 2);
  const Counter<I> counter(offsets.data() + 2, is_alone(document.pieces));
  go_through<T>(document, [&](std::span<const char> piece) {
    return count_piece(piece, document.header, counter, triangles);
  });
  return offsets;
}

/// offsets: as from count(). While the rows are filled, offsets[row + 1] goes from the start of the row to
/// its end, which is what it must be afterwards.
template <class T, class I>
SparseArrays<T, I> fill(const Document& document, std::vector<I> offsets, Memory& memory) {
  SparseArrays<T, I> to;
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  const std::size_t entries = static_cast<std::size_t>(offsets.back());
  memory.take(offsets.back(), sizeof(I) + sizeof(T), "entries");
  to.offsets = std::move(offsets);
  to.columns = zeros<I>(entries);
  to.values = zeros<T>(entries);
  const Filler<T, I> filler(to.offsets.data() + 1, to, is_alone(document.pieces));
  go_through<T>(document,
                [&](std::span<const char> piece) { return fill_piece(piece, document.header, filler); });
  to.offsets.pop_back();
  return to;
}

/// Both passes, with the indices that suffice; not the second where entries lie in both triangles of
/// symmetric storage.
template <class T>
bool read_entries(const Document& document, const Limits& limits, MatrixFile<T>& file) {
  const MatrixMarketHeader& is = document.header.is;
  constexpr Index least_bytes = 4;  // of a line: "1 1\n"; the last one may have one less
  const Index most = (document.pieces.bytes() + 1) / (document.header.vector ? 2 : least_bytes);
  if (is.entries > most) diagnose<T>(document);
  Memory memory(document, limits.memory);
  memory.take(is.columns, sizeof(T), "columns");
  Triangles triangles;
  const bool small = std::max(is.rows, is.columns) <= limits.largest_small;
  if (small && (document.header.mirrored() ? 2 : 1) * most <= limits.largest_small) {
    std::vector<std::int32_t> offsets = count<T, std::int32_t>(document, memory, triangles);
    if (triangles.both()) return false;
    file.content = fill<T>(document, std::move(offsets), memory);
    return true;
  }
  std::vector<std::int64_t> offsets = count<T, std::int64_t>(document, memory, triangles);
  if (triangles.both()) return false;
  if (small && std::reduce(offsets.begin(), offsets.end()) <= limits.largest_small) {
    std::vector<std::int32_t> narrow(offsets.begin(), offsets.end());
    offsets = {};
    file.content = fill<T>(document, std::move(narrow), memory);
  } else {
    file.content = fill<T>(document, std::move(offsets), memory);
  }
  return true;
}

}  // namespace

template <class T>
void read_coordinate(const Document& document, const Limits& limits, MatrixFile<T>& file) {
  if (read_entries(document, limits, file)) return;
  Header as_stored = document.header;
  as_stored.is.symmetry = Symmetry::general;
  read_entries(Document{document.name, as_stored, document.pieces}, limits, file);
  if (as_stored.underflowed) document.header.note_underflow();
  std::visit(
      [&]<class Content>(Content& content) {
        if constexpr (!std::is_same_v<Content, std::vector<T>>) complete(document, limits, content, file);
      },
      file.content);
}

template void read_coordinate(const Document&, const Limits&, MatrixFile<float>&);
template void read_coordinate(const Document&, const Limits&, MatrixFile<double>&);

}  // namespace jacobi::io::market
