/// What the command line reads and says, without a process: formulas, numbers, times, pictures' names,
/// signals.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "apps/jacobi/expression.hpp"
#include "apps/jacobi/numbers.hpp"
#include "apps/jacobi/outputs.hpp"
#include "apps/jacobi/progress.hpp"
#include "apps/jacobi/report.hpp"
#include "jacobi/error.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi::cli {
namespace {

using io_test::contains;
using io_test::message_of;
using io_test::TemporaryFolder;

std::string refusal(const std::string& formula, int dimensions = 2) {
  return message_of<UsageError>([&] { Expression("--rhs", formula, dimensions); });
}

TEST(CliExpression, CountsCharactersFromOne) {
  const std::pair<const char*, int> places[] = {
      {"foo", 1},   {"x+foo*y", 3}, {"  foo", 3}, {"2*(x+bar)", 6}, {"x+*y", 3},   {"x)", 2},
      {"x y", 3},   {"2 3", 3},     {"x $2", 3},  {"sin(x", 6},     {"x+", 3},     {"", 1},
      {"sin()", 5}, {"x?1", 4},     {"x=3", 2},   {"x+=1", 3},      {"x\n+foo", 4}};
  for (const auto& [formula, place] : places) {
    EXPECT_PRED2(contains, refusal(formula), "', character " + std::to_string(place) + ": ");
    EXPECT_FALSE(contains(refusal(formula), "position")) << refusal(formula);
  }
}

TEST(CliExpression, ComparesButNeverAssigns) {
  for (const char* formula : {"x=3", "x = 3", "x+=1", "y*=2", "x===3", "3=x", "x=>1", "(x==1)+(y=2)"})
    EXPECT_PRED2(contains, refusal(formula), "cannot assign") << formula;
  for (const char* formula : {"x==3", "x<=3", "x>=3", "x!=3", "(x==1)+(y<=2)", "x==3 ? 1 : 2"})
    EXPECT_EQ(refusal(formula), "") << formula;
  EXPECT_EQ(Expression("--rhs", "(x==0.5)+(y<=2)", 2)({0.5, 3, 0}), 1);
}

TEST(CliExpression, KnowsTheCoordinatesOfItsDimensionsOnly) {
  EXPECT_PRED2(contains, refusal("2+z", 2), "only 2 dimensions, no z");
  EXPECT_PRED2(contains, refusal("y", 1), "only 1 dimension, no y");
  EXPECT_EQ(refusal("x+y+z", 3), "");
  const auto nan_at = [](int dimensions) {
    return message_of<InputError>([&] { Expression("--rhs", "sqrt(0-1)", dimensions)({0.5, 1, 2}); });
  };
  EXPECT_PRED2(contains, nan_at(1), "at x = 0.5:");
  EXPECT_PRED2(contains, nan_at(2), "at (x, y) = (0.5, 1):");
  EXPECT_PRED2(contains, nan_at(3), "at (x, y, z) = (0.5, 1, 2):");
}

TEST(CliNumbers, AreReadStrictlyAndRefusedBriefly) {
  Index whole = 0;
  for (const auto& [text, value] : {std::pair<const char*, Index>{"1000", 1000}, {"1e3", 1000}, {"+7", 7}}) {
    EXPECT_EQ(read_whole(text, whole), "");
    EXPECT_EQ(whole, value);
  }
  for (const char* text : {"1.5", "1e-3", "ten", "", "1e3x", "inf", "99999999999999999999", "1e30", "1e400"})
    EXPECT_TRUE(!read_whole(text, whole).empty() && read_whole(text, whole).size() < 90) << text;
  double number = 0;
  EXPECT_EQ(read_finite("-1.5e-3", number), "");
  EXPECT_EQ(number, -1.5e-3);
  for (const char* text : {"inf", "nan", "-inf", "1e999", "1s", "", "1 2"})
    EXPECT_TRUE(!read_finite(text, number).empty() && read_finite(text, number).size() < 90) << text;
}

TEST(CliOutputs, AreApartEachInItsFormat) {
  const TemporaryFolder folder;
  const std::vector<std::string> npy{".npy"};
  const auto refused = [&](const std::string& a, const std::string& b) {
    return message_of<UsageError>([&] { check_outputs({{"--output", a, npy}, json_file(b)}); });
  };
  const std::string path = folder / "a.npy", other = folder.path() + "/./a.npy";
  for (const auto& [a, b] : {std::pair{path, other}, {"/dev/stdout", "-"}, {"/dev/stdout", "/dev/stdout"}})
    EXPECT_TRUE(contains(refused(a, b), "--output") && contains(refused(a, b), "--json")) << a << " " << b;
  io_test::put(path, "x");
  std::filesystem::create_symlink(path, folder / "link.npy");
  EXPECT_PRED2(contains, refused(path, folder / "link.npy"), "same file");
  EXPECT_PRED2(contains, refused(folder / "u.txt", ""), "only .npy");
  EXPECT_PRED2(contains, refused("-", ""), "only --json");
  for (const char* good : {"b.npy", "b.NPY"}) EXPECT_EQ(refused(folder / good, "-"), "");
  EXPECT_EQ(refused("/dev/null", "/dev/null"), "");
}

TEST(CliTime, IsNeverZero) {
  EXPECT_EQ(in_time(4.2e-8), "42 ns");
  EXPECT_EQ(in_time(2.5e-6), "2.5 us");
  EXPECT_EQ(in_time(2.5e-4), "250 us");
}

TEST(CliSignalTwice, EndsTheProgramOnlyAfterASecond) {
  const auto twice = [](int milliseconds) {
    std::signal(SIGINT, SIG_DFL);
    Watch watch({});
    std::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    std::raise(SIGINT);
    std::_Exit(Watch::interrupted() ? 7 : 8);
  };
  EXPECT_EXIT(twice(50), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(twice(1100), testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace jacobi::cli
