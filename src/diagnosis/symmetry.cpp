#include "diagnosis/symmetry.hpp"

#include <cmath>

namespace jacobi::diagnosis {

namespace {

struct Comparison {
  Index pairs = 0, right = 0, left = 0;  ///< nonzeros with a partner, right and left of the diagonal
  bool symmetric = true;
  double difference = 0, squares = 0;
};

/// Place of column j in a row, or `last`.
template <class Columns>
Index find(Columns columns, Index first, Index last, Index j) {
  if (last - first > 16)
    first = std::lower_bound(columns.begin() + first, columns.begin() + last, j) - columns.begin();
  while (first < last && columns[first] < j) ++first;
  return first < last && columns[first] == j ? first : last;
}

void compare(Comparison& part, double a, double b, double d, double e, double unit) {
  if (a == b) return;
  const double difference = std::abs(a - b), scale = std::sqrt(std::abs(d)) * std::sqrt(std::abs(e));
  part.difference = std::max(part.difference, difference);
  part.symmetric &= difference <= 8 * unit * std::max({scale, std::abs(a), std::abs(b)});
  part.squares += difference / scale * (difference / scale);
}

/// Pairs of row i: those right of the diagonal, or those left of it whose partner is missing.
template <class Offsets, class Columns>
void compare_row(Comparison& part, Index i, bool right, Offsets offsets, Columns columns, View values,
                 View diagonal, double unit) {
  for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
    const Index j = columns[k];
    if (j == i || values[k] == 0) continue;
    if ((j > i) != right) {
      part.left += right;
      continue;
    }
    const Index at = find(columns, offsets[j], offsets[j + 1], i);
    const double partner = at < offsets[j + 1] ? values[at] : 0;
    if (!right && partner != 0) continue;
    part.right += right;
    part.pairs += partner != 0;
    compare(part, values[k], partner, diagonal[i], diagonal[j], unit);
  }
}

}  // namespace

Symmetry symmetry(const Csr<double>& a, View diagonal, double unit) {
  Comparison sum;
  const auto pass = [&](bool right) {
    std::vector<Comparison> parts(static_cast<std::size_t>(blocks_of(a.rows())));
    a.visit([&](auto offsets, auto columns, auto values) {
      for_blocks(a.rows(), [&](Index s, Index first, Index last) {
        for (Index i = first; i < last; ++i)
          compare_row(parts[s], i, right, offsets, columns, values, diagonal, unit);
      });
    });
    for (const Comparison& part : parts) {
      sum.pairs += part.pairs;
      sum.right += part.right;
      sum.left += part.left;
      sum.symmetric &= part.symmetric;
      sum.difference = std::max(sum.difference, part.difference);
      sum.squares += part.squares;
    }
  };
  pass(true);
  const bool pattern = sum.pairs == sum.right && sum.pairs == sum.left;
  if (sum.pairs != sum.left) pass(false);
  return {.pattern = pattern,
          .symmetric = sum.symmetric,
          .difference = sum.difference,
          .scaled_skew = std::sqrt(sum.squares / 2) * (1 + 1e-6),
          .two_cycle = sum.pairs > 0};
}

}  // namespace jacobi::diagnosis
