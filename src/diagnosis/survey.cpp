#include "diagnosis/survey.hpp"

#include <cmath>

#include "core/divides.hpp"
#include "core/exact_sum.hpp"

namespace jacobi::diagnosis {

namespace {

Dominance compare(const ExactSum& off, double diagonal) {
  const auto sign = off.below(diagonal);
  if (!sign) return Dominance::open;
  return *sign > 0 ? Dominance::strict : *sign == 0 ? Dominance::equal : Dominance::weaker;
}

double ratio_up(double off, double diagonal) {
  return off == 0 ? 0 : off / diagonal * (1 + 4 * epsilon) + std::numeric_limits<double>::denorm_min();
}

/// What a block of rows adds to the survey.
struct Part {
  Survey s;
  void count(Sums& sums, Index i, const ExactSum& off, double diagonal) {
    add(sums, i, compare(off, diagonal), ratio_up(off.value(), diagonal));
  }
  void add(Sums& sums, Index i, Dominance how, double ratio) {
    sums.dominance[i] = how == Dominance::strict && ratio < 1 - 1e-6 ? Dominance::clear : how;
    s.rows.strict += how == Dominance::strict;
    s.rows.equal += how == Dominance::equal;
    s.rows.weaker += how == Dominance::weaker;
    s.rows.largest_ratio = std::max(s.rows.largest_ratio, ratio);
  }
};

void merge(Sums& all, const Sums& part) {
  all.strict += part.strict;
  all.equal += part.equal;
  all.weaker += part.weaker;
  all.largest_ratio = std::max(all.largest_ratio, part.largest_ratio);
}

void merge(Survey& all, const Survey& part) {
  merge(all.rows, part.rows);
  all.zero_diagonals += part.zero_diagonals;
  for (const Index i : part.first_zero)
    if (all.first_zero.size() < 10) all.first_zero.push_back(i);
  all.positive_diagonal &= part.positive_diagonal;
  all.negative_diagonal &= part.negative_diagonal;
  all.smallest_diagonal = std::min(all.smallest_diagonal, part.smallest_diagonal);
  all.largest_diagonal = std::max(all.largest_diagonal, part.largest_diagonal);
  all.largest = std::max(all.largest, part.largest);
  all.m_nonnegative &= part.m_nonnegative;
  all.m_nonpositive &= part.m_nonpositive;
  all.lower &= part.lower;
  all.upper &= part.upper;
  all.longest_row = std::max(all.longest_row, part.longest_row);
  all.without_lower += part.without_lower;
}

/// A row whose sum overflows, scaled by 2^-64; what underflows is counted as lost.
template <class Columns, class Values>
Dominance compare_scaled(Index i, Index first, Index last, Columns columns, Values values, double diagonal) {
  ExactSum off;
  for (Index k = first; k < last; ++k)
    if (columns[k] != i) {
      off.add(std::abs(values[k]) * 0x1p-64);
      off.lose(std::numeric_limits<double>::denorm_min());
    }
  return compare(off, std::abs(diagonal) * 0x1p-64);
}

/// Signs and shape of a row apart from its diagonal entry.
struct RowSigns {
  bool positive = false, negative = false, left = false, right = false;
};

void note_zero(Survey& s, Index i) {
  ++s.zero_diagonals;
  if (s.first_zero.size() < 10) s.first_zero.push_back(i);
}

inline void note_row(Survey& s, double diagonal, const RowSigns& signs) {
  const bool plus = diagonal > 0, minus = diagonal < 0;
  s.positive_diagonal &= plus;
  s.negative_diagonal &= minus;
  s.smallest_diagonal = std::min(s.smallest_diagonal, std::abs(diagonal));
  s.largest_diagonal = std::max(s.largest_diagonal, std::abs(diagonal));
  s.m_nonnegative &= !((plus & signs.positive) | (minus & signs.negative));
  s.m_nonpositive &= !((plus & signs.negative) | (minus & signs.positive));
  s.lower &= !signs.right;
  s.upper &= !signs.left;
  s.without_lower += !signs.left;
}

/// Whether a row of ascending columns has a nonzero entry left or right of its diagonal.
template <class Columns>
void note_sides(RowSigns& signs, Index i, Index first, Index last, Columns columns, View values) {
  while (first < last && columns[first] < i && values[first] == 0) ++first;
  while (first < last && columns[last - 1] > i && values[last - 1] == 0) --last;
  signs.left = first < last && columns[first] < i;
  signs.right = first < last && columns[last - 1] > i;
}

template <class Columns>
void survey_row(Survey& all, Part& part, Index i, Index first, Index last, Columns columns, View values) {
  ExactSum off;
  double diagonal = 0, low = 0, high = 0;  // of the entries off the diagonal; not branches: they would cost
  for (Index k = first; k < last; ++k) {   // more than the sums
    const bool here = columns[k] == i;
    const double value = here ? 0 : values[k];
    diagonal = here ? values[k] : diagonal;
    low = std::min(low, value);
    high = std::max(high, value);
    off.add(std::abs(value));
  }
  const double size = std::abs(diagonal);
  RowSigns signs{.positive = high > 0, .negative = low < 0};
  note_sides(signs, i, first, last, columns, values);
  part.s.largest = std::max({part.s.largest, size, high, -low});
  part.s.longest_row = std::max(part.s.longest_row, last - first);
  all.diagonal[i] = diagonal;
  note_row(part.s, diagonal, signs);
  if (!divides(diagonal)) note_zero(part.s, i);
  if (std::isfinite(off.value())) return part.count(all.rows, i, off, size);
  part.add(all.rows, i, compare_scaled(i, first, last, columns, values, diagonal),
           std::numeric_limits<double>::infinity());
}

}  // namespace

Survey survey(const Csr<double>& a) {
  Survey all;
  const std::size_t rows = static_cast<std::size_t>(a.rows());
  all.diagonal.resize(rows);
  all.rows.dominance.resize(rows);
  std::vector<Part> parts(static_cast<std::size_t>(blocks_over(a).count()));
  a.visit([&](auto offsets, auto columns, auto values) {
    for_blocks(blocks_over(a), [&](Index s, Index first, Index last) {
      Part part;
      for (Index i = first; i < last; ++i)
        survey_row(all, part, i, offsets[i], offsets[i + 1], columns, values);
      parts[s] = std::move(part);
    });
  });
  for (const Part& part : parts) merge(all, part.s);
  return all;
}

Sums column_sums(const Csr<double>& a, View diagonal) {
  const std::size_t n = static_cast<std::size_t>(a.rows());
  Sums sums{.dominance = std::vector<Dominance>(n)};
  Vector off(n, 0.0);
  const auto each = [&](auto&& add) {
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < a.rows(); ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          if (columns[k] != i && values[k] != 0) add(columns[k], std::abs(values[k]));
    });
  };
  each([&](Index j, double size) { off[j] += size; });
  const double doubt = 1 + 2 * static_cast<double>(a.rows()) * epsilon;
  std::vector<char> close(n);
  bool any = false;
  for (std::size_t j = 0; j < n; ++j) {
    if (!(off[j] <= std::abs(diagonal[j]) * doubt)) return {};
    close[j] = off[j] * doubt >= std::abs(diagonal[j]);
    any |= close[j] != 0;
  }
  std::vector<ExactSum> exact(any ? n : 0);
  if (any) each([&](Index j, double size) { exact[j].add(close[j] ? size : 0); });
  Part part;
  for (std::size_t j = 0; j < n; ++j) {
    const double size = std::abs(diagonal[j]);
    if (close[j])
      part.count(sums, static_cast<Index>(j), exact[j], size);
    else
      part.add(sums, static_cast<Index>(j), Dominance::strict, ratio_up(off[j] * doubt, size));
  }
  merge(sums, part.s.rows);
  return sums;
}

}  // namespace jacobi::diagnosis
