/// The second source's charts, from the rows measured here.
#include <fmt/format.h>

#include <algorithm>

#include "apple.hpp"
#include "apps/jacobi/machine.hpp"
#include "io/chart.hpp"
#include "jacobi/backend.hpp"

namespace jacobi::cli {

namespace {

using Wanted = bool (*)(const Variant&);

/// The most that both the source's and our variants have.
int most_threads() {
  int most = 1;
  while (2 * most <= std::min(8, available_cores())) most *= 2;
  return most;
}

bool is_ours(const Variant& v) { return v.source.empty(); }
bool in_overview(const Variant& v) {
  return v.source.starts_with("METAL") || v.rung == "textbook" || v.rung == "simd-8" || v.rung == "blas" ||
         ((v.rung == "threads" || is_ours(v)) && v.threads == most_threads());
}
bool is_unrolled(const Variant& v) { return v.rung == "textbook" || v.rung.starts_with("simd-"); }
bool is_threaded(const Variant& v) { return v.rung == "simd-8" || v.rung == "threads" || is_ours(v); }
bool is_any(const Variant&) { return true; }

/// One curve per layout and variant: time over the number of entries, both logarithmic. Whether any was run.
bool draw_one(const std::vector<AppleRow>& rows, const std::string& type, const std::string& layout,
              Wanted wanted, const std::string& title, const std::string& path) {
  io::Chart chart;
  chart.title = title;
  chart.x_label = "entries, n x n";
  chart.y_label = "ms for 10 sweeps, mean of 10 trials";
  chart.log_x = chart.log_y = true;
  for (const AppleRow& row : rows) {
    if (row.ms.empty() || row.type != type || (!layout.empty() && row.layout != layout) ||
        !wanted(row.variant))
      continue;
    const std::string label =
        (layout.empty() ? (row.layout == "row" ? "by rows: " : "by columns: ") : "") + row.variant.name();
    auto at = std::find_if(chart.series.begin(), chart.series.end(),
                           [&](const auto& s) { return s.label == label; });
    if (at == chart.series.end()) at = chart.series.insert(at, {label, {}, {}, "linespoints", {}});
    at->x.push_back(static_cast<double>(row.n) * static_cast<double>(row.n));
    at->y.push_back(row.mean());
  }
  if (chart.series.empty()) return false;
  chart.notes = {fmt::format("measured on {}, {} cores; names as in the source: vectors, unrolling, threads",
                             describe_machine()["processor"].get<std::string>(), available_cores())};
  io::draw(chart, path);
  return true;
}

}  // namespace

std::vector<std::string> draw_apple(const std::vector<AppleRow>& rows, const std::string& folder) {
  std::vector<std::string> paths;
  const auto draw = [&](const std::string& type, const std::string& layout, Wanted wanted,
                        const std::string& what) {
    const std::string words = layout.empty() ? "both layouts" : layout == "row" ? "by rows" : "by columns";
    std::string path = fmt::format("{}/{}{}_{}.svg", folder, type, layout.empty() ? "" : "_" + layout, what);
    if (draw_one(rows, type, layout, wanted, fmt::format("Dense Jacobi in {}, {}: {}", type, words, what),
                 path))
      paths.push_back(std::move(path));
  };
  for (const char* type : {"float", "double"}) {
    draw(type, "", in_overview, "overview");
    for (const char* layout : {"col", "row"}) {
      draw(type, layout, is_unrolled, "unrolling");
      draw(type, layout, is_threaded, "threads");
      draw(type, layout, is_any, "all");
    }
  }
  return paths;
}

}  // namespace jacobi::cli
