#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "io/chart.hpp"
#include "io/heatmap.hpp"
#include "io/page.hpp"
#include "io/ticks.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::InputError;
using jacobi::UsageError;
using jacobi::io::HeatmapLabels;
using jacobi::io::write_heatmap;

using Color = std::array<std::uint8_t, 3>;
constexpr Color white{255, 255, 255}, grey{160, 160, 160}, curve{38, 90, 160};
constexpr Color lowest{68, 1, 84}, middle{33, 145, 140},
    highest{253, 231, 37};  // entries 0, 128, 255 of viridis

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// But for the rounding of a mixture.
bool alike(const Color& a, const Color& b) {
  return std::abs(a[0] - b[0]) <= 2 && std::abs(a[1] - b[1]) <= 2 && std::abs(a[2] - b[2]) <= 2;
}

struct Picture {
  int width = 0, height = 0;
  std::vector<Color> pixels;
  Color at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
  long count(Color c) const {
    return std::count_if(pixels.begin(), pixels.end(), [&](Color p) { return alike(p, c); });
  }
};

/// A PNG file of 8-bit RGB without interlacing: its rows, deflated, each after the number of its filter.
Picture read_png(const std::string& path) {
  const std::string file = content(path);
  const auto number = [&](std::size_t at) {
    std::uint32_t n = 0;
    for (std::size_t i = at; i < at + 4; ++i) n = n << 8 | static_cast<std::uint8_t>(file.at(i));
    return n;
  };
  std::string deflated;
  for (std::size_t at = 8; at < file.size(); at += 12 + number(at))
    if (file.substr(at + 4, 4) == "IDAT") deflated += file.substr(at + 8, number(at));
  const std::size_t width = number(16), height = number(20), row = 3 * width;
  EXPECT_EQ(file.substr(24, 5), std::string("\x08\x02\0\0\0", 5));
  std::vector<std::uint8_t> bytes((row + 1) * height),
      image((row + 3) * (height + 1));  // with a margin of zeros
  uLongf size = bytes.size();
  EXPECT_EQ(
      ::uncompress(bytes.data(), &size, reinterpret_cast<const Bytef*>(deflated.data()), deflated.size()),
      Z_OK);
  Picture picture{static_cast<int>(width), static_cast<int>(height), {}};
  for (std::size_t y = 0; y < height; ++y) {
    const int filter = bytes[y * (row + 1)];
    std::uint8_t* const to = image.data() + (y + 1) * (row + 3) + 3;
    for (std::size_t i = 0; i < row; ++i) {
      const int left = *(to + i - 3), up = *(to + i - row - 3), corner = *(to + i - row - 6);
      const int p = left + up - corner, to_left = std::abs(p - left), to_up = std::abs(p - up);
      const int paeth = to_left <= to_up && to_left <= std::abs(p - corner) ? left
                        : to_up <= std::abs(p - corner)                     ? up
                                                                            : corner;
      const std::array<int, 5> predicted{0, left, up, (left + up) / 2, paeth};
      to[i] = static_cast<std::uint8_t>(bytes[y * (row + 1) + 1 + i] + predicted.at(filter));
      if (i % 3 == 2) picture.pixels.push_back({to[i - 2], to[i - 1], to[i]});
    }
  }
  return picture;
}

Picture draw(const std::vector<double>& values, std::size_t nx, std::size_t ny,
             const HeatmapLabels& labels = {}) {
  const TemporaryFolder folder;
  write_heatmap(folder / "u.png", values, nx, ny, labels);
  EXPECT_EQ(folder.files(), 1U);
  return read_png(folder / "u.png");
}

