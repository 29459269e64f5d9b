/// A dry run of a large grid, which is not made.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

TEST(CliDryRun, MakesNoGridOfTheProblemsSize) {
  for (const std::string more : {"", " --method plain", " --diffusion 1+x", " --precision float"}) {
    const Result r = jacobi(split("poisson --points 4001 --dry-run --json -" + more));
    ASSERT_EQ(r.code, 0) << r.err;
    const json told = json::parse(r.out);
    EXPECT_EQ(told["unknowns"], 3999 * 3999);
    EXPECT_GT(told["memory_bytes"].get<double>(), 3 * 3999.0 * 3999 * (contains(more, "float") ? 4 : 8));
    EXPECT_LT(r.peak, 150e6) << more;
    EXPECT_PRED2(contains, told["notes"].dump(), "the grid itself was not made");
  }
  const Result copies =
      jacobi(split("poisson --dim 1 --points 500 --copies 100000 --method plain --dry-run"));
  EXPECT_LT(copies.peak, 150e6);
}

/// Where coefficients of the samples add up to rounding, that is no reaction.
TEST(CliDryRun, FindsNoReactionWhereNoneIsGiven) {
  for (const char* points : {"65", "600", "3000"})
    for (const std::string more : {"", " --precision float"}) {
      const Result r = jacobi(split(
          "poisson --bc x=neumann:0,y=neumann:0 --rhs cos(pi*x) --dry-run --points " + (points + more)));
      EXPECT_EQ(r.code, 0) << r.err;
    }
}

/// What is told from samples is what the whole grid has.
TEST(CliDryRun, TellsWhatTheWholeGridHas) {
  for (const std::string problem :
       {"--points 601", "--points 601 --boundary 1+x*y --rhs 0", "--points 601 --rhs exp(x)*y --boundary x",
        "--points 73x73x73 --rhs x*y*z"}) {
    const json dry = report_of("poisson --dry-run " + problem);
    const json solved = report_of("poisson " + problem);
    EXPECT_PRED2(contains, dry["notes"].dump(), "the grid itself was not made");
    const double told = dry["tolerance"], is = solved["tolerance"];
    EXPECT_NEAR(told / is, 1, 0.05) << problem;
    const double sweeps = solved["sweeps"], predicted = dry["predicted_sweeps"];
    EXPECT_LE(std::abs(predicted - sweeps), 0.5 * sweeps) << problem;
  }
}

/// Where coefficients jump, cycles are those of the grid itself, for coarser grids hold the jump elsewhere.
TEST(CliDryRun, CountsCyclesWhereCoefficientsJump) {
  int handed_over = 0;
  for (const std::string k :
       {"1+99*(x>0.5)", "1+999*(x>y)", "1+9999*((x-0.5)^2+(y-0.5)^2<0.1)", "2+sin(6*x)"})
    for (const std::string points : {"129", "600"}) {
      const std::string problem = "--points " + points + " --diffusion " + k;
      const json dry = report_of("poisson --dry-run " + problem), solved = report_of("poisson " + problem);
      const double sweeps = solved["sweeps"], predicted = dry["predicted_sweeps"];
      EXPECT_LE(std::abs(predicted - sweeps), 0.35 * sweeps) << problem;
      const bool goes_on = contains(dry["notes"].dump(), "then goes on");
      EXPECT_EQ(goes_on, contains(solved["notes"].dump(), "went on from its iterate")) << problem;
      handed_over += goes_on;
    }
  EXPECT_GT(handed_over, 0) << "nothing was left to another method, so that nothing was compared";
}

TEST(CliDryRun, HasTheRadiusOfTheWholeGrid) {
  const json dry = report_of("poisson --points 1001 --method plain --dry-run");
  EXPECT_TRUE(dry["spectral_radius_exact"]);
  EXPECT_NEAR((1 - dry["spectral_radius"].get<double>()) / (1 - std::cos(M_PI / 1000)), 1, 1e-6);
}

}  // namespace
}  // namespace jacobi::cli_test
