#include "io/chart.hpp"

#include <fmt/format.h>

#include "io/page.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {

void draw(const Chart& chart, const std::string& path) {
  const bool svg = path.ends_with(".svg"), png = path.ends_with(".png");
  if (!svg && !png)
    throw UsageError(fmt::format("{}: charts are drawn as .svg or .png; name the file so", path));
  write_picture(path, chart_script(chart, svg ? "svg" : "pngcairo"));
}

}  // namespace jacobi::io
