/// `jacobi heat`: its report, files, ends and refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

/// A half wave on a small grid, whose solution is known.
Words heat(const std::string& more) {
  Words words = split("heat --points 33 --initial sin(pi*x)*sin(pi*y)");
  const Words rest = split(more);
  words.insert(words.end(), rest.begin(), rest.end());
  return words;
}
const std::string known = " --exact exp(-2*pi^2*t)*sin(pi*x)*sin(pi*y)";

json heat_report(const TemporaryFolder& folder, const std::string& more) {
  const Result r = jacobi_in(folder, heat(more + " --json -"));
  EXPECT_EQ(r.code, 0) << r.err;
  return json::parse(r.out);
}

TEST(CliHeat, FollowsAKnownSolutionByBothSchemes) {
  const TemporaryFolder folder;
  for (const char* scheme : {"--step 1e-3", "--step 1e-3 --theta 1", "--scheme explicit",
                             "--scheme explicit --precision float", "--step-tolerance 1e-6"}) {
    const json r = heat_report(folder, "--end 0.05 " + std::string(scheme) + known);
    EXPECT_EQ(r["schema"], 1);
    EXPECT_EQ(r["status"], "finished");
    EXPECT_NEAR(r["time"].get<double>(), 0.05, 1e-15);
    EXPECT_LT(r["error_max"].get<double>(), 5e-3) << scheme;
    EXPECT_GT(r["error_max"].get<double>(), 1e-6) << scheme;
    EXPECT_EQ(r["unknowns"], 31 * 31);
    EXPECT_GE(r["sweeps"].get<int>(), r["steps"].get<int>());
    EXPECT_GT(r["content_initial"].get<double>(), r["content_final"].get<double>());
    EXPECT_EQ(r["problem"]["end"], 0.05);
    EXPECT_TRUE(r["largest_explicit_step_exact"].get<bool>());
  }
  const Result r = jacobi_in(folder, heat("--end 0.05" + known));
  EXPECT_PRED2(contains, r.out, "100 steps of 0.0005");
  EXPECT_PRED2(contains, r.out, "reached t = 0.05 in 100 steps");
  EXPECT_PRED2(contains, r.out, "Crank-Nicolson");
  EXPECT_PRED2(contains, r.out, "heat content");
  EXPECT_PRED2(contains, r.out, "error against the known solution");
}

TEST(CliHeat, KeepsTheHeatOfAnInsulatedShape) {
  const TemporaryFolder folder;
  for (const char* scheme : {"--step 0.01", "--scheme explicit"}) {
    const Result made =
        jacobi_in(folder, split("heat --points 40 --bc x=neumann:0,y=periodic --mask (x-0.4)^2+(y-0.5)^2<0.1 "
                                "--mask-side neumann:0 --initial x --end 0.3 -o u.npy --json - " +
                                std::string(scheme)));
    ASSERT_EQ(made.code, 0) << made.err;
    const json r = json::parse(made.out);
    const double before = r["content_initial"], after = r["content_final"];
    EXPECT_NEAR(after, before, 1e-13 * before);
    const auto u = io::read_npy(folder / "u.npy");
    EXPECT_TRUE(std::isnan(u.values[0]));
    EXPECT_LT(r["u_max"].get<double>() - r["u_min"].get<double>(), 0.01);
  }
}

TEST(CliHeat, TakesEverySideAndDimension) {
  for (const char* problem :
       {"--dim 1 --points 50 --bc x-=robin:2,1,x+=neumann:1 --rhs x", "--points 9x8x7 --bc x=periodic",
        "--points 20x30 --diffusion 1+x --reaction y --boundary x*y",
        "--points 20 --bc x-=dirichlet:1~where~y<0.5;x-=neumann:0 --fix (x-0.5)^2+(y-0.5)^2<0.02 --fix-value "
        "3"}) {
    Words words = split("heat --end 0.01 --quiet --scheme explicit ");
    for (std::string word : split(problem)) {
      std::ranges::replace(word, '~', ' ');
      words.push_back(word);
    }
    EXPECT_EQ(jacobi(words).code, 0) << problem << jacobi(words).err;
    words[5] = "implicit";
    EXPECT_EQ(jacobi(words).code, 0) << problem << jacobi(words).err;
  }
}

