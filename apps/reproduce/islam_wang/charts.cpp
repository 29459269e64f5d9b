/// The third source's figures, from the tables run here.
#include <fmt/format.h>

#include "apps/jacobi/machine.hpp"
#include "io/chart.hpp"
#include "islam_wang.hpp"

namespace jacobi::cli {

namespace {

std::string problem(const CycleTable& t) {
  return t.dimensions == 1 ? fmt::format("{} copies of {} unknowns in 1D", t.copies, t.interior)
                           : fmt::format("{} x {} unknowns", t.interior, t.interior);
}

io::Chart chart_of(const CycleTable& t, const std::string& what) {
  io::Chart chart;
  chart.title = fmt::format("{}, {}", problem(t), what);
  chart.log_y = true;
  chart.notes = {fmt::format(
      "measured on {}; tiles of 32 per direction; residual to 1e-4 of its initial "
      "2-norm; cycles counted on one copy, time measured per cycle",
      t.device.empty()
          ? fmt::format("{}, {} cores", describe_machine()["processor"].get<std::string>(), available_cores())
          : t.device)};
  return chart;
}

/// Figures 7 and 12: time over k, with and without the best overlap, beside the published ones.
void draw_time_over_k(const CycleTable& t, const std::string& path) {
  const PublishedCycles p = published_cycles(t.dimensions);
  io::Chart chart = chart_of(t, "time over subiterations");
  chart.x_label = "subiterations k";
  chart.y_label = "seconds";
  chart.log_x = true;
  io::Series source{"published (TITAN V), no overlap", {}, {}, "linespoints", {}},
      source_best{"published, best overlap", {}, {}, "linespoints", {}},
      source_classic{"published, classic", {}, {}, "lines", {}},
      ours{"here, no overlap", {}, {}, "linespoints", {}},
      ours_best{"here, best overlap", {}, {}, "linespoints", {}},
      classic{"here, plain sweeps one by one", {}, {}, "lines", {}},
      tiled{"here, plain sweeps tiled (exact)", {}, {}, "lines", {}};
  for (std::size_t i = 0; i < source_subiterations.size(); ++i) {
    const Index k = source_subiterations[i];
    const auto add = [&](io::Series& series, double seconds) {
      series.x.push_back(static_cast<double>(k));
      series.y.push_back(seconds);
    };
    add(source, p.classic_seconds / p.speedup[i]);
    add(source_best, p.classic_seconds / p.best_speedup[i]);
    add(source_classic, p.classic_seconds);
    add(classic, t.classic_seconds);
    add(tiled, t.tiled_seconds);
    if (const CycleRun* run = t.find(k, 0)) add(ours, run->seconds());
    if (const CycleRun* run = t.fastest(k)) add(ours_best, run->seconds());
  }
  chart.series = {source_classic, source, source_best, classic, ours, ours_best, tiled};
  if (t.interior != 1024)
    chart.notes.push_back("published: of 1024 unknowns per direction; here fewer, by --short");
  io::draw(chart, path);
}

/// Figures 9 and 13: one curve per k over the shared points.
template <class Value>
void draw_over_overlap(const CycleTable& t, const std::string& what, const std::string& y_label,
                       Value&& value, const std::string& path) {
  io::Chart chart = chart_of(t, what + " over overlap");
  chart.x_label = "unknowns shared by two neighbours (2 x overlap per side)";
  chart.y_label = y_label;
  for (const Index k : source_subiterations) {
    io::Series series{fmt::format("k = {}", k), {}, {}, "linespoints", {}};
    for (const CycleRun& run : t.runs) {
      if (run.k != k) continue;
      series.x.push_back(static_cast<double>(run.overlap));
      series.y.push_back(value(run));
    }
    chart.series.push_back(series);
  }
  io::draw(chart, path);
}

}  // namespace

std::vector<std::string> draw_cycles(const std::vector<CycleTable>& tables, const std::string& folder) {
  std::vector<std::string> paths;
  const auto name = [&](const char* figure) {
    return paths.emplace_back(fmt::format("{}/figure_{}.svg", folder, figure));
  };
  for (const CycleTable& t : tables) {
    const bool one = t.dimensions == 1;
    draw_time_over_k(t, name(one ? "7" : "12"));
    draw_over_overlap(
        t, "time", "seconds", [](const CycleRun& r) { return r.seconds(); }, name(one ? "9a" : "13a"));
    draw_over_overlap(
        t, "cycles", "cycles", [](const CycleRun& r) { return static_cast<double>(r.cycles); },
        name(one ? "9b" : "13b"));
  }
  return paths;
}

}  // namespace jacobi::cli
