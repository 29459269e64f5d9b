/// --method cg, bicgstab and anderson from the command line, and on the real matrices.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "shared_folder.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;
using test::shared_matrix;

TEST(CliAccelerated, SolvesPoissonWithTheSameKeysInTheReport) {
  const json plain = report_of("poisson --points 33 --method plain");
  for (const std::string method : {"cg", "bicgstab", "anderson"}) {
    const json r = report_of("poisson --points 33 --exact x --method " + method);
    EXPECT_EQ(r["status"], "converged");
    EXPECT_EQ(r["method"], method);
    EXPECT_LT(r["sweeps"].get<int>(), plain["sweeps"].get<int>() / 5);
    EXPECT_LE(r["residual_norm"].get<double>(), r["tolerance"].get<double>());
    EXPECT_EQ(r["tolerance"], plain["tolerance"]);
    EXPECT_TRUE(r["fraction_of_limit"].is_null());
    for (const auto& [key, value] : plain.items()) EXPECT_TRUE(r.contains(key)) << key;
    EXPECT_EQ(r.size(), plain.size());
  }
}

/// A first step that raises the residual ten thousand times is no reason to begin again with the same one.
TEST(CliAccelerated, BicgstabGetsOverAResidualThatGrows) {
  for (const char* problem : {"--dim 1 --points 17 --domain 0:0.5 --bc x=periodic --reaction x^2",
                              "--points 33 --bc x=neumann:0,y=neumann:0 --reaction 0.01"}) {
    const json r =
        report_of(std::string("poisson --rhs 1 --diffusion 1+99*(x>0.4) --method bicgstab ") + problem);
    EXPECT_EQ(r["status"], "converged") << problem;
    EXPECT_LE(r["residual_norm"], r["tolerance"]);
  }
}

TEST(CliAccelerated, ALongStepToASolutionFarAwayIsNoDivergence) {
  const TemporaryFolder folder;
  std::ofstream(folder / "A.mtx")
      << "%%MatrixMarket matrix array real general\n2 2\n1\n.99999999\n.99999999\n1\n";
  std::ofstream(folder / "b.mtx") << "%%MatrixMarket matrix array real general\n2 1\n1\n0\n";
  for (const std::string method : {"cg", "bicgstab", "anderson", "auto"}) {
    const Result r = jacobi_in(folder, split("solve A.mtx b.mtx --norm update --json - --method " + method));
    EXPECT_EQ(json::parse(r.out)["status"], "converged") << method;
  }
}

TEST(CliAccelerated, TellsNoContractionOfAnIterateThatWasPutBack) {
  const json r = report_of("poisson --points 64 --method bicgstab --max-sweeps 3");
  EXPECT_EQ(r["norm_final"], r["norm_initial"]);
  EXPECT_TRUE(r["contraction"].is_null());
}

/// A schedule's rounding lets the norm jump by a hundredth while it falls by less from check to check.
TEST(CliAccelerated, ASlowFallUnderJumpsIsNoStagnation) {
  const json r = report_of(
      "poisson --dim 1 --points 12 --domain 0.0:10.0 --bc x=periodic --rhs sin(5*x) --diffusion 1+99*(x>0.4) "
      "--reaction 0.0001+0*x --method scheduled --period 8");
  EXPECT_EQ(r["status"], "converged");
}

/// Cycles stand at twice the tolerance; conjugate gradients with cycles meet it.
TEST(CliAccelerated, GoesOnWhereTheToleranceIsNear) {
  const json r = report_of("poisson --points 257 --precision float --rtol 8e-4");
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["method"], "cg");
}

TEST(CliAccelerated, TakesAndersonsOptions) {
  const json r = report_of("poisson --points 33 --method anderson --depth 20 --period 4 --omega 0.7");
  EXPECT_EQ(r["status"], "converged");
  EXPECT_PRED2(contains, r["plan"], "depth 20, period 4, omega 0.7");
}

