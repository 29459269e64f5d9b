#include <algorithm>
#include <cmath>
#include <numeric>

#include "diagnosis/matrix.hpp"

namespace jacobi::diagnosis {

namespace {

constexpr double most_log = 200;  ///< of t, so that t^2 and products with it are doubles

/// use(i, j, |m_ij|) for the entries of M off the diagonal, row by row.
template <class Use>
void each_size(const Csr<double>& a, View diagonal, Use&& use) {
  each_off_diagonal(a, [&](Index i, Index j, double value) {
    const double size = std::abs(value / diagonal[i]);
    if (size > 0 && std::isfinite(size)) use(i, j, size);
  });
}

/// Some row's sum and its column's are a few thousandfold apart.
bool looks_lopsided(const Csr<double>& a, View diagonal) {
  Vector row(diagonal.size(), 0.0), column(diagonal.size(), 0.0);
  each_size(a, diagonal, [&](Index i, Index j, double size) {
    row[i] += size;
    column[j] += size;
  });
  for (std::size_t i = 0; i < row.size(); ++i)
    if (row[i] > 0 && column[i] > 0 && std::abs(std::log2(column[i] / row[i])) > 12) return true;
  return false;
}

/// Entries of |M| within components, by rows or by columns.
struct EntrySizes {
  std::vector<Index> first;
  std::vector<Index, Unset<Index>> other;
  Vector size;
};

EntrySizes lines_of(const Csr<double>& a, View diagonal, const Components& c, bool by_columns) {
  EntrySizes lines;
  lines.first.assign(diagonal.size() + 2, 0);
  const auto each = [&](auto&& use) {
    each_size(a, diagonal, [&](Index i, Index j, double size) {
      if (c.of[i] == c.of[j]) by_columns ? use(j, i, size) : use(i, j, size);
    });
  };
  each([&](Index line, Index, double) { ++lines.first[line + 2]; });
  std::partial_sum(lines.first.begin(), lines.first.end(), lines.first.begin());
  lines.other.resize(static_cast<std::size_t>(lines.first.back()));
  lines.size.resize(lines.other.size());
  each([&](Index line, Index other, double size) {
    const Index at = lines.first[line + 1]++;
    lines.other[at] = other;
    lines.size[at] = size;
  });
  return lines;
}

/// The t_i that makes the sums of row and column i equal, one after the other there and back.
void balance_within(const EntrySizes& rows, const EntrySizes& columns, int passes, Vector& t) {
  const Index n = static_cast<Index>(t.size());
  for (int pass = 0; pass < passes; ++pass) {
    double most = 1;
    for (Index step = 0; step < n; ++step) {
      const Index i = pass % 2 == 0 ? step : n - 1 - step;
      double row = 0, column = 0;
      for (Index k = rows.first[i]; k < rows.first[i + 1]; ++k) row += rows.size[k] / t[rows.other[k]];
      for (Index k = columns.first[i]; k < columns.first[i + 1]; ++k)
        column += columns.size[k] * t[columns.other[k]];
      const double best = std::sqrt(column) / std::sqrt(row);
      if (!(best > 0) || !std::isfinite(best)) continue;
      most = std::max({most, best / t[i], t[i] / best});
      t[i] = std::clamp(best, 0x1p-200, 0x1p200);
    }
    if (most < 1.2) break;
  }
}

/// Edges lead to components of equal or smaller number: those of larger ones take a smaller t until no entry
/// between them is above 1.
void separate(const Csr<double>& a, View diagonal, const Components& c, Vector& log_t) {
  Vector offset(static_cast<std::size_t>(c.count), 0.0);
  a.visit([&](auto offsets, auto columns, auto values) {
    for (const Index i : c.order)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        const Index j = columns[k];
        const double size = std::abs(values[k] / diagonal[i]);
        if (c.of[j] == c.of[i] || !(size > 0) || !std::isfinite(size)) continue;
        double& here = offset[c.of[i]];
        here = std::min(here, offset[c.of[j]] + log_t[j] - log_t[i] - std::log2(size));
      }
  });
  for (std::size_t i = 0; i < log_t.size(); ++i) log_t[i] += offset[c.of[i]];
}

}  // namespace

Vector balance(const Csr<double>& a, View diagonal, bool thorough) {
  if (a.rows() == 0 || (!thorough && !looks_lopsided(a, diagonal))) return {};
  const Components c = components(a);
  Vector t(diagonal.size(), 1.0);
  balance_within(lines_of(a, diagonal, c, false), lines_of(a, diagonal, c, true), thorough ? 24 : 8, t);
  for (double& value : t) value = std::log2(value);
  separate(a, diagonal, c, t);
  const auto [least, most] = std::minmax_element(t.begin(), t.end());
  if (*most - *least < 4) return {};
  const double middle = std::round((*least + *most) / 2);
  for (double& value : t) value = std::exp2(2 * std::round(std::clamp(value - middle, -most_log, most_log)));
  return t;
}

}  // namespace jacobi::diagnosis
