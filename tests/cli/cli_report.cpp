/// The report as JSON, and exit codes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cli/cli_process.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/simd.hpp"

namespace jacobi::cli_test {
namespace {

using nlohmann::json;

TEST(CliReport, HoldsEveryKeyOfTheContract) {
  for (const std::string more : {"", " --max-sweeps 0", " --rtol 10", " --precision float", " --exact x"}) {
    const json r = report_of("poisson --points 20" + more);
    for (const char* key :
         {"schema",        "status",        "method",           "plan",         "backend",
          "threads",       "precision",     "unknowns",         "sweeps",       "cycles",
          "checks",        "norm",          "reference",        "norm_initial", "norm_final",
          "update_norm",   "residual_norm", "error_norm",       "contraction",  "seconds",
          "seconds_setup", "lups",          "bytes_per_update", "history",      "fraction_of_limit"})
      EXPECT_TRUE(r.contains(key)) << key << more;
    EXPECT_EQ(r["schema"], 1);
    EXPECT_EQ(r["unknowns"], 324);
    EXPECT_TRUE(r["fraction_of_limit"].is_null());
    EXPECT_EQ(r["method"], "multigrid");
    EXPECT_TRUE(report_of("poisson --points 20 --method plain" + more)["cycles"].is_null());
  }
}

TEST(CliReport, GivesNullForWhatHasNoValue) {
  const json r = report_of("poisson --points 20 --max-sweeps 0");
  for (const char* key : {"update_norm", "error_norm", "contraction"}) EXPECT_TRUE(r[key].is_null()) << key;
  const json diverging =
      report_of("poisson --points 20 --omega 1.99 --check-every 100000 --max-sweeps 100000");
  EXPECT_EQ(diverging["status"], "diverged");
  EXPECT_TRUE(diverging["history"].back()[1].is_null());  // JSON has no infinity
  EXPECT_EQ(diverging["norm_final"], diverging["norm_initial"]);
}

TEST(CliReport, IsAloneOnStandardOutput) {
  const Result r = jacobi(split("poisson --points 20 --json -"));
  EXPECT_EQ(r.code, 0);
  EXPECT_EQ(r.err, "");
  EXPECT_NO_THROW(EXPECT_EQ(json::parse(r.out)["status"], "converged"));
  EXPECT_EQ(r.out.front(), '{');
}

TEST(CliReport, SaysInWordsWhatWasPlanned) {
  const auto printed = [](const std::string& options) {
    return jacobi(split("poisson --points 20" + options)).out;
  };
  const std::string plain = printed(" --method plain --max-sweeps 500 --rtol 0");
  EXPECT_PRED2(contains, plain, "\n  plain sweeps, rung ");
  EXPECT_PRED2(contains, plain, ", norm after 1, 2, 4, ... sweeps, then every ");
  EXPECT_PRED2(contains, printed(" --method plain --check-every 1"), ", norm every sweep\n");
  EXPECT_PRED2(contains, printed(" --method plain --check-every 8"), ", norm every 8 sweeps\n");
  EXPECT_PRED2(contains, printed(""),
               "V(2,1) cycles on 5 grids, from 324 unknowns to 1, the first one full, norm every 3");
}

/// More than standard output keeps back, for a reader that has closed it.
TEST(CliReport, EndsQuietlyWhereNobodyReads) {
  const TemporaryFolder folder;
  const Result r = shell_in(folder,
                            "mkfifo pipe; (exec 4<pipe; exec 4<&-; : >closed) & exec 5>pipe; until [ -e "
                            "closed ]; do sleep 0.01; done; trap '' PIPE; " JACOBI_BINARY
                            " poisson --points 40 --method plain --check-every 1 --json - >&5; echo $?");
  EXPECT_EQ(r.out, "130\n");
  EXPECT_EQ(r.err, "");
}

TEST(CliReport, OfCopiesHasTheSweepsOfOne) {
  const std::string one =
      "poisson --method plain --dim 1 --points 40 --norm max-update --check-every 1 --exact x*(1-x)/2";
  const json single = report_of(one), many = report_of(one + " --copies 11");
  EXPECT_EQ(many["status"], "converged");
  EXPECT_EQ(many["unknowns"], 11 * 38);
  EXPECT_EQ(many["sweeps"], single["sweeps"]);
  EXPECT_EQ(many["norm_final"], single["norm_final"]);  // a maximum: the same bits
  EXPECT_EQ(many["error_norm"], single["error_norm"]);
}

TEST(CliReport, CountsTheCoresThatOpenMpWasBoundTo) {
  const TemporaryFolder folder;
  const Words words = split("poisson --method plain --points 300 --max-sweeps 10 --json -");
  const json r = json::parse(jacobi_in(folder, words, {"OMP_PROC_BIND=close", "OMP_PLACES=threads"}).out);
  EXPECT_EQ(r["threads"], std::min(available_cores(), 10)) << "10: a thread takes at least 8192 unknowns";
}

TEST(CliReport, SaysWhatItSolved) {
  const json r = report_of(
      "poisson --points 20x15 --method weighted --omega 0.8 --backend threads:2 "
      "--norm max-update --reference initial --check-every 3 --rung threads");
  EXPECT_EQ(r["status"], "converged");
  EXPECT_EQ(r["method"], "weighted");
  EXPECT_EQ(r["backend"], "threads:2");
  EXPECT_EQ(r["threads"], 2);
  EXPECT_EQ(r["precision"], "double");
  EXPECT_EQ(r["unknowns"], 18 * 13);
  EXPECT_EQ(r["norm"], "max-update");
  EXPECT_EQ(r["reference"], "initial");
  EXPECT_EQ(r["sweeps"].get<int>() % 3, 0);
  EXPECT_EQ(r["checks"].get<int>() * 3, r["sweeps"].get<int>());
  EXPECT_LE(r["norm_final"].get<double>(), 1e-8 * r["norm_initial"].get<double>());
  EXPECT_EQ(r["history"].front(), (json{0, r["norm_initial"]}));
  EXPECT_EQ(r["history"].back(), (json{r["sweeps"], r["norm_final"]}));
}

TEST(CliReport, FoldsBoundaryValuesIntoTheReference) {
  // u = 3 all over: b = 0 with values folded in is not 0
  const json r =
      report_of("poisson --dim 1 --points 5 --rhs 0 --boundary 3 --rtol 1e-6 --exact 3 --check-every 1");
  EXPECT_EQ(r["status"], "converged");
  EXPECT_NEAR(r["norm_final"].get<double>() / (std::sqrt(2.0) * 48), 1e-6, 1e-6);
  EXPECT_LT(r["error_norm"].get<double>(), 1e-4);
  EXPECT_NEAR(r["norm_initial"].get<double>(), std::sqrt(2.0) * 48, 1e-9);
}

TEST(CliReport, ThinsTheHistoryEvenlyToAThousandEntries) {
  const json r =
      report_of("poisson --method plain --points 64 --check-every 1 --max-sweeps 5432 --rtol 1e-14");
  const json& h = r["history"];
  EXPECT_EQ(r["checks"], 5432);
  EXPECT_LE(h.size(), 1000U);
  EXPECT_GT(h.size(), 400U);
  const int step = h[1][0].get<int>();
  for (std::size_t i = 0; i + 1 < h.size(); ++i) EXPECT_EQ(h[i][0], static_cast<int>(i) * step);
  EXPECT_EQ(h.back()[0], 5432);
}

TEST(CliExit, Is0OnlyWhenConverged) {
  EXPECT_EQ(jacobi(split("poisson --points 12")).code, 0);
  EXPECT_EQ(jacobi(split("poisson --method plain --points 64 --max-sweeps 3")).code, 1);
  EXPECT_EQ(jacobi(split("poisson --method plain --points 400 --max-seconds 0.05")).code, 1);
  EXPECT_EQ(jacobi(split("poisson --points 12 --rtol 1e-30")).code, 1);  // stagnated
  EXPECT_EQ(jacobi(split("poisson --points 12 --omega 1.9")).code, 1);   // diverged
}

TEST(CliExit, StatusSaysWhy) {
  EXPECT_EQ(report_of("poisson --method plain --points 64 --max-sweeps 3")["status"], "sweep_limit");
  EXPECT_EQ(report_of("poisson --method plain --points 400 --max-seconds 0.05")["status"], "time_limit");
  EXPECT_EQ(report_of("poisson --points 12 --rtol 1e-30")["status"], "stagnated");
  EXPECT_EQ(report_of("poisson --points 12 --omega 1.9")["status"], "diverged");
  EXPECT_EQ(report_of("poisson --points 12 --rhs 1e308")["status"], "not_finite");
}

TEST(CliExit, NotFiniteComesWithACureAndNoNumbers) {
  for (const std::string huge : {"--rhs", "--initial", "--boundary"}) {
    const Result r = jacobi(split("poisson --points 8 " + huge + " 1e308"));
    EXPECT_EQ(r.code, 1);
    EXPECT_PRED2(contains, r.out, "divide --rhs");
    EXPECT_FALSE(contains(r.out, "nan") || contains(r.out, "inf")) << r.out;
  }
}

TEST(CliLimits, MayBeWrittenWithAnExponent) {
  EXPECT_EQ(report_of("poisson --method plain --points 64 --max-sweeps 1e2 --check-every 2e1")["sweeps"],
            100);
}

TEST(CliSides, MayBeWrittenWithBlanks) {
  const Result r = jacobi({"poisson", "--points", "8", "--bc", " x = periodic , y- = neumann: 0 "});
  EXPECT_EQ(r.code, 0) << r.err;
}

TEST(CliQuiet, PrintsNothing) {
  for (const std::string line :
       {"poisson --points 12", "poisson --points 12 --max-sweeps 3", "poisson --points 12 --dry-run",
        "poisson --points 8 --bc x=periodic,y=periodic "
        "--rhs sin(2*pi*x)"}) {
    const Result r = jacobi(split(line + " --quiet"));
    EXPECT_EQ(r.out, "") << line;
    EXPECT_EQ(r.err, "") << line;
    EXPECT_LE(r.code, 1);
  }
  EXPECT_NE(jacobi(split("poisson --points 2 --quiet")).err, "");  // errors are not nothing
}

TEST(CliPrecision, AndInstructionSetAreThoseAskedFor) {
  EXPECT_EQ(report_of("poisson --points 12 --precision float --rtol 1e-4")["precision"], "float");
  const TemporaryFolder folder;
  EXPECT_EQ(simd::usable().back(), simd::compiled().back());  // every processor has the least one
  for (const std::string& set : simd::usable()) {
    const Result r = jacobi_in(folder, split("poisson --points 12 --json -"), {"JACOBI_SIMD=" + set});
    EXPECT_EQ(json::parse(r.out)["simd"], set);
  }
}

}  // namespace
}  // namespace jacobi::cli_test
