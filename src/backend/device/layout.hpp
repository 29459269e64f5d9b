/// Where the unknowns of a grid lie in the memory of a device.
#pragma once
#include <array>

#include "jacobi/grid.hpp"

namespace jacobi::device {

inline constexpr Index line_bytes = 128;  ///< that a device fetches at once: lines start at multiples

/// Padded arrays as on the host: one ghost on each side of every direction.
template <int D>
struct Layout {
  std::array<Index, D> n, stride;
  Index leading = 0, padded = 0;  ///< entries before the first unknown, and of an array

  Index offset(const std::array<Index, D>& position) const {
    Index p = leading;
    for (int d = 0; d < D; ++d) p += position[d] * stride[d];
    return p;
  }
};

template <class T, int D>
Layout<D> lay_out(const Grid<T, D>& grid) {
  constexpr Index lanes = line_bytes / static_cast<Index>(sizeof(T));
  Layout<D> l;
  l.n = grid.unknowns;
  l.stride[0] = 1;
  l.padded = (lanes + l.n[0] + 1 + lanes - 1) / lanes * lanes;
  l.leading = lanes;
  for (int d = 1; d < D; ++d) {
    l.stride[d] = l.padded;
    l.leading += l.padded;
    l.padded *= l.n[d] + 2;
  }
  l.padded += 2 * lanes;
  return l;
}

}  // namespace jacobi::device
