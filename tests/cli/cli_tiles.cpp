/// Tiles measured by long solves: kept, used, listed, and ignored where the file or --no-tune says so.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "apps/jacobi/machine.hpp"
#include "cli/cli_process.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/simd.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::ordered_json;

/// The tile of `poisson --points 40 --threads 1`, five sweeps deep.
ordered_json good_tile() {
  const Operator<double> a = poisson<double, 2>({38, 38});
  const Blocking chosen = backend("threads:1")->bind(a, {})->blocking();
  const ordered_json tile = {chosen.tile[0], chosen.tile[1]};
  return {{"shape",
           {{"processor", cli::processor_name()},
            {"simd", simd::chosen()},
            {"unknowns", {38, 38}},
            {"precision", "double"},
            {"coefficients", "equal"},
            {"threads", 1},
            {"default", {{"tile", tile}, {"sweeps", chosen.sweeps}}}}},
          {"best", {{"tile", tile}, {"sweeps", 5}}},
          {"gain", 1.25},
          {"date", "2026-01-31 12:00 UTC"}};
}

std::string file_of(const ordered_json& tile) {
  return ordered_json{{"schema", 1}, {"tiles", ordered_json::array({tile})}}.dump();
}

constexpr const char* solve = "poisson --method plain --points 40 --max-sweeps 100 --threads 1";
constexpr const char* used = "5 sweeps per visit to a tile of 256 x 4, tuned";

TEST(CliTiles, OfTheFileAreUsedUnlessToldOtherwise) {
  const TemporaryFolder cache;
  io_test::put(cache / "tiles.json", file_of(good_tile()));
  const ordered_json tuned = json_with_cache(cache, solve);
  EXPECT_PRED2(contains, tuned["plan"].dump(), used);
  EXPECT_TRUE(tuned["notes"].empty()) << tuned["notes"];
  const ordered_json plain = json_with_cache(cache, solve + std::string(" --no-tune"));
  EXPECT_FALSE(contains(plain["plan"].dump(), "tuned")) << plain["plan"];
  EXPECT_EQ(tuned["norm_final"], plain["norm_final"]);
  EXPECT_FALSE(contains(json_with_cache(cache, solve + std::string(" --rung simd"))["plan"].dump(), "tuned"));
  EXPECT_EQ(content(cache / "tiles.json"), file_of(good_tile()));
}

TEST(CliTiles, AreThoseThatABenchMeasures) {
  const TemporaryFolder cache;
  io_test::put(cache / "tiles.json", file_of(good_tile()));
  const std::string bench = "bench stencil --points 40 --threads 1 --rungs tiled --repeat 1 --seconds 0.001";
  EXPECT_EQ(json_with_cache(cache, bench)["rows"][1]["blocking"], used);
  EXPECT_TRUE(json_with_cache(cache, bench)["rows"][0]["blocking"].is_null());
  EXPECT_PRED2(contains, with_cache(cache, bench).out, used);
  const ordered_json plain = json_with_cache(cache, bench + " --no-tune");
  EXPECT_FALSE(contains(plain["rows"][1]["blocking"].dump(), "tuned"));
}

TEST(CliTiles, OfAnotherShapeAreNotUsed) {
  const std::pair<const char*, ordered_json> others[] = {{"processor", "Z80"},
                                                         {"simd", "mmx"},
                                                         {"unknowns", {38, 39}},
                                                         {"precision", "float"},
                                                         {"coefficients", "variable"},
                                                         {"threads", 2},
                                                         {"default", {{"tile", {256, 4}}, {"sweeps", 33}}}};
  const TemporaryFolder cache;
  for (const auto& [key, value] : others) {
    ordered_json tile = good_tile();
    tile["shape"][key] = value;
    io_test::put(cache / "tiles.json", file_of(tile));
    const ordered_json report = json_with_cache(cache, solve);
    EXPECT_FALSE(contains(report["plan"].dump(), "tuned")) << key;
    EXPECT_TRUE(report["notes"].empty()) << report["notes"];
  }
}

