/// A report as text and as JSON, word for word.
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "jacobi/jacobi.hpp"

namespace jacobi::words_test {
namespace {

using nlohmann::ordered_json;

Report report() {
  Report r;
  r.status = Status::converged;
  r.method = "plain";
  r.plan = "plain sweeps, rung fused, norm every 2 sweeps";
  r.backend = "serial";
  r.rung = r.algorithm = "fused";
  r.simd = "AVX2";
  r.precision = "double";
  r.unknowns = 100;
  r.sweeps = 40;
  r.checks = 20;
  r.check_every = 2;
  r.reference_norm = 4;
  r.tolerance = 4e-8;
  r.norm_initial = 4;
  r.norm_final = 3.5e-8;
  r.update_norm = 1e-9;
  r.residual_norm = 3.5e-8;
  r.backward_error = 1e-20;
  r.error_bound = 1.2e-7;
  r.contraction = 0.25;
  r.seconds = 0.5;
  r.seconds_setup = 2.5e-4;
  r.lups = 2e9;
  r.bytes_per_update = 24;
  r.fraction_of_limit = 0.5;
  r.limit_by = "L2";
  r.history = {{0, 4}, {40, 3.5e-8}};
  r.notes = {"seen", Note(Note::Kind::units, "multiplied", {3})};
  r.error = ErrorNorms{1e-8, 2e-9, 0.5};
  return r;
}

TEST(ReportText, IsThatOfTheCommandLine) {
  EXPECT_EQ(
      to_text(report()),
      "converged after 40 sweeps\n"
      "  2-norm of the residual 3.500000e-08, tolerance 4.000000e-08 (1e-08 of that of the right-hand "
      "side, 4.000000e+00)\n"
      "  2-norms at the end: update 1.000000e-09  residual 3.500000e-08\n"
      "  backward error below 1.1e-16, one rounding (the largest |b - A x| of a row, relative to |A| |x| + "
      "|b|)\n"
      "  error against the known solution: 2-norm 1.000000e-08 (relative 5.000e-01), largest 2.000000e-09\n"
      "  proved: no unknown is off by more than 1.201e-07\n"
      "  contraction per sweep 0.25\n"
      "  plain sweeps, rung fused, norm every 2 sweeps\n"
      "  500.0 ms (setup 250 us), rung fused on 1 thread, AVX2, double: 2.000 billion updates/s, 24 bytes "
      "each, 50 % of this machine's limit, set by L2\n"
      "  note: seen\n"
      "  note: multiplied\n");
}

TEST(ReportText, SaysHowASolveEnded) {
  Report r = report();
  r.status = Status::not_finite;
  EXPECT_EQ(
      to_text(r),
      "not finite: the norm overflows at the initial iterate; divide --rhs (or b), --boundary and --initial "
      "by the same large number\n");
  for (const auto& [status, begins] :
       {std::pair{Status::sweep_limit, "not converged: the limit of 40 sweeps was reached\n"},
        {Status::time_limit, "not converged: the time limit was reached after 40 sweeps\n"},
        {Status::interrupted, "interrupted after 40 sweeps; the last iterate is kept\n"},
        {Status::breakdown, "broke down after 40 sweeps: method plain cannot go on\n"},
        {Status::diverged, "diverged: after 40 sweeps the norm had grown a million times or more\n"}}) {
    r.status = status;
    EXPECT_TRUE(to_text(r).starts_with(begins)) << to_text(r);
  }
}

TEST(ReportJson, HoldsEveryFieldOnce) {
  const ordered_json json = ordered_json::parse(to_json(report()));
  EXPECT_EQ(json.size(), 41u);
  EXPECT_EQ(json.begin().key(), "schema");
  EXPECT_EQ(json["status"], "converged");
  EXPECT_EQ(json["norm_final"], 3.5e-8);
  EXPECT_EQ(json["error_norm"], 1e-8);
  EXPECT_EQ(json["error_max"], 2e-9);
  EXPECT_TRUE(json["cycles"].is_null());
  EXPECT_EQ(json["notes"], (ordered_json{"seen", "multiplied"}));
  EXPECT_EQ(json["history"], (ordered_json{{0, 4.0}, {40, 3.5e-8}}));
  EXPECT_FALSE(json.contains("columns"));
}

TEST(ReportJson, HasNullForWhatIsNotFiniteAndWordsForWhatIsNotText) {
  Report r = report();
  r.norm_final = std::numeric_limits<double>::infinity();
  r.error.reset();
  r.notes = {"\xff"};
  r.columns = {{Status::converged, 3, 1, 2, 0.5}, {Status::diverged, 4, 1, 2, 1e300 * 1e300}};
  const ordered_json json = ordered_json::parse(to_json(r));
  EXPECT_TRUE(json["norm_final"].is_null());
  EXPECT_TRUE(json["error_norm"].is_null());
  EXPECT_EQ(json["notes"][0], "\xef\xbf\xbd");
  ASSERT_EQ(json["columns"].size(), 2u);
  EXPECT_EQ(json["columns"][0]["norm_final"], 0.5);
  EXPECT_EQ(json["columns"][1]["status"], "diverged");
  EXPECT_TRUE(json["columns"][1]["norm_final"].is_null());
}

TEST(DiagnosisJson, CountsRowsFrom0AndItsTextFrom1) {
  const auto a = Csr<double>::from_entries(3, std::vector<Entry<double>>{{0, 1, 1}, {1, 0, 1}, {2, 2, 1}});
  const std::vector<double> b(3, 1.0), x(3);
  const Diagnosis d = diagnose<double>(a, b, x);
  const ordered_json json = ordered_json::parse(to_json(d));
  EXPECT_EQ(json["verdict"], "unusable");
  EXPECT_EQ(json["zero_diagonal"], (ordered_json{0, 1}));
  EXPECT_TRUE(json["seconds_per_sweep"].is_null());
  const std::string text = to_text(d);
  EXPECT_NE(text.find("2 zero diagonal entries, first in rows 1, 2 (counted from 1)"), text.npos) << text;
}

TEST(DiagnosisText, GivesTheTimeOfTheSweepsThatArePredicted) {
  Diagnosis d;
  d.verdict = Verdict::converges;
  d.norm_initial = 1;
  d.tolerance = 1e-8;
  d.predicted_sweeps = 2000;
  d.radius_resolved = true;
  EXPECT_NE(to_text(d, 0.01).find("to 1.0000e-08: about 2000 sweeps, 20.00 s\n"), std::string::npos);
  EXPECT_EQ(ordered_json::parse(to_json(d, 0.01))["predicted_seconds"], 20);
}

TEST(Notes, TellProgramsWhichTheyAreAndTheirNumbers) {
  const auto a = Csr<double>::from_entries(2, std::vector<Entry<double>>{{0, 0, 1e6}, {1, 1, 1}});
  std::vector<double> x(2);
  const Report r = Solver<double>(a, plain()).solve(std::vector<double>{1, 1}, x);
  ASSERT_FALSE(r.notes.empty());
  const Note& last = r.notes.back();
  EXPECT_EQ(last.kind, Note::Kind::rows_differ);
  EXPECT_EQ(last.numbers, std::vector<double>{1e6});
  EXPECT_EQ(
      last.text,
      "rows differ in size by a factor of 1.0e+06: each is tested in its own units (norm scaled-residual)");
}

}  // namespace
}  // namespace jacobi::words_test
