/// Sparse matrices that need not be square, as an algebraic hierarchy is made of them.
#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/team.hpp"
#include "jacobi/csr.hpp"

namespace jacobi::sweep::amg {

using Id = std::int32_t;  ///< of rows, columns and entries

/// Compressed rows, columns ascending, that somebody else keeps.
template <class T>
struct Rows {
  Index rows = 0, columns = 0;
  const Id *offsets = nullptr, *column = nullptr;
  const T* value = nullptr;

  Index entries() const { return rows == 0 ? 0 : offsets[rows]; }
  Index length(Index i) const { return offsets[i + 1] - offsets[i]; }
};

/// The same with its memory.
template <class T>
struct Sparse {
  Index rows = 0, columns = 0;
  std::vector<Id> offsets, column;
  std::vector<T> value;

  Rows<T> view() const { return {rows, columns, offsets.data(), column.data(), value.data()}; }
  double bytes() const {
    return static_cast<double>(column.size()) * (sizeof(T) + sizeof(Id)) +
           static_cast<double>(offsets.size()) * sizeof(Id);
  }
  /// offsets hold the number of entries of each row one place later: adds up, and takes memory for entries.
  void take_lengths() {
    for (Index i = 0; i < rows; ++i) offsets[i + 1] += offsets[i];
    column.resize(static_cast<std::size_t>(offsets[rows]));
    value.resize(column.size());
  }
};

/// Rows below which a team takes longer to wake than it works; tests have teams for fewer.
inline Index worth_of_a_thread = 4096;

/// run(member, first, last) for all rows, some at once by whoever is free; members count from 0 to threads
/// - 1.
template <class Run>
void share_rows(int threads, Index rows, const Run& run) {
  constexpr Index chunk = 512;
  std::atomic<Index> next = 0;
  run_team(static_cast<int>(std::clamp<Index>(rows / worth_of_a_thread, 1, threads)), [&](const Member& me) {
    for (Index first = next.fetch_add(chunk); first < rows; first = next.fetch_add(chunk))
      run(me.number, first, std::min(rows, first + chunk));
  });
}

/// A matrix with offsets and columns of 32 bits: a view where it has them, else a copy in `room`.
/// Throws: UsageError for more entries than that.
template <class T>
Rows<T> rows_of(const Csr<T>& a, Sparse<T>& room);

/// The transpose, columns ascending.
template <class T>
Sparse<T> transposed(const Rows<T>& a);

/// Values of the transpose anew, in its pattern.
template <class T>
void transpose_values(const Rows<T>& a, Sparse<T>& to);

/// Temporaries of products A B, B with so many columns: per member, taken once.
class Accumulators {
 public:
  Accumulators(int threads, Index columns) : of_(static_cast<std::size_t>(threads)) {
    for (One& one : of_) {
      one.place.assign(static_cast<std::size_t>(columns), -1);
      one.sum.resize(static_cast<std::size_t>(columns));
      one.seen.reserve(static_cast<std::size_t>(columns));
    }
  }
  struct One {
    std::vector<Id> place;  ///< of a column: the row that last came to it, or -1
    std::vector<double> sum;
    std::vector<Id> seen;  ///< columns, in the order in which they came up

    /// Whether the row comes to the column for the first time.
    bool is_new(Id column, Index row) {
      return std::exchange(place[column], static_cast<Id>(row)) != static_cast<Id>(row);
    }
    /// The same, and adds to the row's sum there.
    bool add(Id column, Index row, double term) {
      if (!is_new(column, row)) {
        sum[column] += term;
        return false;
      }
      sum[column] = term;
      return true;
    }
  };
  One& of(int member) { return of_[static_cast<std::size_t>(member)]; }

 private:
  std::vector<One> of_;
};

/// A B by itself, columns in the order in which they come up. offsets: those of the same product before, or
/// empty. Each entry is added up as by multiply().
template <class T>
Sparse<T> product(const Rows<T>& a, const Rows<T>& b, std::vector<Id> offsets, int threads);

/// The places of A B: columns ascending, values 0. Cost: a multiplication, and sorting.
template <class T>
Sparse<T> product_pattern(const Rows<T>& a, const Rows<T>& b, int threads);

/// c = A B in its pattern. Each entry is added up in double, in the order of A's row and then of B's, so that
/// bits do not depend on threads.
template <class T>
void multiply(const Rows<T>& a, const Rows<T>& b, Sparse<T>& c, int threads);

}  // namespace jacobi::sweep::amg
