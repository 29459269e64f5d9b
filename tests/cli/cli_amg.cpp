/// Algebraic multigrid from the command line: solve, dry run, auto, bench.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/cli_process.hpp"
#include "shared_folder.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

/// -Laplace on n x n points, as a file.
void write_grid(const std::filesystem::path& to, int n) {
  std::ofstream file(to);
  const int count = n * n + 2 * n * (n - 1);
  file << "%%MatrixMarket matrix coordinate real symmetric\n"
       << n * n << ' ' << n * n << ' ' << count << '\n';
  for (int p = 0; p < n * n; ++p) {
    file << p + 1 << ' ' << p + 1 << " 4\n";
    if (p % n + 1 < n) file << p + 2 << ' ' << p + 1 << " -1\n";
    if (p + n < n * n) file << p + n + 1 << ' ' << p + 1 << " -1\n";
  }
}

json solve_json(const TemporaryFolder& folder, const std::string& options) {
  const Result r = jacobi_in(folder, split("solve A.mtx --no-grid --json - " + options));
  EXPECT_EQ(r.code, 0) << r.err;
  return json::parse(r.out);
}

TEST(CliAmg, SolvesByItselfAndAsAPreconditioner) {
  const TemporaryFolder folder;
  write_grid(folder / "A.mtx", 60);
  const json diagonal = solve_json(folder, "--method cg");
  for (const std::string options :
       {"--method amg", "--method cg --preconditioner amg", "--method bicgstab --preconditioner amg",
        "--method cg --preconditioner amg --cycle w", "--method cg --preconditioner amg --cycle k",
        "--method cg --preconditioner amg --smoother l1 --smoothing 2,2 --strength 0"}) {
    const json r = solve_json(folder, options);
    EXPECT_EQ(r["status"], "converged") << options;
    EXPECT_LT(r["sweeps"], diagonal["sweeps"]) << options;
    EXPECT_EQ(r["cycles"], r["sweeps"]) << options;
    EXPECT_GT(r["work"], r["sweeps"]) << options;
    EXPECT_NE(r["plan"].get<std::string>().find("levels, from 3600 unknowns"), std::string::npos)
        << r["plan"];
    EXPECT_EQ(r.size(), diagonal.size());
  }
}

TEST(CliAmg, AutoTakesItAndForetellsItsSweepsWithinTwice) {
  const TemporaryFolder folder;
  write_grid(folder / "A.mtx", 220);
  const json r = solve_json(folder, "");
  EXPECT_EQ(r["method"], "cg");
  bool told = false;
  for (const auto& note : r["notes"])
    told |= note.get<std::string>().find("preconditioned by algebraic multigrid") != std::string::npos;
  EXPECT_TRUE(told) << r["notes"];
  const Result dry = jacobi_in(folder, split("solve A.mtx --no-grid --dry-run --json -"));
  EXPECT_EQ(dry.code, 0);
  const json f = json::parse(dry.out);
  ASSERT_TRUE(f["predicted_sweeps"].is_number()) << f;
  EXPECT_LE(f["predicted_sweeps"].get<double>(), 2 * r["sweeps"].get<double>());
  EXPECT_GE(2 * f["predicted_sweeps"].get<double>(), r["sweeps"].get<double>());
}

TEST(CliAmg, RefusesOptionsThatSayNothing) {
  const TemporaryFolder folder;
  write_grid(folder / "A.mtx", 3);
  const auto refused = [&](const std::string& options, const char* part) {
    const Result r = jacobi_in(folder, split("solve A.mtx " + options));
    EXPECT_EQ(r.code, 2) << options;
    EXPECT_NE(r.err.find(part), std::string::npos) << r.err;
  };
  refused("--preconditioner amg", "--preconditioner goes with --method cg or bicgstab, not auto");
  refused("--method cg --setup-seconds 1", "--setup-seconds goes with --method amg or --preconditioner amg");
  refused("--method amg --setup-seconds 0", "--setup-seconds");
  refused("--method cg --cycle w", "--cycle goes with --method amg or --preconditioner amg, not cg");
  refused("--method amg --smoothing 2", "two numbers of sweeps with a comma");
  refused("--method amg --rung threads", "it has passes of its own");
  refused("--method amg --strength 1", "strength 1 of a coupling");
  refused("--method cg --preconditioner amg --smoothing 2,1", "as many sweeps before the correction (2)");
}

TEST(CliAmg, SaysInOneLineThatItsSetupTookTooLong) {
  const TemporaryFolder folder;
  write_grid(folder / "A.mtx", 60);
  const Result r =
      jacobi_in(folder, split("solve A.mtx --no-grid --method amg --setup-seconds 1e-9 -o x.npy"));
  EXPECT_EQ(r.code, 4);
  EXPECT_EQ(
      r.err,
      "jacobi: the setup of algebraic multigrid takes longer than 1e-09 s: allow more time, or take method "
      "cg without it\n");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(CliAmg, BenchMakesItsProblemsAndSolvesThem) {
  const Result r = jacobi(split("bench amg --unknowns 3000 --threads 1 --json -"));
  ASSERT_EQ(r.code, 0) << r.err;
  const json bench = json::parse(r.out);
  ASSERT_EQ(bench["rows"].size(), 11U);
  for (const json& row : bench["rows"]) {
    EXPECT_EQ(row["amg"]["status"], "converged") << row;
    EXPECT_EQ(row["diagonal"]["status"], "converged") << row;
    EXPECT_GE(row["unknowns"], 1500) << row;
    EXPECT_GE(row["levels"].size(), row["problem"] == "power-law" ? 1U : 2U) << row;  // hubs join everything
  }
  EXPECT_EQ(jacobi(split("bench amg --problems nothing")).code, 2);
}

}  // namespace
}  // namespace jacobi::cli_test
