/// From numbers to colours.
#pragma once
#include <array>
#include <cstdint>

namespace jacobi::io {

/// The perceptually uniform map viridis, dark blue at t = 0 to yellow at t = 1; t outside is clamped, NaN is
/// grey. Interpolated linearly between 17 of the map's 256 entries (0, 16, ..., 240, 255); off by at most 5
/// of 255. Source: S. van der Walt and N. Smith, viridis, matplotlib 1.5 (released CC0).
std::array<std::uint8_t, 3> viridis(double t);

}  // namespace jacobi::io
