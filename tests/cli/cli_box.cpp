/// --stencil compact and --tensor.
#include <gtest/gtest.h>

#include <cmath>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

nlohmann::json solved_box(const TemporaryFolder& folder, const std::string& options) {
  const Result r = jacobi_in(folder, split("poisson --quiet --json r.json " + options));
  EXPECT_EQ(r.code, 0) << options << "\n" << r.err;
  return nlohmann::json::parse(content(folder / "r.json"));
}

double largest_error_of(const TemporaryFolder& folder, const std::string& options) {
  const auto report = solved_box(folder, options);
  return report["error_max"].is_number() ? report["error_max"].get<double>() : 1e9;
}

/// Order from one number of points to twice as many intervals.
double order_of(const TemporaryFolder& folder, const std::string& coarse, const std::string& fine,
                const std::string& problem) {
  return std::log2(largest_error_of(folder, "--points " + coarse + problem) /
                   largest_error_of(folder, "--points " + fine + problem));
}

TEST(CliBox, TheCompactStencilIsOfFourthOrder) {
  const TemporaryFolder folder;
  const std::string in_2d = " --rhs 3*exp(x)*sin(2*y) --exact exp(x)*sin(2*y) --boundary exp(x)*sin(2*y)";
  EXPECT_NEAR(order_of(folder, "17", "33", " --stencil compact --rtol 1e-12" + in_2d), 4, 0.1);
  EXPECT_NEAR(order_of(folder, "17", "33", " --rtol 1e-12" + in_2d), 2, 0.1);
  const std::string in_3d =
      " --dim 3 --rhs 12*sin(2*x+2*y+2*z) --exact sin(2*x+2*y+2*z) --boundary sin(2*x+2*y+2*z)";
  EXPECT_NEAR(order_of(folder, "9", "17", " --stencil compact --rtol 1e-12" + in_3d), 4, 0.1);
  const auto report = nlohmann::json::parse(content(folder / "r.json"));
  EXPECT_EQ(report["problem"]["stencil"], "compact");
  EXPECT_EQ(report["method"], "cg");
}

TEST(CliBox, ATensorIsOfSecondOrder) {
  const TemporaryFolder folder;
  EXPECT_NEAR(order_of(folder, "17", "33",
                       " --tensor 2,0.9,1 --rtol 1e-12 --rhs (8+3.6+1)*sin(2*x+y) --exact sin(2*x+y) "
                       "--boundary sin(2*x+y)"),
              2, 0.1);
  EXPECT_NEAR(order_of(folder, "9", "17",
                       " --dim 3 --tensor 2,0.5,0,1,0.2,1.5 --rtol 1e-12 --rhs (8+1+1.5+2+0.4)*sin(2*x+y+z) "
                       "--exact sin(2*x+y+z) --boundary sin(2*x+y+z)"),
              2, 0.1);
}

TEST(CliBox, EveryMethodThatSuitsSolves) {
  const TemporaryFolder folder;
  for (const char* method : {"plain", "weighted", "chebyshev", "scheduled", "anderson", "cg",
                             "cg --preconditioner multigrid", "bicgstab"})
    for (const char* stencil :
         {"--stencil compact", "--tensor 1,-0.4,2 --bc x=periodic --precision float --rtol 1e-4"}) {
      const auto report = solved_box(folder, std::string("--points 17 --method ") + method + " " + stencil);
      EXPECT_EQ(report["status"], "converged") << method << " " << stencil;
    }
}

TEST(CliBox, WhatCannotBeIsRefusedInALineWithAnExample) {
  const TemporaryFolder folder;
  const auto refused = [&](const std::string& options, int code, const std::string& words) {
    const Result r = jacobi_in(folder, split("poisson --points 9 " + options));
    EXPECT_EQ(r.code, code) << options << "\n" << r.err;
    EXPECT_NE(r.err.find(words), r.err.npos) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  };
  refused("--tensor 1,2,1", 3, "not positive definite");
  refused("--tensor 1,2", 2, "3 entries, kxx,kxy,kyy, as 2,0.5,1");
  refused("--tensor 1,2,1,1 --dim 3", 2, "kxx,kxy,kxz,kyy,kyz,kzz, as 2,0.5,0,1,0,1");
  refused("--tensor 1,a,1", 2, "--tensor 2,0.5,1");
  refused("--stencil compct", 2, "compact");
  refused("--stencil compact --tensor 1,0,1", 2, "--tensor 2,0.5,1");
  refused("--stencil compact --diffusion 1+x", 2, "--diffusion");
  refused("--stencil compact --reaction x", 2, "give one number");
  refused("--stencil compact --mask x<0.5", 2, "--mask");
  refused("--stencil compact --dry-run", 2, "--dry-run");
  refused("--stencil compact --method multigrid", 2, "--method cg with --preconditioner multigrid");
  refused("--stencil compact --rung strips", 2, "textbook, threads");
  refused("--stencil compact --bc x-=neumann:1", 2, "insulated");
  refused("--tensor 1,0.5,1 --bc x-=neumann:0", 2, "insulated");
}

}  // namespace
}  // namespace jacobi::cli_test
