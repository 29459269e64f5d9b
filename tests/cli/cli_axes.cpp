/// --axis-x, --coordinates, and the files of points that are not spaced equally.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "cli/cli_process.hpp"
#include "io/npy.hpp"

namespace jacobi::cli_test {
namespace {

nlohmann::json solved(const TemporaryFolder& folder, const std::string& options) {
  const Result r = jacobi_in(folder, split("poisson --quiet --json r.json " + options));
  EXPECT_EQ(r.code, 0) << options << "\n" << r.err;
  return nlohmann::json::parse(content(folder / "r.json"));
}

double error_of(const TemporaryFolder& folder, const std::string& options) {
  const auto report = solved(folder, options);
  return report["error_max"].is_number() ? report["error_max"].get<double>() : 1e9;
}

void write_axis(const std::string& path, const std::vector<double>& at) {
  const std::array<std::size_t, 1> shape{at.size()};
  io::write_npy<double>(path, at, shape);
}

TEST(CliAxes, AreOfSecondOrderAndStandInTheReport) {
  const TemporaryFolder folder;
  const std::string problem =
      " --axis-x s^1.5 --axis-y sinh(3*s)/sinh(3) --rhs (2*pi^2+1)*sin(pi*x)*cos(pi*y) --reaction 1 "
      "--exact sin(pi*x)*cos(pi*y) --boundary sin(pi*x)*cos(pi*y) --bc y+=neumann:0 --rtol 1e-10";
  const double coarse = error_of(folder, "--points 33" + problem);
  const double fine = error_of(folder, "--points 65" + problem);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.15);
  const auto report = nlohmann::json::parse(content(folder / "r.json"));
  EXPECT_EQ(report["problem"]["coordinates"], "cartesian");
  const auto& axis = report["problem"]["axes"][0];
  EXPECT_EQ(axis["min"], 0);
  EXPECT_EQ(axis["max"], 1);
  EXPECT_NEAR(axis["smallest_spacing"], std::pow(1 / 64.0, 1.5), 1e-12);
  EXPECT_NEAR(axis["largest_spacing"], 1 - std::pow(63 / 64.0, 1.5), 1e-12);
  EXPECT_EQ(report["method"], "cg");
  EXPECT_LE(report["sweeps"], 15);
}

TEST(CliAxes, OfAFileAreThoseOfTheFormula) {
  const TemporaryFolder folder;
  std::vector<double> at;
  for (int i = 0; i <= 20; ++i) at.push_back(1 + std::pow(i / 20.0, 2));
  write_axis(folder / "x.npy", at);
  solved(folder, "--points 21x33 --axis-x 1+s^2 --rhs x*y -o f.npy");
  solved(folder, "--points 21x33 --axis-x x.npy --rhs x*y -o a.npy");
  const auto one = io::read_npy(folder / "f.npy"), other = io::read_npy(folder / "a.npy");
  ASSERT_EQ(one.shape, other.shape);
  for (std::size_t i = 0; i < one.values.size(); ++i) ASSERT_NEAR(one.values[i], other.values[i], 1e-10);
  EXPECT_EQ(solved(folder, "--dim 1 --axis-x x.npy")["problem"]["points"], nlohmann::json({21}));
}

/// u = log(r / 2) / log(1 / 2) between the core, r = 1, and the screen, r = 2, of a cable.
TEST(CliAxes, SolveACoaxialCable) {
  const TemporaryFolder folder;
  const std::string cable =
      " --rhs 0 --domain 1:2 --bc x-=dirichlet:1 --exact log(x/2)/log(0.5) --rtol 1e-11";
  const double coarse = error_of(folder, "--dim 1 --points 33 --coordinates cylindrical" + cable);
  const double fine = error_of(folder, "--dim 1 --points 65 --coordinates cylindrical" + cable);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.05);
  EXPECT_LT(error_of(folder,
                     "--points 65x33 --coordinates polar --rhs 0 --domain 1:2x0:6.283185307179586 --bc "
                     "x-=dirichlet:1,y=periodic --exact log(x/2)/log(0.5)"),
            1e-4);
}

TEST(CliAxes, NeedNoValueWhereTheRadiusIs0) {
  const TemporaryFolder folder;
  EXPECT_LT(
      error_of(
          folder,
          "--points 33x17 --coordinates cylindrical --rhs 4 --bc y=neumann:0 --exact 1-x^2 --rtol 1e-11"),
      1e-9);
  EXPECT_EQ(nlohmann::json::parse(content(folder / "r.json"))["problem"]["sides"]["x-"], "neumann");
  EXPECT_LT(error_of(folder,
                     "--points 65x17 --axis-x s^1.5 --coordinates cylindrical --rhs 4 --bc "
                     "y=neumann:0;x+=robin:2,0 --exact 2-x^2 --rtol 1e-11"),
            2e-3);
}

