/// Dense matrices on the command line: files, the bench, the second source's experiment.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>

#include "apps/reproduce/apple/apple.hpp"
#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

json json_of(const TemporaryFolder& folder, Words words, int code = 0) {
  words.insert(words.end(), {"--json", "-"});
  const Result r = jacobi_in(folder, words);
  EXPECT_EQ(r.code, code) << r.err;
  return json::parse(r.out);
}

/// What a .npy file begins with.
std::string npy_header(const std::string& order, const std::string& shape) {
  const std::string header = "{'descr': '<f8', 'fortran_order': " + order + ", 'shape': (" + shape + "), }";
  const std::string length = {static_cast<char>(header.size() + 1), '\0'};
  return "\x93NUMPY\x01" + std::string(1, '\0') + length + header + "\n";
}

/// Not symmetric: read the wrong way round it would have another solution.
TEST(CliDense, AFileInFortranOrderIsTheSameMatrix) {
  const TemporaryFolder folder;
  std::string text = npy_header("True", "2, 2");
  for (const double value : {4.0, 1.0, 2.0, 8.0})
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
  io_test::put(folder / "f.npy", text);
  io::write_npy<double>(folder / "c.npy", std::vector<double>{4, 2, 1, 8}, std::vector<std::size_t>{2, 2});
  io::write_npy<double>(folder / "b.npy", std::vector<double>{8, 17}, std::vector<std::size_t>{2});
  for (const char* file : {"f.npy", "c.npy"}) {
    const json r = json_of(folder, {"solve", file, "b.npy", "-o", "x.npy", "--rtol", "1e-12"});
    EXPECT_EQ(r["rung"], "fused");
    EXPECT_EQ(r["plan"].get<std::string>().find("vectors of rows") != std::string::npos,
              std::string(file) == "f.npy")
        << r["plan"];
    const auto x = io::read_npy(folder / "x.npy").values;
    EXPECT_NEAR(x[0], 1, 1e-10) << file;
    EXPECT_NEAR(x[1], 2, 1e-10) << file;
  }
}

TEST(CliDense, InfoNamesRungsAndTheBlas) {
  const TemporaryFolder folder;
  const std::string text = jacobi_in(folder, {"info"}).out;
  for (const Rung& rung : dense_rungs()) EXPECT_PRED2(contains, text, rung.idea);
  const json info = json_of(folder, {"info"});
  EXPECT_EQ(info["dense_rungs"].size(), dense_rungs().size());
  EXPECT_PRED2(contains, text, "BLAS: " + info["blas"].get<std::string>());
}

