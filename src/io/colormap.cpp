#include "io/colormap.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jacobi::io {
namespace {

constexpr std::array<std::array<double, 3>, 17> points = {{{68, 1, 84},
                                                           {72, 24, 106},
                                                           {71, 45, 123},
                                                           {66, 64, 134},
                                                           {59, 82, 139},
                                                           {51, 99, 141},
                                                           {44, 114, 142},
                                                           {38, 130, 142},
                                                           {33, 145, 140},
                                                           {31, 160, 136},
                                                           {40, 174, 128},
                                                           {63, 188, 115},
                                                           {94, 201, 98},
                                                           {132, 212, 75},
                                                           {173, 220, 48},
                                                           {216, 226, 25},
                                                           {253, 231, 37}}};

}  // namespace

std::array<std::uint8_t, 3> viridis(double t) {
  if (std::isnan(t)) return {160, 160, 160};
  const double entry = 255 * std::clamp(t, 0.0, 1.0);
  const std::size_t left = std::min<std::size_t>(static_cast<std::size_t>(entry / 16), points.size() - 2);
  const double begin = 16.0 * static_cast<double>(left);
  const double w = (entry - begin) / (std::min(begin + 16, 255.0) - begin);
  std::array<std::uint8_t, 3> color{};
  for (std::size_t c = 0; c < 3; ++c)
    color[c] =
        static_cast<std::uint8_t>(std::lround(points[left][c] + w * (points[left + 1][c] - points[left][c])));
  return color;
}

}  // namespace jacobi::io
