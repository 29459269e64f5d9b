/// --method multigrid and what goes with it.
#include <gtest/gtest.h>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

TEST(CliMultigrid, ReportsCyclesAndWork) {
  const auto full = report_of("poisson --points 129 --method multigrid");
  EXPECT_EQ(full["status"], "converged");
  EXPECT_EQ(full["method"], "multigrid");
  EXPECT_EQ(full["rung"], "multigrid");
  EXPECT_EQ(full["sweeps"], 3 * full["cycles"].get<long>());
  EXPECT_GT(full["work"], full["sweeps"]);
  EXPECT_TRUE(full["redundant_work"].is_null());
  EXPECT_PRED2(contains, full["plan"].dump(),
               "V(2,1) cycles on 7 grids, from 16129 unknowns to 1, the first one full");
  const auto w = report_of(
      "poisson --points 129 --method multigrid --cycle w --smoothing 1,2 --smoother weighted --omega 0.7");
  EXPECT_EQ(w["status"], "converged");
  EXPECT_PRED2(contains, w["plan"].dump(), "W(1,2)");
  EXPECT_TRUE(report_of("poisson --method plain --points 20")["work"].is_null());
  const Result text = jacobi(split("poisson --points 65 --method multigrid --cycle v"));
  EXPECT_EQ(text.code, 0);
  EXPECT_PRED2(contains, text.out, "in all grids the work of");
}

TEST(CliMultigrid, PredictsWhatItTakes) {
  const Result r = jacobi(split("poisson --points 129 --method multigrid --dry-run"));
  EXPECT_EQ(r.code, 0);
  EXPECT_PRED2(contains, r.out, "usual for a Laplacian");
}

TEST(CliMultigrid, TellsItsMemory) {
  const auto memory = [](const std::string& options) {
    return report_of("poisson --points 257 --dry-run " + options)["memory_bytes"].get<double>();
  };
  EXPECT_GT(memory("--method multigrid"),
            memory("--method plain --rung simd"));  // peaks themselves: tests/long/memory_told_test.cpp
}

TEST(CliMultigrid, RefusesWhatDoesNotGoTogether) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--method multigrid --smoothing 2", "with a comma"},
      {"--method multigrid --smoothing 2,x", "not a whole number"},
      {"--method multigrid --smoothing 2,0", "1 to 64 after"},
      {"--method multigrid --cycle u", "--cycle"},
      {"--method multigrid --omega 0.8", "--smoother weighted"},
      {"--method multigrid --rung simd", "--rung simd"},
      {"--method multigrid --tile 8x8", "--tile goes with sweeps of one grid"},
      {"--cycle v", "goes with --method multigrid"},
      {"--method plain --smoothing 2,1", "goes with --method multigrid"},
  };
  for (const auto& [options, words] : wrong) {
    const Result r = jacobi(split(std::string("poisson --points 33 ") + options));
    EXPECT_EQ(r.code, 2) << options;
    EXPECT_PRED2(contains, r.err, words);
  }
}

}  // namespace
}  // namespace jacobi::cli_test
