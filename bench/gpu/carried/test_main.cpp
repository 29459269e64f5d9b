/// Runs the registered tests: [--filter=PATTERN[:PATTERN...][-PATTERN...]] [--list]; * stands for anything.
/// Exit status 0: all that ran passed, and some ran.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <string_view>

#include "gtest/gtest.h"

namespace testing {

Outcome& outcome() {
  static Outcome one;
  return one;
}
std::vector<Registered>& registered() {
  static std::vector<Registered> all;
  return all;
}
void Failure::operator=(const Message& more) const {
  ++outcome().failures;
  std::printf("%s:%d: failure: %s %s\n", file, line, what.c_str(), more.text().c_str());
}

namespace {

bool matches(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern[0] == '*')
    return matches(pattern.substr(1), name) || (!name.empty() && matches(pattern, name.substr(1)));
  return !name.empty() && pattern[0] == name[0] && matches(pattern.substr(1), name.substr(1));
}
bool any_matches(std::string_view patterns, std::string_view name) {
  while (!patterns.empty()) {
    const std::size_t colon = patterns.find(':');
    if (matches(patterns.substr(0, colon), name)) return true;
    patterns = colon == patterns.npos ? "" : patterns.substr(colon + 1);
  }
  return false;
}

/// The test's outcome; an exception is a failure.
Outcome run(const Registered& one) {
  outcome() = {};
  try {
    const auto test = one.make();
    test->SetUp();
    if (outcome().skipped.empty() && outcome().failures == 0) test->TestBody();
    test->TearDown();
  } catch (const std::exception& error) {
    ++outcome().failures;
    std::printf("%s: exception: %s\n", one.name.c_str(), error.what());
  }
  return outcome();
}

}  // namespace
}  // namespace testing

int main(int count, char** words) {
  std::string wanted = "*", unwanted;
  bool list = false;
  for (const std::string_view word : std::vector<std::string_view>(words + 1, words + count)) {
    if (word == "--list") {
      list = true;
    } else if (word.starts_with("--filter=")) {
      const std::string_view filter = word.substr(9);
      const std::size_t minus = filter.find('-');
      wanted = minus == 0 ? "*" : filter.substr(0, minus);
      unwanted = minus == filter.npos ? "" : filter.substr(minus + 1);
    } else {
      std::fprintf(stderr, "usage: %s [--filter=PATTERN] [--list]\n", words[0]);
      return 2;
    }
  }
  int ran = 0, failed = 0, skipped = 0;
  for (const auto& one : testing::registered()) {
    if (!testing::any_matches(wanted, one.name) || testing::any_matches(unwanted, one.name)) continue;
    if (list) {
      std::printf("%s\n", one.name.c_str());
      continue;
    }
    const auto begin = std::chrono::steady_clock::now();
    const testing::Outcome result = testing::run(one);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    ++ran;
    failed += result.failures > 0;
    skipped += !result.skipped.empty();
    std::printf("%-8s %s (%.2f s)%s%s\n",
                result.failures > 0      ? "FAILED"
                : result.skipped.empty() ? "passed"
                                         : "skipped",
                one.name.c_str(), seconds.count(), result.skipped.empty() ? "" : ": ",
                result.skipped.c_str());
    std::fflush(stdout);
  }
  if (list) return 0;
  std::printf("%d tests: %d passed, %d failed, %d skipped\n", ran, ran - failed - skipped, failed, skipped);
  return failed == 0 && ran > skipped ? 0 : 1;
}
