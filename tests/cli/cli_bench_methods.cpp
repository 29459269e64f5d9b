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
  EXPECT_EQ(all.size(), 11u);
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

TEST(CliBenchMethods, LeavesOutWhatDoesNotSuitTheProblem) {
  for (const json& row : rows("--points 10x10 --bc x=periodic --rhs x*y")) {
    EXPECT_TRUE(row["missed"].is_null()) << row.dump();
  }
  const json odd = rows("--points 9x9 --bc x=periodic --rhs x*y --max-seconds 1");
  EXPECT_EQ(odd.size(), 11u);
  for (const json& row : odd) {
    const bool coloured = row["method"] == "red-black" || row["method"] == "cyclic-chebyshev";
    EXPECT_EQ(row["missed"].is_null(), !coloured) << row.dump();
    if (coloured) EXPECT_PRED2(contains, row["missed"], "left out: ");
  }
  EXPECT_EQ(jacobi(split("bench methods --points 9x9 --bc x=periodic --methods red-black")).code, 2);
  const json closed =
      rows("--points 17 --bc x=periodic,y=periodic --rhs sin(2*pi*x) --rtol 1e-6 --methods cg,multigrid");
  for (const json& row : closed) EXPECT_TRUE(row["missed"].is_null()) << row.dump();
}

TEST(CliBenchMethods, EndsWhereAMethodDoes) {
  for (const json& row :
       rows("--points 65 --rtol 1e-15 --methods cg,bicgstab,cg-multigrid,multigrid --max-seconds 10")) {
    EXPECT_PRED2(contains, row["missed"], "ended at residual");
    EXPECT_LT(row["curve"].back()[0].get<int>(), 100'000) << row["method"];
  }
}

TEST(CliBenchMethods, SaysWhatItCannotDo) {
  for (const char* wrong : {"--error 0", "--error -1", "--rtol 0", "--max-seconds 0"}) {
    const Result r = jacobi(split(std::string("bench methods --points 9 ") + wrong));
    EXPECT_EQ(r.code, 2) << wrong;
    EXPECT_PRED2(contains, r.err, "it must be more than 0") << wrong;
  }
  EXPECT_PRED2(contains, jacobi(split("bench methods --points 9 --rhs 0")).err, "there is nothing to reach");
  EXPECT_PRED2(contains, jacobi(split("bench methods --methods sor")).err, "unknown method 'sor'");
  EXPECT_PRED2(contains, jacobi(split("bench methods --points 33 --bc x=periodic,y=periodic")).err,
               "no side is Dirichlet");
  const json row = rows("--points 257 --methods plain --max-seconds 0.02")[0];
  EXPECT_TRUE(row["sweeps"].is_null());
  EXPECT_PRED2(contains, row["missed"], "after");
}

}  // namespace
}  // namespace jacobi::cli_test
