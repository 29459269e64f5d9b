#include <cmath>

#include "core/dense_entries.hpp"
#include "diagnosis/survey.hpp"

namespace jacobi::diagnosis {

namespace {

using Marks = std::vector<char, Unset<char>>;

struct Comparison {
  Index nonzeros = 0, pairs = 0,
        single = 0;  ///< apart from the diagonal; single: those found without partner
  bool symmetric = true;
  double difference = 0;
  double squares = 0;  ///< up to where it is no longer symmetric

  bool all_paired() const { return single == 0 && 2 * pairs == nonzeros; }
  void add(const Comparison& part) {
    nonzeros += part.nonzeros;
    pairs += part.pairs;
    single += part.single;
    symmetric &= part.symmetric;
    difference = std::max(difference, part.difference);
    squares += part.squares;
  }
};

/// Place of column j in a row, or `last`.
template <class Indices>
Index find(Indices columns, Index first, Index last, Index j) {
  Index at = first;
  if (last - first > 16)
    at = std::lower_bound(columns.begin() + first, columns.begin() + last, j) - columns.begin();
  else
    for (Index k = first; k < last; ++k) at += columns[k] < j;  // counted: to stop early is to guess
  return at < last && columns[at] == j ? at : last;
}

void compare(Comparison& part, double a, double b, double d, double e, double unit) {
  if (a == b) return;
  const double difference = std::abs(a - b);
  part.difference = std::max(part.difference, difference);
  if (!part.symmetric) return;
  const double scale = std::sqrt(std::abs(d)) * std::sqrt(std::abs(e));
  part.symmetric &= difference <= 8 * unit * std::max({scale, std::abs(a), std::abs(b)});
  part.squares += difference / scale * (difference / scale);
}

/// Entries of row i, each in a row no shorter than its partner's, with these partners; marks both where marks
/// are kept.
template <class Offsets, class Indices>
void compare_pairs(Comparison& part, Index i, Offsets offsets, Indices columns, View values, View diagonal,
                   double unit, Marks& marked) {
  const Index length = offsets[i + 1] - offsets[i];
  for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
    const Index j = columns[k];
    if (j == i || values[k] == 0) continue;
    ++part.nonzeros;
    const Index other = offsets[j + 1] - offsets[j];
    if (other > length || (other == length && j < i)) continue;
    Index at = offsets[j + 1] - 1 - (k - offsets[i]);  // its place in a band; else it is looked up
    if (at < offsets[j] || columns[at] != i) at = find(columns, offsets[j], offsets[j + 1], i);
    const double partner = at < offsets[j + 1] ? values[at] : 0;
    part.single += partner == 0;
    part.pairs += partner != 0;
    if (!marked.empty()) {
      marked[k] = 1;
      if (partner != 0) marked[at] = 1;
    }
    compare(part, values[k], partner, diagonal[i], diagonal[j], unit);
  }
}

/// Entries of row i that have no partner.
template <class Offsets, class Indices>
void compare_rest(Comparison& part, Index i, Offsets offsets, Indices columns, View values, View diagonal,
                  double unit, const Marks& marked) {
  for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
    if (!marked[k] && columns[k] != i && values[k] != 0)
      compare(part, values[k], 0, diagonal[i], diagonal[columns[k]], unit);
}

/// All pairs of rows first ... last - 1 with later ones, where no row lacks an entry.
void compare_full(Comparison& part, Index first, Index last, View values, View diagonal, double unit) {
  const Index n = static_cast<Index>(diagonal.size());
  each_pair(first, last, n, [&](Index i, Index j) {
    const double a = values[i * n + j], b = values[j * n + i];
    const int nonzeros = (a != 0) + (b != 0);
    part.nonzeros += nonzeros;
    part.pairs += nonzeros == 2;
    part.single += nonzeros == 1;
    compare(part, a, b, diagonal[i], diagonal[j], unit);
  });
}

/// Rows are compared without marks first: those whose entries all have partners need none.
Comparison compare_entries(const Csr<double>& a, View diagonal, double unit) {
  Marks marked;
  const auto pass = [&](Index stride, auto&& compare_row) {
    const RowGroups blocks = blocks_over(a);
    return gathered_by_blocks<Comparison>(blocks, [&](Comparison& part, Index first, Index last) {
      const Index ahead = 37 * (first / blocks.size) % stride;  // multiples of 64 may be special rows
      a.visit([&](auto offsets, auto columns, auto values) {
        for (Index i = first + ahead; i < last; i += stride)
          compare_row(part, i, offsets, columns, values, diagonal, unit, marked);
      });
    });
  };
  const auto pairs = [](auto&&... row) { compare_pairs(row...); };
  constexpr Index sample = 64;
  Comparison sum;
  if (blocks_over(a).count() > 2 * sample) sum = pass(sample, pairs);
  const bool told = !sum.symmetric && sum.single > 0;  // all but whether there is any pair
  for (Index stride = sample / 4; told && sum.pairs == 0 && stride > 0; stride /= 4)
    sum = pass(stride, pairs);
  if (told) return sum;
  if (sum.single == 0) sum = pass(1, pairs);
  if (sum.all_paired()) return sum;
  marked.assign(static_cast<std::size_t>(a.entries()), 0);
  sum = pass(1, pairs);
  if (!sum.all_paired()) sum.add(pass(1, [](auto&&... row) { compare_rest(row...); }));
  return sum;
}

}  // namespace

Symmetry symmetry(const Csr<double>& a, View diagonal, double unit) {
  const bool is_full = a.entries() == a.rows() * a.rows();
  const auto compare_pairs_of = [&](Comparison& part, Index first, Index last) {
    compare_full(part, first, last, a.values(), diagonal, unit);
  };
  const Comparison sum = is_full ? gathered_by_blocks<Comparison>(blocks_over(a), compare_pairs_of)
                                 : compare_entries(a, diagonal, unit);
  return {.pattern = sum.all_paired(),
          .symmetric = sum.symmetric,
          .difference = sum.difference,
          .scaled_skew = std::sqrt(sum.squares / 2) * (1 + 1e-6),
          .two_cycle = sum.pairs > 0};
}

}  // namespace jacobi::diagnosis
