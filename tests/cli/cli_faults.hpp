/// The command line with faults injected (tests/faults).
#pragma once
#include <algorithm>
#include <string>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {

/// With faults as the settings of tests/faults say.
inline Result faulty_in(const TemporaryFolder& folder, const std::string& line, Words settings) {
  settings.emplace_back("LD_PRELOAD=" JACOBI_FAULTS);
  return jacobi_in(folder, split(line), settings);
}

/// A system that every command takes, as A.mtx, b.mtx and bad.mtx.
inline void put_system(const TemporaryFolder& folder) {
  const std::string array = "%%MatrixMarket matrix array real general\n";
  io_test::put(
      folder / "A.mtx",
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 1 -1\n2 2 2\n3 2 -1\n3 3 2\n");
  io_test::put(folder / "b.mtx", array + "3 1\n1\n2\n3\n");
  io_test::put(folder / "bad.mtx", array + "3 1\n1\n2\nthree\n");
}

/// Runs the line once for every `step`-th allocation, which fails: the program ends by itself, without
/// memory, or as it would have, and says in a line why where it could not do what it was asked for.
inline void fail_each_allocation(const std::string& line, long first, long step, int code_without) {
  const TemporaryFolder folder, counts;
  put_system(folder);
  const std::string count = counts / "count";
  const Result whole = faulty_in(folder, line, {"JACOBI_FAIL_NEW=0", "JACOBI_COUNT_NEW=" + count});
  EXPECT_EQ(whole.code, code_without) << whole.err;
  const long all = std::stol(content(count));
  EXPECT_GT(all, 100) << "nothing was counted";
  for (long n = first; n <= all; n += step) {
    const Result r = faulty_in(folder, line, {"JACOBI_FAIL_NEW=" + std::to_string(n)});
    const bool refused = r.code == 2 || r.code == 3;  // a stream that lacks memory takes nothing for a number
    EXPECT_TRUE(r.code == code_without || r.code == 4 || refused) << line << ", " << n << ": " << r.code;
    if (r.code == 0) continue;
    EXPECT_TRUE(r.err.starts_with("jacobi: ")) << line << ", " << n << ": " << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << line << ", " << n << ": " << r.err;
  }
}

}  // namespace jacobi::cli_test