TEST(CliHeat, WritesASeriesForParaView) {
  const TemporaryFolder folder;
  const Result r =
      jacobi_in(folder, heat("--end 0.01 --step 1e-3 --output-series s.pvd --every 4 --vti end.vti"));
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "wrote end.vti, s.pvd");
  const std::string list = content(folder / "s.pvd");
  for (const char* one : {"timestep=\"0\" part=\"0\" file=\"s_00.vti\"", "timestep=\"0.004\"",
                          "timestep=\"0.008\"", "timestep=\"0.01\" part=\"0\" file=\"s_10.vti\""})
    EXPECT_PRED2(contains, list, one);
  EXPECT_EQ(std::ranges::count(list, '\n'), 9);
  EXPECT_EQ(content(folder / "s_10.vti"), content(folder / "end.vti"));
  EXPECT_NE(content(folder / "s_00.vti"), content(folder / "s_04.vti"));
  EXPECT_EQ(folder.files(), 6U);
}

TEST(CliHeat, SaysBeforeARunWhatItTakes) {
  const TemporaryFolder folder;
  const Result r = jacobi_in(folder, heat("--end 0.1 --step 1e-3 --dry-run -o u.npy"));
  EXPECT_EQ(r.code, 0) << r.err;
  for (const char* part :
       {"100 steps of 0.001", "memory: ", "predicted: ", "largest stable explicit step: 0.0002"})
    EXPECT_PRED2(contains, r.out, part);
  EXPECT_PRED2(contains, r.out, "--dry-run solves nothing and does not write it");
  EXPECT_EQ(folder.files(), 0U);
  const json told = heat_report(folder, "--end 0.1 --scheme explicit --dry-run");
  const double most = told["largest_explicit_step"];
  EXPECT_NEAR(most, 2 / (8 * 32 * 32 * std::pow(std::cos(std::acos(-1) / 64), 2)), 1e-9);
  EXPECT_LE(told["step"].get<double>(), most);
  EXPECT_EQ(told["steps"], std::ceil(0.1 / most));
}

TEST(CliHeat, GoesOnAfterAnInterruptionWithTheSameBits) {
  for (const std::string scheme : {"--scheme explicit --end 5e-2", "--end 0.02 --step 1e-4"}) {
    const TemporaryFolder folder;
    const std::string run = "heat --points 300 --initial x*y --rhs 1 --quiet " + scheme;
    const std::string whole = run + " -o whole.npy", part = run + " --checkpoint c -o part.npy";
    Process p(JACOBI_BINARY, split(part), folder.path());
    ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
    ASSERT_TRUE(p.wait_until_it_has_computed(0.3));
    p.send(SIGINT);
    const Result ended = p.wait();
    EXPECT_EQ(ended.code, 130) << ended.err;
    EXPECT_FALSE(content(folder / "part.npy").empty());
    EXPECT_EQ(jacobi_in(folder, split(run + " --resume c --threads 1 -o resumed.npy")).code, 0);
    EXPECT_EQ(jacobi_in(folder, split(whole)).code, 0);
    EXPECT_EQ(content(folder / "whole.npy"), content(folder / "resumed.npy"));
    EXPECT_NE(content(folder / "whole.npy"), content(folder / "part.npy"));
  }
}

/// Whose steps take no sweep, each with a file of its own.
TEST(CliHeat, HearsASignalWhereNothingChanges) {
  const TemporaryFolder folder;
  Process p(JACOBI_BINARY,
            split("heat --points 200 --end 1 --step 1e-5 --output-series s.pvd --every 1 --json h.json"),
            folder.path());
  ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
  ASSERT_TRUE(p.wait_until_it_has_computed(0.3));
  const auto begin = std::chrono::steady_clock::now();
  p.send(SIGTERM);
  EXPECT_EQ(p.wait().code, 130);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(nlohmann::json::parse(content(folder / "h.json"))["status"], "interrupted");
}

