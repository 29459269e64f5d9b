/// The most memory that a solve takes, beside what its dry run tells: of every method, on grids and on
/// matrices from files, in both precisions.
#include <gtest/gtest.h>

#include <sys/resource.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

/// Circulant, ten entries a row off the diagonal, near and far: neither a grid nor a band. Symmetric and
/// dominant, or neither.
void write_sparse(const std::string& path, long n, bool dominant) {
  const long distances[] = {1, 37, 1009, 20011, 40009};
  std::ofstream out(path);
  out << "%%MatrixMarket matrix coordinate real general\n" << n << ' ' << n << ' ' << 11 * n << '\n';
  std::string text;
  const auto add = [&](long number, char end) {
    char digits[24];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
    text += end;
  };
  const auto entry = [&](long i, long j, long value) {
    add(i + 1, ' ');
    add(j + 1, ' ');
    add(value, '\n');
  };
  for (long i = 0; i < n; ++i) {
    entry(i, i, dominant ? 11 : 14);
    for (const long d : distances) {
      entry(i, (i + d) % n, dominant ? -1 : -2);
      entry(i, (i + n - d) % n, -1);
    }
    if (text.size() > 1 << 20) out << text, text.clear();
  }
  out << text;
}

/// Symmetric and dominant, without a zero.
void write_dense(const std::string& path, long n) {
  std::ofstream out(path, std::ios::binary);
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(n) + ", " +
                       std::to_string(n) + "), }";
  header.resize(127 - 10, ' ');
  out << "\x93NUMPY" << '\1' << '\0' << static_cast<char>(header.size() + 1) << '\0' << header << '\n';
  std::vector<double> row(static_cast<std::size_t>(n));
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j)
      row[j] = i == j ? static_cast<double>(n) : -1 / (1 + std::abs(static_cast<double>(i - j)));
    out.write(reinterpret_cast<const char*>(row.data()), n * static_cast<long>(sizeof(double)));
  }
}

/// peak <= 1.1 told, told <= 1.5 peak.
void expect_told(const TemporaryFolder& folder, const std::string& line) {
  const Result dry = with_cache(folder, line + " --dry-run --json -");
  ASSERT_EQ(dry.code, 0) << line << "\n" << dry.err;
  const double told = nlohmann::json::parse(dry.out)["memory_bytes"].get<double>();
  const Result r = with_cache(folder, line + " --max-sweeps 6 --quiet");
  EXPECT_TRUE(r.code == 0 || r.code == 1) << line << "\n" << r.err;
  const double ratio = r.peak / told;
  EXPECT_LE(ratio, 1.1) << line << ": told " << told / 1e6 << " MB";
  EXPECT_LE(1 / ratio, 1.5) << line << ": told " << told / 1e6 << " MB";
  if (std::getenv("SHOW")) std::printf("%5.2f of %6.1f MB  %s\n", ratio, told / 1e6, line.c_str());
  testing::Test::RecordProperty(line, std::to_string(ratio));
}

void expect_told(const TemporaryFolder& folder, const std::string& command,
                 const std::vector<std::string>& options) {
  for (const std::string& each : options) expect_told(folder, command + " " + each);
}

const std::vector<std::string> methods{
    "--method plain",    "--method weighted", "--method chebyshev",           "--method cg",
    "--method bicgstab", "--method auto",     "--method anderson --depth 32",
};

TEST(LongMemoryTold, OfAGrid) {
  const TemporaryFolder folder;
  for (const std::string precision : {"double", "float"}) {
    const std::string command = "poisson --points 1201 --precision " + precision;
    expect_told(folder, command,
                {"--method plain", "--method weighted", "--method chebyshev", "--method cg",
                 "--method bicgstab", "--method auto", "--method red-black", "--method scheduled",
                 "--method multigrid", "--method cg --preconditioner multigrid"});
  }
}

TEST(LongMemoryTold, OfVaryingCoefficients) {
  const TemporaryFolder folder;
  for (const std::string precision : {"double", "float"})
    expect_told(folder, "poisson --points 1001 --diffusion 1+x --precision " + precision,
                {"--method plain", "--method red-black", "--method cg", "--method bicgstab",
                 "--method multigrid", "--method cg --preconditioner multigrid"});
}

TEST(LongMemoryTold, OfOtherGrids) {
  const TemporaryFolder folder;
  expect_told(folder, "poisson",
              {"--points 121 --dim 3 --method plain", "--points 121 --dim 3 --method cg",
               "--points 121 --dim 3 --method multigrid", "--points 2000000 --dim 1 --method plain",
               "--points 1201 --bc x=neumann:0,y=neumann:0 --rhs x-0.5 --method cg",
               "--points 1201 --exact 0 --rhs 0 --method plain",
               "--points 1201 --method plain --norm update --check-every 1",
               "--points 1201 --bc x=periodic --method weighted", "--points 601 --method anderson --depth 32",
               "--points 601 --method anderson --depth 32 --precision float",
               "--dim 1 --points 20001 --copies 64 --method plain"});
}

/// Of all methods, l1 too, in both precisions.
void expect_told_of_matrix(const TemporaryFolder& folder, const std::string& file) {
  for (const std::string precision : {"double", "float"}) {
    const std::string command = "solve " + file + " --precision " + precision;
    expect_told(folder, command, methods);
    expect_told(folder, command, {"--method l1"});
  }
}

TEST(LongMemoryTold, OfASparseMatrix) {
  const TemporaryFolder folder;
  write_sparse(folder / "A.mtx", 160'000, true);
  expect_told_of_matrix(folder, "A.mtx");
  expect_told(folder, "solve A.mtx --method plain",
              {"--rhs-count 8", "--rhs-count 32", "--rung fused", "--rung sliced"});
}

TEST(LongMemoryTold, OfASparseMatrixThatProvesNothing) {
  const TemporaryFolder folder;
  write_sparse(folder / "A.mtx", 160'000, false);
  for (const std::string precision : {"double", "float"})
    expect_told(folder, "solve A.mtx --precision " + precision,
                {"--method plain", "--method bicgstab", "--method auto"});
}

TEST(LongMemoryTold, OfADenseMatrix) {
  const TemporaryFolder folder;
  write_dense(folder / "A.npy", 2800);
  expect_told_of_matrix(folder, "A.npy");
  expect_told(folder, "solve A.npy --method plain",
              {"--matrix-precision float", "--matrix-precision bf16", "--rung fused", "--rhs-count 8"});
}

}  // namespace
}  // namespace jacobi::cli_test
