/// The command line in a pseudo-terminal of so many columns, and piped.
#include <gtest/gtest.h>

#include <pty.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <sstream>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

/// All that a program shows on a terminal so wide.
std::string on_terminal(unsigned short columns, const std::string& line, const Words& environment = {}) {
  const TemporaryFolder folder;
  Words words = split(JACOBI_BINARY " " + line);
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  winsize size{};
  size.ws_row = 24;
  size.ws_col = columns;
  int terminal = -1;
  const pid_t pid = ::forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    ::setenv("JACOBI_CACHE", folder.path().c_str(), 1);
    ::setenv("TERM", "xterm", 1);
    ::unsetenv("NO_COLOR");
    for (const std::string& setting : environment) ::putenv(const_cast<char*>(setting.c_str()));
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  std::string shown;
  char buffer[4096];
  for (ssize_t count; (count = ::read(terminal, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR);)
    if (count > 0) shown.append(buffer, static_cast<std::size_t>(count));
  ::close(terminal);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << shown;
  return shown;
}

const std::string renewed = "\r\033[K";
const std::string slow_solve =
    "poisson --method plain --points 300 --rtol 1e-14 --check-every 100 --max-seconds 1.3";

/// What stood on the line that is renewed, one after the other.
std::vector<std::string> lines_renewed(const std::string& shown) {
  std::vector<std::string> lines;
  for (std::size_t at = shown.find(renewed); at != shown.npos; at = shown.find(renewed, at + 1)) {
    const std::size_t begin = at + renewed.size();
    const std::size_t end = std::min(shown.find('\r', begin), shown.size());
    if (end > begin && shown.compare(begin, 8, "stagnate") != 0)
      lines.push_back(shown.substr(begin, end - begin));
  }
  std::erase_if(lines,
                [](const std::string& line) { return !contains(line, "sweep") || contains(line, "limit"); });
  return lines;
}

TEST(CliTerminal, ShowsAsMuchOfTheProgressAsItsWidthHolds) {
  for (const unsigned short columns : {60, 200}) {
    const std::string shown = on_terminal(columns, slow_solve);
    const std::vector<std::string> lines = lines_renewed(shown);
    ASSERT_GE(lines.size(), 2U) << shown;
    for (const std::string& line : lines) {
      EXPECT_LT(line.size(), columns) << line;
      EXPECT_PRED2(contains, line, "norm");
      EXPECT_EQ(line.find('\n'), line.npos);
    }
    const auto tells = [&](const std::string& word) {
      return std::ranges::any_of(lines, [&](const std::string& line) { return contains(line, word); });
    };
    EXPECT_EQ(tells("contraction"), columns == 200);
  }
}

TEST(CliTerminal, TellsItsWidthByColumnsWhereTheTerminalDoesNot) {
  for (const std::string& line : lines_renewed(on_terminal(0, slow_solve, {"COLUMNS=40"})))
    EXPECT_LT(line.size(), 40U) << line;
}

TEST(CliTerminal, HasColoursUnlessTheyAreNotWanted) {
  const std::string line = "poisson --points 20";
  EXPECT_PRED2(contains, on_terminal(80, line), "\033[32mconverged after");
  EXPECT_PRED2(contains, on_terminal(80, line + " --max-sweeps 0"), "\033[31mnot converged");
  for (const char* setting : {"NO_COLOR=1", "TERM=dumb"})
    EXPECT_FALSE(contains(on_terminal(80, line, {setting}), "\033[3")) << setting;
  EXPECT_PRED2(contains, on_terminal(80, line, {"NO_COLOR="}), "\033[32m") << "empty counts as not set";
  EXPECT_FALSE(contains(jacobi(split(line)).out, "\033")) << "piped";
}

TEST(CliProgress, ComesInLinesWherePlainIsAskedFor) {
  const Result r = jacobi(split(slow_solve + " --progress plain:0.3"));
  std::istringstream in(r.err);
  int lines = 0;
  for (std::string line; std::getline(in, line); ++lines) {
    EXPECT_PRED2(contains, line, "norm");
    EXPECT_PRED2(contains, line, "after");
    EXPECT_EQ(line.find('\r'), line.npos);
  }
  EXPECT_GE(lines, 2);
  EXPECT_EQ(jacobi(split(slow_solve)).err, "");
  EXPECT_EQ(jacobi(split(slow_solve + " --progress plain:0.3 --quiet")).err, "");
  EXPECT_FALSE(contains(on_terminal(80, slow_solve + " --progress none"), renewed));
}

/// A terminal that cannot take a line back gets the lines of a pipe.
TEST(CliProgress, RenewsNoLineOnADumbTerminal) {
  EXPECT_PRED2(contains, on_terminal(80, slow_solve), renewed);
  for (const char* setting : {"TERM=dumb", "TERM="})
    EXPECT_FALSE(contains(on_terminal(80, slow_solve, {setting}), renewed)) << setting;
  const std::string lines = on_terminal(80, slow_solve + " --progress plain:0.3", {"TERM=dumb"});
  EXPECT_FALSE(contains(lines, "\033")) << lines;
  EXPECT_PRED2(contains, lines, "norm");
}

TEST(CliProgress, RefusesWhatItIsNot) {
  for (const std::string word : {"bar", "plain:", "plain:0", "plain:x"}) {
    const Result r = jacobi(split("poisson --points 8 --progress " + word));
    EXPECT_EQ(r.code, 2) << word;
    EXPECT_PRED2(contains, r.err, "--progress '" + word + "'");
  }
}

}  // namespace
}  // namespace jacobi::cli_test
