/// The program gnuplot. Internal to src/io; pictures are drawn by chart.hpp and heatmap.hpp.
#pragma once
#include <string>
#include <string_view>

namespace jacobi::io {

/// Runs gnuplot, found on PATH, with default settings on `script` and returns what it put on its standard
/// output. No shell takes part.
/// Throws: BackendError when gnuplot is missing, or fails, with what it said on its standard error.
std::string run_gnuplot(std::string_view script);

/// `text` as a gnuplot string constant that means just these letters and line ends.
std::string gnuplot_string(std::string_view text);

}  // namespace jacobi::io
