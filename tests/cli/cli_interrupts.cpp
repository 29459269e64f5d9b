/// Ctrl-C before there is an iterate, and while a benchmark runs.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

/// Whether it comes while sweeps are prepared or while they are made, what is asked for is written.
TEST(CliInterrupt, WhileSweepsArePreparedLeavesTheFiles) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder;
    const auto start = [&] {
      EXPECT_EQ(folder.files(), 0U);  // nor did one that was stopped too soon leave any
      return Process(JACOBI_BINARY, split("poisson --points 1500 --rtol 1e-14 -o x.npy --json r.json"),
                     folder.path());
    };
    const Result r = interrupted_solve(signal, start, [] { return true; });
    const json report = json::parse(content(folder / "r.json"));
    if (report["status"] == "interrupted") EXPECT_EQ(r.code, 130);
    EXPECT_EQ(io::read_npy(folder / "x.npy").shape, (std::vector<std::size_t>{1500, 1500}));
  }
}

/// A shell lets jobs in the background ignore Ctrl-C, which is for the one in front.
TEST(CliInterrupt, IsIgnoredWhereItWasWhenTheProgramBegan) {
  const TemporaryFolder folder;
  const Result r = shell_in(folder, "trap '' INT; '" JACOBI_BINARY
                                    "' poisson --points 300 --method plain --max-seconds 1 --json r.json & "
                                    "sleep 0.4; kill -INT $!; wait $!");
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_EQ(json::parse(content(folder / "r.json"))["status"], "time_limit");
}

TEST(CliInterrupt, OfABenchmarkKeepsWhatWasMeasured) {
  const TemporaryFolder folder;
  std::string out;
  for (double computed = 0.7; !std::filesystem::exists(folder / "b.json");
       computed *= 2) {  // beside others it takes longer
    ASSERT_LT(computed, 30);
    Process p(JACOBI_BINARY,
              split("bench stencil --points 60 --rungs simd --threads 1 --repeat 1000 --seconds 0.02 --json "
                    "b.json"),
              folder.path());
    ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
    ASSERT_TRUE(p.wait_until_it_has_computed(computed));
    p.send(SIGINT);
    const Result r = p.wait();
    ASSERT_EQ(r.code, 130) << r.err;
    out = r.out;
    if (!std::filesystem::exists(folder / "b.json"))
      EXPECT_PRED2(contains, r.err, "nothing was measured yet: no file was written");
  }
  const json bench = json::parse(content(folder / "b.json"));
  ASSERT_EQ(bench["rows"].size(), 2U);
  const std::size_t runs = bench["rows"][1]["lups_runs"].size();
  EXPECT_GE(runs, 1U);
  EXPECT_LT(runs, 1000U);
  EXPECT_PRED2(contains, out, "stopped after " + std::to_string(runs) + " of 1000 runs");
  EXPECT_PRED2(contains, out, "; not finished: run ");
  EXPECT_PRED2(contains, bench["unfinished"], " of 1000: ");
}

/// Those runs of a row that were made, and which row was not finished.
TEST(CliInterrupt, OfMethodsKeepsTheRunsOfARow) {
  for (double computed = 0.5;; computed *= 2) {
    ASSERT_LT(computed, 30);
    const TemporaryFolder folder;
    Process p(JACOBI_BINARY,
              split("bench methods --points 100 --methods cg --threads 1 --repeat 1000 --json b.json"),
              folder.path());
    ASSERT_TRUE(p.wait_until_it_handles(SIGINT));
    if (!p.wait_until_it_has_computed(computed)) continue;
    p.send(SIGTERM);
    const Result r = p.wait();
    if (!std::filesystem::exists(folder / "b.json")) continue;
    ASSERT_EQ(r.code, 130) << r.err;
    const json row = json::parse(content(folder / "b.json"))["rows"][0];
    EXPECT_PRED2(contains, r.out,
                 "stopped after " + std::to_string(row["seconds_runs"].size()) + " of 1000 runs");
    EXPECT_PRED2(contains, r.out, "; not finished: cg on 1 thread\n");
    return;
  }
}

/// Long before anything of it is measured.
TEST(CliInterrupt, OfAReproductionIsAnsweredAtItsStart) {
  for (const std::string which : {"islam-wang --short", "islam-wang --short --dim 2", "loiseau", "apple"}) {
    const TemporaryFolder folder;
    Process p(JACOBI_BINARY, split("reproduce " + which), folder.path());
    ASSERT_TRUE(p.wait_until_it_handles(SIGINT)) << which;
    ASSERT_TRUE(p.wait_until_it_has_computed(0.1)) << which;
    const auto begin = std::chrono::steady_clock::now();
    p.send(SIGTERM);
    EXPECT_EQ(p.wait().code, 130) << which;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(took.count(), 1) << which << ": 0.2 s, and what other programs take";
  }
}

/// Of what measures several things one after the other, those that came to their end.
TEST(CliInterrupt, OfMethodsAndReproductionsKeepsWhatWasMeasured) {
  for (const std::string line :
       {"bench methods --points 200 --methods cg,plain,anderson,bicgstab --max-seconds 60 --repeat 9",
        "reproduce loiseau --short", "reproduce apple --max-n 4096", "reproduce islam-wang --short --dim 1",
        "bench amg --unknowns 20000", "bench shared --busy 0 --threads 2"}) {  // all, which takes long
    const TemporaryFolder folder;
    Result r;
    for (double computed = 1.5; !std::filesystem::exists(folder / "b.json");
         computed *= 2) {  // beside others longer
      ASSERT_LT(computed, 30) << line << r.err;
      Process p(JACOBI_BINARY, split(line + " --json b.json"), folder.path());
      ASSERT_TRUE(p.wait_until_it_handles(SIGINT)) << line;
      ASSERT_TRUE(p.wait_until_it_has_computed(computed)) << line;
      p.send(SIGINT);
      r = p.wait();
      ASSERT_EQ(r.code, 130) << line << r.err;
    }
    EXPECT_EQ(json::parse(content(folder / "b.json"))["interrupted"], true) << line;
    EXPECT_PRED2(contains, r.out, "interrupted: what was measured before is kept") << line;
    EXPECT_PRED2(contains, r.out, "wrote b.json") << line;
  }
}

}  // namespace
}  // namespace jacobi::cli_test