TEST(CliDense, RungsOfBothLaddersCanBeAskedFor) {
  const TemporaryFolder folder;
  std::vector<double> values(30 * 30, 0.1);
  for (std::size_t i = 0; i < 30; ++i) values[31 * i] = 5;
  io::write_npy<double>(folder / "A.npy", values, std::vector<std::size_t>{30, 30});
  for (const Rung& rung : dense_rungs())
    if (rung.compiled) EXPECT_EQ(json_of(folder, {"solve", "A.npy", "--rung", rung.name})["rung"], rung.name);
  EXPECT_EQ(json_of(folder, {"solve", "A.npy", "--rung", "sliced"})["rung"], "sliced");
  const auto wrong = jacobi_in(folder, {"solve", "A.npy", "--rung", "nonsense"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(contains(wrong.err, "simd-8") && contains(wrong.err, "sliced")) << wrong.err;
}

TEST(CliDense, SaysWhyARungOfDenseMatricesIsRefused) {
  const TemporaryFolder folder;
  std::vector<double> values(30 * 30);
  for (std::size_t i = 0; i < 30; ++i) values[31 * i] = 5;
  io::write_npy<double>(folder / "A.npy", values, std::vector<std::size_t>{30, 30});
  const auto refused = jacobi_in(folder, {"solve", "A.npy", "--rung", "paired"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_PRED2(contains, refused.err, "rung 'paired' is for dense matrices");
  EXPECT_PRED2(contains, refused.err, "swept as a sparse matrix");
}

/// Only where it may be the cause; and no norm that is no number.
TEST(CliDense, SaysThatANarrowerMatrixMayBeWhy) {
  const TemporaryFolder folder;
  std::vector<double> values(60 * 60, 0.1);
  const auto solve = [&](double diagonal, const Words& more) {
    for (std::size_t i = 0; i < 60; ++i) values[61 * i] = diagonal;
    io::write_npy<double>(folder / "A.npy", values, std::vector<std::size_t>{60, 60});
    Words words = {"solve", "A.npy", "--matrix-precision", "bf16"};
    words.insert(words.end(), more.begin(), more.end());
    const auto r = jacobi_in(folder, words);
    EXPECT_EQ(r.code, 1) << r.err;
    EXPECT_PRED2(contains, r.out, "entries stored in bf16");
    EXPECT_FALSE(contains(r.out, "nan")) << r.out;
    return r.out;
  };
  const std::string why = "the matrix was stored narrower, which may be why";
  EXPECT_PRED2(contains, solve(0.01, {"--method", "plain"}), why);
  EXPECT_PRED2(contains, solve(0.01, {}), "without --matrix-precision bf16 method bicgstab would be taken");
  EXPECT_FALSE(contains(solve(9, {"--max-sweeps", "2"}), why));
}

TEST(CliDense, ANarrowerMatrixMeetsTheSameTolerance) {
  const TemporaryFolder folder;
  std::vector<double> values(80 * 80, -0.1);
  for (std::size_t i = 0; i < 80; ++i) values[81 * i] = 9;
  io::write_npy<double>(folder / "A.npy", values, std::vector<std::size_t>{80, 80});
  for (const char* stored : {"float", "bf16"}) {
    const json r = json_of(folder, {"solve", "A.npy", "--matrix-precision", stored, "--rtol", "1e-12"});
    EXPECT_EQ(r["status"], "converged");
    EXPECT_LE(r["residual_norm"], r["tolerance"]);
    EXPECT_PRED2(contains, r["plan"], std::string("entries stored in ") + stored);
  }
  for (const Words& wrong : {Words{"--precision", "float"}, Words{"--rung", "simd-4"}}) {
    Words words = {"solve", "A.npy", "--matrix-precision", "bf16"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    EXPECT_EQ(jacobi_in(folder, words).code, 2);
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 81 == 0 ? 9 : 0;
  io::write_npy<double>(folder / "Z.npy", values, std::vector<std::size_t>{80, 80});
  const Result sparse = jacobi_in(folder, {"solve", "Z.npy", "--matrix-precision", "bf16"});
  EXPECT_EQ(sparse.code, 2);
  EXPECT_TRUE(contains(sparse.err, "swept as a sparse matrix")) << sparse.err;
}

TEST(CliDense, SolvesForSeveralRightHandSides) {
  const TemporaryFolder folder;
  std::vector<double> values(50 * 50, 0.01), b(50 * 10), one(50);
  for (std::size_t i = 0; i < 50; ++i) values[51 * i] = 1;
  for (std::size_t p = 0; p < b.size(); ++p)
    b[p] = std::pow(10.0, static_cast<double>(p % 10) - 5);  // sizes differ
  for (std::size_t i = 0; i < 50; ++i) one[i] = b[10 * i + 3];
  io::write_npy<double>(folder / "A.npy", values, std::vector<std::size_t>{50, 50});
  io::write_npy<double>(folder / "B.npy", b, std::vector<std::size_t>{50, 10});
  io::write_npy<double>(folder / "b.npy", one, std::vector<std::size_t>{50});
  for (const Words& how :
       {Words{}, Words{"--rung", "simd-2"}, Words{"--norm", "update"}, Words{"--matrix-precision", "float"},
        Words{"--precision", "float", "--rtol", "1e-5"}}) {
    Words words = {"solve", "A.npy", "B.npy", "-o", "X.npy"};
    words.insert(words.end(), how.begin(), how.end());
    const json r = json_of(folder, words);
    EXPECT_EQ(r["status"], "converged");
    ASSERT_EQ(r["columns"].size(), 10U);
    EXPECT_EQ(r["unknowns"], 500);
    for (const json& c : r["columns"]) EXPECT_LE(c["norm_final"], c["tolerance"]) << r.dump();
    const auto x = io::read_npy(folder / "X.npy");
    EXPECT_EQ(x.shape, (std::vector<std::size_t>{50, 10}));
    const double expected = std::pow(10.0, 3 - 5) / 1.49;  // row sums
    for (std::size_t i = 0; i < 50; ++i) EXPECT_NEAR(x.values[10 * i + 3], expected, 2e-5 * expected);
  }
  const json alone = json_of(folder, {"solve", "A.npy", "b.npy"});
  EXPECT_FALSE(alone.contains("columns"));
  const json made = json_of(folder, {"solve", "A.npy", "--rhs-count", "3"});
  EXPECT_EQ(made["columns"].size(), 3U);
  EXPECT_LT(made["error_max"], 1e-7);
  const json limited =
      json_of(folder, {"solve", "A.npy", "B.npy", "--max-sweeps", "2", "--rtol", "1e-14"}, 1);
  EXPECT_EQ(limited["columns"][9]["status"], "sweep_limit");
  EXPECT_EQ(jacobi_in(folder, {"solve", "A.npy", "B.npy", "--rhs-count", "3"}).code, 3);
  EXPECT_EQ(jacobi_in(folder, {"solve", "A.npy", "--rhs-count", "0"}).code, 2);
}

TEST(CliDense, ManyColumnsEndAtTheTimeLimit) {
  const TemporaryFolder folder;
  io::write_npy<double>(folder / "A.npy", std::vector<double>{2, 1, 1, 3}, std::vector<std::size_t>{2, 2});
  const json r = json_of(folder, {"solve", "A.npy", "--rhs-count", "20000", "--max-seconds", "1e-9"}, 1);
  EXPECT_EQ(r["status"], "time_limit");
  EXPECT_EQ(r["columns"].size(), 20000U);
  EXPECT_EQ(r["columns"][19999]["status"], "time_limit");
}

/// What overflows, stands, or has nothing to do is told of each column, and takes no other with it.
TEST(CliDense, ColumnsDoNotAnswerForEachOther) {
  const TemporaryFolder folder;
  io::write_npy<double>(folder / "A.npy", std::vector<double>{2, 1, 1, 3}, std::vector<std::size_t>{2, 2});
  io::write_npy<double>(folder / "B.npy", std::vector<double>{1e308, 1, 0, 1e18, 1.7e308, 3, 0, -1e18},
                        std::vector<std::size_t>{2, 4});
  const json r =
      json_of(folder, {"solve", "A.npy", "B.npy", "-o", "X.npy", "--reference", "none", "--atol", "1e-9"}, 1);
  EXPECT_EQ(r["columns"][0]["status"], "not_finite");
  EXPECT_EQ(r["columns"][1]["status"], "converged");
  EXPECT_EQ(r["columns"][2]["status"], "converged");
  const json& large = r["columns"][3];  // may stand at its rounding floor, or be met by chance
  EXPECT_EQ(large["status"] == "converged", large["norm_final"] <= large["tolerance"]);
  EXPECT_EQ(r["status"], "not_finite");
  const auto x = io::read_npy(folder / "X.npy");
  EXPECT_NEAR(x.values[1], 0, 1e-9);
  EXPECT_NEAR(x.values[5], 1, 1e-9);
  for (const double value : x.values) EXPECT_TRUE(std::isfinite(value));
  io::write_npy<double>(folder / "C.npy", std::vector<double>{1, 5, 3, -1}, std::vector<std::size_t>{2, 2});
  const json w = json_of(
      folder, {"solve", "A.npy", "C.npy", "--method", "weighted", "--omega", "0.1", "--norm", "update"});
  for (const json& c : w["columns"]) EXPECT_LE(c["norm_final"], c["tolerance"]);
  const json tiny =
      json_of(folder, {"solve", "A.npy", "C.npy", "--reference", "none", "--atol", "1e-310"}, 1);
  for (const json& c : tiny["columns"])
    EXPECT_EQ(c["status"] == "converged", c["norm_final"] <= c["tolerance"]);
}

TEST(CliDense, WrongFilesGetOneClearLine) {
  const TemporaryFolder folder;
  const auto write = [&](const std::vector<double>& values, std::vector<std::size_t> shape) {
    io::write_npy<double>(folder / "A.npy", values, shape);
  };
  const auto refusal = [&](const Words& words) {
    const Result r = jacobi_in(folder, words);
    EXPECT_EQ(r.code, 3);
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    return r.err;
  };
  write({1, 2, 3, 4, 5, 6}, {2, 3});
  EXPECT_PRED2(contains, refusal({"solve", "A.npy"}), "A.npy: 2 x 3");
  write({1, 2, 3, 0}, {2, 2});
  EXPECT_PRED2(contains, refusal({"solve", "A.npy", "--method", "plain"}),
               "A.npy: ZeroDiagonal: the diagonal of row 2 of 2 is 0");
  write({1, std::numeric_limits<double>::infinity(), 3, 4}, {2, 2});
  EXPECT_PRED2(contains, refusal({"solve", "A.npy"}), "A.npy: entry (1, 2) is inf");
  write({4, 1, 1, 4}, {2, 2});
  io::write_npy<double>(folder / "b.npy", std::vector<double>{1, 2, 3}, std::vector<std::size_t>{3});
  EXPECT_PRED2(contains, refusal({"solve", "A.npy", "b.npy"}), "b.npy: 3 values");
  write({4, 1, 1, 1e39}, {2, 2});
  EXPECT_PRED2(contains, refusal({"solve", "A.npy", "--precision", "float"}),
               "A.npy: value 1e+39 (element 4) is beyond the largest float; read it as double");
  write({4, 1, 1e308, 1e308}, {2, 2});
  EXPECT_PRED2(contains, refusal({"solve", "A.npy"}), "A.npy: row 2: A times ones");
  const std::string header = npy_header("False", "524288, 1048576");
  io_test::put(folder / "A.npy", header);
  std::filesystem::resize_file(folder / "A.npy",  // a hole: no machine has so much memory
                               header.size() + (std::uintmax_t{1} << 42));
  EXPECT_PRED2(contains, refusal({"solve", "A.npy"}), "A.npy: as doubles its values need 4.0 TiB of memory");
}

/// Before anything is measured.
TEST(CliDense, TheBenchRefusesWhatItCannotMeasure) {
  const TemporaryFolder folder;
  for (const Words& wrong : {Words{"--rhs-count", "9", "--precision", "float,double"},
                             Words{"--n", "5,10000000"}, Words{"--solves", "10000000"},
                             Words{"--chart", "a.svg", "--layout", "row", "--precision", "float,double"}}) {
    Words words = {"bench", "dense", "--n", "5", "--rungs", "fused"};
    words.insert(words.end(), wrong.begin(), wrong.end());
    const Result r = jacobi_in(folder, words);
    EXPECT_EQ(r.code, r.err.find("of memory") == r.err.npos ? 2 : 4) << r.err;
    EXPECT_EQ(r.out, "");
  }
}

TEST(CliDense, TheBenchVerifiesEveryRung) {
  const TemporaryFolder folder;
  const json r = json_of(folder, {"bench", "dense", "--n", "65,64,3", "--threads", "1,2", "--repeat", "1",
                                  "--seconds", "0.001"});
  ASSERT_EQ(r["tables"].size(), 6U);
  for (const json& table : r["tables"]) {
    std::set<std::string> names;
    for (const json& row : table["rows"]) {
      names.insert(row["rung"]);
      EXPECT_GT(row["lups_median"], 0);
    }
    for (const Rung& rung : dense_rungs())
      EXPECT_EQ(names.count(rung.name), rung.compiled ? 1U : 0U) << rung.name;
    EXPECT_EQ(names.count("read"), table["n"] == 64 ? 1U : 0U);  // whole blocks only
  }
  const json s = json_of(folder, {"bench", "dense", "--n", "2", "--rungs", "fused", "--solves", "100",
                                  "--repeat", "1", "--seconds", "0.001"})["solves"];
  ASSERT_EQ(s.size(), 2U);
  for (const json& residual : s[0]["relative_residuals"]) EXPECT_LE(residual, 1e-12);
  EXPECT_EQ(jacobi_in(folder, {"bench", "dense", "--n", "0"}).code, 2);
  EXPECT_EQ(jacobi_in(folder, {"bench", "dense", "--rungs", "nonsense"}).code, 2);
  EXPECT_EQ(jacobi_in(folder, {"bench", "dense", "--rungs", "simd-4", "--rhs-count", "8"}).code, 2);
  const json rounds = json_of(folder, {"bench", "dense", "--n", "64", "--layout", "col", "--threads", "1",
                                       "--repeat", "4", "--seconds", "0.001"});
  for (const json& row : rounds["tables"][0]["rows"]) EXPECT_EQ(row["lups_runs"].size(), 4U) << row;
  for (const json& ours : rounds["tables"][0]["ours_run_by_run"]) EXPECT_GT(ours["over_best_other"], 0);
  const json both =
      json_of(folder, {"bench", "dense", "--n", "5", "--layout", "row", "--threads", "1", "--precision",
                       "float,double", "--rungs", "fused", "--repeat", "1", "--seconds", "0.001"})["tables"];
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0]["precision"], "float");
  EXPECT_EQ(both[1]["precision"], "double");
}

TEST(CliDense, TheSecondSourceIsReproducedRightOnEveryNumberOfThreads) {
  const TemporaryFolder folder;
  const json r = json_of(folder, {"reproduce", "apple", "--max-n", "128"});
  int measured = 0, published = 0;
  for (const json& row : r["rows"]) {
    if (row.contains("rms")) {
      ++measured;
      EXPECT_LT(row["rms"], row["type"] == "float" ? 1e-7 : 1e-15) << row;
      EXPECT_EQ(row["ms_trials"].size(), 10U);
    }
    if (!row.contains("published")) continue;
    published += static_cast<int>(row["published"].size());
  }
  EXPECT_EQ(published, 72 + 80);  // of the source's 656 rows these have n = 64 and 128
  EXPECT_GT(measured, 4 * 2 * 8);
  EXPECT_EQ(jacobi_in(folder, {"reproduce", "apple", "--max-n", "63"}).code, 2);
  EXPECT_EQ(jacobi_in(folder, {"reproduce", "apple", "--max-n", "64", "--charts", "nowhere"}).code, 3);
}

TEST(Apple, EveryPublishedRowHasItsPlace) {
  int published = 0, wrong = 0;
  for (const cli::AppleRow& row : cli::apple_rows(8192, *backend("threads")))
    for (const auto& [machine, figures] : row.published) {
      ++published;
      wrong += figures.wrong();
      if (figures.wrong()) EXPECT_GT(row.variant.threads, 1) << row.variant.name();
    }
  EXPECT_EQ(published, 656);
  EXPECT_EQ(wrong, 84);  // all rows in float with more than one thread
}

struct SomeDevice final : Backend {
  std::string name() const override { return "some:0"; }
  std::unique_ptr<Sweeper<double>> bind(const Operator<double>&, const Plan&) const override { return {}; }
  std::unique_ptr<Sweeper<float>> bind(const Operator<float>&, const Plan&) const override { return {}; }
  bool has_own_memory() const override { return true; }
  DeviceRungs device_rungs() const override { return {"together", "one by one", "", ""}; }
};

/// The source's GPUs had no double; others have.
TEST(Apple, ADeviceRunsBothWaysInDoubleTooAndSaysWhoRunsTheOthers) {
  std::map<std::string, int> run, left;
  for (const cli::AppleRow& row : cli::apple_rows(64, SomeDevice())) {
    ++(row.why.empty() ? run[row.type + " " + row.variant.rung] : left[row.why]);
    EXPECT_EQ(row.why.empty(), row.variant.source.starts_with("METAL")) << row.variant.source;
  }
  EXPECT_EQ(
      run,
      (std::map<std::string, int>{
          {"double one by one", 2}, {"double together", 2}, {"float one by one", 2}, {"float together", 2}}));
  EXPECT_EQ(left.size(), 2u);
  EXPECT_EQ(left["a library of Apple's"], 2);
  EXPECT_GT(left["backend threads runs it, on the processor"], 20);
}

/// Rows with made-up times: the predicates must be able to say yes and no.
TEST(Apple, ClaimsAreJudgedByTheRows) {
  for (const bool unrolling_pays : {true, false}) {
    std::vector<cli::AppleRow> rows = cli::apple_rows(1024, *backend("threads"));
    for (cli::AppleRow& row : rows)
      if (row.why.empty()) row.ms = {row.variant.rung == "simd-8" && unrolling_pays ? 1.0 : 2.0};
    const auto claims = cli::apple_claims(rows);
    const auto held = [&](const std::string& part) {
      const auto at = std::find_if(claims.begin(), claims.end(),
                                   [&](const cli::Claim& claim) { return contains(claim.text, part); });
      return at->held;
    };
    EXPECT_EQ(held("unrolling by columns pays"), unrolling_pays);
    EXPECT_EQ(held("unrolling by rows pays"), unrolling_pays);
    EXPECT_EQ(held("BLAS with vector operations"), !unrolling_pays);
    EXPECT_EQ(held("a GPU"), std::nullopt);
  }
}

}  // namespace
}  // namespace jacobi::cli_test
