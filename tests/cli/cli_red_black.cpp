/// --method red-black and cyclic-chebyshev from the command line.
#include <gtest/gtest.h>

#include <fstream>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

TEST(CliRedBlack, SolvesInHalfTheWorkWithTheSameKeysInTheReport) {
  const json plain = report_of("poisson --points 34 --method plain --check-every 2");
  const json chebyshev = report_of("poisson --points 34 --method chebyshev --check-every 2");
  for (const std::string method : {"red-black", "cyclic-chebyshev"}) {
    const json r = report_of("poisson --points 34 --check-every 2 --method " + method);
    const int whole = (method == "red-black" ? plain : chebyshev)["sweeps"];
    EXPECT_EQ(r["status"], "converged");
    EXPECT_EQ(r["method"], method);
    EXPECT_LE(r["residual_norm"].get<double>(), r["tolerance"].get<double>());
    EXPECT_EQ(r["tolerance"], plain["tolerance"]);
    EXPECT_EQ(r["work"].get<double>(), 0.5 * r["sweeps"].get<double>());
    EXPECT_LT(r["work"].get<double>(), 0.6 * whole);
    for (const auto& [key, value] : plain.items()) EXPECT_TRUE(r.contains(key)) << key;
    EXPECT_EQ(r.size(), plain.size());
  }
}

TEST(CliRedBlack, SaysWhatASweepIs) {
  const Result r = jacobi(split("poisson --points 34 --method red-black"));
  EXPECT_EQ(r.code, 0);
  EXPECT_PRED2(contains, r.out, "a sweep updates one colour: the work of");
  EXPECT_EQ(jacobi(split("poisson --points 34 --method cyclic-chebyshev --dry-run")).code, 0);
}

TEST(CliRedBlack, RefusesInWords) {
  EXPECT_PRED2(contains, jacobi(split("poisson --points 65 --bc x=periodic --method red-black")).err,
               "direction x is periodic with 65 points, an odd number");
  EXPECT_PRED2(contains, jacobi(split("poisson --points 65 --rung simd --method red-black")).err,
               "leave out rung");
  EXPECT_PRED2(
      contains,
      jacobi(split("poisson --points 65 --tile 8x8 --subiterations 2 --method cyclic-chebyshev")).err,
      "leave out the tiling");
  const TemporaryFolder folder;
  std::ofstream(folder / "A.mtx")
      << "%%MatrixMarket matrix coordinate real general\n3 3 5\n1 1 2\n2 2 2\n3 3 2\n"
         "1 3 1\n2 1 1\n";
  const Result r = jacobi_in(folder, split("solve A.mtx --method red-black"));
  EXPECT_EQ(r.code, 2);
  EXPECT_PRED2(contains, r.err, "whose points are coloured like a chequerboard");
}

}  // namespace
}  // namespace jacobi::cli_test
