#include <gtest/gtest.h>
#include <png.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "io/canvas.hpp"
#include "io/colormap.hpp"
#include "io/font.hpp"
#include "io/heatmap.hpp"
#include "io/plot_parts.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using jacobi::UsageError;
using jacobi::io::Color;
using jacobi::io::HeatmapLabels;
using jacobi::io::viridis;
using jacobi::io::write_heatmap;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Picture {
  int width = 0, height = 0;
  std::vector<Color> pixels;
  Color at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
  long count(Color c) const { return std::count(pixels.begin(), pixels.end(), c); }
};

Picture read_png(const std::string& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  Picture picture;
  if (png_image_begin_read_from_file(&image, path.c_str()) == 0) return picture;
  image.format = PNG_FORMAT_RGB;
  picture.pixels.resize(static_cast<std::size_t>(image.width) * image.height);
  if (png_image_finish_read(&image, nullptr, picture.pixels.data(), 0, nullptr) == 0) return {};
  picture.width = static_cast<int>(image.width);
  picture.height = static_cast<int>(image.height);
  return picture;
}

Picture draw(const std::vector<double>& values, std::size_t nx, std::size_t ny,
             const HeatmapLabels& labels = {}) {
  const TemporaryFolder folder;
  write_heatmap(folder / "u.png", values, nx, ny, labels);
  EXPECT_EQ(folder.files(), 1U);
  return read_png(folder / "u.png");
}

/// The box that holds all pixels of a color left of x = limit.
struct Box {
  int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
};
Box box_of(const Picture& p, Color color, int limit) {
  Box b;
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < std::min(limit, p.width); ++x)
      if (p.at(x, y) == color)
        b = {std::min(b.left, x), std::min(b.top, y), std::max(b.right, x), std::max(b.bottom, y)};
  return b;
}

TEST(Viridis, MatchesPublishedEntries) {
  EXPECT_EQ(viridis(0), (Color{68, 1, 84}));
  EXPECT_EQ(viridis(1), (Color{253, 231, 37}));
  EXPECT_EQ(viridis(128.0 / 255), (Color{33, 145, 140}));
  EXPECT_EQ(viridis(-3), viridis(0));
  EXPECT_EQ(viridis(7), viridis(1));
  EXPECT_EQ(viridis(nan), (Color{160, 160, 160}));
}

TEST(Viridis, GrowsBrighterAllTheWay) {
  const auto light = [](std::uint8_t c) { return std::pow(c / 255.0, 2.2); };
  double before = 0;
  for (int i = 0; i <= 64; ++i) {
    const Color c = viridis(i / 64.0);
    const double luminance = 0.2126 * light(c[0]) + 0.7152 * light(c[1]) + 0.0722 * light(c[2]);
    EXPECT_GT(luminance, before) << i;
    before = luminance;
  }
}

TEST(Font, DrawsEveryLetterDifferently) {
  std::map<std::string, char> seen;
  for (char c = ' '; c <= '~'; ++c) {
    std::string pixels;
    for (std::size_t row = 0; row < jacobi::io::glyph_height; ++row)
      for (std::size_t column = 0; column < jacobi::io::glyph_width; ++column)
        pixels += jacobi::io::glyph_pixel(c, column, row) ? '#' : '.';
    EXPECT_EQ(contains(pixels, "#"), c != ' ') << c;
    EXPECT_TRUE(seen.emplace(pixels, c).second) << c << " looks like " << seen[pixels];
  }
  EXPECT_EQ(jacobi::io::ascii("\u03c9 \u2264 2\u00b7\u03c0, \u4e16"), "omega <= 2*pi, ?");
}