TEST(CliAccelerated, PredictsOnlyWhatHasARate) {
  const json cg = report_of("poisson --points 65 --method cg --dry-run");
  const json solved = report_of("poisson --points 65 --method cg");
  EXPECT_GE(cg["predicted_sweeps"].get<double>(), solved["sweeps"].get<double>());
  EXPECT_LE(cg["predicted_sweeps"].get<double>(), 4 * solved["sweeps"].get<double>());
  const json other = report_of("poisson --points 65 --method bicgstab --dry-run");
  EXPECT_TRUE(other["predicted_sweeps"].is_null());
  EXPECT_TRUE(other["spectral_radius"].is_null());
  const Result text = jacobi(split("poisson --points 65 --method anderson --dry-run"));
  EXPECT_EQ(text.code, 0);
  EXPECT_PRED2(contains, text.out, "no prediction of sweeps: the method follows the right-hand side");
}

TEST(CliAccelerated, SolvesForSeveralRightHandSidesOneAfterTheOther) {
  const TemporaryFolder folder;
  std::vector<double> a(25, 0.1);
  for (std::size_t i = 0; i < 5; ++i) a[6 * i] = static_cast<double>(2 + i);
  io::write_npy<double>(folder / "A.npy", a, std::vector<std::size_t>{5, 5});
  for (const std::string method : {"cg", "bicgstab", "anderson"}) {
    const Result r = jacobi_in(folder, split("solve A.npy --rhs-count 3 --json - --method " + method));
    EXPECT_EQ(r.code, 0) << r.err;
    const json report = json::parse(r.out);
    EXPECT_EQ(report["columns"].size(), 3U);
    EXPECT_LT(report["error_max"].get<double>(), 1e-6);
    EXPECT_TRUE(report["error_bound"].is_null());
    EXPECT_PRED2(contains, report["notes"].dump(), "one after the other");
  }
}

TEST(CliAccelerated, RefusesOptionsThatDoNotGoTogether) {
  const TemporaryFolder folder;
  std::ofstream(folder / "A.mtx")
      << "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 2\n";
  io::write_npy<double>(folder / "D.npy", std::vector<double>{2, 1, 1, 2}, std::vector<std::size_t>{2, 2});
  struct Bad {
    const char* line;
    int code;
    const char* says;
  };
  for (const Bad& bad :
       {Bad{"poisson --points 9 --method cg --rung textbook", 2, "goes without a rung"},
        {"poisson --points 9 --method cg --tile 4x4", 2, "--tile goes with sweeps of known weights"},
        {"poisson --points 9 --method cg --depth 3", 2, "--depth goes with --method anderson"},
        {"poisson --points 9 --method cg --omega 0.5", 2, "--omega goes with --method weighted or anderson"},
        {"poisson --points 9 --method bicgstab --period 3", 2,
         "--period goes with --method scheduled or anderson"},
        {"poisson --points 9 --method anderson --depth 40", 2, "Anderson's depth 40"},
        {"poisson --points 9 --method anderson --period 0", 2, "Anderson's period 0"},
        {"solve A.mtx --method cg", 3, "A.mtx: method cg is for symmetric matrices"},
        {"solve A.mtx --method cg --period 2", 2, "--period goes with --method scheduled or anderson"},
        {"solve A.mtx --method plain --depth 2", 2, "--depth goes with --method anderson"},
        {"solve A.mtx --method bicgstab --rung threads", 2, "goes without a rung"},
        {"solve D.npy --method cg --matrix-precision bf16", 2, "stored narrower"}}) {
    const Result r = jacobi_in(folder, split(bad.line));
    EXPECT_EQ(r.code, bad.code) << bad.line << ": " << r.err;
    EXPECT_PRED2(contains, r.err, bad.says) << bad.line;
  }
}

