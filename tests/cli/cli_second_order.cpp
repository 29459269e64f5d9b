/// Manufactured solutions where the diffusion jumps by 10^4: halving the spacing quarters the error. Other
/// sides and coefficients: tests/unit/multigrid_solver.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

/// -div(k grad u) = rhs with k = 1 below x = 1/2, halfway between two points, and 10^4 above.
struct Jump {
  const char *name, *exact, *rhs;  ///< exact: times k
  int dimensions, few, many;       ///< points of two grids
};

void PrintTo(const Jump& jump, std::ostream* out) { *out << jump.name; }

class SecondOrder : public testing::TestWithParam<Jump> {};

TEST_P(SecondOrder, AcrossAJump) {
  const Jump& jump = GetParam();
  const std::string k = "(1+9999*(x>0.5))", exact = std::string(jump.exact) + "/" + k;
  const auto error = [&](int points) {
    const Result r = jacobi({"poisson", "--dim", std::to_string(jump.dimensions), "--points",
                             std::to_string(points), "--diffusion", k, "--exact", exact, "--boundary", exact,
                             "--rhs", jump.rhs, "--rtol", "1e-11", "--threads", "1", "--json", "-"});
    const auto json = nlohmann::json::parse(r.out);
    EXPECT_EQ(json["status"], "converged");
    return json["error_max"].get<double>();
  };
  const double coarse = error(jump.few), fine = error(jump.many);
  const double ratio = (jump.many - 1.0) / (jump.few - 1);
  EXPECT_GT(coarse, 1e-6);
  EXPECT_NEAR(std::log(coarse / fine) / std::log(ratio), 2, 0.1) << coarse << " and " << fine;
}

INSTANTIATE_TEST_SUITE_P(Manufactured, SecondOrder,
                         testing::Values(Jump{"In1D", "((x-0.5)+(x-0.5)^4)", "-12*(x-0.5)^2", 1, 32, 64},
                                         Jump{"In2D", "((x-0.5)+(x-0.5)^3)*sin(pi*y)",
                                              "(-6*(x-0.5)+pi^2*((x-0.5)+(x-0.5)^3))*sin(pi*y)", 2, 32, 64},
                                         Jump{"In3D", "((x-0.5)+(x-0.5)^3)*sin(pi*y)*sin(pi*z)",
                                              "(-6*(x-0.5)+2*pi^2*((x-0.5)+(x-0.5)^3))*sin(pi*y)*sin(pi*z)",
                                              3, 12, 24}),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace jacobi::cli_test
