// From a Chart and its layout to a gnuplot script. User's text goes in by gnuplot_string only.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/chart_layout.hpp"
#include "io/gnuplot.hpp"

namespace jacobi::io {
namespace {

// The palette of M. Okabe and K. Ito, which colour-blind readers can tell apart.
// Each has dashes of its own, so that a print without colours, and the second round of more than eight
// series, can be read too.
constexpr const char* colors[] = {"#0072b2", "#e69f00", "#009e73", "#cc79a7",
                                  "#56b4e9", "#d55e00", "#555555", "#000000"};
constexpr const char* dashes[] = {"solid",  "(12,4)",        "(3,3)", "(12,4,3,4)",
                                  "(20,5)", "(7,3,2,3,2,3)", "(2,5)", "(16,3,6,3)"};

/// Series k and k + 8 share a colour, but not the dashes.
std::string dash_of(std::size_t k) { return dashes[(k + k / std::size(colors)) % std::size(dashes)]; }

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.10g}", value) : "NaN"; }

class Script {
 public:
  Script(const Chart& chart, const std::string& terminal)
      : chart_(chart), layout_(lay_out(chart)), terminal_(terminal) {}

  std::string text() {
    for (std::size_t k = 0, box = 0; k < chart_.series.size(); ++k)
      add("$series{} << END\n{}END", k,
          data_block(chart_.series[k], chart_.series[k].style == "boxes" ? box++ : 0));
    write_frame();
    write_y_axis();
    if (layout_.has_boxes())
      write_categories();
    else if (chart_.log_x)
      write_log_x_axis();
    else
      write_x_axis();
    write_plot();
    return script_;
  }

 private:
  template <class... A>
  void add(fmt::format_string<A...> format, A&&... arguments) {
    script_ += fmt::format(format, std::forward<A>(arguments)...) + "\n";
  }
  bool log_x() const { return chart_.log_x && !layout_.has_boxes(); }

  std::string data_block(const Series& s, std::size_t box) const;
  std::vector<double> sorted(bool xs) const;
  void write_frame();
  void write_y_axis();
  void write_log_y_axis(double lo, double hi, double room);
  void write_log_ticks(const char* axis, double low, double high);
  void write_categories();
  void write_x_axis();
  void write_log_x_axis();
  void write_plot();