TEST(CliAxes, TakeMasksAndPartsOfSidesAtTrueCoordinates) {
  const TemporaryFolder folder;
  solved(folder, "--points 33 --axis-x s^2 --mask x<0.3 --mask-side neumann:0 -o u.npy");
  const auto u = io::read_npy(folder / "u.npy");
  for (std::size_t i = 1; i < 32; ++i)
    EXPECT_EQ(std::isnan(u.values[33 * 16 + i]), std::pow(static_cast<double>(i) / 32, 2) >= 0.3) << i;
  const Result parts =
      jacobi_in(folder, {"poisson", "--points", "33", "--axis-y", "s^2", "--rhs", "0", "--bc",
                         "x-=dirichlet:1 where y<0.3; x-=neumann:0; x+=robin:2,0; y=neumann:0", "-o", "p.npy",
                         "--quiet"});
  ASSERT_EQ(parts.code, 0) << parts.err;
  const auto p = io::read_npy(folder / "p.npy");
  for (std::size_t j = 0; j < 33; ++j)
    EXPECT_EQ(p.values[33 * j] == 1, std::pow(static_cast<double>(j) / 32, 2) < 0.3) << j;
}

TEST(CliAxes, AreWrittenAsRectilinearGridsAndAsLines) {
  const TemporaryFolder folder;
  solved(folder, "--points 4x3 --axis-x s^2 --vti u.vtr -o u.csv");
  const std::string vtr = content(folder / "u.vtr");
  EXPECT_PRED2(contains, vtr, "<RectilinearGrid WholeExtent=\"0 3 0 2 0 0\">");
  const std::size_t data = vtr.find("encoding=\"raw\">\n_") + 17, offset = 8 + 12 * 8 + 8;
  double at[4];
  std::memcpy(at, vtr.data() + data + offset, sizeof at);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(at[i], std::pow(i / 3.0, 2)) << i;
  const std::string lines = content(folder / "u.csv");
  EXPECT_TRUE(lines.starts_with("x,y,u\n0,0,0\n0.1111111111111111,0,0\n")) << lines;
  EXPECT_EQ(std::ranges::count(lines, '\n'), 13);
  solved(folder, "--points 4x3 --vti u.vti");  // equally spaced
}

TEST(CliAxes, StayDryInADryRun) {
  const TemporaryFolder folder;
  const Result r = jacobi_in(folder, split("poisson --points 2001 --axis-x s^2 --axis-y s^2 --dry-run"));
  EXPECT_EQ(r.code, 0) << r.err;
  EXPECT_PRED2(contains, r.out, "spacing 2.5e-07 to 0.001 x 2.5e-07 to 0.001, variable coefficients");
  EXPECT_PRED2(contains, r.out, "the grid itself was not made");
  EXPECT_PRED2(contains, r.out, "conjugate gradients");
}

TEST(CliAxes, SayInOneLineWhatIsWrong) {
  const TemporaryFolder folder;
  write_axis(folder / "back.npy", {0, 0.5, 0.4, 1});
  write_axis(folder / "nan.npy", {0, NAN, 0.4, 1});
  write_axis(folder / "two.npy", {0, 1});
  const std::array<std::size_t, 2> square{2, 2};
  io::write_npy<double>(folder / "square.npy", std::vector<double>{0, 1, 2, 3}, square);
  const auto refused = [&](const std::string& options, int code, const std::string& words) {
    const Result r = jacobi_in(folder, split("poisson --points 4 " + options));
    EXPECT_EQ(r.code, code) << options << "\n" << r.err;
    EXPECT_PRED2(contains, r.err, words);
    EXPECT_EQ(std::ranges::count(r.err, '\n'), 1) << r.err;
  };
  refused("--axis-x back.npy", 3,
          "--axis-x back.npy: coordinates must increase, and 0.4 follows 0.5 at point 3");
  refused("--axis-x nan.npy", 3, "entry 2 is nan");
  refused("--axis-x two.npy", 3, "--axis-x two.npy: 2 coordinates for 4 points");
  refused("--axis-x square.npy", 3, "shape (2, 2): coordinates are an array of one dimension");
  refused("--axis-x back.npy --bc x=periodic", 3,
          "4 coordinates for 4 points: 5 are needed, the last where the period ends");
  refused("--axis-x 1-s", 3, "--axis-x '1-s': the map must increase, and is ");
  refused("--axis-x (s-0.4)^2", 3, "the map must increase");
  refused("--axis-x x^2", 2, "a formula in s, from 0 to 1, knows no x");
  refused("--axis-x 1/s", 3, "s = 0");
  refused("--axis-z s^2", 2, "--axis-z: the problem has only 2 dimensions");
  refused("--axis-x 2*s --domain 0:1", 2, "runs from 0 to 2: leave --domain out");
  refused("--coordinates spherical", 2, "take cartesian, polar or cylindrical");
  refused("--coordinates polar", 2, "begins at 0, where all angles meet");
  refused("--coordinates polar --dim 1", 2, "of 2 dimensions, not 1");
  refused("--coordinates cylindrical --domain -1:1", 2, "it must be >= 0");
  refused("--coordinates cylindrical --bc x-=dirichlet:1", 2, "x- lies at r = 0, where nothing flows");
  refused("--coordinates cylindrical --bc x=periodic", 2, "cannot be periodic");
  refused("--axis-x s^2 --vti u.vti", 2, "name the file .vtr");
}

}  // namespace
}  // namespace jacobi::cli_test
