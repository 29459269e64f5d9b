/// jacobi solve --reorder-rows, and methods that need no diagonal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "random.hpp"

namespace jacobi::cli_test {
namespace {

using test::Random;
using Rows = std::vector<std::vector<double>>;

void write_array(const std::string& path, const Rows& rows) {
  std::ofstream out(path);
  out.precision(17);
  out << "%%MatrixMarket matrix array real general\n" << rows.size() << " " << rows[0].size() << "\n";
  for (std::size_t j = 0; j < rows[0].size(); ++j)
    for (const auto& row : rows) out << row[j] << "\n";
}

void write_coordinates(const std::string& path, const Rows& rows) {
  std::ofstream out(path);
  out.precision(17);
  std::size_t count = 0;
  for (const auto& row : rows)
    for (const double value : row) count += value != 0;
  out << "%%MatrixMarket matrix coordinate real general\n"
      << rows.size() << " " << rows.size() << " " << count << "\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j)
      if (rows[i][j] != 0) out << i + 1 << " " << j + 1 << " " << rows[i][j] << "\n";
}

/// Dominant, with few entries in a row; `rotated`: row i + 1 of the other one is row i, so that its diagonal
/// holds zeros.
struct Pair {
  Rows dominant, rotated, b, b_rotated;
};
Pair pair(unsigned seed, std::size_t n, std::size_t columns) {
  Random random(seed);
  Pair p;
  p.dominant.assign(n, std::vector<double>(n));
  p.b.assign(n, std::vector<double>(columns));
  for (std::size_t i = 0; i < n; ++i) {
    p.dominant[i][i] = random.real(3, 4);
    if (i + 1 < n) p.dominant[i][i + 1] = random.real(-1, 1);
    if (i > 1) p.dominant[i][i - 2] = random.real(-1, 1);
    for (double& value : p.b[i]) value = random.real(-1, 1);
  }
  p.rotated = p.dominant;
  p.b_rotated = p.b;
  std::rotate(p.rotated.begin(), p.rotated.begin() + 1, p.rotated.end());
  std::rotate(p.b_rotated.begin(), p.b_rotated.begin() + 1, p.b_rotated.end());
  return p;
}

TEST(CliReorderRows, SolvesLikeTheMatrixInThatOrder) {
  for (const bool dense : {false, true})
    for (unsigned seed = 0; seed < 4; ++seed)
      for (const char* method : {"auto", "plain", "weighted", "l1", "bicgstab", "anderson"}) {
        SCOPED_TRACE(testing::Message() << dense << " " << seed << " " << method);
        const TemporaryFolder folder;
        const Pair p = pair(seed, 9, 1);
        dense ? write_array(folder / "A.mtx", p.rotated) : write_coordinates(folder / "A.mtx", p.rotated);
        dense ? write_array(folder / "D.mtx", p.dominant) : write_coordinates(folder / "D.mtx", p.dominant);
        write_array(folder / "b.mtx", p.b_rotated);
        write_array(folder / "d.mtx", p.b);
        const auto r = report(folder, {"solve", "A.mtx", "b.mtx", "--reorder-rows", "--method", method,
                                       "--rtol", "1e-12", "-o", "x.npy"});
        const auto d = report(folder, {"solve", "D.mtx", "d.mtx", "--rtol", "1e-12", "-o", "y.npy"});
        EXPECT_EQ(r["status"], "converged");
        EXPECT_TRUE(r["reordered"].get<bool>());
        EXPECT_FALSE(d["reordered"].get<bool>());
        EXPECT_PRED2(contains, r["notes"].dump(), "the unknowns keep their order");
        EXPECT_NEAR(r["reference_norm"].get<double>(), d["reference_norm"].get<double>(), 1e-14);
        const auto x = io::read_npy(folder / "x.npy").values, y = io::read_npy(folder / "y.npy").values;
        for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(x[i], y[i], 1e-10);
      }
}

TEST(CliReorderRows, TakesPlainSweepsExactlyAsInThatOrder) {
  const TemporaryFolder folder;
  const Pair p = pair(3, 40, 1);
  write_coordinates(folder / "A.mtx", p.rotated);
  write_coordinates(folder / "D.mtx", p.dominant);
  write_array(folder / "b.mtx", p.b_rotated);
  write_array(folder / "d.mtx", p.b);
  const auto r =
      report(folder, {"solve", "A.mtx", "b.mtx", "--reorder-rows", "--method", "plain", "-o", "x.npy"});
  const auto d = report(folder, {"solve", "D.mtx", "d.mtx", "--method", "plain", "-o", "y.npy"});
  EXPECT_EQ(r["sweeps"], d["sweeps"]);
  EXPECT_EQ(r["norm_final"], d["norm_final"]);
  EXPECT_EQ(r["error_bound"], d["error_bound"]);
  EXPECT_EQ(content(folder / "x.npy"), content(folder / "y.npy"));
}

TEST(CliReorderRows, TakesEveryRightHandSideAlong) {
  for (const bool dense : {false, true}) {
    const TemporaryFolder folder;
    const Pair p = pair(8, 12, 3);
    dense ? write_array(folder / "A.mtx", p.rotated) : write_coordinates(folder / "A.mtx", p.rotated);
    dense ? write_array(folder / "D.mtx", p.dominant) : write_coordinates(folder / "D.mtx", p.dominant);
    write_array(folder / "B.mtx", p.b_rotated);
    write_array(folder / "d.mtx", p.b);
    const auto r =
        report(folder, {"solve", "A.mtx", "B.mtx", "--reorder-rows", "--method", "plain", "-o", "x.npy"});
    report(folder, {"solve", "D.mtx", "d.mtx", "--method", "plain", "-o", "y.npy"});
    EXPECT_EQ(r["columns"].size(), 3U);
    EXPECT_EQ(content(folder / "x.npy"), content(folder / "y.npy")) << dense;
  }
}

/// A times ones where no b is given: the error is against ones, in the order of the unknowns.
TEST(CliReorderRows, KeepsTheMeaningOfTheError) {
  const TemporaryFolder folder;
  write_coordinates(folder / "A.mtx", pair(5, 30, 1).rotated);
  const auto r = report(folder, {"solve", "A.mtx", "--reorder-rows", "--method", "plain", "--rtol", "1e-12"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_LT(r["error_max"].get<double>(), 1e-11);
  EXPECT_GE(r["error_bound"].get<double>(), r["error_max"].get<double>());
}

TEST(CliReorderRows, SaysWhereThereIsNothingToDoAndWhereNothingHelps) {
  const TemporaryFolder folder;
  write_coordinates(folder / "A.mtx", pair(5, 6, 1).dominant);
  const auto r = report(folder, {"solve", "A.mtx", "--reorder-rows"});
  EXPECT_FALSE(r["reordered"].get<bool>());
  EXPECT_PRED2(contains, r["notes"].dump(), "the rows keep their order");
  write_coordinates(folder / "S.mtx", {{1, 1, 0}, {1, 0, 0}, {1, 0, 0}});
  const Result singular = jacobi_in(folder, {"solve", "S.mtx", "--reorder-rows"});
  EXPECT_EQ(singular.code, 3);
  EXPECT_PRED2(contains, singular.err,
               "S.mtx: --reorder-rows: no order of the rows has a diagonal without zeros");
  const auto dry = report(folder, {"solve", "A.mtx", "--reorder-rows", "--dry-run"});
  EXPECT_FALSE(dry["reordered"].get<bool>());
}

TEST(CliReorderRows, CallsAMatrixSingularOnlyWhereNoOrderOfItsNonzerosHelps) {
  const TemporaryFolder folder;
  write_coordinates(folder / "A.mtx", {{3e-310, 1e-310}, {1e-310, 3e-310}});  // nothing to divide by
  const Result tiny = jacobi_in(folder, {"solve", "A.mtx", "--reorder-rows"});
  EXPECT_EQ(tiny.code, 3);
  EXPECT_PRED2(contains, tiny.err, "too small to be divided by");
  EXPECT_FALSE(contains(tiny.err, "singular"));
  const auto d = report(folder, {"diagnose", "A.mtx"});
  EXPECT_EQ(d["verdict"], "unusable");  // as sweeps find it
  EXPECT_PRED2(contains, d["advice"].dump(), "zero, or as good as that");
  EXPECT_EQ(jacobi_in(folder, {"solve", "A.mtx", "--method", "bicgstab"}).code, 1);  // not refused
  write_coordinates(folder / "S.mtx", {{0, 1}, {0, 2}});
  EXPECT_PRED2(contains, jacobi_in(folder, {"diagnose", "S.mtx"}).out, "A is singular whatever the values");
  write_array(folder / "b.mtx", {{1}, {2}});
  const Result plain = jacobi_in(folder, {"solve", "S.mtx", "b.mtx", "--method", "plain"});
  EXPECT_EQ(plain.code, 3);
  EXPECT_PRED2(contains, plain.err, "tells whether another order of the rows avoids that");
  EXPECT_EQ(report(folder, {"solve", "S.mtx", "b.mtx", "--method", "bicgstab"})["status"], "converged");
}

TEST(CliSolve, TakesBicgstabByItselfWhereTheDiagonalHoldsZeros) {
  const TemporaryFolder folder;
  write_coordinates(folder / "A.mtx", {{0, 1, 3}, {2, 1, 0}, {0, 3, 1}});
  const auto r = report(folder, {"solve", "A.mtx"});
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["method"], "bicgstab");
  EXPECT_LT(r["error_max"].get<double>(), 1e-7);
  EXPECT_PRED2(contains, r["notes"].dump(), "1 diagonal entry is zero");
  const Result plain = jacobi_in(folder, {"solve", "A.mtx", "--method", "plain"});
  EXPECT_EQ(plain.code, 3);
  EXPECT_PRED2(contains, plain.err, "ZeroDiagonal: the diagonal of row 1 of 3 is 0");
  EXPECT_EQ(jacobi_in(folder, {"diagnose", "A.mtx"}).code, 1);
  EXPECT_PRED2(contains, jacobi_in(folder, {"diagnose", "A.mtx", "--reorder-rows"}).out, "spectral radius");
}

}  // namespace
}  // namespace jacobi::cli_test
