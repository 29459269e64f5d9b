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

/// Chebyshev's weights diverge in the first three.
TEST(CliMultigrid, ConvergesInTilesThatDoNotOverlapEnough) {
  for (const char* problem :
       {"--dim 3 --points 17 --tile 8x8x8 --overlap 0", "--dim 3 --points 14x20x17 --tile 8x8x8 --overlap 0",
        "--points 65 --tile 8x1 --overlap 0", "--points 65 --tile 2x2",
        "--points 65 --tile 16x16 --overlap 0"}) {
    const json r = report_of(std::string("poisson --method multigrid ") + problem);
    EXPECT_EQ(r["status"], "converged") << problem;
    EXPECT_LE(r["cycles"].get<int>(), 20) << problem;
    EXPECT_PRED2(contains, r["notes"].dump(), "smoothed with one weight") << problem;
  }
  const json exact = report_of("poisson --method multigrid --points 65 --tile 8x8 --subiterations 100");
  EXPECT_FALSE(contains(exact["notes"].dump(), "exact from")) << exact["notes"];
  EXPECT_PRED2(contains, exact["plan"], "smoothed by 2 sweeps per cycle");
  EXPECT_FALSE(contains(
      report_of(
          "poisson --method multigrid --points 65 --tile 2x2 --smoother chebyshev --max-sweeps 3")["notes"]
          .dump(),
      "one weight"));
}

TEST(CliMultigrid, TellsItsMemory) {
  const auto memory = [](const std::string& options) {
    return report_of("poisson --points 257 --dry-run " + options)["memory_bytes"].get<double>();
  };
  const double vectors = 255.0 * 255 * 8, plain = memory("--method plain --rung simd"),
               cycles = memory("--method multigrid");
  EXPECT_GT(cycles, plain);  // peaks themselves: tests/long/memory_told_test.cpp
  EXPECT_GT(memory("--method multigrid --tile 8x8 --overlap 1"), cycles + vectors / 2);
}

TEST(CliMultigrid, RefusesWhatDoesNotGoTogether) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--method multigrid --smoothing 2", "with a comma"},
      {"--method multigrid --smoothing 2,x", "not a whole number"},
      {"--method multigrid --smoothing 2,0", "1 to 64 after"},
      {"--method multigrid --cycle u", "--cycle"},
      {"--method multigrid --omega 0.8", "--smoother weighted"},
      {"--method multigrid --rung simd", "--rung simd"},
      {"--method multigrid --tile auto", "with --method multigrid give a size"},
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
