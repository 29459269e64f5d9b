/// The ceilings of the machine: measured, kept, used, and ignored where the file is wrong. No rate is
/// asserted.
#include <gtest/gtest.h>

#include <fstream>

#include "apps/jacobi/machine.hpp"
#include "cli/cli_process.hpp"
#include "io/chart.hpp"
#include "jacobi/simd.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::ordered_json;

ordered_json rates(int threads) {
  return {{"threads", threads},
          {"read_gb_per_s", {{"L1", 300.0}, {"L2", 100.0}, {"L3", nullptr}, {"DRAM", 10.0}}},
          {"gop_per_s", {{"add", 40.0}, {"fma", 40.0}, {"mix", 40.0}}}};
}

/// A file as `jacobi info --measure` would leave here.
ordered_json good_file() {
  return {{"schema", 2},
          {"processor", cli::processor_name()},
          {"simd", simd::chosen()},
          {"date", "2026-01-31 12:00 UTC"},
          {"cache_bytes", {32768, 1048576, 0}},
          {"one_thread", rates(1)},
          {"all_cores", rates(2)}};
}

TEST(CliCeilings, AreMeasuredKeptAndRenewed) {
  const TemporaryFolder cache;
  const std::string file = cache / "ceilings.json";
  EXPECT_TRUE(json_with_cache(cache, "info")["ceilings"].is_null());
  const Result measured = with_cache(cache, "info --measure --force");
  ASSERT_EQ(measured.code, 0) << measured.err;
  EXPECT_EQ(measured.err, "");
  EXPECT_PRED2(contains, measured.out, file);
  EXPECT_EQ(cache.files(), 1U);
  const ordered_json kept = ordered_json::parse(content(file));
  EXPECT_EQ(kept["processor"], cli::processor_name());
  EXPECT_EQ(kept["simd"], simd::chosen());
  for (const char* threads : {"one_thread", "all_cores"}) {
    EXPECT_GT(kept[threads]["read_gb_per_s"]["DRAM"], 0);
    for (const char* operation : {"add", "fma", "mix"}) EXPECT_GT(kept[threads]["gop_per_s"][operation], 0);
  }
  const ordered_json info = json_with_cache(cache, "info");
  EXPECT_EQ(info["ceilings"], kept);
  EXPECT_EQ(info["ceilings_file"], file);
  EXPECT_TRUE(info["ceilings_note"].is_null());
  std::filesystem::remove(file);
  EXPECT_TRUE(json_with_cache(cache, "info")["ceilings"].is_null());
}