  const Chart& chart_;
  const ChartLayout layout_;
  const std::string terminal_;
  std::string script_;
};

/// Lines of `x y "text"`; what an axis cannot show is NaN, so that curves break there.
std::string Script::data_block(const Series& s, std::size_t box) const {
  std::string block;
  for (std::size_t i = 0; i < s.y.size(); ++i) {
    double x = 0;
    if (s.style == "boxes") {
      const auto found = std::find(layout_.categories.begin(), layout_.categories.end(), category_name(s, i));
      const double middle = 0.5 * (layout_.box_series - 1);
      x = static_cast<double>(found - layout_.categories.begin()) +
          (static_cast<double>(box) - middle) * layout_.bar_pitch();
    } else {
      x = s.x[i];
    }
    const double y = s.y[i];
    const bool drawn =
        std::isfinite(x) && std::isfinite(y) && (!log_x() || x > 0) && (!chart_.log_y || y > 0);
    block += drawn ? fmt::format("{} {} \"{}\"\n", number(x), number(y), value_text(y)) : "NaN NaN \"\"\n";
  }
  return block;
}

/// All x or y that are drawn, in increasing order, each once.
std::vector<double> Script::sorted(bool xs) const {
  const bool log = xs ? log_x() : chart_.log_y;
  std::vector<double> values;
  for (const Series& s : chart_.series)
    for (const double v : xs ? s.x : s.y)
      if (std::isfinite(v) && (!log || v > 0)) values.push_back(v);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

void Script::write_frame() {
  const ChartLayout& l = layout_;
  script_ += l.script(terminal_, chart_.x_label, chart_.y_label);
  add("set border 3 lw 1 lc rgb '#444444'\nset grid ytics lc rgb '#dddddd' lw 1 lt 1");
  if (l.key_rows > 0)
    add("set key at screen 0.5,{:.5f} center top horizontal maxcols {} maxrows {} Left reverse noenhanced "
        "spacing {} samplen 3 width 1 font ',{}'",
        1 - l.up(ChartLayout::pad + l.title.lines * ChartLayout::title_line), l.key_columns, l.key_rows,
        terminal_ == "svg" ? 1.0 : 0.95, terminal_ == "svg" ? 11 : 9);
}

/// Leaves room above for the values on top of bars; bars of a linear axis start at 0.
void Script::write_y_axis() {
  const std::vector<double> ys = sorted(false);
  const double above = layout_.upright_values ? layout_.widest_value + 14.0 : 24.0;
  const double room = layout_.has_boxes() ? above / layout_.plot_height : 0;
  if (chart_.log_y) return write_log_y_axis(std::log10(ys.front()), std::log10(ys.back()), room);
  add("set format y '%g'");
  const double lo = std::min(ys.front(), 0.0), hi = std::max(ys.back(), 0.0);
  if (layout_.has_boxes() && lo < hi) {
    const double margin = (hi - lo) * room / (1 - room);
    add("set yrange [{}:{}]", number(lo < 0 ? lo - margin : lo), number(hi + margin));
  }
}

void Script::write_log_y_axis(double lo, double hi, double room) {
  const bool boxes = layout_.has_boxes();
  const double bottom = std::floor(boxes ? lo - 0.15 : lo);  // the lowest bar is seen
  const double top = std::max(boxes ? hi + (hi - bottom) * room / (1 - room) : std::ceil(hi), bottom + 1);
  add("set logscale y\nset yrange [{}:{}]", number(std::pow(10, bottom)), number(std::pow(10, top)));
  write_log_ticks("y", std::pow(10, bottom), std::pow(10, top));
}

void Script::write_categories() {
  std::vector<std::string> ticks;
  for (const std::string& name : layout_.categories)
    ticks.push_back(fmt::format("{} {}", gnuplot_string(name), ticks.size()));
  add("set xrange [-0.6:{}]", static_cast<double>(ticks.size()) - 0.4);
  add("set xtics noenhanced {}({})", layout_.slanted ? "rotate by 30 right " : "", fmt::join(ticks, ", "));
  add("set style fill solid 0.9 noborder\nset boxwidth {:.5f} absolute", 0.92 * layout_.bar_pitch());
}

/// From 0 where the smallest position is near to it.
void Script::write_x_axis() {
  const std::vector<double> xs = sorted(true);
  const double range = xs.back() - xs.front();
  add("set format x '%g'");
  if (!(range > 0) || !std::isfinite(range)) return;
  const bool from_zero = xs.front() >= 0 && xs.front() <= 0.2 * range;
  add("set xrange [{}:{}]", number(from_zero ? 0 : xs.front() - 0.03 * range),
      number(xs.back() + 0.03 * range));
}

/// Ticks at the positions themselves where these are few, apart and whole, such as 64, 128, 256; else at
/// round numbers.
void Script::write_log_x_axis() {
  const std::vector<double> xs = sorted(true);
  const double range = std::log(xs.back()) - std::log(xs.front());
  bool apart = xs.size() <= 12;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    apart = apart && std::round(xs[i]) == xs[i];
    if (i > 0) apart = apart && std::log(xs[i] / xs[i - 1]) > 0.07 * range;
  }
  const double margin = xs.size() > 1 ? std::exp(0.04 * range) : 2;
  const double low = xs.front() / margin, high = xs.back() * margin;
  add("set logscale x\nset xrange [{}:{}]", number(low), number(high));
  if (apart)
    add("set xtics format '%.8g' ({})", fmt::join(xs, ", "));
  else
    write_log_ticks("x", low, high);
}

/// Round numbers at even steps, three to nine of them: of an axis too short for 1, 2 and 5.
std::vector<std::string> even_ticks(double low, double high) {
  const double power = std::pow(10, std::floor(std::log10((high - low) / 3)));
  double step = power;
  for (const double factor : {2.0, 5.0})
    if ((high - low) / (factor * power) >= 3) step = factor * power;
  std::vector<std::string> ticks;
  for (double k = std::ceil(low / step); k * step <= high; ++k)
    ticks.push_back(fmt::format("\"{:.6g}\" {:.10g}", k * step, k * step));
  return ticks;
}

/// 1, 2 and 5 times powers of ten over few decades, else powers of ten.
void Script::write_log_ticks(const char* axis, double low, double high) {
  const double first = std::floor(std::log10(low)), decades = std::log10(high / low);
  const bool plain = low >= 0.9e-3 && high < 1.001e6;  // all of an axis alike
  std::vector<std::string> ticks;
  const int every = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  for (int k = 0; k <= static_cast<int>(std::ceil(decades)) + 1; ++k) {
    const double power = std::pow(10, first + k);
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * power;
      const bool wanted = factor == 1 ? k % every == 0 : decades < 2.5;
      if (!wanted || tick < low * 0.9999 || tick > high * 1.0001) continue;
      ticks.push_back(plain ? fmt::format("\"{:.6g}\" {:.10g}", tick, tick)
                            : fmt::format("\"{}10^{{{}}}\" {:.10g}",
                                          factor == 1 ? "" : fmt::format("{:g}\u00b7", factor),
                                          static_cast<int>(first) + k, tick));
    }
  }
  if (ticks.size() < 3 && plain && decades < 1) ticks = even_ticks(low, high);
  if (!ticks.empty()) add("set {}tics ({})", axis, fmt::join(ticks, ", "));
}

void Script::write_plot() {
  std::string boxes, others;
  for (std::size_t k = 0; k < chart_.series.size(); ++k) {
    const Series& s = chart_.series[k];
    if (s.y.empty()) continue;
    const char* color = colors[k % std::size(colors)];
    const std::string title = s.label.empty() ? "notitle" : "title " + gnuplot_string(s.label);
    if (s.style != "boxes") {
      const std::string points = s.style == "lines" ? "" : fmt::format("pt {} ps 0.9", k % 5 * 2 + 5);
      others += fmt::format(", $series{} using 1:2 with {} lw 2 dt {} {} lc rgb '{}' {}", k, s.style,
                            dash_of(k), points, color, title);
      continue;
    }
    boxes += fmt::format(", $series{} using 1:2 with boxes lc rgb '{}' {}", k, color, title);
    others += fmt::format(", $series{} using 1:2:3 with labels {} font ',{}' noenhanced notitle", k,
                          layout_.upright_values ? "rotate by 90 left offset 0,0.4" : "center offset 0,0.6",
                          terminal_ == "svg" ? 10 : 8);
  }
  add("plot {}", (boxes + others).substr(2));
}

}  // namespace

std::string chart_script(const Chart& chart, const std::string& terminal) {
  check_chart(chart);
  return Script(chart, terminal).text();
}

}  // namespace jacobi::io
