/// Reports as one HTML file.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/cli_process.hpp"
#include "io/chart.hpp"

namespace jacobi::cli_test {
namespace {

/// Whether a page asks for anything that does not lie in it.
void expect_alone(const std::string& page) {
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
  for (const char* outside : {"http://", "https://", "<script", "<link", "url(", "@import"})
    EXPECT_FALSE(contains(page, outside)) << outside;
  for (std::size_t at = page.find("src="); at != page.npos; at = page.find("src=", at + 1))
    EXPECT_EQ(page.substr(at, 16), "src=\"data:image/");
}

class CliHtml : public testing::Test {
 protected:
  void SetUp() override {
    if (!io::gnuplot_available()) GTEST_SKIP() << "gnuplot is not installed";
    std::ofstream(folder_ / "A.mtx")
        << "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 4\n2 2 4\n3 3 "
           "4\n1 2 -1\n3 2 -1\n";
  }
  /// The page that a command leaves.
  std::string page_of(const std::string& line) {
    const Result r = jacobi_in(folder_, split(line + " --report r.html"));
    EXPECT_EQ(r.code, 0) << r.err;
    const std::string page = content(folder_ / "r.html");
    expect_alone(page);
    EXPECT_PRED2(contains, page, "<h2>Machine</h2>");
    EXPECT_PRED2(contains, page, " --report r.html</pre>");
    return page;
  }
  TemporaryFolder folder_;
};

TEST_F(CliHtml, OfAGridHasProblemVerdictChartsAndPicture) {
  const std::string page = page_of("poisson --points 40x30 --rhs x<0.5 --method plain");
  for (const char* part : {"<h2>Problem</h2>", "x&lt;0.5", "converged after", "<h2>Convergence</h2>",
                           "<h2>Roofline</h2>", "<h2>Solution</h2>", "data:image/png", "data:image/svg+xml"})
    EXPECT_PRED2(contains, page, part);
  EXPECT_FALSE(contains(page, "x<0.5"));
  EXPECT_PRED2(contains, page_of("poisson --points 20"), "No roofline");
}

TEST_F(CliHtml, OfAMatrixHasItsDiagnosis) {
  for (const std::string command : {"solve", "diagnose"}) {
    const std::string page = page_of(command + " A.mtx");
    for (const char* part : {"<h2>Problem</h2>", "<h2>Diagnosis</h2>", "plain Jacobi: converges", "A.mtx"})
      EXPECT_PRED2(contains, page, part) << command;
  }
}

TEST_F(CliHtml, OfSeveralRightHandSidesSaysSo) {
  const std::string page = page_of("solve A.mtx --rhs-count 3");
  EXPECT_PRED2(contains, page, "<td>right-hand sides</td><td>3: A times cosines, ones first</td>");
  EXPECT_PRED2(contains, page, "No roofline: of several right-hand sides no rate of the sweeps is told.");
  EXPECT_PRED2(contains, page_of("solve A.mtx"), "<td>right-hand side</td><td>A times ones</td>");
}

/// A matrix that is a grid has the counts of the grid's sweeps; cycles have none.
TEST_F(CliHtml, OfAGridInDisguiseHasARoofline) {
  std::ofstream file(folder_ / "grid.mtx");
  constexpr int n = 200;
  file << "%%MatrixMarket matrix coordinate real symmetric\n" << n << " " << n << " " << 2 * n - 1 << "\n";
  for (int i = 1; i <= n; ++i) {
    file << i << " " << i << " 2.5\n";
    if (i > 1) file << i << " " << i - 1 << " -1\n";
  }
  file.close();
  const std::string unknown = "for this method it is not known how many operations an update takes";
  EXPECT_FALSE(contains(page_of("solve grid.mtx --method plain"), unknown));
  EXPECT_PRED2(contains, page_of("solve grid.mtx --method cg"), unknown);
}

TEST_F(CliHtml, OfABenchmarkHasItsTableAndChart) {
  const std::string page =
      page_of("bench stencil --points 40 --repeat 2 --seconds 0.01 --rungs simd --threads 1");
  for (const char* part :
       {"<th>updates/s median</th>", "<th>disturbed</th>", "<td>simd</td>", "data:image/svg+xml"})
    EXPECT_PRED2(contains, page, part);
}

TEST_F(CliHtml, IsRefusedUnderAnotherEnding) {
  const Result r = jacobi(split("poisson --points 8 --report r.pdf"));
  EXPECT_EQ(r.code, 2);
  EXPECT_PRED2(contains, r.err, "only .html can be written");
}

}  // namespace
}  // namespace jacobi::cli_test