TEST(Wrap, KeepsEveryWordAndTheLimit) {
  EXPECT_EQ(jacobi::io::wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(jacobi::io::wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(jacobi::io::wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(jacobi::io::wrap("", 3), std::vector<std::string>{});
}

TEST(PlotParts, TellTicksApartAndPlaceExtremes) {
  EXPECT_EQ(jacobi::io::tick_texts({1, 2}), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(jacobi::io::tick_texts({1000.001, 1000.002}), (std::vector<std::string>{"1000.001", "1000.002"}));
  EXPECT_EQ(jacobi::io::tick_texts(jacobi::io::nice_ticks(0, 1, 5)),
            (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  const std::vector<double> values{0, nan, -0.01266, 0, 5, 0};
  const auto texts = jacobi::io::extreme_texts(jacobi::io::extremes(values), 3, 2, {"", 0, 1, 0, 2});
  EXPECT_EQ(texts, (std::vector<std::string>{"min -1.266e-02 at (1, 0)", "max  5.000e+00 at (0.5, 2)",
                                             "1 of 6 values are not finite"}));
}

TEST(Heatmap, HasXToTheRightAndYUpwards) {
  // low at the lower left, high at the upper left
  const Picture p = draw({0, 1, 1, 1, 2, 1}, 2, 3);
  const Box low = box_of(p, viridis(0), p.width / 2), high = box_of(p, viridis(1), p.width / 2);
  EXPECT_EQ(low.left, high.left);
  EXPECT_GT(low.top, high.bottom);
  const Picture q = draw({0, 1, 1, 2, 1, 1}, 3, 2);
  EXPECT_LT(box_of(q, viridis(0), q.width / 2).right, q.width / 2 - 1);
}

TEST(Heatmap, EnlargesSmallFieldsByWholeNumbers) {
  std::vector<double> values(231, 1.0);
  values[22] = 0;  // (1, 1)
  values[230] = 2;
  const Picture p = draw(values, 21, 11, {"", 0, 20, 0, 10});
  const Box cell = box_of(p, viridis(0), p.width / 2);
  EXPECT_EQ(cell.right - cell.left + 1, 24);
  EXPECT_EQ(cell.bottom - cell.top + 1, 24);
  const Box field = box_of(p, viridis(0.5), cell.left - 12 + 480);
  EXPECT_EQ(field.right - field.left + 1, 480);
  EXPECT_EQ(field.bottom - field.top + 1, 240);
}

TEST(Heatmap, ReducesLargeFieldsByAveraging) {
  // columns 0, 2, 0, 2, ... in pairs: every average is 1, half way
  std::vector<double> values(2400UL * 8);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0 : 2;
  const Picture p = draw(values, 2400, 8, {"", 0, 2399, 0, 7});
  const Box field = box_of(p, viridis(0.5), 1300);
  EXPECT_EQ(field.right - field.left + 1, 1200);
  EXPECT_EQ(box_of(p, viridis(0), 1250).right, -1);
}

TEST(Heatmap, KeepsTheAspectOfTheDomain) {
  std::vector<double> values(2500, 1.0);
  values[51] = 0;  // (1, 1)
  values[2499] = 2;
  const Picture p = draw(values, 50, 50, {"", 0, 1, 0, 2});
  const Box cell = box_of(p, viridis(0), p.width / 2);
  EXPECT_EQ(cell.right - cell.left + 1, 5);
  EXPECT_EQ(cell.bottom - cell.top + 1, 10);
}

TEST(Heatmap, EndsAtTheFirstAndTheLastPoint) {
  // three rows over [0, 1]: the middle one has half of the height, the others a quarter each
  std::vector<double> values(3000, 1.0);
  std::fill_n(values.begin() + 1000, 1000, 0.0);
  const Picture p = draw(values, 1000, 3);
  const Box middle = box_of(p, viridis(0), p.width / 2), field = box_of(p, viridis(1), p.width / 2);
  const double height = field.bottom - field.top + 1;
  EXPECT_NEAR(middle.bottom - middle.top + 1, height / 2, 1);
  EXPECT_NEAR(middle.top - field.top, height / 4, 1);
}

TEST(PlotParts, GiveExtremesTheDigitsThatTellThemApart) {
  const auto texts = [](const std::vector<double>& values) {
    return jacobi::io::extreme_texts(jacobi::io::extremes(values), 2, 1, {});
  };
  EXPECT_EQ(texts({5, 5}), (std::vector<std::string>{"min  5.000e+00 at x = 0", "max  5.000e+00 at x = 0"}));
  EXPECT_EQ(texts({5, 5.00002}),
            (std::vector<std::string>{"min  5.00000e+00 at x = 0", "max  5.00002e+00 at x = 1"}));
}

TEST(Heatmap, ShowsValuesThatAreNotFiniteInGrey) {
  const Color grey = viridis(nan);
  EXPECT_EQ(draw({0, 1, 2, 3}, 2, 2).count(grey), 0);
  EXPECT_EQ(draw({0, nan, 2, 3}, 2, 2).count(grey), 240 * 240);
  EXPECT_EQ(draw({0, std::numeric_limits<double>::infinity(), 2, 3}, 2, 2).count(grey), 240 * 240);
  EXPECT_EQ(draw({nan, nan, nan, nan}, 2, 2).count(grey), 480 * 480);
}

TEST(Heatmap, DrawsConstantAndExtremeData) {
  EXPECT_GE(draw({7, 7, 7, 7}, 2, 2).count(viridis(0.5)), 480 * 480);
  const Picture p = draw({-1.7e308, 1.7e308, 0, 0}, 2, 2);
  EXPECT_GE(p.count(viridis(0)), 240 * 240);
  EXPECT_GE(p.count(viridis(1)), 240 * 240);
}

TEST(Heatmap, DrawsOneRowAsACurve) {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.1 * static_cast<double>(i));
  const Color curve{38, 90, 160};
  const Picture p = draw(values, 100, 1);
  EXPECT_GT(p.count(curve), 700);
  EXPECT_EQ(p.count(viridis(1)), 0);
  EXPECT_GT(draw(values, 1, 100).count(curve), 700);
  EXPECT_EQ(draw({3}, 1, 1).count(curve), 49);
  EXPECT_EQ(draw({nan, nan}, 2, 1).count(curve), 0);
  EXPECT_EQ(draw(std::vector<double>(99, nan), 99, 1).count(curve), 0);
}

TEST(Heatmap, CutsNothingOff) {
  const std::string title(300, 'W');
  for (const auto& [nx, ny] : {std::pair<std::size_t, std::size_t>{40, 40}, {2, 400}, {400, 2}, {400, 1}}) {
    const HeatmapLabels labels{title, -123456, 123456.5, -1e-7, 1e-7};
    std::vector<double> values(nx * ny);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = -1.2345e-200 * static_cast<double>(i);
    const Picture p = draw(values, nx, ny, labels);
    const Color white{255, 255, 255};
    long edge = 0;
    for (int y = 0; y < p.height; ++y) edge += (p.at(3, y) != white) + (p.at(p.width - 4, y) != white);
    for (int x = 0; x < p.width; ++x) edge += (p.at(x, 3) != white) + (p.at(x, p.height - 4) != white);
    EXPECT_EQ(edge, 0) << nx << " x " << ny;
  }
}

TEST(Heatmap, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_THROW(write_heatmap(folder / "u.png", values, 3, 2, {}), UsageError);
  EXPECT_THROW(write_heatmap(folder / "u.png", {}, 0, 0, {}), UsageError);
  EXPECT_THROW(write_heatmap(folder / "u.png", values, 2, 2, {"", 1, 1, 0, 1}), UsageError);
  EXPECT_THROW(write_heatmap(folder / "u.png", values, 2, 2, {"", 0, nan, 0, 1}), UsageError);
  EXPECT_EQ(folder.files(), 0U);
  EXPECT_THROW(write_heatmap(folder / "no/u.png", values, 2, 2, {}), InputError);
}

TEST(Heatmap, ReportsAFullDevice) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_THROW(write_heatmap("/dev/full", values, 2, 2, {}), InputError);
}

}  // namespace
