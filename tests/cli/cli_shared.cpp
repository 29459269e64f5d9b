/// `jacobi bench shared`: its verdict, on runs too short to mean anything.
#include <gtest/gtest.h>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

TEST(CliBenchShared, TellsEveryRowAndItsVerdict) {
  const Result r = jacobi(
      split("bench shared --only sliced --busy 0,1 --threads 2 --repeat 1 --seconds 0.001 --at-most 1e6 "
            "--json -"));
  EXPECT_EQ(r.code, 0) << r.err;
  const json report = json::parse(r.out);
  ASSERT_EQ(report["rows"].size(), 4u);
  EXPECT_EQ(report["rows"][0]["times"], 1.0);
  EXPECT_EQ(report["rows"][3]["busy"], 1);
  EXPECT_EQ(report["rows"][3]["threads"], 2);
  EXPECT_EQ(
      jacobi(split("bench shared --only sliced --busy 0 --repeat 1 --seconds 0.001 --at-most 1e-6")).code, 1);
}

TEST(CliBenchShared, RefusesWordsThatNoSweepsHave) {
  const Result r = jacobi(split("bench shared --only nothing"));
  EXPECT_EQ(r.code, 2);
  EXPECT_PRED2(contains, r.err, "no sweeps have one of these words");
}

}  // namespace
}  // namespace jacobi::cli_test
