/// What cannot be said, and memory that lacks, change no exit code and end nothing but the run.
#include <gtest/gtest.h>

#include <string>

#include "cli/cli_faults.hpp"

namespace jacobi::cli_test {
namespace {

/// By the shell, with stderr as `redirection` says; the exit code.
int code_of(const TemporaryFolder& folder, const std::string& line, const std::string& redirection) {
  const Result r = shell_in(folder, "'" JACOBI_BINARY "' " + line + " " + redirection);
  return r.code;
}

TEST(CliDiagnostics, ThatNobodyTakesChangeNoExitCode) {
  const TemporaryFolder folder;
  put_system(folder);
  const std::vector<std::pair<std::string, int>> lines = {
      {"", 2},
      {"poison", 2},
      {"poisson --bondary 1", 2},
      {"poisson --points 2", 2},
      {"poisson --points 8 --rhs x+foo", 2},
      {"poisson --points 8 --backend opencl:0 --method multigrid", 2},
      {"solve none.mtx", 3},
      {"solve A.mtx bad.mtx", 3},
      {"diagnose bad.mtx", 3},
      {"poisson --points 8 -o none/x.npy", 3},
      {"poisson --points 8 --backend cuda:7", 4},
      {"poisson --points 8", 0},
      {"solve A.mtx b.mtx --max-sweeps 1", 1},
      {"poisson --points 8 > /dev/full", 3},
  };
  for (const auto& [line, code] : lines)
    for (const char* redirection : {"2>&-", "2>/dev/full", "</dev/null 2>&- 3>&-"})
      EXPECT_EQ(code_of(folder, line, redirection), code) << line << " " << redirection;
}

TEST(CliDiagnostics, WithoutAReaderChangeNoExitCode) {
  const TemporaryFolder folder;
  for (const std::string line : {"poison", "poisson --points 2", "solve none.mtx"}) {
    const Result r = shell_in(folder, "{ sleep 0.2; '" JACOBI_BINARY "' " + line +
                                          " 2>&3; echo $? > code; } 3>&1 >/dev/null | true; "
                                          "while [ ! -s code ]; do sleep 0.05; done; cat code; rm code");
    EXPECT_EQ(r.out, line == "solve none.mtx" ? "3\n" : "2\n") << line;
  }
}

TEST(CliDiagnostics, NeverGoIntoAFileThatIsWritten) {
  const TemporaryFolder folder;
  const Result r = shell_in(folder, "'" JACOBI_BINARY
                                    "' poisson --points 8 --history h.csv --json j.json -o x.npy "
                                    ">&- 2>&- <&-");
  EXPECT_EQ(r.code, 3);  // standard output takes nothing
  EXPECT_TRUE(content(folder / "h.csv").starts_with("sweeps,norm\n"));
  EXPECT_EQ(nlohmann::json::parse(content(folder / "j.json"))["status"], "converged");
}

TEST(CliAllocations, ThatFailEndInALineAndNeverInASignal) {
  fail_each_allocation("poisson --points 8 --json j.json -o x.npy", 1, 311, 0);
  fail_each_allocation("solve A.mtx b.mtx --json j.json -o x.npy", 7, 701, 0);
  fail_each_allocation("poisson --bondary 1", 11, 701, 2);
}

}  // namespace
}  // namespace jacobi::cli_test
