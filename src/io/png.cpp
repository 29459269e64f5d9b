#include "io/png.hpp"

#include <algorithm>

#include "jacobi/error.hpp"

#ifdef JACOBI_HAS_PNG
#include <png.h>
#endif

namespace jacobi::io {

#ifdef JACOBI_HAS_PNG

bool reads_png() { return true; }

GreyPicture read_png(const std::string& path) {
  struct Image : png_image {
    Image() : png_image{} { version = PNG_IMAGE_VERSION; }
    ~Image() { png_image_free(this); }
  } image;
  const auto refuse = [&] {
    return InputError(path + ": cannot be read as a PNG picture (" + image.message + "): save it again");
  };
  if (!png_image_begin_read_from_file(&image, path.c_str())) throw refuse();
  image.format = PNG_FORMAT_GRAY;
  GreyPicture picture{image.width, image.height, {}};
  picture.values.resize(picture.width * picture.height);
  const png_color black{};  // what is transparent lies on it
  if (!png_image_finish_read(&image, &black, picture.values.data(), 0, nullptr)) throw refuse();
  for (std::size_t low = 0, high = picture.height; low + 1 < high--; ++low)  // files begin at the top
    std::swap_ranges(picture.values.begin() + static_cast<std::ptrdiff_t>(low * picture.width),
                     picture.values.begin() + static_cast<std::ptrdiff_t>((low + 1) * picture.width),
                     picture.values.begin() + static_cast<std::ptrdiff_t>(high * picture.width));
  return picture;
}

#else

bool reads_png() { return false; }

GreyPicture read_png(const std::string& path) {
  throw InputError(path + ": this build reads no PNG: build with libpng-dev installed, or save it as .npy");
}

#endif

}  // namespace jacobi::io
