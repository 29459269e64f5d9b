/// "Converged" by default means that the solution is right: rows of every size, exact starts, short steps.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

void write_text_file(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

std::string matrix_file(const std::string& entries) {
  return "%%MatrixMarket matrix coordinate real general\n2 2 4\n" + entries;
}
std::string array_file(const std::vector<std::vector<double>>& rows) {
  std::ostringstream text;
  text << "%%MatrixMarket matrix array real general\n" << rows.size() << " " << rows.size() << "\n";
  for (std::size_t j = 0; j < rows.size(); ++j)
    for (const auto& row : rows) text << row[j] << "\n";
  return text.str();
}

std::string vector_file(const std::string& entries) {
  return "%%MatrixMarket matrix array real general\n2 1\n" + entries;
}

/// x = (1, 1) of a second row that is smaller by these factors, by default and by norms of updates.
TEST(CliRightAnswers, SolveRowsOfEverySize) {
  const TemporaryFolder folder;
  for (const std::string small : {"1e-30", "1e-8", "0.001"}) {
    write_text_file(folder / "A.mtx", matrix_file("1 1 1\n1 2 2\n2 1 " + small + "\n2 2 " + small + "\n"));
    for (const std::string norm : {"", " --norm update", " --norm max-update", " --norm scaled-residual"}) {
      const json r = report(folder, split("solve A.mtx" + norm));
      if (r["status"] == "converged") EXPECT_LT(r["error_max"], 1e-6) << small << norm;
      if (norm.empty()) EXPECT_EQ(r["status"], "converged") << small;
    }
  }
}

/// Divisors of l1-Jacobi are larger than the diagonal, and so its updates smaller than D^-1 (b - A x).
TEST(CliRightAnswers, DivideByTheDiagonalWhereTheMethodDoesNot) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", matrix_file("1 1 1\n1 2 10\n2 1 10\n2 2 101\n"));
  write_text_file(folder / "b.mtx", vector_file("1\n1\n"));
  for (const std::string norm : {"scaled-residual", "update", "max-update"}) {
    const std::string words = "solve A.mtx b.mtx --method l1 -o x.npy --norm " + norm;
    const json r = report(folder, split(words + " --rtol 0 --atol 1e-3"));
    const std::vector<double> x = io::read_npy(folder / "x.npy").values;
    const double first = 1 - x[0] - 10 * x[1], second = (1 - 10 * x[0] - 101 * x[1]) / 101;
    EXPECT_EQ(r["status"], "converged") << norm;
    EXPECT_LE(norm == "max-update" ? std::max(std::abs(first), std::abs(second)) : std::hypot(first, second),
              1e-3)
        << norm;
    EXPECT_NEAR(report(folder, split(words + " --rtol 1e-3"))["reference_norm"].get<double>(),
                norm == "max-update" ? 1 : std::hypot(1, 1.0 / 101), 1e-12)
        << norm;
  }
}

TEST(CliRightAnswers, SayWhatANamedResidualDoesNotSee) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", matrix_file("1 1 1\n1 2 2\n2 1 1e-30\n2 2 1e-30\n"));
  const Result r = jacobi_in(folder, split("solve A.mtx --norm residual"));
  EXPECT_TRUE(contains(r.out, "the residual's norm sees the large ones only")) << r.out;
  EXPECT_TRUE(contains(r.out, "backward error")) << r.out;
  EXPECT_EQ(report(folder, split("solve A.mtx --norm residual"))["norm"], "residual");
  EXPECT_EQ(report(folder, split("solve A.mtx"))["norm"], "scaled-residual");
  EXPECT_EQ(report(folder, split("poisson --points 9"))["norm"], "residual");
}

/// Inner points held by a large reaction: potentials of 1 and -1 around them, zero on the sides.
TEST(CliRightAnswers, HoldInnerPointsFixed) {
  const TemporaryFolder folder;
  const std::string one = "1e12*((x-0.3)^2+(y-0.5)^2<0.01)", two = "1e12*((x-0.7)^2+(y-0.5)^2<0.01)";
  std::vector<std::string> words = split("poisson --points 65");
  words.insert(words.end(), {"--reaction", one + "+" + two, "--rhs", one + "-" + two});
  const auto with = [&](const std::string& more) {
    std::vector<std::string> all = words;
    for (const std::string& word : split(more)) all.push_back(word);
    return report(folder, all);
  };
  const json r = with("-o u.npy");
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["norm"], "scaled-residual");
  EXPECT_LT(r["backward_error"], 1e-6);
  const json tight = with("--norm max-update --method cg --rtol 1e-13 -o v.npy");
  EXPECT_EQ(tight["status"], "converged");
  const std::string u = content(folder / "u.npy"), v = content(folder / "v.npy");
  ASSERT_EQ(u.size(), v.size());
  double off = 0;
  for (std::size_t i = u.size() - 65 * 65 * 8; i < u.size(); i += 8) {
    double p, q;
    std::memcpy(&p, u.data() + i, 8);
    std::memcpy(&q, v.data() + i, 8);
    off = std::max(off, std::abs(p - q));
  }
  EXPECT_LT(off, 1e-5);
  EXPECT_GT(off, 0);
}

