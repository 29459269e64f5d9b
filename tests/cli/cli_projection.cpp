/// --project-rhs, and the cure that a refusal prints.
#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

const std::string closed[] = {"x=neumann:0,y=neumann:0", "x=periodic,y=periodic", "x=periodic,y=neumann:0",
                              "x-=neumann:1,x+=neumann:0.5,y=neumann:0"};

Words poisson_with(const std::string& rhs, const std::string& bc, const std::string& more = "") {
  Words words = split("poisson --points 33 --bc " + bc + " " + more);
  words.insert(words.end(), {"--rhs", rhs});
  return words;
}

/// "0.25" and "1.2e-17" of "subtract 0.25, then 1.2e-17, or ..." as "(rhs) - (0.25) - (1.2e-17)".
std::string followed(const std::string& message, const std::string& rhs) {
  std::smatch found;
  std::string text = message.substr(std::min(message.size(), message.find("subtract ")));
  text = text.substr(0, text.find(", or"));
  std::string result = "(" + rhs + ")";
  const std::regex number("[-+]?[0-9.]+(e[-+]?[0-9]+)?");
  for (; std::regex_search(text, found, number); text = found.suffix()) result += " - (" + found.str() + ")";
  return result;
}

TEST(CliProjection, TheCurePrintedSucceedsWhenItIsFollowed) {
  for (const std::string& bc : closed)
    for (const std::string rhs : {"1", "0.1", "exp(x)*y", "sin(3*x)+1e-6*y", "1+1e-6*sin(2*pi*x)",
                                  "1e8+cos(2*pi*x)", "1e-30*(x+2)", "-7.3*x*x"})
      for (const std::string precision : {"double", "float"}) {
        if (precision == "float" && rhs.starts_with("1+1e-6")) continue;  // which float hardly tells from 1
        const std::string more = "--precision " + precision + " --rtol 1e-3";
        const Result refused = jacobi(poisson_with(rhs, bc, more));
        if (refused.code == 0) continue;  // fluxes balance it
        ASSERT_EQ(refused.code, 3) << rhs << bc << refused.err;
        EXPECT_PRED2(contains, refused.err, "--project-rhs");
        const std::string cure = followed(refused.err, rhs);
        const Result cured = jacobi(poisson_with(cure, bc, more));
        EXPECT_NE(cured.code, 3) << cure << " " << bc << "\n" << cured.err;
        if (precision == "double") EXPECT_EQ(cured.code, 0) << cure << " " << bc << "\n" << cured.out;
      }
}

TEST(CliProjection, RemovesTheMeanAndSaysHowMuch) {
  for (const std::string& bc : closed) {
    const TemporaryFolder folder;
    const json r = report(folder, poisson_with("exp(x)*y", bc, "--project-rhs"));
    EXPECT_EQ(r["status"], "converged") << bc;
    EXPECT_PRED2(contains, r["notes"].dump(), "was removed as asked") << bc;
    EXPECT_PRED2(contains, r["notes"].dump(), "for the right-hand side as given a residual of 2-norm") << bc;
  }
}

/// Mean 0.5 of every entry: sqrt(32 * 32) of it remains on a periodic grid.
TEST(CliProjection, TellsTheResidualThatRemains) {
  const TemporaryFolder folder;
  const json r = report(folder, split("poisson --points 32 --bc x=periodic,y=periodic --rhs 0.5+sin(2*pi*x) "
                                      "--project-rhs --exact sin(2*pi*x)/39.4 --norm residual"));
  EXPECT_EQ(r["status"], "converged");
  EXPECT_PRED2(contains, r["notes"].dump(), "the mean of the right-hand side, 0.5");
  EXPECT_PRED2(contains, r["notes"].dump(), "1.600000e+01 remains");
  EXPECT_LT(r["error_norm"].get<double>(), 0.01 * 32);
}

TEST(CliProjection, LeavesARegularProblemAsItIs) {
  const json with = report_of("poisson --points 33 --project-rhs"),
             without = report_of("poisson --points 33");
  EXPECT_EQ(with["norm_final"], without["norm_final"]);
  EXPECT_PRED2(contains, with["notes"].dump(), "--project-rhs removed nothing");
}

/// The ring of n points: every row and column sums to 0.
std::string ring(int n) {
  std::string text = "%%MatrixMarket matrix coordinate real general\n" + std::to_string(n) + " " +
                     std::to_string(n) + " " + std::to_string(3 * n) + "\n";
  for (int i = 0; i < n; ++i)
    for (int j : {i, (i + 1) % n, (i + n - 1) % n})
      text += std::to_string(i + 1) + " " + std::to_string(j + 1) + (i == j ? " 2\n" : " -1\n");
  return text;
}
std::string column(int n, double shift) {
  std::string text = "%%MatrixMarket matrix array real general\n" + std::to_string(n) + " 1\n";
  for (int i = 0; i < n; ++i) text += std::to_string(shift + std::cos(6.283185307179586 * i / n)) + "\n";
  return text;
}

TEST(CliProjection, OfAMatrixWhoseColumnsSumToZero) {
  const TemporaryFolder folder;
  io_test::put(folder / "a.mtx", ring(16));
  io_test::put(folder / "b.mtx", column(16, 0.25));
  const Result refused = jacobi_in(folder, split("solve a.mtx b.mtx"));
  EXPECT_EQ(refused.code, 3);
  EXPECT_PRED2(contains, refused.err, "--project-rhs removes the mean");
  for (const std::string more :
       {"", " --precision float --rtol 1e-4", " --method cg", " --method bicgstab"}) {
    const json r = report(folder, split("solve a.mtx b.mtx --project-rhs" + more));
    EXPECT_EQ(r["status"], "converged") << more << r;
    EXPECT_PRED2(contains, r["notes"].dump(), "the mean of this one, 0.25") << more;
    EXPECT_PRED2(contains, r["notes"].dump(), "a residual of 2-norm 1.0000") << more;  // 0.25 sqrt(16)
  }
  io_test::put(folder / "zero.mtx", column(16, 0));
  EXPECT_EQ(jacobi_in(folder, split("solve a.mtx zero.mtx --project-rhs")).code, 0);
}

TEST(CliProjection, OfAnotherMatrixRemovesNothing) {
  const TemporaryFolder folder;
  io_test::put(folder / "a.mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 3\n");
  const json r = report(folder, split("solve a.mtx --project-rhs"));
  EXPECT_EQ(r["status"], "converged");
  EXPECT_LT(r["error_norm"].get<double>(), 1e-6);
  EXPECT_PRED2(contains, r["notes"].dump(), "removed nothing");
}

}  // namespace
}  // namespace jacobi::cli_test
