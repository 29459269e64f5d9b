/// Systems in files as other programs write them: read with the right values, or refused in words.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"
#include "io/vector_file.hpp"

namespace jacobi::cli_test {
namespace {

using io_test::put;
using nlohmann::json;
using Values = std::vector<double>;

const std::string general = "%%MatrixMarket matrix coordinate real general\n";

class CliForeignFiles : public testing::Test {
 protected:
  /// Solves far below the default tolerance; the solution.
  Values solution(Words words) {
    words.insert(words.begin(), "solve");
    words.insert(words.end(), {"-o", "x.npy", "--rtol", "1e-14", "--json", "r.json"});
    const Result r = jacobi_in(folder, words);
    EXPECT_EQ(r.code, 0) << r.err;
    return io::read_vector<double>(folder / "x.npy");
  }
  std::string notes() { return json::parse(content(folder / "r.json"))["notes"].dump(); }
  void expect_solution(const Words& words, const Values& expected) {
    const Values x = solution(words);
    ASSERT_EQ(x.size(), expected.size());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], expected[i], 1e-12) << words[0] << ' ' << i;
  }
  /// One line, exit code 3.
  std::string refusal(const Words& words) {
    const Result r = jacobi_in(folder, words);
    EXPECT_EQ(r.code, 3) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
    return r.err;
  }

  TemporaryFolder folder;
};

TEST_F(CliForeignFiles, AVectorWithoutEntriesIsZero) {
  put(folder / "A.mtx", general + "2 2 3\n1 1 4\n1 2 1\n2 2 2\n");
  put(folder / "zero.mtx", general + "2 1 0\n");
  put(folder / "array.mtx", "%%MatrixMarket matrix array real general\n2 1\n");
  for (const char* b : {"zero.mtx", "array.mtx"}) EXPECT_EQ(solution({"A.mtx", b}), (Values{0, 0}));
  EXPECT_PRED2(contains, notes(), "array.mtx: no value follows the size in line 2: read as 2 zeros");
  expect_solution({"A.mtx", "--initial", "zero.mtx"}, {1, 1});
  put(folder / "none.mtx", general + "2 2 0\n");
  EXPECT_PRED2(contains, refusal({"solve", "none.mtx"}), "none.mtx: 0 entries: a matrix needs at least one");
}

TEST_F(CliForeignFiles, WholeNumbersMayBeLargeOrWrittenOtherwise) {
  const std::string integers = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n1 1 ";
  for (const char* word : {"18014398509481984", "1e16", "1e3", "2.0"}) {
    put(folder / "A.mtx", integers + word + "\n2 2 3\n");
    expect_solution({"A.mtx"}, {1, 1});
  }
  put(folder / "A.mtx", integers + "18014398509481985\n2 2 3\n");
  EXPECT_PRED2(contains, refusal({"solve", "A.mtx"}),
               "A.mtx:3: value 18014398509481985 is beyond 2^53 and has no exact double");
}

TEST_F(CliForeignFiles, TextIsReadOrItsEncodingNamed) {
  const std::string text = general + "2 2 2\n1 1 2\n2 2 3\n";
  put(folder / "A.mtx", "\xef\xbb\xbf" + text);
  put(folder / "b.mtx", "\xef\xbb\xbf%%MatrixMarket matrix array real general\n2 1\n4\n9\n");
  expect_solution({"A.mtx", "b.mtx"}, {2, 3});
  std::string wide("\xff\xfe"), old = text;
  for (const char c : text) wide += {c, '\0'};
  put(folder / "A.mtx", wide);
  EXPECT_PRED2(contains, refusal({"solve", "A.mtx"}), "A.mtx:1: this is UTF-16");
  std::replace(old.begin(), old.end(), '\n', '\r');
  put(folder / "A.mtx", old);
  EXPECT_PRED2(contains, refusal({"solve", "A.mtx"}), "lines end in CR alone");
}