TEST(CliRightAnswers, KnowAnExactStart) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", matrix_file("1 1 4\n1 2 -1\n2 1 -1\n2 2 4\n"));
  write_text_file(folder / "b.mtx", vector_file("2\n7\n"));
  write_text_file(folder / "x.mtx", vector_file("1\n2\n"));
  for (const std::string method : {"auto", "plain", "cg", "bicgstab", "anderson"}) {
    const json r =
        report(folder, split("solve A.mtx b.mtx --initial x.mtx --reference initial --method " + method));
    EXPECT_EQ(r["status"], "converged") << method;
    EXPECT_EQ(r["sweeps"], 0) << method;
  }
  for (const std::string points : {"9", "9x12", "5x6x7", "300"}) {
    std::vector<std::string> words = split("poisson --rhs 0 --initial 5 --bc");
    words.push_back("x=neumann:0,y=neumann:0" + std::string(points == "5x6x7" ? ",z=periodic" : ""));
    words.insert(words.end(), {"--points", points});
    EXPECT_EQ(report(folder, words)["status"], "converged") << points;
  }
}

TEST(CliRightAnswers, GiveAToleranceInNumbersHoweverLargeItIs) {
  const TemporaryFolder folder;
  const json r = report(folder, split("poisson --points 9 --rtol 1e300 --rhs 1e200"));
  EXPECT_EQ(r["tolerance"], std::numeric_limits<double>::max());
  EXPECT_EQ(r["status"], "converged");
}

/// Radii 1/3 and 5/3 to the bit of a double: four digits of a proved bound lie on its side.
TEST(CliRightAnswers, RoundTheDigitsOfAProvedBoundAwayFromWhatItBounds) {
  const TemporaryFolder folder;
  write_text_file(folder / "third.mtx", array_file({{3, 1}, {1, 3}}));
  write_text_file(folder / "more.mtx", array_file({{3, 5}, {5, 3}}));
  const std::string third = jacobi_in(folder, {"diagnose", "third.mtx"}).out;
  const std::string more = jacobi_in(folder, {"diagnose", "more.mtx"}).out;
  EXPECT_PRED2(contains, third, "the spectral radius is at most 0.3334");
  EXPECT_FALSE(contains(third, "at most 0.3333"));
  EXPECT_PRED2(contains, more, "at least 1.666");
  EXPECT_FALSE(contains(more, "at least 1.667"));
}

TEST(CliRightAnswers, NameTheEntryOfTheMatrixWhereItWasTakenForAGrid) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{1e30, 0.5, 0}, {-0.5, 1e30, 0.5}, {0, -0.5, 1e30}}));
  write_text_file(folder / "B.mtx", array_file({{4, 1, 0}, {-1, 4, 1}, {0, -1, 4}}));
  for (const std::string file : {"A.mtx", "B.mtx"}) {
    const Result r = jacobi_in(folder, {"solve", file, "--method", "cg"});
    if (r.code == 3) EXPECT_PRED2(contains, r.err, "entry (2, 1) is") << file;
  }
  EXPECT_EQ(jacobi_in(folder, {"solve", "B.mtx", "--method", "cg"}).code, 3);
}

TEST(CliRightAnswers, WriteASolutionUnderEveryNameThatIsAccepted) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{4, 1}, {1, 4}}));
  for (const std::string name : {"x.NPY", "x.Mtx", "/dev/null"})
    EXPECT_EQ(jacobi_in(folder, {"solve", "A.mtx", "--output", name}).code, 0) << name;
  const Result r = jacobi_in(folder, {"solve", "A.mtx", "--output", "/dev/stdout"});
  EXPECT_EQ(r.code, 0);
  EXPECT_TRUE(r.out.starts_with("%%MatrixMarket matrix array real general")) << r.out;
  EXPECT_FALSE(contains(r.out, "converged")) << "text beside the numbers";
  std::filesystem::create_symlink("target.npy", folder / "link.npy");
  EXPECT_EQ(jacobi_in(folder, {"solve", "A.mtx", "--output", "link.npy"}).code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_TRUE(std::filesystem::exists(folder / "target.npy"));
  std::filesystem::create_symlink("circle.npy", folder / "circle.npy");
  EXPECT_EQ(jacobi_in(folder, {"solve", "A.mtx", "--output", "circle.npy"}).code, 3);
}

