/// --checkpoint and --resume: solves that were killed at random moments.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/cli_process.hpp"
#include "random.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

constexpr const char* solve = "poisson --points 180 --method plain --rtol 1e-9 --quiet ";

/// 5-point differences on n x n points.
void write_laplacian(const std::string& path, int n) {
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real general\n"
      << n * n << " " << n * n << " " << 5 * n * n - 4 * n << "\n";
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      const int row = y * n + x + 1;
      out << row << " " << row << " 4\n";
      if (x > 0) out << row << " " << row - 1 << " -1\n";
      if (x + 1 < n) out << row << " " << row + 1 << " -1\n";
      if (y > 0) out << row << " " << row - n << " -1\n";
      if (y + 1 < n) out << row << " " << row + n << " -1\n";
    }
}

/// kill -9 after each of so many random times of computing, then the rest. killed: how often it was.
Result after_kills(const TemporaryFolder& folder, const std::string& arguments, int kills, unsigned seed,
                   int& killed) {
  test::Random random(seed);
  killed = 0;
  for (int life = 0; life < kills; ++life) {
    Process p(JACOBI_BINARY, split(arguments + " --threads " + std::to_string(1 + life % 2)), folder.path());
    if (!p.wait_until_it_has_computed(random.real(0, 0.1))) break;  // it had come to its end
    p.send(SIGKILL);
    killed += p.wait().code == 128 + SIGKILL ? 1 : 0;
  }
  return jacobi_in(folder, split(arguments));
}

TEST(CliCheckpoint, LeadsToTheBitsOfAWholeSolveAfterTwentyKills) {
  const TemporaryFolder folder;
  ASSERT_EQ(jacobi_in(folder, split(std::string(solve) + "-o whole.npy --json whole.json")).code, 0);
  int killed = 0;
  const Result r = after_kills(
      folder, std::string(solve) + "--resume kept --checkpoint-every 0.02s -o broken.npy --json broken.json",
      20, 1, killed);
  EXPECT_GE(killed, 5);
  ASSERT_EQ(r.code, 0) << r.err;
  EXPECT_EQ(content(folder / "broken.npy"), content(folder / "whole.npy"));
  const json whole = json::parse(content(folder / "whole.json")),
             broken = json::parse(content(folder / "broken.json"));
  for (const char* key : {"status", "sweeps", "checks", "norm_final", "norm_initial", "tolerance", "history"})
    EXPECT_EQ(broken[key], whole[key]) << key;
}

TEST(CliCheckpoint, IsWrittenWhereASignalEndsTheSolve) {
  const TemporaryFolder folder;
  Process p(JACOBI_BINARY, split(std::string(solve) + "--checkpoint kept"), folder.path());
  ASSERT_TRUE(p.wait_until_it_handles(SIGTERM));
  ASSERT_TRUE(p.wait_until_it_has_computed(0.1));
  p.send(SIGTERM);
  EXPECT_EQ(p.wait().code, 130);
  EXPECT_TRUE(std::filesystem::exists(folder / "kept/current.json"));
  const Result r = jacobi_in(folder, split("poisson --points 180 --method plain --rtol 1e-9 --resume kept"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "of the sweeps were made before, up to the checkpoint");
}

TEST(CliCheckpoint, OfAMatrixGoesOnAfterALimit) {
  const TemporaryFolder folder;
  const std::string matrix = folder / "a.mtx";
  write_laplacian(matrix, 30);
  const std::string arguments = "solve " + matrix + " --method cg --quiet --no-grid -o x.npy ";
  ASSERT_EQ(jacobi_in(folder, split(arguments)).code, 0);
  const std::string whole = content(folder / "x.npy");
  const Result cut = jacobi_in(folder, split(arguments + "--max-sweeps 20 --checkpoint kept --json r.json"));
  EXPECT_EQ(cut.code, 1);
  EXPECT_EQ(json::parse(content(folder / "r.json"))["notes"].back(), "kept in kept: --resume kept goes on");
  EXPECT_EQ(jacobi_in(folder, split(arguments + "--resume kept")).code, 0);
  EXPECT_EQ(content(folder / "x.npy"), whole);
}

TEST(CliCheckpoint, BeginsAnewWhereThereIsNoneAndSaysSo) {
  const TemporaryFolder folder;
  const Result r = jacobi_in(folder, split("poisson --points 20 --resume nothing"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "there is no checkpoint in nothing: begun anew");
}

TEST(CliCheckpoint, RefusesWhatCannotBeMeantInOneLine) {
  const TemporaryFolder folder;
  const auto fails = [&](const std::string& arguments, int code, const std::string& words) {
    const Result r = jacobi_in(folder, split("poisson --points 20 " + arguments));
    EXPECT_EQ(r.code, code) << arguments;
    EXPECT_PRED2(contains, r.err, words);
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  };
  fails("--checkpoint-every 5m", 2, "--checkpoint-every goes with --checkpoint FOLDER");
  fails("--checkpoint k --checkpoint-every soon", 2, "soon");
  fails("--checkpoint k --checkpoint-every 0s", 2, "more than 0 is needed");
  ASSERT_EQ(jacobi_in(folder, split("poisson --points 20 --method cg --max-sweeps 3 --checkpoint k")).code,
            1);
  fails("--method bicgstab --resume k", 3, "it has method cg, this one method bicgstab");
  fails("--method cg --rhs 2 --resume k", 3, "right-hand side");
}

TEST(CliCheckpoint, ThatCannotBeWrittenEndsNoSolve) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "k");
  std::ofstream(folder / "k/a") << "in the place of a folder";
  const Result r =
      jacobi_in(folder, split("poisson --points 40 --method plain --max-sweeps 50 --checkpoint k"));
  EXPECT_EQ(r.code, 1) << r.err;
  EXPECT_PRED2(contains, r.out, "the last checkpoint could not be written");
}

TEST(CliCheckpoint, ThatCanNeverBeWrittenIsRefusedBeforeTheSolve) {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "no folder";
  for (const char* where : {"/proc/no/where", "file", "none/k"}) {
    const Result r = jacobi_in(folder, split(std::string("poisson --points 40 --checkpoint ") + where));
    EXPECT_EQ(r.code, 3) << where << r.err;
    EXPECT_PRED2(contains, r.err, where);
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
}

}  // namespace
}  // namespace jacobi::cli_test
