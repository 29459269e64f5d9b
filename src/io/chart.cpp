#include "io/chart.hpp"

#include <fmt/format.h>

#include "io/page.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {

void draw(const Chart& chart, const std::string& path) {
  const std::string name = lower_case(path);
  const bool svg = name.ends_with(".svg"), png = name.ends_with(".png");
  if (!svg && !png)
    throw UsageError(fmt::format("{}: charts are drawn as .svg or .png; name the file so", path));
  write_picture(path, chart_script(chart, svg ? "svg" : "pngcairo"), chart.title);
}

std::string drawn(const Chart& chart) { return picture_of(chart_script(chart, "svg"), chart.title); }

}  // namespace jacobi::io
