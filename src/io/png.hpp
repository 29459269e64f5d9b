/// Reads pictures, as masks of grids.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace jacobi::io {

/// Brightness of width x height pixels, 0 (black, or transparent) to 255, the lowest line first.
struct GreyPicture {
  std::size_t width = 0, height = 0;
  std::vector<unsigned char> values;
};

/// Whether this build reads any.
bool reads_png();

/// Throws: InputError naming the file and the cure: no PNG, cut off, or a build without libpng.
GreyPicture read_png(const std::string& path);

}  // namespace jacobi::io
