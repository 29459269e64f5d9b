/// `jacobi solve` and `jacobi diagnose`: systems from files, and what bad ones get.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/cli_process.hpp"
#include "core/memory.hpp"
#include "io/npy.hpp"
#include "io/vector_file.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

/// -1 2.5 -1, n rows.
void write_tridiagonal(const std::string& path, int n) {
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real symmetric\n" << n << ' ' << n << ' ' << 2 * n - 1 << '\n';
  for (int i = 1; i <= n; ++i) {
    out << i << ' ' << i << " 2.5\n";
    if (i > 1) out << i << ' ' << i - 1 << " -1\n";
  }
}

TEST(CliSolve, WithoutBTellsTheErrorAgainstOnes) {
  const TemporaryFolder folder;
  write_tridiagonal(folder / "A.mtx", 50);
  const json r = report(folder, {"solve", "A.mtx"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["unknowns"], 50);
  EXPECT_EQ(r["entries"], 148);
  EXPECT_LT(r["error_norm"], 1e-7);
  EXPECT_EQ(r["verdict"], "converges");
  EXPECT_GE(r["error_bound"].get<double>(), r["error_max"].get<double>());
  EXPECT_EQ(r["rung"], "tiled");
}

/// Rounding in float keeps sweeps from the tolerance; what they reached is where the next method begins.
TEST(CliSolve, TheSecondMethodGoesOnFromTheIterateOfTheFirst) {
  const TemporaryFolder folder;
  std::vector<double> a(64), b(8, 1);
  for (std::size_t i = 0; i < 8; ++i)
    for (std::size_t j = 0; j < 8; ++j)
      a[8 * i + j] = i == j ? 10 : std::sin(static_cast<double>(8 * i + 3 * j));
  io::write_npy<double>(folder / "A.npy", a, std::vector<std::size_t>{8, 8});
  io::write_npy<double>(folder / "b.npy", b, std::vector<std::size_t>{8});
  const json r = report(folder, split("solve A.npy b.npy --precision float --rtol 1e-9"));
  EXPECT_PRED2(contains, r["notes"].dump(), "went on from its iterate");
  EXPECT_LT(r["norm_final"], 1e-5);
}

/// -1 2 -1 on a line of n unknowns, or -1 2 -0.5: no diffusion.
void write_line(const std::string& path, int n, double upper) {
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real general\n" << n << ' ' << n << ' ' << 3 * n - 2 << '\n';
  for (int i = 1; i <= n; ++i) {
    out << i << ' ' << i << " 2\n";
    if (i > 1) out << i << ' ' << i - 1 << " -1\n";
    if (i < n) out << i << ' ' << i + 1 << ' ' << upper << '\n';
  }
}

TEST(CliSolve, ByAutoTakesMultigridForAGridInDisguise) {
  const TemporaryFolder folder;
  write_line(folder / "A.mtx", 300, -1);
  write_line(folder / "B.mtx", 300, -0.999);
  const json grid = report(folder, {"solve", "A.mtx"});
  EXPECT_EQ(grid["status"], "converged");
  EXPECT_EQ(grid["method"], "multigrid");
  EXPECT_LT(grid["error_norm"], 1e-4);
  EXPECT_PRED2(contains, grid["notes"].dump(), "method auto: full multigrid");
  for (const Words& other : {Words{"solve", "A.mtx", "--no-grid"}, {"solve", "B.mtx"}}) {
    const json r = report(folder, other);
    EXPECT_EQ(r["status"], "converged");
    EXPECT_NE(r["method"], "multigrid");
  }
}

TEST(CliSolve, TakesVectorsAndWritesTheSolutionInEitherFormat) {
  const TemporaryFolder folder;
  write_tridiagonal(folder / "A.mtx", 4);
  write(folder / "b.mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n0.5\n0.5\n1\n");
  const std::vector<double> start{1, 1, 1, 1};
  io::write_npy<double>(folder / "x0.npy", start, std::vector<std::size_t>{4});
  for (const char* out : {"x.npy", "x.mtx"}) {
    const Result r = jacobi_in(folder, {"solve", "A.mtx", "b.mtx", "--initial", "x0.npy", "-o", out, "--rtol",
                                        "1e-12", "--history", "h.csv", "--no-grid"});
    EXPECT_EQ(r.code, 0) << r.err;
    const std::vector<double> x = io::read_vector<double>(folder / out);
    ASSERT_EQ(x.size(), 4u);
    EXPECT_NEAR(2.5 * x[0] - x[1], 1, 1e-11);
    EXPECT_NEAR(-x[0] + 2.5 * x[1] - x[2], 0.5, 1e-11);
  }
  EXPECT_TRUE(content(folder / "h.csv").starts_with("sweeps,norm\n0,"));
}

TEST(CliSolve, EveryRungAndThreadCountGivesTheSameBits) {
  const TemporaryFolder folder;
  write_tridiagonal(folder / "A.mtx", 5000);
  std::vector<double> first;
  for (const std::string how :
       {"textbook", "fused", "simd", "compressed", "threads --threads 2", "threads --threads 3"}) {
    Words words{"solve", "A.mtx", "--max-sweeps", "30", "--rtol", "1e-30", "-o", "x.npy", "--rung"};
    for (const std::string& word : split(how)) words.push_back(word);
    EXPECT_EQ(jacobi_in(folder, words).code, 1) << how;
    const std::vector<double> x = io::read_vector<double>(folder / "x.npy");
    if (first.empty()) first = x;
    EXPECT_EQ(x, first) << how;
  }
}

TEST(CliSolve, AutoChoosesAWeightOrL1AndSaysWhy) {
  const TemporaryFolder folder;
  std::string text = "%%MatrixMarket matrix array real general\n4 4\n";
  for (int i = 0; i < 16; ++i) text += i % 5 == 0 ? "1\n" : "0.8\n";
  write(folder / "A.mtx", text);
  const json r = report(folder, {"solve", "A.mtx"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["method"], "weighted");
  EXPECT_EQ(r["verdict"], "diverges");
  EXPECT_PRED2(contains, r["notes"].dump(), "method auto: plain Jacobi diverges");
  EXPECT_EQ(report(folder, {"solve", "A.mtx", "--method", "plain"})["status"], "diverged");
  EXPECT_EQ(report(folder, {"solve", "A.mtx", "--method", "l1"})["status"], "converged");
}

/// -1 2 -1 on a line of 50 unknowns without an end that is held.
void write_singular(const std::string& path) {
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real symmetric\n50 50 99\n";
  for (int i = 1; i <= 50; ++i)
    out << i << ' ' << i << (i == 1 || i == 50 ? " 1\n" : " 2\n")
        << (i > 1 ? std::to_string(i) + " " + std::to_string(i - 1) + " -1\n" : "");
}

TEST(CliSolve, SaysThatASingularSystemHasNoSolution) {
  const TemporaryFolder folder;
  write_singular(folder / "A.mtx");
  std::vector<double> b(50, 1.0);
  io::write_npy<double>(folder / "none.npy", b, std::vector<std::size_t>{50});
  for (std::size_t i = 0; i < 50; ++i) b[i] = i < 25 ? 1 : -1;
  io::write_npy<double>(folder / "many.npy", b, std::vector<std::size_t>{50});
  for (const char* method : {"auto", "plain", "cg"}) {
    const Result none = jacobi_in(folder, {"solve", "A.mtx", "none.npy", "--method", method});
    EXPECT_EQ(none.code, 3) << method;
    EXPECT_PRED2(contains, none.err, "A.mtx: no solution exists: A is singular");
    const Result many = jacobi_in(folder, {"solve", "A.mtx", "many.npy", "--method", method});
    EXPECT_EQ(many.code == 0, std::string(method) != "plain") << many.out;
    EXPECT_PRED2(contains, many.out, "solutions differ by any constant");
  }
  const Result diagnosed = jacobi_in(folder, {"diagnose", "A.mtx", "none.npy"});
  EXPECT_EQ(diagnosed.code, 1);
  EXPECT_PRED2(contains, diagnosed.out, "plain Jacobi: does not converge for every start");
  EXPECT_PRED2(contains, diagnosed.out, "proved: no solution exists");
}

TEST(CliSolve, NamesTheRightHandSideThatHasNoSolution) {
  const TemporaryFolder folder;
  write_singular(folder / "A.mtx");
  for (const std::size_t bad : {0U, 1U, 2U, 3U}) {  // 3: none
    std::vector<double> b(50 * 3);
    for (std::size_t p = 0; p < b.size(); ++p) b[p] = p / 3 < 25 || p % 3 == bad ? 1 : -1;
    io::write_npy<double>(folder / "b.npy", b, std::vector<std::size_t>{50, 3});
    for (const char* method : {"auto", "cg"}) {
      const Result r = jacobi_in(folder, {"solve", "A.mtx", "b.npy", "--method", method});
      EXPECT_EQ(r.code, bad < 3 ? 3 : 0) << method << ' ' << r.err;
      if (bad < 3)
        EXPECT_PRED2(
            contains, r.err,
            "A.mtx: right-hand side " + std::to_string(bad + 1) + " of 3: no solution exists: A is singular");
    }
  }
}

TEST(CliSolve, ReportsFilesWhoseNamesAreNotUtf8) {
  const TemporaryFolder folder;
  write_tridiagonal(folder / "A\xff.mtx", 5);
  EXPECT_EQ(report(folder, {"solve", "A\xff.mtx"})["matrix"], "A\xEF\xBF\xBD.mtx");
}

TEST(CliSolve, OutOfMemorySaysWhatAFileCanDo) {
  if (available_memory() < 8e9) GTEST_SKIP() << "less than 8 GB of memory are free";
  const TemporaryFolder folder;
  write(folder / "A.mtx", "%%MatrixMarket matrix coordinate real general\n600000000 600000000 1\n1 1 1\n");
  const Result r = shell_in(folder, "ulimit -v 2000000; OMP_NUM_THREADS=1 '" JACOBI_BINARY "' solve A.mtx");
  EXPECT_EQ(r.code, 3) << r.err;
  EXPECT_PRED2(contains, r.err, "A.mtx:2: 600000000 columns need 4.5 GiB of memory, 1.9 GiB are available");
  EXPECT_FALSE(contains(r.err, "points")) << r.err;
}

TEST(CliSolve, ByAutoSweepsNothingThatIsKnownToDiverge) {
  const TemporaryFolder folder;
  std::ofstream out(folder / "A.mtx");  // -1 -0.5 -1: indefinite
  out << "%%MatrixMarket matrix coordinate real symmetric\n40 40 79\n";
  for (int i = 1; i <= 40; ++i)
    out << i << ' ' << i << " -0.5\n"
        << (i > 1 ? std::to_string(i) + " " + std::to_string(i - 1) + " -1\n" : "");
  out.close();
  const json r = report(folder, {"solve", "A.mtx"});
  EXPECT_NE(r["method"], "plain");
  EXPECT_PRED2(contains, r["notes"].dump(), "bicgstab asks nothing of the spectrum");
  EXPECT_LE(r["norm_final"].get<double>(), r["norm_initial"].get<double>());
}

TEST(CliSolve, ChebyshevTakesFarFewerSweepsWhereAIsDefinite) {
  const TemporaryFolder folder;
  std::ofstream out(folder / "A.mtx");
  out << "%%MatrixMarket matrix coordinate real symmetric\n300 300 599\n";
  for (int i = 1; i <= 300; ++i)
    out << i << ' ' << i << " 2.001\n"
        << (i > 1 ? std::to_string(i) + " " + std::to_string(i - 1) + " -1\n" : "");
  out.close();
  const json plain = report(folder, {"solve", "A.mtx", "--method", "plain"});
  const json fast = report(folder, {"solve", "A.mtx", "--method", "chebyshev"});
  EXPECT_EQ(fast["status"], "converged");
  EXPECT_EQ(fast["method"], "chebyshev");
  EXPECT_LT(10 * fast["sweeps"].get<int>(), plain["sweeps"].get<int>());
  EXPECT_GE(fast["error_bound"].get<double>(), fast["error_max"].get<double>());
  write(folder / "B.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 2\n");
  const Result refused = jacobi_in(folder, {"solve", "B.mtx", "--method", "chebyshev"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_NE(refused.err.find("symmetric matrices"), std::string::npos) << refused.err;
}

/// Smooth right-hand sides hide the largest eigenvalue from a short look: the interval must hold it all the
/// same.
TEST(CliSolve, WeightsBySpectrumConvergeOnLaplaciansOfEverySize) {
  const TemporaryFolder folder;
  for (const int side : {10, 60, 200}) {
    std::ofstream file(folder / "L.mtx");
    const int n = side * side;
    file << "%%MatrixMarket matrix coordinate real symmetric\n"
         << n << ' ' << n << ' ' << 3 * n - 2 * side << '\n';
    for (int p = 1; p <= n; ++p) {
      file << p << ' ' << p << " 4\n";
      if (p % side != 0) file << p + 1 << ' ' << p << " -1\n";
      if (p + side <= n) file << p + side << ' ' << p << " -1\n";
    }
    file.close();
    for (const char* method : {"chebyshev", "scheduled", "cyclic-chebyshev"})
      for (const bool as_grid : {true, false}) {
        Words words{"solve", "L.mtx", "--method", method};
        if (!as_grid) words.emplace_back("--no-grid");
        if (!as_grid && words[3] == "cyclic-chebyshev") continue;  // of grids
        EXPECT_EQ(report(folder, words)["status"], "converged") << side << method << as_grid;
      }
  }
}

TEST(CliSolve, DryRunSolvesNothing) {
  const TemporaryFolder folder;
  write_tridiagonal(folder / "A.mtx", 100);
  const json r = report(folder, {"solve", "A.mtx", "--dry-run"});
  EXPECT_EQ(r["dry_run"], true);
  EXPECT_GT(r["predicted_sweeps"], 10);
  EXPECT_GT(r["bytes_per_sweep"], 0);
  EXPECT_FALSE(r.contains("status"));
  const double plain = r["predicted_sweeps"], radius = r["spectral_radius"];
  const json half = report(folder, split("solve A.mtx --dry-run --method weighted --omega 0.5"));
  const double ratio = std::log(radius) / std::log((1 + radius) / 2);  // at most, which plain's is not
  EXPECT_GE(half["predicted_sweeps"], ratio * plain - 3);
  EXPECT_LE(half["predicted_sweeps"], 1.5 * ratio * plain);
  const json wild = report(folder, split("solve A.mtx --dry-run --method weighted --omega 1.9"));
  EXPECT_TRUE(wild["predicted_sweeps"].is_null());
  EXPECT_PRED2(contains, jacobi_in(folder, split("solve A.mtx --dry-run --method weighted --omega 1.9")).out,
               "diverges, by an estimated spectral radius");
  const json by_cg = report(folder, split("solve A.mtx --dry-run --method cg"));
  EXPECT_GE(by_cg["predicted_sweeps"], report(folder, split("solve A.mtx --method cg"))["sweeps"]);
  EXPECT_GT(by_cg["predicted_seconds"], 0);
  const json others = report(folder, split("solve A.mtx --dry-run --method anderson"));
  EXPECT_TRUE(others["predicted_sweeps"].is_null());
  const json l1 = report(folder, split("solve A.mtx --dry-run --method l1"));
  EXPECT_GT(l1["predicted_sweeps"], 1.5 * plain);
  EXPECT_PRED2(contains, jacobi_in(folder, split("solve A.mtx --dry-run --method l1")).out,
               "method l1 as asked for");
  const json noted = report(folder, split("solve A.mtx --dry-run -o x.npy"));
  EXPECT_PRED2(contains, noted["notes"].dump(),
               "--output x.npy: --dry-run solves nothing and does not write it");
}

TEST(CliSolve, AMatrixStoredDenseIsTakenAndToldSo) {
  const TemporaryFolder folder;
  io::write_npy<double>(folder / "A.npy", std::vector<double>{4, 1, 0, 0, 4, 1, 1, 0, 4},
                        std::vector<std::size_t>{3, 3});
  const json r = report(folder, {"solve", "A.npy"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["entries"], 6);
  EXPECT_PRED2(contains, r["notes"].dump(), "stored dense, 66.7 % of its 9 entries are not zero");
}

TEST(CliBench, NamesTheFileOfAMatrixThatCannotBeSwept) {
  const TemporaryFolder folder;
  write(folder / "zero.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n");
  const Result r = jacobi_in(folder, {"bench", "csr", "zero.mtx"});
  EXPECT_EQ(r.code, 3);
  EXPECT_PRED2(contains, r.err, "zero.mtx: ZeroDiagonal: the diagonal of row 2 of 2 is 0");
}

TEST(CliDiagnose, SaysWhatIsProvedAndWhatIsEstimated) {
  const TemporaryFolder folder;
  write_tridiagonal(folder / "A.mtx", 30);
  const Result r = jacobi_in(folder, {"diagnose", "A.mtx"});
  EXPECT_EQ(r.code, 0);
  for (const char* part : {"plain Jacobi: converges", "proved, strict row dominance", "M-matrix",
                           "estimated: spectral radius", "advice: "})
    EXPECT_PRED2(contains, r.out, part);
  const json j = report(folder, {"diagnose", "A.mtx"});
  EXPECT_EQ(j["verdict"], "converges");
  EXPECT_NEAR(j["spectral_radius"], 0.8 * std::cos(std::acos(-1.0) / 31), 1e-6);
  EXPECT_GE(j["contraction_proved"]["factor"], j["spectral_radius"]);
  EXPECT_LE(j["contraction_proved"]["factor"], 0.8 + 1e-12);
}

struct BadWords {
  const char* name;
  int code;
  Words words;
  const char* says;
};

TEST(CliSolveBadInput, IsSaidInOneLineAndLeavesNothing) {
  for (const BadWords& bad : {
           BadWords{"no file", 3, {"none.mtx"}, "none.mtx"},
           {"no matrix", 2, {}, "matrix is required"},
           {"column beyond", 3, {"beyond.mtx"}, "beyond.mtx:3: column 9 exceeds 2"},
           {"not square", 3, {"wide.mtx"}, "wide.mtx: 2 x 3: as many equations as unknowns are needed"},
           {"zero diagonal", 3, {"zero.mtx"}, "zero.mtx: ZeroDiagonal: the diagonal of row 2 of 2 is 0"},
           {"short b", 3, {"A.mtx", "b3.mtx"}, "b3.mtx: 3 values: the right-hand side of A.mtx needs 5"},
           {"no initial",
            3,
            {"A.mtx", "--initial", "x0.npy"},
            "--initial x0.npy: cannot be read: No such file"},
           {"unknown rung",
            2,
            {"A.mtx", "--rung", "fast"},
            "there is no rung 'fast': a dense matrix has textbook, simd-1"},
           {"rung that does not suit", 2, {"far.mtx", "--rung", "blocked"}, "rung 'blocked'"},
           {"omega without weighted",
            2,
            {"A.mtx", "--method", "l1", "--omega", "0.5"},
            "--omega goes with --method weighted"},
           {"omega", 2, {"A.mtx", "--omega", "2"}, "omega = 2 lies outside (0, 2)"},
           {"output over input", 2, {"A.mtx", "x.npy"}, "--output x.npy would replace what is read"},
           {"output of another kind", 2, {"A.mtx", "-o", "x.txt"}, ".npy"},
           {"three files", 2, {"A.mtx", "b3.mtx", "x.mtx"}, "unexpected argument 'x.mtx'"},
       }) {
    const TemporaryFolder folder;
    write_tridiagonal(folder / "A.mtx", 5);
    const std::string head = "%%MatrixMarket matrix coordinate real general\n";
    write(folder / "beyond.mtx", head + "2 2 1\n1 9 1\n");
    write(folder / "wide.mtx", head + "2 3 1\n1 1 1\n");
    write(folder / "zero.mtx", head + "2 2 2\n1 1 1\n1 2 1\n");
    write(folder / "far.mtx",
          head + "9 9 10\n1 1 4\n2 2 4\n3 3 4\n4 4 4\n5 5 4\n6 6 4\n7 7 4\n8 8 4\n9 9 4\n1 9 1\n");
    write(folder / "b3.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n1\n1\n");
    Words words{"solve", "-o", "x.npy", "--history", "h.csv", "--json", "r.json"};
    if (std::string(bad.name) == "output of another kind") words.erase(words.begin() + 1, words.begin() + 3);
    words.insert(words.end(), bad.words.begin(), bad.words.end());
    const Result r = jacobi_in(folder, words);
    EXPECT_EQ(r.code, bad.code) << bad.name << ": " << r.err;
    EXPECT_PRED2(contains, r.err, bad.says) << bad.name;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << bad.name << ": " << r.err;
    for (const char* left : {"x.npy", "h.csv", "r.json", "x.txt"})
      EXPECT_FALSE(std::filesystem::exists(folder / left)) << bad.name << ' ' << left;
  }
}

}  // namespace
}  // namespace jacobi::cli_test