TEST(CliCeilings, OfAWrongFileAreIgnoredWithANote) {
  const auto changed = [](const char* key, const ordered_json& value) {
    ordered_json file = good_file();
    file[key] = value;
    return file.dump();
  };
  ordered_json negative = good_file(), missing = good_file();
  negative["one_thread"]["gop_per_s"]["add"] = -1;
  missing["all_cores"]["read_gb_per_s"].erase("L2");
  const std::pair<std::string, const char*> files[] = {
      {changed("processor", "Z80"), "another processor, Z80"},
      {changed("simd", "mmx"), "another instruction set, mmx"},
      {changed("schema", 1), "another version of jacobi"},
      {changed("cache_bytes", "large"), "not a file of ceilings"},
      {changed("one_thread", ordered_json::array()), "not a file of ceilings"},
      {negative.dump(), "not a file of ceilings"},
      {missing.dump(), "not a file of ceilings"},
      {good_file().dump().substr(0, 200), "not a file of ceilings"},
      {"", "not a file of ceilings"},
      {"[]", "not a file of ceilings"},
      {std::string(50'000, '[') + std::string(50'000, ']'), "not a file of ceilings"},
      {"\xff\xfe", "not a file of ceilings"}};
  const TemporaryFolder cache;
  for (const auto& [text, why] : files) {
    io_test::put(cache / "ceilings.json", text);
    const ordered_json info = json_with_cache(cache, "info");
    EXPECT_TRUE(info["ceilings"].is_null()) << text;
    EXPECT_PRED2(contains, info["ceilings_note"].dump(), why);
    EXPECT_PRED2(contains, with_cache(cache, "info").out, why);
    EXPECT_TRUE(json_with_cache(cache, "poisson --points 20")["fraction_of_limit"].is_null()) << text;
    EXPECT_EQ(content(cache / "ceilings.json"), text);
  }
}

TEST(CliCeilings, OfAFileThatCannotBeReadAreIgnored) {
  const TemporaryFolder cache;
  std::filesystem::create_directory(cache / "ceilings.json");
  EXPECT_PRED2(contains, with_cache(cache, "info").out, "cannot be read");
  EXPECT_EQ(with_cache(cache, "info --measure --force").code, 3);  // before anything is measured
}

TEST(CliCeilings, AreKeptInTheUsersCacheFolder) {
  const TemporaryFolder home;
  const auto file = [&](const std::string& xdg) {
    const Result r = jacobi_in(home, split("info --json -"),
                               {"JACOBI_CACHE=", "HOME=" + home.path(), "XDG_CACHE_HOME=" + xdg});
    return ordered_json::parse(r.out)["ceilings_file"].dump();
  };
  EXPECT_PRED2(contains, file("/else"), "\"/else/jacobi/ceilings.json");
  EXPECT_PRED2(contains, file(""), home / ".cache/jacobi/ceilings.json");
  EXPECT_PRED2(contains, file("not/absolute"), home / ".cache/jacobi/ceilings.json");
}

TEST(CliCeilings, GiveAReportItsFractionOfTheLimit) {
  const TemporaryFolder cache;
  const std::string line = "poisson --method plain --points 40 --max-sweeps 200 --threads 1";
  const ordered_json without = json_with_cache(cache, line);
  EXPECT_TRUE(without["fraction_of_limit"].is_null() && without["limit_by"].is_null());
  EXPECT_FALSE(contains(with_cache(cache, line).out, "limit, set by"));
  io_test::put(cache / "ceilings.json", good_file().dump());
  const ordered_json with = json_with_cache(cache, line + " --rung simd");  // 35 KB: in L2
  EXPECT_EQ(with["limit_by"], "L2");
  EXPECT_DOUBLE_EQ(with["fraction_of_limit"].get<double>(), with["lups"].get<double>() / (100e9 / 24));
  const ordered_json tiled =
      json_with_cache(cache, line + " --rung tiled");  // 1 byte and 3.25 operations each: tiles
  EXPECT_EQ(tiled["limit_by"], "floating point");
  EXPECT_DOUBLE_EQ(tiled["fraction_of_limit"].get<double>(), tiled["lups"].get<double>() / (40e9 / 3.25));
  EXPECT_PRED2(contains, with_cache(cache, line).out, "of this machine's limit, set by floating point");
}

constexpr const char* bench = "bench stencil --points 40 --threads 1 --repeat 1 --seconds 0.001";

TEST(CliCeilings, GiveABenchItsLimits) {
  const TemporaryFolder cache;
  for (const bool known : {false, true}) {
    if (known) io_test::put(cache / "ceilings.json", good_file().dump());
    const ordered_json result = json_with_cache(cache, bench);
    for (const ordered_json& row : result["rows"]) {
      for (const char* key : {"limit_lups", "limit_by", "fraction_of_limit"}) {
        EXPECT_TRUE(row.contains(key)) << key;
        EXPECT_EQ(row[key].is_null(), !known) << key;
      }
      EXPECT_EQ(row["operations_per_update"], row["rung"] == "tiled" ? 3.25 : 4);
      if (!known) continue;
      EXPECT_EQ(row["limit_by"], row["rung"] == "tiled" ? "floating point" : "L2");
      EXPECT_DOUBLE_EQ(row["fraction_of_limit"].get<double>(),
                       row["lups_median"].get<double>() / row["limit_lups"].get<double>());
    }
    const std::string out = with_cache(cache, bench).out;
    EXPECT_PRED2(contains, out, "of limit");
    EXPECT_EQ(contains(out, "jacobi info --measure"), !known);
  }
}

TEST(CliCeilings, AreTheRoofsOfAChart) {
  if (!io::gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
  const TemporaryFolder cache;
  EXPECT_EQ(with_cache(cache, bench + std::string(" --chart a.svg")).code, 0);
  EXPECT_PRED2(contains, content(cache / "a.svg"), "jacobi info --measure");
  io_test::put(cache / "ceilings.json", good_file().dump());
  EXPECT_EQ(with_cache(cache, bench + std::string(" --chart b.svg")).code, 0);
  for (const char* text : {"L1 300 GB/s", "DRAM 10 GB/s", "floating point 40 Gop/s", "tiled, 1 thread"})
    EXPECT_PRED2(contains, content(cache / "b.svg"), text);
}

TEST(CliCeilings, StandInTheHelp) {
  EXPECT_PRED2(contains, jacobi(split("info --help")).out, "--measure");
  EXPECT_PRED2(contains, jacobi(split("bench stencil --help")).out, "--chart");
  EXPECT_PRED2(contains, jacobi(split("bench stencil --chart a.jpg")).err, "only .svg and .png");
}

}  // namespace
}  // namespace jacobi::cli_test