class Heatmap : public testing::Test {
 protected:
  void SetUp() override {
    if (!jacobi::io::gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  }
};

/// The box that holds all pixels of a color left of x = limit.
struct Box {
  int left = 1 << 20, top = 1 << 20, right = -1, bottom = -1;
};
Box box_of(const Picture& p, Color color, int limit) {
  Box b;
  for (int y = 0; y < p.height; ++y)
    for (int x = 0; x < std::min(limit, p.width); ++x)
      if (alike(p.at(x, y), color))
        b = {std::min(b.left, x), std::min(b.top, y), std::max(b.right, x), std::max(b.bottom, y)};
  return b;
}

TEST_F(Heatmap, ColoursByViridisThatGrowsBrighterAllTheWay) {
  std::vector<double> ramp(65);
  for (std::size_t i = 0; i < 65; ++i) ramp[i] = static_cast<double>(i);
  ramp.insert(ramp.end(), ramp.begin(), ramp.end());
  const Picture p = draw(ramp, 65, 2, {"", 0, 64, 0, 1});
  const Box first = box_of(p, lowest, p.width / 2);
  const auto light = [](std::uint8_t c) { return std::pow(c / 255.0, 2.2); };
  const int y = (first.top + first.bottom) / 2;
  double before = 0;
  for (int i = 0; i <= 64; ++i) {  // the cells are 8 wide, the first one is half
    const Color c = p.at(first.left + 8 * i, y);
    const double luminance = 0.2126 * light(c[0]) + 0.7152 * light(c[1]) + 0.0722 * light(c[2]);
    EXPECT_GT(luminance, before) << i;
    before = luminance;
  }
  EXPECT_PRED2(alike, p.at(first.left + 8 * 32, y), middle);
  EXPECT_PRED2(alike, p.at(first.left + 8 * 64 - 4, y), highest);
}

TEST(Wrap, KeepsEveryWordAndTheLimit) {
  EXPECT_EQ(jacobi::io::wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(jacobi::io::wrap("one two three", 8), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(jacobi::io::wrap("abcdefgh", 3), (std::vector<std::string>{"abc", "def", "gh"}));
  EXPECT_EQ(jacobi::io::wrap("", 3), std::vector<std::string>{});
}

TEST(Ticks, AreToldApart) {
  EXPECT_EQ(jacobi::io::tick_texts({1, 2}), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(jacobi::io::tick_texts({1000.001, 1000.002}), (std::vector<std::string>{"1000.001", "1000.002"}));
  EXPECT_EQ(jacobi::io::tick_texts(jacobi::io::nice_ticks(0, 1, 5)),
            (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
}

TEST(Ticks, AreMultiplesInRangesThatAreSmallBesideTheirNumbers) {
  const auto ticks = jacobi::io::nice_ticks(1000, 1000.00001, 2);
  EXPECT_EQ(jacobi::io::tick_texts(ticks), (std::vector<std::string>{"1000", "1000.000005", "1000.00001"}));
}

TEST(Ticks, FitTheirAxis) {
  for (const int length : {24, 60, 100, 480, 1000}) {
    const jacobi::io::Axis axis(-123456, 123456.5, length, true);
    const int all = (axis.widest() + 8) * static_cast<int>(axis.texts.size());
    EXPECT_TRUE(all <= length || axis.texts.size() == 1) << length;
  }
}

TEST(Extremes, HaveTheirPlaces) {
  const std::vector<double> values{0, nan, -0.01266, 0, 5, 0};
  const auto texts = jacobi::io::extreme_texts(values, 3, 2, {"", 0, 1, 0, 2});
  EXPECT_EQ(texts, (std::vector<std::string>{"min -1.266e-02 at (1, 0)", "max  5.000e+00 at (0.5, 2)",
                                             "1 of 6 values are not finite"}));
}

TEST_F(Heatmap, HasXToTheRightAndYUpwards) {
  // low at the lower left, high at the upper left
  const Picture p = draw({0, 1, 1, 1, 2, 1}, 2, 3);
  const Box low = box_of(p, lowest, p.width / 2), high = box_of(p, highest, p.width / 2);
  EXPECT_EQ(low.left, high.left);
  EXPECT_GT(low.top, high.bottom);
  const Picture q = draw({0, 1, 1, 2, 1, 1}, 3, 2);
  EXPECT_LT(box_of(q, lowest, q.width / 2).right, q.width / 2 - 1);
}

TEST_F(Heatmap, EnlargesSmallFieldsByWholeNumbers) {
  std::vector<double> values(231, 1.0);
  values[22] = 0;  // (1, 1)
  values[230] = 2;
  const Picture p = draw(values, 21, 11, {"", 0, 20, 0, 10});
  const Box cell = box_of(p, lowest, p.width / 2);
  EXPECT_NEAR(cell.right - cell.left + 1, 24, 1);
  EXPECT_NEAR(cell.bottom - cell.top + 1, 24, 1);
  const Box field = box_of(p, middle, cell.left - 12 + 480);
  EXPECT_NEAR(field.right - field.left + 1, 480, 2);
  EXPECT_NEAR(field.bottom - field.top + 1, 240, 2);
}

TEST_F(Heatmap, ReducesLargeFieldsByAveraging) {
  // columns 0, 2, 0, 2, ... in pairs: every average is 1, half way
  std::vector<double> values(1600UL * 8);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 2 == 0 ? 0 : 2;
  const Picture p = draw(values, 1600, 8, {"", 0, 1599, 0, 7});
  const Box field = box_of(p, middle, 900);
  EXPECT_NEAR(field.right - field.left + 1, 800, 2);
  EXPECT_EQ(box_of(p, lowest, 880).right, -1);
}

TEST_F(Heatmap, KeepsTheAspectOfTheDomain) {
  std::vector<double> values(2500, 1.0);
  values[51] = 0;  // (1, 1)
  values[2499] = 2;
  const Picture p = draw(values, 50, 50, {"", 0, 1, 0, 2});
  const Box cell = box_of(p, lowest, p.width / 2);
  EXPECT_NEAR(cell.right - cell.left + 1, 5, 1);
  EXPECT_NEAR(cell.bottom - cell.top + 1, 10, 1);
}

TEST_F(Heatmap, EndsAtTheFirstAndTheLastPoint) {
  // three rows over [0, 1]: the middle one has half of the height, the others a quarter each
  std::vector<double> values(3000, 1.0);
  std::fill_n(values.begin() + 1000, 1000, 0.0);
  const Picture p = draw(values, 1000, 3);
  const Box inner = box_of(p, lowest, p.width / 2), field = box_of(p, highest, p.width / 2);
  const double height = field.bottom - field.top + 1;
  EXPECT_NEAR(inner.bottom - inner.top + 1, height / 2, 1);
  EXPECT_NEAR(inner.top - field.top, height / 4, 1);
}

TEST(Extremes, HaveTheDigitsThatTellThemApart) {
  const auto texts = [](const std::vector<double>& values) {
    return jacobi::io::extreme_texts(values, 2, 1, {});
  };
  EXPECT_EQ(texts({5, 5}), (std::vector<std::string>{"min  5.000e+00 at x = 0", "max  5.000e+00 at x = 0"}));
  EXPECT_EQ(texts({5, 5.00002}),
            (std::vector<std::string>{"min  5.00000e+00 at x = 0", "max  5.00002e+00 at x = 1"}));
}

TEST_F(Heatmap, ShowsValuesThatAreNotFiniteInGrey) {
  EXPECT_LT(draw({0, 1, 2, 3}, 2, 2).count(grey), 100);  // rims of letters
  EXPECT_NEAR(draw({0, nan, 2, 3}, 2, 2).count(grey), 240 * 240, 500);
  EXPECT_NEAR(draw({0, std::numeric_limits<double>::infinity(), 2, 3}, 2, 2).count(grey), 240 * 240, 500);
  EXPECT_NEAR(draw({nan, nan, nan, nan}, 2, 2).count(grey), 480 * 480, 2000);
}

TEST_F(Heatmap, DrawsConstantAndExtremeData) {
  EXPECT_NEAR(draw({7, 7, 7, 7}, 2, 2).count(middle), 480 * 480, 2000);
  const Picture p = draw({-1.7e308, 1.7e308, 0, 0}, 2, 2);
  EXPECT_NEAR(p.count(lowest), 240 * 240, 500);
  EXPECT_NEAR(p.count(highest), 240 * 240, 500);
}

TEST_F(Heatmap, DrawsOneRowAsACurve) {
  std::vector<double> values(100);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(0.1 * static_cast<double>(i));
  const Picture p = draw(values, 100, 1);
  EXPECT_GT(p.count(curve), 700);
  EXPECT_EQ(p.count(highest), 0);
  EXPECT_GT(draw(values, 1, 100).count(curve), 700);
  EXPECT_NEAR(draw({3}, 1, 1).count(curve), 49, 30);
  EXPECT_EQ(draw({nan, nan}, 2, 1).count(curve), 0);
  EXPECT_EQ(draw(std::vector<double>(99, nan), 99, 1).count(curve), 0);
}

TEST_F(Heatmap, DrawsTheEnvelopeOfALongCurve) {
  std::vector<double> values(100001, 0.0);
  values[50000] = 1;
  values[70001] = -1;
  const Picture p = draw(values, 100001, 1);
  const Box b = box_of(p, curve, p.width);
  EXPECT_NEAR(b.bottom - b.top, 420 / 1.1, 4);
  EXPECT_NEAR(b.right - b.left, 760, 4);
}

TEST_F(Heatmap, IsTheSameFileEveryTime) {
  const TemporaryFolder folder;
  std::vector<double> values(900);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<double>(i));
  for (const char* name : {"a.png", "b.png"}) write_heatmap(folder / name, values, 30, 30, {"u"});
  EXPECT_EQ(content(folder / "a.png"), content(folder / "b.png"));
}

TEST_F(Heatmap, TakesTextAsText) {
  const TemporaryFolder folder;
  const std::string trap = folder / "trap";
  const std::string title =
      "'\"; system('touch " + trap + "'); `touch " + trap + "` {/=40 x}_1 @a\n!touch " + trap;
  write_heatmap(folder / "'`touch trap`'.png", std::vector<double>{0, 1, 2, 3}, 2, 2, {title});
  EXPECT_EQ(folder.files(), 1U);
  EXPECT_GT(read_png(folder / "'`touch trap`'.png").count(highest), 0);
}

TEST_F(Heatmap, CutsNothingOff) {
  std::string title;
  for (int word = 0; word < 60; ++word) title += "words ";
  for (const auto& [nx, ny] : {std::pair<std::size_t, std::size_t>{40, 40}, {2, 400}, {400, 2}, {400, 1}}) {
    const HeatmapLabels labels{title, -123456, 123456.5, -1e-7, 1e-7};
    std::vector<double> values(nx * ny);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = -1.2345e-200 * static_cast<double>(i);
    const Picture p = draw(values, nx, ny, labels);
    long edge = 0;
    for (int y = 0; y < p.height; ++y) edge += (p.at(3, y) != white) + (p.at(p.width - 4, y) != white);
    for (int x = 0; x < p.width; ++x) edge += (p.at(x, 3) != white) + (p.at(x, p.height - 4) != white);
    EXPECT_EQ(edge, 0) << nx << " x " << ny;
  }
}

TEST_F(Heatmap, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_THROW(write_heatmap(folder / "u.png", values, 3, 2, {}), UsageError);
  EXPECT_THROW(write_heatmap(folder / "u.png", {}, 0, 0, {}), UsageError);
  EXPECT_THROW(write_heatmap(folder / "u.png", values, 2, 2, {"", 1, 1, 0, 1}), UsageError);
  EXPECT_THROW(write_heatmap(folder / "u.png", values, 2, 2, {"", 0, nan, 0, 1}), UsageError);
  EXPECT_EQ(folder.files(), 0U);
  EXPECT_THROW(write_heatmap(folder / "no/u.png", values, 2, 2, {}), InputError);
}

TEST_F(Heatmap, ReportsAFullDevice) {
  if (!std::filesystem::is_character_file("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  const std::vector<double> values{1, 2, 3, 4};
  EXPECT_THROW(write_heatmap("/dev/full", values, 2, 2, {}), InputError);
}

}  // namespace
