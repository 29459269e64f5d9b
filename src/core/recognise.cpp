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

/// Rows between neighbours along each direction, ascending; empty: no star.
template <class T>
std::vector<Index> strides_of(const Csr<T>& a) {
  std::vector<Index> strides;
  const bool fits = a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
        const Index stride = std::abs(columns[k] - i);
        if (stride == 0 || values[k] == 0 ||
            std::find(strides.begin(), strides.end(), stride) != strides.end())
          continue;
        if (strides.size() == 3) return false;
        strides.push_back(stride);
      }
    return true;
  });
  std::sort(strides.begin(), strides.end());
  if (!fits || strides.empty() || a.rows() % strides.back() != 0) return {};
  if (strides.size() == 1 && strides[0] > 1) strides.insert(strides.begin(), 1);  // lines without coupling
  for (std::size_t d = 0; d < strides.size(); ++d)
    if (d == 0 ? strides[d] != 1 : strides[d] % strides[d - 1] != 0) return {};
  return strides;
}

/// Coefficients of row i in the order of a stencil's directions, its diagonal last.
template <int D>
using Star = std::array<double, 2 * D + 1>;

template <class T, int D>
class Shape {
 public:
  Shape(const Csr<T>& a, const std::vector<Index>& strides) : a_(a) {
    for (int d = 0; d < D; ++d) {
      stride_[d] = strides[d];
      n_[d] = (d + 1 < D ? strides[d + 1] : a.rows()) / strides[d];
    }
  }
  const std::array<Index, D>& unknowns() const { return n_; }

  /// Neighbour k of row i lies inside.
  bool has(Index i, int k) const {
    const Index at = i / stride_[k / 2] % n_[k / 2];
    return k % 2 == 0 ? at > 0 : at + 1 < n_[k / 2];
  }

  /// False where an entry couples rows that are no neighbours.
  bool read(Index i, Star<D>& star) const {
    star.fill(0);
    return a_.visit([&](auto offsets, auto columns, auto values) {
      for (auto j = offsets[i]; j < offsets[i + 1]; ++j) {
        const Index distance = columns[j] - i;
        if (distance == 0) {
          star[2 * D] = values[j];
          continue;
        }
        if (values[j] == 0) continue;
        int d = 0;
        while (stride_[d] != std::abs(distance)) ++d;
        const int k = 2 * d + (distance > 0 ? 1 : 0);
        if (!has(i, k)) return false;
        star[k] = values[j];
      }
      return true;
    });
  }

  /// Row i has the coefficients of `all` wherever it has a neighbour.
  bool alike(Index i, const Star<D>& star, const Star<D>& all) const {
    for (int k = 0; k < 2 * D; ++k)
      if (has(i, k) && star[k] != all[k]) return false;
    return star[2 * D] == all[2 * D];
  }

 private:
  const Csr<T>& a_;
  std::array<Index, D> stride_, n_;
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
    for (Index i = first; i < last; ++i) {
      Star<D> star;
      if (!shape.read(i, star) || !divides(static_cast<T>(star[2 * D]))) grid = false;
      if (!shape.alike(i, star, all)) constant = false;
    }
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
    for (Index i = first; i < last; ++i) {
      Star<D> star;
      shape.read(i, star);
      for (std::size_t k = 0; k < star.size(); ++k) values[k * rows + i] = static_cast<T>(star[k]);
    }
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