TEST(CliHeat, EndsByTheTimeLimitWithItsStateAndSaysSo) {
  const TemporaryFolder folder;
  const Result r = jacobi_in(
      folder, split("heat --points 400 --initial x --end 1 --scheme explicit --max-seconds 0.2 -o u.npy"));
  EXPECT_EQ(r.code, 1);
  EXPECT_PRED2(contains, r.out, "the time limit was reached at t = ");
  EXPECT_FALSE(content(folder / "u.npy").empty());
}

/// One line each, which names the option and the cure; nothing is left.
TEST(CliHeat, RefusesWhatCannotBe) {
  struct Wrong {
    const char* words;
    int code;
    const char* says;
  };
  for (const Wrong& wrong : {
           Wrong{"", 2, "--end"},
           Wrong{"--end 0", 2, "--end"},
           Wrong{"--end x", 2, "--end"},
           Wrong{"--end 1 --step -1", 2, "--step"},
           Wrong{"--end 1 --step 1e-20", 2, "more than can be counted"},
           Wrong{"--end 1 --scheme euler", 2, "--scheme"},
           Wrong{"--end 1 --scheme explicit --step 1e-3", 2, "at most is stable here (2 / lambda_max, exact"},
           Wrong{"--end 1 --scheme explicit --step 1e-3 --diffusion 1+x", 2, "Gershgorin"},
           Wrong{"--end 1 --scheme explicit --theta 0.5", 2, "--theta goes with --scheme implicit"},
           Wrong{"--end 1 --theta 0.4", 2, "--theta 0.4: from 0.5 (Crank-Nicolson)"},
           Wrong{"--end 1 --scheme explicit --step-tolerance 1e-3", 2, "--step-tolerance goes with"},
           Wrong{"--end 1 --step-tolerance 2", 2, "--step-tolerance 2: below 1"},
           Wrong{"--end 1 --rtol 1", 2, "--rtol 1: below 1"},
           Wrong{"--end 1 --rung tiled", 2, "--rung goes with --scheme explicit"},
           Wrong{"--end 1 --scheme explicit --rung fastest", 2, "fastest"},
           Wrong{"--end 1 --every 3", 2, "--every goes with --output-series"},
           Wrong{"--end 1 --output-series s.vti", 2, "only .pvd can be written"},
           Wrong{"--end 1 --output-series no/such/s.pvd", 3, "no/such"},
           Wrong{"--end 1 --checkpoint-every 3s", 2, "--checkpoint FOLDER"},
           Wrong{"--end 1 --rhs t*x", 2, "f, k, c and sides are constant in time"},
           Wrong{"--end 1 --bc x-=dirichlet:t", 2, "constant in time"},
           Wrong{"--end 1 --initial t", 2, "t is the time"},
           Wrong{"--end 1 --exact exp(-t)*w", 2, "'w' is not known"},
           Wrong{"--end 1 --reaction -1", 3, "--reaction"},
           Wrong{"--end 1 --method cg", 2, "unknown option '--method'"},
           Wrong{"--end 1 --backend none", 2, "none"},
       }) {
    const TemporaryFolder folder;
    const Result r =
        jacobi_in(folder, split("heat --points 20 -o u.npy --json r.json " + std::string(wrong.words)));
    EXPECT_EQ(r.code, wrong.code) << wrong.words << ": " << r.err;
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << wrong.words << ": " << r.err;
    EXPECT_PRED2(contains, r.err, wrong.says) << wrong.words;
    EXPECT_EQ(folder.files(), 0U) << wrong.words;
  }
}

}  // namespace
}  // namespace jacobi::cli_test