TEST(CliAccelerated, SaysWhyAMethodBrokeDown) {
  const TemporaryFolder folder;
  std::ofstream(folder / "A.mtx")
      << "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 2\n2 2 1\n";
  std::ofstream(folder / "b.mtx") << "%%MatrixMarket matrix array real general\n2 1\n1\n-1\n";
  const Result r = jacobi_in(folder, split("solve A.mtx b.mtx --method cg"));
  EXPECT_EQ(r.code, 1);
  EXPECT_PRED2(contains, r.out, "broke down after 0 sweeps: method cg cannot go on");
  EXPECT_PRED2(contains, r.out, "A is not definite; take bicgstab or anderson");
}

using SharedAccelerated = test::OnSharedData<>;

json solved_matrix(const std::string& file, const std::string& method) {
  return report_of("solve " + shared_matrix(file) + " --method " + method);
}

/// b = A times ones: as many digits as the condition leaves.
TEST_F(SharedAccelerated, SolvesWherePlainJacobiDiverges) {
  for (const std::string method : {"bicgstab", "anderson"})
    for (const char* file : {"cage5", "ani1"}) {
      const json r = solved_matrix(file, method);
      EXPECT_EQ(r["status"], "converged") << file << ' ' << method;
      EXPECT_EQ(r["verdict"], "diverges") << file;
      EXPECT_LT(r["error_max"].get<double>(), 1e-6) << file << ' ' << method;
      EXPECT_LT(r["sweeps"].get<int>(), 60) << file << ' ' << method;
    }
  EXPECT_LT(solved_matrix("ani1", "cg")["sweeps"].get<int>(), 40);  // symmetric up to rounding
  const Result refused = jacobi(split("solve " + shared_matrix("cage5") + " --method cg"));
  EXPECT_EQ(refused.code, 3);
  EXPECT_PRED2(contains, refused.err, "entry (1, 2) is 0.109967, entry (2, 1) is 0.0600221");
}

TEST_F(SharedAccelerated, SolvesInHundredsWhatPlainJacobiNeedsMillionsFor) {
  for (const char* file : {"1138_bus", "isai_spd", "bcsstk13"}) {
    const json advised = report_of("solve " + shared_matrix(file));
    EXPECT_PRED2(contains, advised["notes"].dump(), "method auto: ") << file;
    EXPECT_PRED2(contains, advised["notes"].dump(), "take less time") << file;
    EXPECT_EQ(advised["method"], "cg") << file;
    EXPECT_EQ(advised["status"], "converged") << file;
  }
  const json cg = solved_matrix("1138_bus", "cg");
  EXPECT_EQ(cg["status"], "converged");
  EXPECT_LT(cg["sweeps"].get<int>(), 1100);
  EXPECT_LT(cg["error_max"].get<double>(), 1e-4);
  for (const char* file : {"isai_spd", "bcsstk13"}) {
    const json r = solved_matrix(file, "cg");
    EXPECT_EQ(r["status"], "converged") << file;
    EXPECT_LT(r["sweeps"].get<int>(), 2000) << file;
  }
}

TEST_F(SharedAccelerated, SolvesRowsOverThirtyPowersOfTen) {
  for (const std::string method : {"bicgstab", "anderson"}) {
    const json r = solved_matrix("temp", method);
    EXPECT_EQ(r["status"], "converged") << method;
    EXPECT_LT(r["error_max"], 1e-4) << method;
    EXPECT_LT(r["backward_error"], 1e-6) << method;
  }
}

TEST_F(SharedAccelerated, SaysInWordsWhatItCannotDo) {
  for (const std::string method : {"bicgstab", "anderson"}) {
    const json r = solved_matrix("temp", method + " --rtol 1e-17");
    EXPECT_EQ(r["status"], "stagnated") << method;
    EXPECT_PRED2(contains, r["notes"].dump(), "rounding in double can hold this norm up to about");
  }
}

}  // namespace
}  // namespace jacobi::cli_test
