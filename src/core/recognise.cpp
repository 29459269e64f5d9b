#include "core/recognise.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "core/blocks.hpp"
#include "core/cancel.hpp"
#include "core/divides.hpp"
#include "core/teams.hpp"

namespace jacobi {

namespace {

/// Distances from the diagonal of entries that are not 0: up to three, of a star.
struct Distances {
  std::array<Index, 3> found{};
  int count = 0;
  bool too_many = false;

  void add(Index distance) {
    for (int d = 0; d < count; ++d)
      if (found[d] == distance) return;
    if (count == 3)
      too_many = true;
    else
      found[count++] = distance;
  }
  void add(const Distances& other) {
    too_many |= other.too_many;
    for (int d = 0; d < other.count; ++d) add(other.found[d]);
  }
};

/// Rows between neighbours along each direction, ascending; empty: no star.
template <class T>
std::vector<Index> strides_of(const Csr<T>& a) {
  const auto all = gathered_by_blocks<Distances>(a.rows(), [&](Distances& here, Index first, Index last) {
    a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = first; i < last && !here.too_many; ++i)
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
          if (const Index distance = std::abs(columns[k] - i); distance != 0 && values[k] != 0)
            here.add(distance);
    });
  });
  std::vector<Index> strides(all.found.begin(), all.found.begin() + all.count);
  std::sort(strides.begin(), strides.end());
  if (all.too_many || strides.empty() || a.rows() % strides.back() != 0) return {};
  if (strides.size() == 1 && strides[0] > 1) strides.insert(strides.begin(), 1);  // lines without coupling
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (d == 0 ? strides[d] != 1 : strides[d] % strides[d - 1] != 0) return {};
  return strides;
}

/// Coefficients of row i in the order of a stencil's directions, its diagonal last.
template <int D>
using Star = std::array<double, 2 * D + 1>;

template <int D>
using Point = std::array<Index, D>;

template <class T, int D>
class Shape {
 public:
  Shape(const Csr<T>& a, const std::vector<Index>& strides) : a_(a) {
    for (int d = 0; d < D; ++d) {
      stride_[d] = strides[d];
      offset_[2 * d] = -strides[d];
      offset_[2 * d + 1] = strides[d];
      n_[d] = (d + 1 < D ? strides[d + 1] : a.rows()) / strides[d];
    }
  }
  const std::array<Index, D>& unknowns() const { return n_; }

  /// visit(row, point) for rows first ... last - 1: the point is where the row lies on the grid, counted on
  /// from row to row, since a division costs more than all else here.
  template <class Visit>
  void for_rows(Index first, Index last, const Visit& visit) const {
    Point<D> at;
    for (int d = 0; d < D; ++d) at[d] = first / stride_[d] % n_[d];
    for (Index i = first; i < last; ++i) {
      visit(i, at);
      for (int d = 0; d < D && ++at[d] == n_[d]; ++d) at[d] = 0;
    }
  }

  /// Neighbour k of the row at that point lies inside.
  bool has(const Point<D>& at, int k) const { return k % 2 == 0 ? at[k / 2] > 0 : at[k / 2] + 1 < n_[k / 2]; }

  bool read(Index i, Star<D>& star) const {
    bool fits = true;
    for_rows(i, i + 1, [&](Index row, const Point<D>& at) { fits = read(row, at, star); });
    return fits;
  }

  /// False where an entry couples rows that are no neighbours.
  bool read(Index i, const Point<D>& at, Star<D>& star) const {
    star.fill(0);
    return a_.visit([&](auto offsets, auto columns, auto values) {
      for (auto j = offsets[i]; j < offsets[i + 1]; ++j) {
        const Index distance = columns[j] - i;
        if (distance == 0) {
          star[2 * D] = values[j];
          continue;
        }
        if (values[j] == 0) continue;
        int k = 0;
        while (offset_[k] != distance) ++k;
        if (!has(at, k)) return false;
        star[k] = values[j];
      }
      return true;
    });
  }

  /// The row at that point has the coefficients of `all` wherever it has a neighbour.
  bool alike(const Point<D>& at, const Star<D>& star, const Star<D>& all) const {
    for (int k = 0; k < 2 * D; ++k)
      if (has(at, k) && star[k] != all[k]) return false;
    return star[2 * D] == all[2 * D];
  }

 private:
  const Csr<T>& a_;
  std::array<Index, D> stride_, n_;
  std::array<Index, 2 * D> offset_;  ///< from a row to its neighbours
};

template <class T, int D>
std::optional<Recognised<T>> recognise(const Csr<T>& a, const std::vector<Index>& strides) {
  const Shape<T, D> shape(a, strides);
  Star<D> all, upper;  // of a row with all low neighbours and of one with all high ones
  Index with_low = 0, with_high = 0;
  for (int d = 0; d < D; ++d) {
    with_low += shape.unknowns()[d] / 2 * strides[d];
    with_high += (shape.unknowns()[d] - 1) / 2 * strides[d];
  }
  if (!shape.read(with_low, all) || !shape.read(with_high, upper)) return {};
  for (int d = 0; d < D; ++d) all[2 * d + 1] = upper[2 * d + 1];
  std::atomic<bool> grid = true, constant = true;
  for_blocks(a.rows(), [&](Index, Index first, Index last) {
    shape.for_rows(first, last, [&](Index i, const Point<D>& at) {
      Star<D> star;
      if (!shape.read(i, at, star) || !divides(static_cast<T>(star[2 * D]))) grid = false;
      if (!shape.alike(at, star, all)) constant = false;
    });
  });
  throw_if_cancelled();
  if (!grid) return {};
  Grid<T, D> box;
  box.unknowns = shape.unknowns();
  box.spacing.fill(1);
  const auto words = [&](const char* kind) {
    return fmt::format("a grid of {} unknowns with {} coefficients", fmt::join(box.unknowns, " x "), kind);
  };
  if (constant) {
    std::array<T, 2 * D> off;
    for (int k = 0; k < 2 * D; ++k) off[k] = static_cast<T>(all[k]);
    return Recognised<T>{
        Stencil<T, D>::constant(box, static_cast<T>(all[2 * D]), off), words("constant"), {}};
  }
  const std::size_t rows = static_cast<std::size_t>(a.rows());
  std::vector<T> values((2 * D + 1) * rows);
  for_blocks(a.rows(), [&](Index, Index first, Index last) {
    shape.for_rows(first, last, [&](Index i, const Point<D>& at) {
      Star<D> star;
      shape.read(i, at, star);
      for (std::size_t k = 0; k < star.size(); ++k) values[k * rows + i] = static_cast<T>(star[k]);
    });
  });
  std::array<std::span<const T>, 2 * D> off;
  for (int k = 0; k < 2 * D; ++k) off[k] = std::span<const T>(values).subspan(k * rows, rows);
  const std::span<const T> center = std::span<const T>(values).subspan(2 * D * rows, rows);
  return Recognised<T>{Stencil<T, D>::variable(box, center, off), words("variable"), std::move(values)};
}

}  // namespace

template <class T>
std::optional<Recognised<T>> recognise(const Csr<T>& a) {
  const std::vector<Index> strides = strides_of(a);
  switch (strides.size()) {
    case 1:
      return recognise<T, 1>(a, strides);
    case 2:
      return recognise<T, 2>(a, strides);
    case 3:
      return recognise<T, 3>(a, strides);
  }
  return {};
}

template std::optional<Recognised<double>> recognise<double>(const Csr<double>&);
template std::optional<Recognised<float>> recognise<float>(const Csr<float>&);

}  // namespace jacobi
