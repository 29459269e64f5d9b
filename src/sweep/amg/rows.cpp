#include "sweep/amg/rows.hpp"

#include <fmt/format.h>

#include <limits>
#include <type_traits>
#include <utility>

#include "jacobi/error.hpp"

namespace jacobi::sweep::amg {

template <class T>
Rows<T> rows_of(const Csr<T>& a, Sparse<T>& room) {
  constexpr Index most = std::numeric_limits<Id>::max();
  if (std::max(a.entries(), a.rows()) >= most)
    throw UsageError(fmt::format("method amg: {} entries are more than 32 bits can count", a.entries()));
  return a.visit([&](auto offsets, auto columns, auto values) -> Rows<T> {
    if constexpr (std::is_same_v<typename decltype(columns)::value_type, Id>) {
      return {a.rows(), a.rows(), offsets.data(), columns.data(), values.data()};
    } else {
      room.offsets.assign(offsets.begin(), offsets.end());
      room.column.assign(columns.begin(), columns.end());
      return {a.rows(), a.rows(), room.offsets.data(), room.column.data(), values.data()};
    }
  });
}

template <class T>
Sparse<T> transposed(const Rows<T>& a) {
  Sparse<T> t{a.columns, a.rows, std::vector<Id>(static_cast<std::size_t>(a.columns) + 1), {}, {}};
  for (Index k = 0; k < a.entries(); ++k) ++t.offsets[a.column[k] + 1];
  t.take_lengths();
  std::vector<Id> next(t.offsets.begin(), t.offsets.end() - 1);
  for (Index i = 0; i < a.rows; ++i)
    for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
      const Id at = next[a.column[k]]++;
      t.column[at] = static_cast<Id>(i);
      t.value[at] = a.value[k];
    }
  return t;
}

template <class T>
void transpose_values(const Rows<T>& a, Sparse<T>& to) {
  std::vector<Id> next(to.offsets.begin(), to.offsets.end() - 1);
  for (Index k = 0; k < a.entries(); ++k) to.value[next[a.column[k]]++] = a.value[k];
}

namespace {

/// Calls first(j) for each column j of row i of A B when it comes up.
template <class T, class First>
void for_new_columns(const Rows<T>& a, const Rows<T>& b, Index i, Accumulators::One& mine, First&& first) {
  for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
    const Id row = a.column[k];
    for (Id l = b.offsets[row]; l < b.offsets[row + 1]; ++l) {
      if (const Id j = b.column[l]; mine.is_new(j, i)) first(j);
    }
  }
}

/// Where the rows of A B begin, and their memory.
template <class T>
Sparse<T> counted_product(const Rows<T>& a, const Rows<T>& b, int threads) {
  Sparse<T> c{a.rows, b.columns, std::vector<Id>(static_cast<std::size_t>(a.rows) + 1), {}, {}};
  Accumulators all(threads, b.columns);
  share_rows(threads, a.rows, [&](int member, Index first, Index last) {
    Accumulators::One& mine = all.of(member);
    for (Index i = first; i < last; ++i) {
      Id count = 0;
      for_new_columns(a, b, i, mine, [&](Id) { ++count; });
      c.offsets[i + 1] = count;
    }
  });
  Index entries = 0;
  for (const Id length : c.offsets) entries += length;
  if (entries > std::numeric_limits<Id>::max())
    throw UsageError("method amg: a product has more entries than 32 bits can count");
  c.take_lengths();
  return c;
}

}  // namespace

template <class T>
Sparse<T> product(const Rows<T>& a, const Rows<T>& b, std::vector<Id> offsets, int threads) {
  Sparse<T> c{a.rows, b.columns, std::move(offsets), {}, {}};
  if (c.offsets.empty()) {
    c = counted_product(a, b, threads);
  } else {
    c.column.resize(static_cast<std::size_t>(c.offsets.back()));
    c.value.resize(c.column.size());
  }
  Accumulators all(threads, b.columns);
  share_rows(threads, a.rows, [&](int member, Index first, Index last) {
    Accumulators::One& mine = all.of(member);
    for (Index i = first; i < last; ++i) {
      const Id begin = c.offsets[i];
      Id end = begin;
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const double factor = static_cast<double>(a.value[k]);
        for (Id l = b.offsets[a.column[k]]; l < b.offsets[a.column[k] + 1]; ++l) {
          const Id j = b.column[l];
          if (mine.add(j, i, factor * static_cast<double>(b.value[l]))) c.column[end++] = j;
        }
      }
      for (Id k = begin; k < end; ++k) c.value[k] = static_cast<T>(mine.sum[c.column[k]]);
    }
  });
  return c;
}

template <class T>
Sparse<T> product_pattern(const Rows<T>& a, const Rows<T>& b, int threads) {
  Sparse<T> c = counted_product(a, b, threads);
  Accumulators all(threads, b.columns);
  share_rows(threads, a.rows, [&](int member, Index first, Index last) {
    Accumulators::One& mine = all.of(member);
    for (Index i = first; i < last; ++i) {
      Id at = c.offsets[i];
      for_new_columns(a, b, i, mine, [&](Id j) { c.column[at++] = j; });
      std::sort(c.column.begin() + c.offsets[i], c.column.begin() + c.offsets[i + 1]);
    }
  });
  return c;
}

template <class T>
void multiply(const Rows<T>& a, const Rows<T>& b, Sparse<T>& c, int threads) {
  Accumulators all(threads, b.columns);
  share_rows(threads, a.rows, [&](int member, Index first, Index last) {
    std::vector<double>& sum = all.of(member).sum;
    for (Index i = first; i < last; ++i) {
      for (Id k = c.offsets[i]; k < c.offsets[i + 1]; ++k) sum[c.column[k]] = 0;
      for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) {
        const double factor = static_cast<double>(a.value[k]);
        for (Id l = b.offsets[a.column[k]]; l < b.offsets[a.column[k] + 1]; ++l)
          sum[b.column[l]] += factor * static_cast<double>(b.value[l]);
      }
      for (Id k = c.offsets[i]; k < c.offsets[i + 1]; ++k) c.value[k] = static_cast<T>(sum[c.column[k]]);
    }
  });
}

#define JACOBI_INSTANTIATE(T)                                                          \
  template Rows<T> rows_of<T>(const Csr<T>&, Sparse<T>&);                              \
  template Sparse<T> transposed<T>(const Rows<T>&);                                    \
  template void transpose_values<T>(const Rows<T>&, Sparse<T>&);                       \
  template Sparse<T> product<T>(const Rows<T>&, const Rows<T>&, std::vector<Id>, int); \
  template Sparse<T> product_pattern<T>(const Rows<T>&, const Rows<T>&, int threads);  \
  template void multiply<T>(const Rows<T>&, const Rows<T>&, Sparse<T>&, int threads);
JACOBI_INSTANTIATE(double)
JACOBI_INSTANTIATE(float)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::sweep::amg
