/// --tile, --subiterations, --overlap, and the third source's experiment.
#include <gtest/gtest.h>

#include "cli/cli_process.hpp"
#include "jacobi/backend.hpp"

namespace jacobi::cli_test {
namespace {

const std::string source =
    "poisson --method plain --interior 256 --dim 1 --initial 1 --rtol 1e-4 --reference initial --check-every "
    "1";

TEST(CliTiling, CountsCyclesAndSweeps) {
  const auto plain = report_of(source);
  EXPECT_TRUE(plain["cycles"].is_null());
  EXPECT_TRUE(plain["redundant_work"].is_null());
  const auto exact = report_of(source + " --tile 32 --subiterations 8 --overlap 7");
  EXPECT_EQ(exact["cycles"], (plain["sweeps"].get<long>() + 7) / 8);
  EXPECT_EQ(exact["sweeps"], 8 * exact["cycles"].get<long>());
  EXPECT_EQ(exact["checks"], exact["cycles"]);
  EXPECT_EQ(exact["rung"], "hierarchical");
  EXPECT_GT(exact["redundant_work"], 0.5);
  EXPECT_PRED2(contains, exact["plan"].dump(),
               "8 sweeps per cycle in 14 tiles of 32, overlap 7 per side, exact");
  EXPECT_TRUE(exact["notes"].empty());
  EXPECT_PRED2(contains, report_of(source + " --tile 32 --subiterations 8 --overlap 6")["notes"].dump(),
               "exact from an overlap of 7 on");
  const auto schedule = report_of("poisson --points 129 --method scheduled --tile 16 --overlap 1 --dry-run");
  EXPECT_PRED2(contains, schedule["notes"].dump(), "may diverge on such tiles");
  const auto copies = report_of(source + " --copies 5 --tile 32 --subiterations 8 --overlap 7");
  EXPECT_EQ(copies["cycles"], exact["cycles"]);
  EXPECT_EQ(report_of(source + " --tile 256 --overlap 0 --subiterations 16")["cycles"],
            (plain["sweeps"].get<long>() + 15) / 16)
      << "one tile is exact";
}

TEST(CliTiling, TakesOneSizePerDirectionAndSaysTheRestInWords) {
  const Result r =
      jacobi(split("poisson --interior 40x30 --tile 16x8 --overlap 2x1 --subiterations 4 --max-sweeps 9"));
  EXPECT_PRED2(contains, r.out, "3 cycles");
  EXPECT_PRED2(contains, r.out, "tiles of 16 x 8, overlap 2 x 1 per side, not exact");
}

TEST(CliTiling, ThatCannotBeIsAUsageError) {
  const std::pair<const char*, const char*> wrong[] = {
      {"--tile 32 --overlap 16", "leaves a tile of 32"},
      {"--tile 32 --subiterations 0", "at least 1"},
      {"--tile 32 --subiterations -4", "at least 1"},
      {"--tile 0", "at least 1 unknown"},
      {"--tile -8", "at least 1 unknown"},
      {"--tile 8x8x8", "3 sizes for 2 dimensions"},
      {"--tile 8x8 --overlap 1x1x1", "3 sizes for 2 dimensions"},
      {"--tile 8 --overlap -1", "at least 0"},
      {"--tile eight", "not a whole number"},
      {"--tile 8 --rung simd", "give one of them"},
      {"--subiterations 4", "goes with --tile"},
      {"--overlap 4", "goes with --tile"},
      {"--tile 8 --bc x=periodic", "direction x is periodic"},
  };
  for (const auto& [options, words] : wrong) {
    const Result r = jacobi(split(std::string("poisson --interior 70 ") + options));
    EXPECT_EQ(r.code, 2) << options;
    EXPECT_PRED2(contains, r.err, words) << options;
  }
}

TEST(CliTiling, ReproducesTheSourceInShort) {
  const TemporaryFolder folder;
  const Words words = split("reproduce islam-wang --short --dim 1 --max-overlap 4 --threads 1 --json -");
  const auto json = nlohmann::json::parse(jacobi_in(folder, words).out);
  ASSERT_EQ(json["tables"].size(), 1U);
  const auto& table = json["tables"][0];
  EXPECT_EQ(table["runs"].size(), 18U);
  EXPECT_EQ(table["copies"], 256);
  for (const auto& run : table["runs"]) EXPECT_GT(run["seconds"], 0);
  ASSERT_GE(json["claims"].size(), 6U);
  EXPECT_TRUE(json["claims"][0]["held"]) << json["claims"][0];
  EXPECT_TRUE(json["claims"][1]["held"].is_null()) << "too few overlaps to judge";
}

TEST(CliTiling, ReproductionSaysWhatIsWrong) {
  EXPECT_EQ(jacobi(split("reproduce islam-wang --dim 3")).code, 2);
  EXPECT_EQ(jacobi(split("reproduce islam-wang --max-overlap 31")).code, 2);
  EXPECT_PRED2(contains, jacobi(split("reproduce islam-wang --charts nowhere")).err, "create it first");
}

TEST(CliTiling, ReproductionsOnADeviceSayWhyNot) {
  const TemporaryFolder folder;
  const Words no_device = {"CUDA_VISIBLE_DEVICES="};
  for (const char* line :
       {"reproduce islam-wang --short", "reproduce apple --max-n 64", "poisson --points 20"}) {
    const Result r = jacobi_in(folder, split(std::string(line) + " --backend cuda:0"), no_device);
    EXPECT_EQ(r.code, 4) << line;
    EXPECT_PRED2(contains, r.err, "cuda") << line;
  }
  const Result threads = jacobi(split("poisson --points 20 --backend cuda --threads 2"));
  EXPECT_EQ(threads.code, 2);
  EXPECT_PRED2(contains, threads.err, "--backend cuda:N");
  EXPECT_EQ(jacobi(split("reproduce apple --backend serial")).code, 2);
}

}  // namespace
}  // namespace jacobi::cli_test
