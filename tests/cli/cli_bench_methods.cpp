/// `jacobi bench methods`: sweeps to a given error are those of the closed form.
#include <gtest/gtest.h>

#include "cli/cli_process.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

json rows(const std::string& options) {
  const Result r = jacobi(split("bench methods --threads 1 --repeat 1 --json - " + options));
  EXPECT_EQ(r.code, 0) << r.err;
  return json::parse(r.out)["rows"];
}

// A plain sweep shrinks the error by 0.45 %: one sweep more or less would show.
TEST(CliBenchMethods, CountsTheSweepsOfTheClosedForm) {
  const json plain = rows("--points 34 --methods plain --error 2.192266e-06")[0];
  EXPECT_EQ(plain["sweeps"], 2938);
  EXPECT_LE(plain["error"].get<double>(), 2.192266e-06);
  EXPECT_GT(plain["error"].get<double>(), 0.995 * 2.192266e-06);
  EXPECT_EQ(plain["work"], 2938);
  EXPECT_GT(plain["seconds_median"].get<double>(), 0);
  EXPECT_GT(plain["curve"].size(), 10u);
}

TEST(CliBenchMethods, EveryMethodReachesTheErrorAsked) {
  const json all = rows("--points 33 --rhs x*y");
  EXPECT_EQ(all.size(), 12u);
  double error = 0;
  for (const json& row : all) {
    EXPECT_TRUE(row["missed"].is_null()) << row.dump();
    if (row["method"] == "plain") error = row["error"];
  }
  for (const json& row : all) EXPECT_LE(row["error"].get<double>(), 1.01 * error) << row["method"];
  const auto work = [&](const std::string& method) {
    for (const json& row : all)
      if (row["method"] == method) return row["work"].get<double>();
    return 0.0;
  };
  EXPECT_LT(work("multigrid"), work("v-cycles"));
  EXPECT_LT(work("v-cycles"), work("cg"));
  EXPECT_LT(work("float-cycles"), work("v-cycles"));
  EXPECT_LT(work("cg-multigrid"), work("cg"));
  EXPECT_LT(work("cg"), work("chebyshev"));
  EXPECT_LT(work("chebyshev"), work("plain") / 10);
  EXPECT_NEAR(work("red-black"), work("plain") / 2, 2);
  EXPECT_NEAR(work("cyclic-chebyshev"), work("chebyshev") / 2, 2);
}

TEST(CliBenchMethods, RacesToAResidualToo) {
  const json all = rows("--points 17x17x17 --rtol 1e-8 --methods multigrid,cg,cg-multigrid");
  for (const json& row : all)
    EXPECT_LE(row["residual"].get<double>(), 1e-8 * row["curve"][0][2].get<double>());
  EXPECT_EQ(all[2]["missed"], nullptr);
  EXPECT_GT(all[2]["work"].get<double>(), 5 * all[2]["sweeps"].get<double>());
}

TEST(CliBenchMethods, SaysWhatItCannotDo) {
  EXPECT_PRED2(contains, jacobi(split("bench methods --methods sor")).err, "unknown method 'sor'");
  EXPECT_PRED2(contains, jacobi(split("bench methods --points 33 --bc x=periodic,y=periodic")).err,
               "no side is Dirichlet");
  const json row = rows("--points 257 --methods plain --max-seconds 0.02")[0];
  EXPECT_TRUE(row["sweeps"].is_null());
  EXPECT_PRED2(contains, row["missed"], "after");
}

}  // namespace
}  // namespace jacobi::cli_test
