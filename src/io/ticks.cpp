#include "io/ticks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/gnuplot.hpp"
#include "io/page.hpp"

namespace jacobi::io {

double fraction(double value, double lo, double hi) {
  if (std::isnan(value)) return value;
  const double range = 0.5 * hi - 0.5 * lo;
  return range > 0 ? (0.5 * value - 0.5 * lo) / range : 0.5;
}

double coordinate(std::size_t i, std::size_t n, double first, double last) {
  if (n < 2) return first;
  const double t = static_cast<double>(i) / static_cast<double>(n - 1);
  return (1 - t) * first + t * last;
}

std::vector<double> nice_ticks(double lo, double hi, int wanted) {
  std::vector<double> ticks;
  const double raw = (hi - lo) / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  if (!std::isfinite(raw) || !(power > 0)) return {lo, hi};
  double step = 10 * power;
  for (const double factor : {5.0, 2.0, 1.0})
    if (factor * power >= 0.999 * raw) step = factor * power;
  const double slack = 1e-9 * (hi - lo) + 4e-16 * std::max(std::abs(lo), std::abs(hi));
  for (double k = std::ceil((lo - slack) / step); k * step <= hi + slack && ticks.size() < 20; ++k)
    ticks.push_back(k * step + 0.0);  // + 0.0: no "-0"
  return ticks.size() < 2 ? std::vector<double>{lo, hi} : ticks;
}

std::vector<std::string> tick_texts(std::vector<double> ticks) {
  double most = 0;
  for (const double tick : ticks) most = std::max(most, std::abs(tick));
  for (double& tick : ticks)
    if (std::abs(tick) < 1e-12 * most) tick = 0;  // the rounding of a zero
  const double apart = ticks.empty() ? 0 : 0.5 * ticks.back() - 0.5 * ticks.front();
  std::vector<std::string> texts;
  for (int digits = 3; digits <= 17; ++digits) {
    texts.clear();
    bool exact = true;
    for (const double tick : ticks) {
      texts.push_back(fmt::format("{:.{}g}", tick, digits));
      double shown = 0;
      std::from_chars(texts.back().data(), texts.back().data() + texts.back().size(), shown);
      exact = exact && std::abs(shown - tick) <= 0.002 * apart;
    }
    if (exact || ticks.size() < 2) break;
  }
  return texts;
}

Axis::Axis(double first, double last, int length, bool across) : lo(first), hi(last) {
  for (int wanted = 5; wanted > 0; --wanted) {
    ticks = lo < hi ? nice_ticks(lo, hi, wanted) : std::vector<double>{lo};
    texts = tick_texts(ticks);
    const int room = across ? widest() + Page::letter : Page::line;
    if (room * static_cast<int>(ticks.size()) <= length) return;
  }
  if (across) {  // of a narrow picture, whose texts would meet
    ticks.resize(1);
    texts.resize(1);
  }
}

int Axis::widest() const {
  int width = 0;
  for (const std::string& text : texts) width = std::max(width, Page::letter * letters(text));
  return width;
}

std::string Axis::script(const std::string& name) const {
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < ticks.size(); ++i)
    marks.push_back(fmt::format("{} {:.6f}", gnuplot_string(texts[i]), at(ticks[i])));
  return fmt::format("set {0}range [0:1]\nset {0}tics noenhanced ({1})\n", name, fmt::join(marks, ", "));
}

}  // namespace jacobi::io