TEST(CliTiles, OfAWrongFileAreIgnoredWithANote) {
  const auto changed = [](const char* at, const ordered_json& value) {
    ordered_json tile = good_tile();
    tile[ordered_json::json_pointer(at)] = value;
    return file_of(tile);
  };
  std::string nested = file_of(good_tile());
  nested.replace(nested.find("[38,38]"), 7, std::string(50'000, '[') + std::string(50'000, ']'));
  const std::string files[] = {"",
                               nested,
                               "[]",
                               "\xff\xfe",
                               "{\"schema\": 2, \"tiles\": []}",
                               file_of(good_tile()).substr(0, 200),
                               changed("/best/sweeps", 0),
                               changed("/best/sweeps", 1'000'000'000),
                               changed("/best/tile", {256}),
                               changed("/best/tile", {256, -4}),
                               changed("/shape/unknowns", {38, 38, 1, 1}),
                               changed("/gain", "large"),
                               changed("/shape", nullptr)};
  const TemporaryFolder cache;
  for (const std::string& text : files) {
    io_test::put(cache / "tiles.json", text);
    const ordered_json report = json_with_cache(cache, solve);
    EXPECT_FALSE(contains(report["plan"].dump(), "tuned")) << text;
    EXPECT_PRED2(contains, report["notes"].dump(), "tiles.json is ignored") << text;
    EXPECT_TRUE(json_with_cache(cache, solve + std::string(" --no-tune"))["notes"].empty());
    EXPECT_PRED2(contains, json_with_cache(cache, "info")["tiles_note"].dump(), "delete it");
    EXPECT_EQ(content(cache / "tiles.json"), text);
  }
}

TEST(CliTiles, AreListedByInfo) {
  const TemporaryFolder cache;
  const ordered_json none = json_with_cache(cache, "info");
  EXPECT_TRUE(none["tiles"].empty() && none["tiles"].is_array() && none["tiles_note"].is_null());
  EXPECT_EQ(none["tiles_file"], cache / "tiles.json");
  ordered_json foreign = good_tile();
  foreign["shape"]["processor"] = "Z80";
  io_test::put(cache / "tiles.json", ordered_json{{"schema", 1}, {"tiles", {good_tile(), foreign}}}.dump());
  EXPECT_EQ(json_with_cache(cache, "info")["tiles"], ordered_json::array({good_tile()}));
  const std::string out = with_cache(cache, "info").out;
  for (const char* text : {"38 x 38 unknowns, double, equal coefficients, 1 thread: 5 sweeps per visit",
                           "1.25 times as fast", "and 1 of other processors"})
    EXPECT_PRED2(contains, out, text);
}

/// Long enough to be tuned, for a second or two.
const Words long_solve = split("poisson --method plain --points 512 --threads 1 --json -");

/// Interrupts a long solve once `until` holds, or after 20 s.
template <class Until>
ordered_json interrupted(const std::string& cache, const Until& until) {
  const TemporaryFolder folder;
  const auto start = [&] {
    return Process(JACOBI_BINARY, long_solve, folder.path(), {"JACOBI_CACHE=" + cache});
  };
  const Result result = interrupted_solve(SIGINT, start, until);
  EXPECT_EQ(result.code, 130) << result.err;
  return ordered_json::parse(result.out);
}

TEST(CliTiles, AreMeasuredByALongSolveAndUsedByTheNext) {
  const TemporaryFolder cache;
  const std::string file = cache / "tiles.json";
  const ordered_json report = interrupted(
      cache.path() + "/deeper", [&] { return std::filesystem::exists(cache / "deeper/tiles.json"); });
  const ordered_json kept = ordered_json::parse(content(cache / "deeper/tiles.json"));
  ASSERT_EQ(kept["tiles"].size(), 1U);
  EXPECT_EQ(kept["tiles"][0]["shape"]["unknowns"], ordered_json({510, 510}));
  const bool tuned = kept["tiles"][0]["gain"] > 1;  // as the machine has it
  EXPECT_EQ(contains(report["plan"].dump(), ", tuned"), tuned);
  std::filesystem::rename(cache / "deeper/tiles.json", file);
  const std::string short_solve = "poisson --method plain --points 512 --max-sweeps 9 --threads 1";
  EXPECT_EQ(contains(json_with_cache(cache, short_solve)["plan"].dump(), ", tuned"), tuned);
  EXPECT_EQ(ordered_json::parse(content(file)), kept);
  std::filesystem::remove(file);
  EXPECT_FALSE(contains(json_with_cache(cache, short_solve)["plan"].dump(), "tuned"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(CliTiles, AreNotKeptWhereTheyWereInterrupted) {
  const TemporaryFolder cache;
  const ordered_json report = interrupted(cache.path(), [] { return true; });
  EXPECT_EQ(report["status"], "interrupted");
  EXPECT_EQ(cache.files(), 0U);
}

TEST(CliTiles, ThatCannotBeKeptAreNoError) {
  const TemporaryFolder folder;
  io_test::put(folder / "file", "");
  const auto begin = std::chrono::steady_clock::now();
  const ordered_json report = interrupted(folder / "file/cache", [&] {
    return std::chrono::steady_clock::now() - begin > std::chrono::seconds(4);
  });
  EXPECT_PRED2(contains, report["notes"].dump(), "are not kept");
}

TEST(CliTiles, AreComparedWithTheBestOtherRung) {
  const TemporaryFolder folder;
  const std::string bench =
      "bench stencil --dim 3 --points 20 --threads 1,2 --rungs simd,tiled --repeat 3 --seconds 0.001";
  const ordered_json report = json_with_cache(folder, bench);
  ASSERT_EQ(report["tiled_run_by_run"].size(), 2u);
  for (const ordered_json& tiled : report["tiled_run_by_run"]) {
    EXPECT_EQ(tiled["best_other"], "simd");
    EXPECT_GT(tiled["over_best_other"], 0);
  }
  const Result both = jacobi(split("bench stencil --suite --points 20"));
  EXPECT_EQ(both.code, 2);
  EXPECT_PRED2(contains, both.err, "--points excludes --suite");
}

TEST(CliTiles, StandInTheHelp) {
  EXPECT_PRED2(contains, jacobi(split("poisson --help")).out, "--no-tune");
  EXPECT_PRED2(contains, jacobi(split("bench stencil --help")).out, "--no-tune");
}

}  // namespace
}  // namespace jacobi::cli_test