TEST_F(CliForeignFiles, VectorsMayHaveTheirOwnBanner) {
  put(folder / "A.mtx", general + "2 2 3\n1 1 4\n1 2 1\n2 2 2\n");
  put(folder / "b.mtx", "%%MatrixMarket vector coordinate real general\n2\n1 6\n2 4\n");
  expect_solution({"A.mtx", "b.mtx"}, {1, 2});
  put(folder / "b.mtx", "%%MatrixMarket vector array real general\n2\n6\n4\n");
  expect_solution({"A.mtx", "b.mtx"}, {1, 2});
}

TEST_F(CliForeignFiles, ASymmetricMatrixMayStoreEitherTriangleOrBoth) {
  const std::string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
  put(folder / "b.mtx", "%%MatrixMarket matrix array real general\n2 1\n5\n7\n");  // of (1, 2)
  for (const char* entries : {"2 2 3\n1 1 3\n1 2 1\n2 2 3\n", "2 2 4\n1 1 3\n1 2 1\n2 1 1\n2 2 3\n"}) {
    put(folder / "A.mtx", symmetric + entries);
    expect_solution({"A.mtx", "b.mtx"}, {1, 2});
  }
  EXPECT_PRED2(contains, notes(), "A.mtx: all entries off the diagonal are stored in both triangles, alike");
  put(folder / "A.mtx", symmetric + "2 2 4\n1 1 3\n1 2 1\n2 1 2\n2 2 3\n");
  EXPECT_PRED2(contains, refusal({"solve", "A.mtx"}), "A.mtx:5: entry (2, 1) is 2 and (1, 2) 1");
}

TEST_F(CliForeignFiles, NumPysArraysAreToldByTheirContentPackedOrNot) {
  io::write_npy<double>(folder / "A.npy", Values{4, 1, 2, 5}, std::array<std::size_t, 2>{2, 2});
  io::write_npy<double>(folder / "b.npy", Values{6, 12}, std::array<std::size_t, 1>{2});
  std::filesystem::copy_file(folder / "A.npy", folder / "A.dat");
  ASSERT_EQ(shell_in(folder, "gzip -k A.npy b.npy; cp A.npy.gz A2.npy; cp A.npy.gz A2.mtx").code, 0);
  for (const char* a : {"A.npy", "A.npy.gz", "A.dat", "A2.npy", "A2.mtx"})
    expect_solution({a, "b.npy.gz"}, {1, 2});
  put(folder / "A.npz", std::string("PK\x03\x04 and so on", 14));
  for (const Words& words :
       {Words{"solve", "A.npz"}, Words{"solve", "A.npy", "A.npz"}, Words{"diagnose", "A.npz"}})
    EXPECT_PRED2(contains, refusal(words),
                 "A.npz: a .npz file is an archive: take one array out of it with np.save");
  EXPECT_PRED2(contains, refusal(split("poisson --points 9 --rhs A.npz")),
               "--rhs A.npz: a .npz file is an archive");
  io::write_npy<double>(folder / "f.npy", Values(49, 1), std::array<std::size_t, 2>{7, 7});
  ASSERT_EQ(shell_in(folder, "gzip f.npy").code, 0);
  EXPECT_EQ(jacobi_in(folder, split("poisson --points 9 --rhs f.npy.gz")).code, 0);
}

TEST_F(CliForeignFiles, ATypeOfGraphBlasOverridesTheBanner) {
  put(folder / "A.mtx",
      "%%MatrixMarket matrix coordinate integer general\n%%GraphBLAS type double\n2 2 2\n1 1 2.5\n2 2 3\n");
  put(folder / "b.mtx", "%%MatrixMarket matrix array real general\n2 1\n5\n6\n");
  expect_solution({"A.mtx", "b.mtx"}, {2, 2});
}

