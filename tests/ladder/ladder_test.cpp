/// Every rung gives the bits of rung 0, rung 0 those of a naive reference, and wrong rungs are caught.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include "instruction_sets.hpp"
#include "ladder/cases.hpp"
#include "ladder/naive.hpp"
#include "ladder/run.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::test {
namespace {

template <class T, int D>
using Maker = Make<T, Stencil<T, D>>;

template <class T, int D>
Maker<T, D> rung(const std::string& name, int threads) {
  const auto on = backend("threads:" + std::to_string(threads));
  return [=](const Stencil<T, D>& a) { return on->bind(Operator<T>(a), {plain(), name}); };
}

template <class T, int D>
void expect_equal_on_grids(const Maker<T, D>& expected,
                           const std::vector<Candidate<T, Stencil<T, D>>>& candidates) {
  std::vector<std::vector<T>> keep;
  expect_equal(make_cases<T, D>(keep), expected, candidates);
}

template <class T, int D>
double share_caught_on_grids(const Maker<T, D>& wrong) {
  std::vector<std::vector<T>> keep;
  return share_caught(make_cases<T, D>(keep), rung<T, D>("textbook", 1), wrong);
}

template <class T, int D>
std::vector<Candidate<T, Stencil<T, D>>> rungs(std::initializer_list<int> teams) {
  std::vector<Candidate<T, Stencil<T, D>>> candidates;
  for (const Rung& r : stencil_rungs())
    for (const int threads : teams) {
      if (!r.compiled || (threads > 1 && !r.parallel) || r.number == 0) continue;
      candidates.push_back({r.name + (" on " + std::to_string(threads)), rung<T, D>(r.name, threads)});
    }
  return candidates;
}

template <class T, int D>
void expect_rungs_equal_textbook() {
  expect_equal_on_grids(rung<T, D>("textbook", 1), rungs<T, D>({1, 2, 3, 4}));
}

TEST(Ladder, EveryRungEqualsTextbookIn1DDouble) { expect_rungs_equal_textbook<double, 1>(); }
TEST(Ladder, EveryRungEqualsTextbookIn2DDouble) { expect_rungs_equal_textbook<double, 2>(); }
TEST(Ladder, EveryRungEqualsTextbookIn3DDouble) { expect_rungs_equal_textbook<double, 3>(); }
TEST(Ladder, EveryRungEqualsTextbookIn1DFloat) { expect_rungs_equal_textbook<float, 1>(); }
TEST(Ladder, EveryRungEqualsTextbookIn2DFloat) { expect_rungs_equal_textbook<float, 2>(); }
TEST(Ladder, EveryRungEqualsTextbookIn3DFloat) { expect_rungs_equal_textbook<float, 3>(); }

template <class T, int D>
void expect_rungs_forget_an_overflow() {
  std::vector<std::vector<T>> keep;
  expect_overflow_is_forgotten(make_cases<T, D>(keep), rungs<T, D>({1, 2}), 3);
}

TEST(Ladder, AnOverflowIsForgottenAtTheNextStartIn1D) { expect_rungs_forget_an_overflow<double, 1>(); }
TEST(Ladder, AnOverflowIsForgottenAtTheNextStartIn2D) { expect_rungs_forget_an_overflow<double, 2>(); }
TEST(Ladder, AnOverflowIsForgottenAtTheNextStartIn3D) { expect_rungs_forget_an_overflow<double, 3>(); }
TEST(Ladder, AnOverflowIsForgottenAtTheNextStartInFloat) { expect_rungs_forget_an_overflow<float, 2>(); }

/// Textbook and simd against the naive reference, under the best and the least instruction set.
template <class T, int D>
void expect_textbook_equals_naive() {
  const std::vector<std::string> sets = sets_to_try();
  for (const std::string& set : std::set{sets.front(), sets.back()}) {
    const Forced forced(set);
    const Maker<T, D> naive = [](const Stencil<T, D>& a) { return std::make_unique<Naive<T, D>>(a); };
    expect_equal_on_grids<T, D>(
        naive, {{"textbook " + set, rung<T, D>("textbook", 1)}, {"simd " + set, rung<T, D>("simd", 1)}});
  }
}

TEST(Ladder, TextbookEqualsTheNaiveReferenceIn1D) { expect_textbook_equals_naive<double, 1>(); }
TEST(Ladder, TextbookEqualsTheNaiveReferenceIn2D) { expect_textbook_equals_naive<double, 2>(); }
TEST(Ladder, TextbookEqualsTheNaiveReferenceIn3D) { expect_textbook_equals_naive<double, 3>(); }
TEST(Ladder, TextbookEqualsTheNaiveReferenceInFloat) { expect_textbook_equals_naive<float, 2>(); }

/// A rung bound while an instruction set was forced.
template <class T, int D>
Maker<T, D> forced(const std::string& set, const std::string& name) {
  return [=](const Stencil<T, D>& a) {
    const Forced until_bound(set);
    return rung<T, D>(name, 1)(a);
  };
}

TEST(Ladder, InstructionSetsThatFuseAlikeGiveTheSameBits) {
  std::map<bool, std::string> first;  // by whether multiply-adds are fused
  for (const std::string& set : simd::usable()) {
    const bool fused = fuses(set);
    if (first.try_emplace(fused, set).first->second == set) continue;
    expect_equal_on_grids<double, 2>(
        forced<double, 2>(first[fused], "simd"),
        {{set + " simd", forced<double, 2>(set, "simd")}, {set + " fused", forced<double, 2>(set, "fused")}});
    expect_equal_on_grids<float, 3>(forced<float, 3>(first[fused], "simd"),
                                    {{set, forced<float, 3>(set, "simd")}});
  }
}

TEST(LadderControl, ARungThatDoesNothingIsCaught) {
  const Maker<double, 2> nothing = [](const Stencil<double, 2>& a) {
    return std::make_unique<Spoiled<double>>(rung<double, 2>("simd", 1)(a), 1000);
  };
  EXPECT_GT((share_caught_on_grids<double, 2>(nothing)), 0.5);
}

TEST(LadderControl, ARungThatIsOneSweepShortIsCaught) {
  const Maker<double, 2> lazy = [](const Stencil<double, 2>& a) {
    return std::make_unique<Spoiled<double>>(rung<double, 2>("simd", 1)(a), 1);
  };
  EXPECT_GT((share_caught_on_grids<double, 2>(lazy)), 0.5);
}

template <class T, int D>
double share_of_a_shifted_halo_is_caught() {
  return share_caught_on_grids<T, D>(
      [](const Stencil<T, D>& a) { return std::make_unique<Naive<T, D>>(a, 1); });
}

TEST(LadderControl, AHaloShiftedByOneIsCaught) {
  EXPECT_GT((share_of_a_shifted_halo_is_caught<double, 2>()), 0.3);
  EXPECT_GT((share_of_a_shifted_halo_is_caught<double, 3>()), 0.3);
}

TEST(Ladder, TheReportNamesTheRungThatRan) {
  for (const Rung& r : stencil_rungs()) {
    if (!r.compiled) continue;
    Solver<double> solver(poisson<double, 2>({20, 20}), {plain(), r.name},
                          backend(r.parallel ? "threads:2" : "serial"));
    std::vector<double> b(400, 1.0), x(400);
    const Report report = solver.solve(b, x, {.max_sweeps = 50});
    EXPECT_EQ(report.rung, r.name);
    EXPECT_EQ(report.sweeps, 50);
  }
}

TEST(Ladder, TheParallelRungsUseTheirThreads) {
  for (const Rung& r : stencil_rungs()) {
    if (!r.compiled || !r.parallel) continue;
    Solver<double> solver(poisson<double, 2>({400, 400}), {plain(), r.name}, backend("threads:2"));
    std::vector<double> b(160000, 1.0), x(160000);
    int most = 0;  // other work may keep a core from the first solves
    for (int solves = 0; solves < 100 && most < 2; ++solves)
      most = std::max(most, solver.solve(b, x, {.max_sweeps = 50}).threads);
    EXPECT_EQ(most, 2) << r.name;
  }
}

/// Norms measured while sweeping, by a pass of their own, and by rung 0.
template <class T>
void expect_norms_agree() {
  std::vector<std::vector<T>> keep;
  Turns turns;
  for (const auto& c : make_cases<T, 2>(keep)) {
    turns.next_case();
    for (const Want want : {Want::update, Want::residual, Want::correction}) {
      const auto base = rung<T, 2>("textbook", 1)(c.a);
      base->load(c.b, c.x);
      const Norms expected = base->advance(make_steps(0, 3), want);
      for (const Rung& r : stencil_rungs()) {
        if (!r.compiled || turns.leaves_out()) continue;
        const auto sweeper = rung<T, 2>(r.name, r.parallel ? 2 : 1)(c.a);
        sweeper->load(c.b, c.x);
        const Norms fused = sweeper->advance(make_steps(0, 3), want), alone = sweeper->norms(want);
        EXPECT_NEAR(fused.l2, expected.l2, 1e-13 * expected.l2) << r.name << " " << c.name;
        EXPECT_NEAR(alone.l2, expected.l2, 1e-13 * expected.l2) << r.name << " " << c.name;
        EXPECT_EQ(fused.max, expected.max) << r.name << " " << c.name;
        EXPECT_EQ(alone.max, expected.max) << r.name << " " << c.name;
      }
    }
  }
}

TEST(Ladder, NormsAgreeInDouble) { expect_norms_agree<double>(); }
TEST(Ladder, NormsAgreeInFloat) { expect_norms_agree<float>(); }

TEST(Ladder, NormsDoNotDependOnTheNumberOfThreads) {
  const auto a = poisson<double, 3>({40, 30, 20});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  for (const Rung& r : stencil_rungs()) {
    if (!r.compiled || !r.parallel) continue;
    for (const Want want : {Want::update, Want::residual}) {
      double first = 0;
      for (const int threads : {1, 2, 3, 4, 7}) {
        const auto sweeper = rung<double, 3>(r.name, threads)(a);
        sweeper->load(b, x);
        const double norm = sweeper->advance(make_steps(0, 5), want).l2;
        if (threads == 1) first = norm;
        EXPECT_EQ(norm, first) << r.name << " on " << threads << " threads";
      }
    }
  }
}

}  // namespace
}  // namespace jacobi::test
