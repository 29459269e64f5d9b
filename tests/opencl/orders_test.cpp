/// The expressions that kernels compute, as rung 0's template writes them.
#include "backend/opencl/orders.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jacobi::opencl {
namespace {

using sweep::Kind;

std::string line_of(const std::string& text, const std::string& name) {
  const std::string begin = "#define " + name + " ";
  const std::size_t at = text.find(begin);
  return at == text.npos ? "" : text.substr(at + begin.size(), text.find('\n', at) - at - begin.size());
}

TEST(OpenClOrders, WritePlainUpdatesAsTheTableOfOrdersSays) {
  EXPECT_EQ(line_of(orders_of_grid(Kind::equal, 1), "PLAIN"), "fma(c0, (u[p - 1] + u[p + 1]), g[p])");
  EXPECT_EQ(line_of(orders_of_grid(Kind::equal, 2), "PLAIN"),
            "fma(c0, ((u[p + s1] + u[p + 1]) + (u[p - 1] + u[p - s1])), g[p])");
  EXPECT_EQ(line_of(orders_of_grid(Kind::equal, 3), "PLAIN"),
            "fma(c0, (((u[p + s1] + u[p + 1]) + (u[p - 1] + u[p - s1])) + (u[p - s2] + u[p + s2])), g[p])");
  EXPECT_EQ(line_of(orders_of_grid(Kind::lines, 2), "PLAIN"), "fma(c2, (u[p - s1] + u[p + s1]), g[p])");
  EXPECT_EQ(line_of(orders_of_grid(Kind::constant, 2), "PLAIN"),
            "fma(c0, u[p - 1], fma(c1, u[p + 1], fma(c2, u[p - s1], fma(c3, u[p + s1], g[p]))))");
  EXPECT_EQ(line_of(orders_of_grid(Kind::variable, 1), "PLAIN"),
            "fma(c[p + 0 * size], u[p - 1], fma(c[p + 1 * size], u[p + 1], g[p]))");
}

TEST(OpenClOrders, WriteWeightedAndThreeTermStepsOverThePlainOne) {
  for (const Kind kind : {Kind::equal, Kind::lines, Kind::constant, Kind::variable})
    for (int dimensions = 1; dimensions <= 3; ++dimensions) {
      const std::string all = orders_of_grid(kind, dimensions), plain = line_of(all, "PLAIN"),
                        weighted = line_of(all, "WEIGHTED");
      EXPECT_EQ(weighted, "fma(omega, (" + plain + " - u[p]), u[p])");
      EXPECT_EQ(line_of(all, "THREE_TERM"), "fma(rho, (" + weighted + " - out[p]), out[p])");
      EXPECT_EQ(line_of(all, "VARIABLE"), kind == Kind::variable ? "1" : "0");
    }
}

TEST(OpenClOrders, WriteStepsOfRows) {
  const std::string all = orders_of_rows();
  EXPECT_EQ(line_of(all, "PLAIN"), "(x + correction)");
  EXPECT_EQ(line_of(all, "WEIGHTED"), "fma(omega, correction, x)");
  EXPECT_EQ(line_of(all, "THREE_TERM"), "fma(rho, (fma(omega, correction, x) - before), before)");
}

}  // namespace
}  // namespace jacobi::opencl