TEST_F(CliForeignFiles, ASystemMayStandInOneFile) {
  const std::string entries = "1 1 2\n2 2 3\n1 2 1\n";
  put(folder / "amgx.mtx", general + "%%AMGX 1 1 rhs\n2 2 3\n" + entries + "5\n6\n");
  put(folder / "written.mtx", general + "%%NVAMG 1 1 sorted rhs\n2 2 3\n" + entries + "2\n5\n6\n");
  put(folder / "lis.mtx", general + "2 2 3 1 0\n" + entries + "1 5\n2 6\n");
  put(folder / "other.mtx", "%%MatrixMarket matrix array real general\n2 1\n3\n3\n");
  for (const char* a : {"amgx.mtx", "written.mtx", "lis.mtx"}) {
    expect_solution({a}, {1.5, 2});
    EXPECT_PRED2(contains, notes(), "the right-hand side in the file is used");
    expect_solution({a, "other.mtx"}, {1, 1});
    EXPECT_PRED2(contains, notes(), "the right-hand side in the file is not used: other.mtx is");
    EXPECT_PRED2(contains, refusal({"solve", a, "--rhs-count", "2"}),
                 "holds one right-hand side: --rhs-count asks for 2");
  }
}

TEST_F(CliForeignFiles, ADiagonalThatUnderflowsIsNamedWithItsLine) {
  put(folder / "A.mtx", general + "2 2 3\n1 1 2\n1 2 1\n2 2 1e-400\n");
  EXPECT_EQ(
      refusal({"solve", "A.mtx"}),
      "jacobi: A.mtx:5: the diagonal entry 1e-400 of row 2 is too small for double and taken as 0: scale the "
      "row\n");
  EXPECT_PRED2(contains, jacobi_in(folder, {"diagnose", "A.mtx"}).out,
               "A.mtx:5: 1e-400 is too small for double");
  put(folder / "A.mtx", general + "2 2 3\n1 1 2\n1 2 1\n2 2 1e-50\n");
  EXPECT_PRED2(
      contains, refusal({"solve", "A.mtx", "--precision", "float"}),
      "A.mtx:5: the diagonal entry 1e-50 of row 2 is too small for float and taken as 0: take --precision");
  put(folder / "A.mtx", general + "2 2 4\n1 1 2\n1 2 1\n2 2 1e-400\n2 2 3\n");
  expect_solution({"A.mtx"}, {1, 1});
  EXPECT_PRED2(contains, notes(), "A.mtx:5: 1e-400 is too small for double and taken as 0");
}

/// A limit that the system does not tell as available memory.
TEST_F(CliForeignFiles, WhatDoesNotEndIsRefusedWhereMemoryDoes) {
  const Result pipe =
      shell_in(folder, "yes '1 2 3' | (ulimit -v 1000000; exec '" JACOBI_BINARY "' solve /dev/stdin)");
  EXPECT_EQ(pipe.code, 3) << pipe.err;
  EXPECT_PRED2(contains, pipe.err, "/dev/stdin: does not end: after ");
  EXPECT_PRED2(contains, refusal({"solve", "/dev/zero"}), "/dev/zero: begins with a byte 0");
}

TEST_F(CliForeignFiles, AnAxisWithoutDiffusionHasADomainBesideIt) {
  const Words axis = {"poisson",  "--dim", "1",
                      "--points", "17",    "--diffusion",
                      "x",        "--bc",  "x-=neumann:0,x+=dirichlet:0",
                      "--rhs",    "4*x",   "--exact",
                      "1-x^2"};
  const std::string said = refusal(axis);
  EXPECT_PRED2(contains, said,
               "on an insulated side, as on the axis of a cylinder, begin beside that: --domain 1e-9:1\n");
  Words beside = axis;
  beside.insert(beside.end(), {"--domain", "1e-9:1"});
  EXPECT_LT(report(folder, beside)["error_max"], 1e-8);
  EXPECT_PRED2(
      contains,
      refusal(split("poisson --points 9 --domain 0:2x-1:0 --diffusion -y*(x>0) --bc x-=neumann,y+=neumann")),
      "begin beside that: --domain 2e-9:2x-1:-1e-09\n");
  for (const char* other : {"--diffusion x --bc x+=neumann", "--diffusion x-0.5 --bc x-=neumann",
                            "--diffusion x*(x>0.2) --bc x-=neumann"})
    EXPECT_FALSE(contains(refusal(split(std::string("poisson --points 9 ") + other)), "--domain")) << other;
}

}  // namespace
}  // namespace jacobi::cli_test
