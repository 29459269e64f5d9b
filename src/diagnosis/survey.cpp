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

/// Counts a row or column, and says how it compares.
Dominance count(Sums& sums, Dominance how, double ratio) {
  sums.strict += how == Dominance::strict;
  sums.equal += how == Dominance::equal;
  sums.largest_ratio = std::max(sums.largest_ratio, ratio);
  return how == Dominance::strict && ratio < 1 - 1e-6 ? Dominance::clear : how;
}
Dominance count(Sums& sums, const ExactSum& off, double diagonal) {
  return count(sums, compare(off, diagonal), ratio_up(off.value(), diagonal));
}

void merge(Survey& all, const Survey& part) {
  all.rows.strict += part.rows.strict;
  all.rows.equal += part.rows.equal;
  all.rows.largest_ratio = std::max(all.rows.largest_ratio, part.rows.largest_ratio);
  all.zero_diagonals += part.zero_diagonals;
  for (const Index i : part.first_zero)
    if (all.first_zero.size() < 10) all.first_zero.push_back(i);
  all.positive_diagonal &= part.positive_diagonal;
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

/// What a block of rows adds.
struct Part : Survey {
  void add(const Part& part) { merge(*this, part); }
};

/// A row whose sum overflows, scaled by 2^-64; what underflows is counted as lost.
template <class Indices, class Values>
Dominance compare_scaled(Index i, Index first, Index last, Indices columns, Values values, double diagonal) {
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

inline void note_row(Survey& s, double diagonal, const RowSigns& signs) {
  const bool plus = diagonal > 0, minus = diagonal < 0;
  s.positive_diagonal &= plus;
  s.smallest_diagonal = std::min(s.smallest_diagonal, std::abs(diagonal));
  s.largest_diagonal = std::max(s.largest_diagonal, std::abs(diagonal));
  s.m_nonnegative &= !((plus & signs.positive) | (minus & signs.negative));
  s.m_nonpositive &= !((plus & signs.negative) | (minus & signs.positive));
  s.lower &= !signs.right;
  s.upper &= !signs.left;
  s.without_lower += !signs.left;
}

/// Whether a row of ascending columns has a nonzero entry left or right of its diagonal.
template <class Indices>
void note_sides(RowSigns& signs, Index i, Index first, Index last, Indices columns, View values) {
  while (first < last && columns[first] < i && values[first] == 0) ++first;
  while (first < last && columns[last - 1] > i && values[last - 1] == 0) --last;
  signs.left = first < last && columns[first] < i;
  signs.right = first < last && columns[last - 1] > i;
}

template <class Indices>
Dominance survey_row(Survey& s, double& told, Index i, Index first, Index last, Indices columns,
                     View values) {
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
  s.largest = std::max({s.largest, size, high, -low});
  s.longest_row = std::max(s.longest_row, last - first);
  told = diagonal;
  note_row(s, diagonal, signs);
  if (!divides(diagonal) && s.zero_diagonals++ < 10) s.first_zero.push_back(i);
  if (std::isfinite(off.value())) return count(s.rows, off, size);
  return count(s.rows, compare_scaled(i, first, last, columns, values, diagonal),
               std::numeric_limits<double>::infinity());
}

}  // namespace

std::vector<char> Sums::at_least(Dominance how) const {
  std::vector<char> marked(dominance.size());
  std::ranges::transform(dominance, marked.begin(), [&](Dominance one) { return one <= how; });
  return marked;
}

Survey survey(const Csr<double>& a) {
  const std::size_t rows = static_cast<std::size_t>(a.rows());
  Vector diagonal(rows);
  std::vector<Dominance> dominance(rows);
  Survey all = a.visit([&](auto offsets, auto columns, auto values) {
    return gathered_by_blocks<Part>(blocks_over(a), [&](Part& part, Index first, Index last) {
      for (Index i = first; i < last; ++i)
        dominance[i] = survey_row(part, diagonal[i], i, offsets[i], offsets[i + 1], columns, values);
    });
  });
  all.diagonal = std::move(diagonal);
  all.rows.dominance = std::move(dominance);
  return all;
}

Sums column_sums(const Csr<double>& a, View diagonal) {
  const std::size_t n = static_cast<std::size_t>(a.rows());
  Sums sums{.dominance = std::vector<Dominance>(n)};
  Vector off(n, 0.0);
  each_off_diagonal(a, [&](Index, Index j, double value) { off[j] += std::abs(value); });
  const double doubt = 1 + 2 * static_cast<double>(a.rows()) * epsilon;
  std::vector<char> close(n);
  bool any = false;
  for (std::size_t j = 0; j < n; ++j) {
    if (!(off[j] <= std::abs(diagonal[j]) * doubt)) return {};
    close[j] = off[j] * doubt >= std::abs(diagonal[j]);
    any |= close[j] != 0;
  }
  std::vector<ExactSum> exact(any ? n : 0);
  if (any)
    each_off_diagonal(a, [&](Index, Index j, double value) { exact[j].add(close[j] ? std::abs(value) : 0); });
  for (std::size_t j = 0; j < n; ++j) {
    const double size = std::abs(diagonal[j]);
    sums.dominance[j] = close[j] ? count(sums, exact[j], size)
                                 : count(sums, Dominance::strict, ratio_up(off[j] * doubt, size));
  }
  return sums;
}

}  // namespace jacobi::diagnosis
