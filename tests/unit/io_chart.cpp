#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <limits>
#include <set>

#include "io/chart.hpp"
#include "io/gnuplot.hpp"
#include "io_temporary.hpp"
#include "jacobi/error.hpp"

namespace {

using namespace jacobi::io_test;
using jacobi::BackendError;
using jacobi::InputError;
using jacobi::UsageError;
using jacobi::io::Chart;
using jacobi::io::chart_script;
using jacobi::io::draw;
using jacobi::io::gnuplot_available;

/// Sets PATH for one test.
class Path {
 public:
  explicit Path(const std::string& path) : old_(std::getenv("PATH") == nullptr ? "" : std::getenv("PATH")) {
    ::setenv("PATH", path.c_str(), 1);
  }
  Path(const Path&) = delete;
  Path& operator=(const Path&) = delete;
  ~Path() { ::setenv("PATH", old_.c_str(), 1); }

 private:
  std::string old_;
};

/// A program named gnuplot that does what `script` says.
void put_gnuplot(const TemporaryFolder& folder, const std::string& script) {
  put(folder / "gnuplot", "#!/bin/sh\n" + script + "\n");
  ASSERT_EQ(::chmod((folder / "gnuplot").c_str(), 0755), 0);
}

Chart bars() {
  const std::vector<std::string> names{"256", "512"};
  return {"published against measured",
          "grid",
          "seconds",
          false,
          true,
          {{"published", {}, {0.5, 20}, "boxes", names}, {"measured", {}, {0.4, 4600}, "boxes", names}},
          {"a note"}};
}

TEST(Chart, DrawsSvgAndPng) {
  if (!gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  draw(bars(), folder / "a.svg");
  const std::string svg = content(folder / "a.svg");
  for (const char* text : {"<svg", "</svg>", "published against measured", "seconds", "a note", ">4600<"})
    EXPECT_TRUE(contains(svg, text)) << text;
  draw(bars(), folder / "a.png");
  EXPECT_EQ(content(folder / "a.png").substr(1, 3), "PNG");
  EXPECT_EQ(folder.files(), 2U);
}

TEST(Chart, DrawsEveryStyleWithGaps) {
  if (!gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const bool log : {false, true})
    for (const char* style : {"lines", "points", "linespoints", "boxes"}) {
      const Chart chart{"", "x", "y", log, log, {{"some", {1, 2, 3, 4}, {1, nan, 0, 4}, style, {}}, {}}, {}};
      EXPECT_NO_THROW(draw(chart, folder / "a.svg")) << style << log;
    }
  EXPECT_NO_THROW(draw({"", "", "", false, false, {{"one", {2}, {0}, "points", {}}}, {}}, folder / "a.svg"));
}

TEST(Chart, TreatsTextAsText) {
  if (!gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  const std::string trap = folder / "trap";
  Chart chart = bars();
  const std::string text = "1e-4 7:30 it's \"{x}_1^2\" `touch " + trap + "` $(touch " + trap + ") @a \\";
  chart.title = chart.x_label = chart.y_label = chart.series[0].label = chart.series[1].names[0] = text;
  chart.notes = {text, "'; system('touch " + trap + "'); '", "a\n!touch " + trap};
  draw(chart, folder / "a.svg");
  EXPECT_FALSE(std::filesystem::exists(trap));
  const std::string svg = content(folder / "a.svg");
  for (const char* part : {"1e-4 7:30 it's \"{x}_1^2\" `", "@a \\", "`touch ", "$(touch ", "system("})
    EXPECT_TRUE(contains(svg, part)) << part;
}

TEST(Chart, PutsGroupedBarsSideBySide) {
  const std::string script = chart_script(bars(), "svg");
  EXPECT_TRUE(contains(script, "-0.21 0.5 \"0.5\"\n0.79 20 \"20\"\n"));
  EXPECT_TRUE(contains(script, "0.21 0.4 \"0.4\"\n1.21 4600 \"4600\"\n"));
  EXPECT_TRUE(contains(script, "(\"256\" 0, \"512\" 1)"));
}

TEST(Chart, LeavesOutWhatALogarithmCannotShow) {
  Chart chart{"", "", "", true, true, {{"", {-1, 1, 2, 3}, {1, 0, 5, 7}, "lines", {}}}, {}};
  EXPECT_TRUE(
      contains(chart_script(chart, "svg"), "<< END\nNaN NaN \"\"\nNaN NaN \"\"\n2 5 \"5\"\n3 7 \"7\"\nEND"));
  chart.log_x = chart.log_y = false;
  EXPECT_TRUE(contains(chart_script(chart, "svg"), "<< END\n-1 1 \"1\"\n1 0 \"0\"\n"));
}

/// The number after the last `word` of a script.
int number_after(const std::string& script, const std::string& word) {
  return std::stoi(script.substr(script.rfind(word) + word.size()));
}

TEST(Chart, KeepsItsLegendBelowAQuarter) {
  for (const int count : {1, 5, 12, 25, 40}) {
    Chart chart{"many", "x", "y", true, true, {}, {}};
    for (int k = 0; k < count; ++k)
      chart.series.push_back(
          {"a contender with a long name, 2 threads: 1.234 GLUP/s", {1, 2}, {1, 2}, "lines", {}});
    const std::string script = chart_script(chart, "svg");
    const std::string size = script.substr(script.find(" size ") + 6);
    const int height = std::stoi(size.substr(size.find(',') + 1));
    EXPECT_LT(17 * number_after(script, "maxrows "), height / 4) << count;
  }
}

TEST(Chart, TellsSeriesApartByEightColoursAndByDashes) {
  Chart chart{"", "", "", false, false, {}, {}};
  for (int k = 0; k < 16; ++k) chart.series.push_back({"", {1, 2}, {1, 2}, "lines", {}});
  const std::string script = chart_script(chart, "svg");
  std::set<std::string> colours, dashes, both;
  for (std::size_t at = script.find(" dt "); at != script.npos; at = script.find(" dt ", at + 1)) {
    const std::string dash = script.substr(at, script.find(" lc ", at) - at);
    const std::string colour = script.substr(script.find(" lc ", at), 18);
    colours.insert(colour);
    dashes.insert(dash);
    both.insert(colour + dash);
  }
  EXPECT_EQ(colours.size(), 8U);
  EXPECT_EQ(dashes.size(), 8U);
  EXPECT_EQ(both.size(), 16U);
}

TEST(Chart, HasItsTitleInTheFile) {
  if (!gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder folder;
  Chart chart = bars();
  chart.title = "a < b & c";
  draw(chart, folder / "a.svg");
  EXPECT_TRUE(contains(content(folder / "a.svg"), "<title>a &lt; b &amp; c</title>"));
  draw(chart, folder / "a.png");
  EXPECT_TRUE(
      contains(content(folder / "a.png"), std::string("iTXtTitle") + std::string(5, '\0') + "a < b & c"));
}

TEST(Chart, HasTicksAtRoundNumbers) {
  const auto script = [](std::vector<double> x) {
    std::vector<double> y(x.size(), 1.0);
    y.back() = 3e4;
    return chart_script({"", "", "", true, true, {{"", x, y, "lines", {}}}, {}}, "svg");
  };
  EXPECT_TRUE(contains(script({64, 128, 256}), "set xtics format '%.8g' (64, 128, 256)"));
  EXPECT_TRUE(contains(script({0.1375, 0.7, 3.1}), "set xtics (\"0.2\" 0.2, \"0.5\" 0.5, \"1\" 1, \"2\" 2)"));
  EXPECT_TRUE(contains(script({1e-5, 1}), "\"10^{-4}\" 0.0001"));
  EXPECT_TRUE(
      contains(script({1, 2}), "set ytics (\"1\" 1, \"10\" 10, \"100\" 100, \"1000\" 1000, \"10000\" 10000"));
}

TEST(Chart, QuotesForGnuplot) {
  EXPECT_EQ(jacobi::io::gnuplot_string("a'b\"`c\\"), R"("a\0047b\0042\0140c\0134")");
  EXPECT_EQ(jacobi::io::gnuplot_string("\u03c9 1\n2\t"), "\"\u03c9 1\\00122 \"");
}

TEST(Chart, RefusesWhatCannotBeMeant) {
  const TemporaryFolder folder;
  const auto refused = [&](const Chart& chart, const std::string& name = "a.svg") {
    return message_of<UsageError>([&] { draw(chart, folder / name); });
  };
  EXPECT_TRUE(contains(refused(bars(), "a.pdf"), ".svg or .png"));
  Chart chart = bars();
  chart.series[0].style = "bars";
  EXPECT_TRUE(contains(refused(chart), "style 'bars' is unknown"));
  chart = bars();
  chart.series[0].y.pop_back();
  EXPECT_TRUE(contains(refused(chart), "1 values for 2 names"));
  EXPECT_TRUE(contains(refused({}), "no values"));
  EXPECT_TRUE(contains(refused({"", "", "", false, true, {{"", {1}, {-1}, "lines", {}}}, {}}), "no values"));
  EXPECT_TRUE(
      contains(refused({"", "", "", false, false, {{"", {1, 2}, {1}, "lines", {}}}, {}}), "2 positions"));
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Chart, SaysHowToGetGnuplot) {
  const TemporaryFolder folder;
  const Path path(folder.path());
  EXPECT_FALSE(gnuplot_available());
  EXPECT_EQ(message_of<BackendError>([&] { draw(bars(), folder / "a.svg"); }),
            "pictures need gnuplot: install it with 'apt-get install gnuplot-nox'");
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Chart, PassesOnWhatAFailingGnuplotSays) {
  const TemporaryFolder folder;
  put_gnuplot(folder, "echo half; echo 'line 3: no terminal' >&2; exit 7");
  const Path path(folder.path());
  EXPECT_TRUE(gnuplot_available());
  EXPECT_EQ(message_of<BackendError>([&] { draw(bars(), folder / "a.svg"); }),
            "gnuplot failed with exit status 7: line 3: no terminal");
  put_gnuplot(folder, "echo nothing >&2; exit 0");
  EXPECT_EQ(message_of<BackendError>([&] { draw(bars(), folder / "a.svg"); }),
            "gnuplot drew nothing: nothing");
  put_gnuplot(folder, "kill -9 $$");
  EXPECT_TRUE(contains(message_of<BackendError>([&] { draw(bars(), folder / "a.svg"); }), "signal 9"));
  EXPECT_EQ(folder.files(), 1U);
}

/// The fifth field of its `stat` is the group: Ctrl-C in a terminal goes to the group of the solve.
TEST(Chart, IsDrawnInAGroupOfItsOwn) {
  const TemporaryFolder folder;
  put_gnuplot(folder, "read pid name state parent group rest < /proc/$$/stat; [ $group = $$ ] && echo alone");
  const Path path(folder.path());
  draw(bars(), folder / "a.svg");
  EXPECT_EQ(content(folder / "a.svg"), "alone\n");
}

TEST(Chart, ReportsAScriptThatGnuplotRefuses) {
  if (!gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  const auto run = [] { jacobi::io::run_gnuplot("plot nonsense nonsense\n"); };
  EXPECT_TRUE(contains(message_of<BackendError>(run), "nonsense"));
}

TEST(Chart, ChecksThePlaceFirst) {
  const TemporaryFolder folder;
  EXPECT_TRUE(contains(message_of<InputError>([&] { draw(bars(), folder / "no/a.svg"); }), "does not exist"));
}

}  // namespace