TEST(CliRightAnswers, RefuseWhatSinglePrecisionWouldTakeForZero) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{4, 1}, {1, 4}}));
  write_text_file(folder / "b.mtx", vector_file("1e-150\n2e-150\n"));
  const std::array<std::size_t, 1> two{2};
  io::write_npy<double>(folder / "b.npy", std::vector<double>{1e-150, 2e-150}, two);
  io::write_npy<double>(folder / "part.npy", std::vector<double>{1e-150, 2}, two);
  io::write_npy<double>(folder / "A.npy", std::vector<double>{4e-150, 0, 0, 4e-150},
                        std::array<std::size_t, 2>{2, 2});
  for (const Words& words : {Words{"solve", "A.mtx", "b.mtx"}, Words{"solve", "A.mtx", "b.npy"},
                             Words{"solve", "A.npy"}, Words{"poisson", "--points", "9", "--rhs", "1e-60"},
                             Words{"poisson", "--points", "9", "--rhs", "1e-40*x"},
                             Words{"poisson", "--points", "9", "--diffusion", "1e-60"},
                             Words{"poisson", "--points", "9", "--reaction", "1e-60"},
                             Words{"poisson", "--points", "9", "--boundary", "1e-60"}}) {
    Words single = words;
    single.insert(single.end(), {"--precision", "float"});
    const Result r = jacobi_in(folder, single);
    EXPECT_EQ(r.code, 3) << words.back();
    EXPECT_PRED2(contains, r.err, "is below the range of single precision") << words.back();
    EXPECT_EQ(jacobi_in(folder, words).code, 0) << words.back() << " in double: " << r.err;
  }
  const Result part = jacobi_in(folder, split("solve A.mtx part.npy --precision float --rtol 1e-5"));
  EXPECT_EQ(part.code, 0);
  EXPECT_PRED2(contains, part.out, "value 1e-150 (element 1) is too small for float and taken as 0");
}

TEST(CliRightAnswers, LookAtEveryRightHandSideForASolution) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{1, -1, 0}, {-1, 2, -1}, {0, -1, 1}}));
  write_text_file(folder / "B.mtx", "%%MatrixMarket matrix array real general\n3 2\n1\n-1\n0\n1\n0\n0\n");
  const Result r = jacobi_in(folder, {"diagnose", "A.mtx", "B.mtx"});
  EXPECT_PRED2(contains, r.out, "right-hand side 2 of 2: no solution exists");
  EXPECT_PRED2(contains, r.out, "of 2 right-hand sides the first one's sweeps are told");
}

/// The last step is long, and leads to the solution to within rounding.
TEST(CliRightAnswers, CallSolvedWhatAMethodHasSolvedInItsLastStep) {
  const TemporaryFolder folder;
  for (const std::string points : {"4", "6", "4x5", "4x4x4"})
    for (const std::string method : {"cg", "bicgstab"})
      for (const std::string norm : {"update", "max-update"}) {
        const Result r = jacobi_in(
            folder, split("poisson --points " + points + " --norm " + norm + " --method " + method));
        EXPECT_EQ(r.code, 0) << points << ' ' << method << ' ' << norm << '\n' << r.out;
      }
}

TEST(CliRightAnswers, DoNotDependOnTheUnitsOfTheMatrix) {
  const TemporaryFolder folder;
  for (const double unit : {1e200, 1e-200, 1e195, 1e-150, 1.}) {
    write_text_file(folder / "A.mtx", array_file({{2 * unit, -unit}, {-unit, 2 * unit}}));
    for (const std::string method : {"cg", "bicgstab", "anderson"})
      for (const std::string norm : {"residual", "update", "scaled-residual", "max-residual"}) {
        const Result r =
            jacobi_in(folder, split("solve A.mtx --method " + method + " --norm " + norm + " --atol 1e-300"));
        EXPECT_EQ(r.code, 0) << unit << ' ' << method << ' ' << norm << '\n' << r.out;
        EXPECT_TRUE(contains(r.out, "after 1 sweep") || contains(r.out, "after 2 sweeps") ||
                    contains(r.out, "after 3 sweeps"))
            << unit << ' ' << method << ' ' << norm << '\n'
            << r.out;
      }
  }
}

