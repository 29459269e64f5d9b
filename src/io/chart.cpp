#include "io/chart.hpp"

#include <fmt/format.h>

#include "io/atomic_file.hpp"
#include "io/gnuplot.hpp"
#include "io/words.hpp"
#include "jacobi/error.hpp"

namespace jacobi::io {

void draw(const Chart& chart, const std::string& path) {
  const std::string name = lower_case(path);
  const bool svg = name.ends_with(".svg"), png = name.ends_with(".png");
  if (!svg && !png)
    throw UsageError(fmt::format("{}: charts are drawn as .svg or .png; name the file so", path));
  const std::string script = chart_script(chart, svg ? "svg" : "pngcairo");
  check_writable(path);
  const std::string picture = run_gnuplot(script);
  write_atomically(path, [&](std::ostream& out) {
    out.write(picture.data(), static_cast<std::streamsize>(picture.size()));
  });
}

}  // namespace jacobi::io