/// A full cycle raises the residual of rows 1e12 times as large as others before it falls.
TEST(CliRightAnswers, ForgiveTheFirstCycleItsGrowth) {
  const TemporaryFolder folder;
  for (const std::string points : {"17", "33"}) {
    const Result r = jacobi_in(folder, split("poisson --points " + points +
                                             " --reaction 1e12*(x<0.41) --boundary 1 --norm residual "
                                             "--method multigrid"));
    EXPECT_EQ(r.code, 0) << r.out;
  }
}

TEST(CliRightAnswers, SayWhatAColumnOfZerosIsHeldTo) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{4, 1}, {1, 3}}));
  write_text_file(folder / "B.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n0\n0\n");
  write_text_file(folder / "x.mtx", "%%MatrixMarket matrix array real general\n2 2\n0\n0\n1\n1\n");
  const std::string says =
      "right-hand side 2 is 0: its tolerance is relative to the norm of its initial iterate";
  EXPECT_PRED2(contains, jacobi_in(folder, split("solve A.mtx B.mtx --initial x.mtx")).out, says);
  EXPECT_FALSE(contains(jacobi_in(folder, split("solve A.mtx B.mtx")).out, "right-hand side 2 is 0"));
}

TEST(CliRightAnswers, TellTheToleranceThatWasAskedFor) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{4, 1}, {1, 3}}));
  for (const std::string size : {"1", "1e-300", "1e-320"}) {
    write_text_file(folder / "b.mtx", vector_file(size + "\n" + size + "\n"));
    const Result r = jacobi_in(folder, split("solve A.mtx b.mtx --atol 1e10 --json -"));
    EXPECT_EQ(nlohmann::json::parse(r.out)["tolerance"].get<double>(), 1e10) << size;
  }
}

TEST(CliRightAnswers, KnowAFileByALinkThatLeadsToItBeforeItIsThere) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{4, 1}, {1, 4}}));
  std::filesystem::create_symlink("same.npy", folder / "link.json");
  const Result r = jacobi_in(folder, split("solve A.mtx -o same.npy --json link.json"));
  EXPECT_EQ(r.code, 2);
  EXPECT_PRED2(contains, r.err, "are the same file");
}

/// The norm falls below what rounding leaves, where it may grow again.
TEST(CliRightAnswers, CallNoSolveDivergedThatEndsAtRounding) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{9, 7}, {7, 9}}));
  write_text_file(folder / "b.mtx", vector_file("20\n30\n"));
  const json r = report(folder, split("solve A.mtx b.mtx --method bicgstab --rtol 1e-40"));
  EXPECT_NE(r["status"], "diverged");
  EXPECT_LT(r["backward_error"].get<double>(), 1e-15);
}

/// The first row is 1e30 times as large as the others, all diagonals are alike.
TEST(CliRightAnswers, SayThatARowDoesNotHoldWhereTheNormDoesNotSeeIt) {
  const TemporaryFolder folder;
  write_text_file(folder / "A.mtx", array_file({{2, -7e32, 0, 0, 0},
                                                {0, 2, -1e-26, 0, 0},
                                                {0, 0, 1, 4000, 0},
                                                {0, 0, 0, 1, -1e7},
                                                {-6e-18, 0, 0, 0, -1}}));
  const json r = report(folder, split("solve A.mtx"));
  EXPECT_EQ(r["status"], "converged");
  EXPECT_GT(r["backward_error"].get<double>(), 0.1);
  EXPECT_PRED2(contains, r["notes"].dump(), "a row, far smaller than others, does not hold at all");
  const json alike = report(folder, split("poisson --points 9 --rtol 1e-4"));
  EXPECT_FALSE(contains(alike["notes"].dump(), "does not hold"));
  write_text_file(folder / "G.mtx", array_file({{4, 1}, {1, 3}}));
  write_text_file(folder / "zero.mtx", "%%MatrixMarket matrix array real general\n2 1\n0\n0\n");
  write_text_file(folder / "one.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
  const json to_zero = report(folder, split("solve G.mtx zero.mtx --initial one.mtx"));
  EXPECT_EQ(to_zero["status"], "converged");
  EXPECT_FALSE(contains(to_zero["notes"].dump(), "does not hold")) << "the rows are alike";
}

}  // namespace
}  // namespace jacobi::cli_test
