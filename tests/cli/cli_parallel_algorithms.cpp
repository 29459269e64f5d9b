/// Sweeps by C++ parallel algorithms, which benchmarks and a source's table hold the library against: the
/// bits of rung 0, and the command line that still knows their name.
#include <gtest/gtest.h>

#include "apps/bench/parallel_algorithms.hpp"
#include "cli/cli_process.hpp"
#include "instruction_sets.hpp"
#include "ladder/cases.hpp"
#include "ladder/run.hpp"

namespace jacobi::test {
namespace {

template <class T, int D>
Make<T, Stencil<T, D>> by_parallel_algorithms(int threads) {
  return [on = cli::parallel_algorithms(threads)](const Stencil<T, D>& a) {
    return on->bind(Operator<T>(a), plain());
  };
}

template <class T, int D>
void expect_parallel_algorithms_equal_textbook() {
  std::vector<std::vector<T>> keep;
  std::vector<Candidate<T, Stencil<T, D>>> candidates;
  for (const int threads : {1, 2, 3, 4})
    candidates.push_back({std::to_string(threads) + " threads", by_parallel_algorithms<T, D>(threads)});
  const Make<T, Stencil<T, D>> textbook = [](const Stencil<T, D>& a) {
    return backend("serial")->bind(Operator<T>(a), {plain(), "textbook"});
  };
  expect_equal(make_cases<T, D>(keep), textbook, candidates);
}

TEST(LadderParallelAlgorithms, EqualTextbookIn1D) {
  expect_parallel_algorithms_equal_textbook<double, 1>();
  expect_parallel_algorithms_equal_textbook<float, 1>();
}
TEST(LadderParallelAlgorithms, EqualTextbookIn2D) {
  expect_parallel_algorithms_equal_textbook<double, 2>();
  expect_parallel_algorithms_equal_textbook<float, 2>();
}
TEST(LadderParallelAlgorithms, EqualTextbookIn3D) {
  expect_parallel_algorithms_equal_textbook<double, 3>();
  expect_parallel_algorithms_equal_textbook<float, 3>();
}

template <int D>
void expect_parallel_algorithms_forget_an_overflow() {
  std::vector<std::vector<double>> keep;
  const std::vector<Candidate<double, Stencil<double, D>>> candidates{
      {"one thread", by_parallel_algorithms<double, D>(1)},
      {"two threads", by_parallel_algorithms<double, D>(2)}};
  expect_overflow_is_forgotten(make_cases<double, D>(keep), candidates, 3);
}

TEST(LadderParallelAlgorithms, AnOverflowIsForgottenAtTheNextStart) {
  expect_parallel_algorithms_forget_an_overflow<1>();
  expect_parallel_algorithms_forget_an_overflow<2>();
  expect_parallel_algorithms_forget_an_overflow<3>();
}

TEST(LadderParallelAlgorithms, NormsAreThoseOfTextbookOnAnyNumberOfThreads) {
  std::vector<std::vector<double>> keep;
  for (const auto& c : make_cases<double, 2>(keep, {{31, 64}, {127, 5}}))
    for (const Want want : {Want::update, Want::residual, Want::correction}) {
      const auto textbook = backend("serial")->bind(c.a, {plain(), "textbook"});
      textbook->load(c.b, c.x);
      const Norms right = textbook->advance(make_steps(0, 3), want);
      std::vector<double> norms;
      for (const int threads : {1, 2, 3, 7}) {
        const auto sweeper = by_parallel_algorithms<double, 2>(threads)(c.a);
        sweeper->load(c.b, c.x);
        const Norms after = sweeper->advance(make_steps(0, 3), want);
        EXPECT_EQ(after.max, right.max) << c.name;
        EXPECT_EQ(sweeper->norms(want).l2, after.l2) << c.name;
        norms.push_back(after.l2);
      }
      EXPECT_NEAR(norms.front(), right.l2, 1e-13 * right.l2) << c.name;
      EXPECT_EQ(norms, std::vector<double>(4, norms.front())) << c.name;
    }
}

TEST(LadderParallelAlgorithms, TheReportNamesRungThreadsAndInstructionSet) {
  const auto a = poisson<double, 2>({400, 400});
  const std::vector<double> b(160000, 1.0);
  int most = 0;  // other work may keep a core from the first solves
  for (int solves = 0; solves < 100 && most < 2; ++solves) {
    std::vector<double> x(b.size());
    const Report r = Solver<double>(a, plain(), cli::parallel_algorithms(2)).solve(b, x, {.max_sweeps = 50});
    EXPECT_EQ(r.rung, "parallel");
    EXPECT_EQ(r.sweeps, 50);
    most = std::max(most, r.threads);
  }
  EXPECT_EQ(most, 2);
  for (const std::string& set : sets_to_try()) {
    const Forced forced(set);
    std::vector<double> x(b.size());
    EXPECT_EQ(Solver<double>(a, plain(), cli::parallel_algorithms(1)).solve(b, x, {.max_sweeps = 1}).simd,
              set);
  }
}

TEST(ParallelAlgorithms, SweepGridsOnly) {
  const std::vector<Entry<double>> entries{{0, 0, 1.0}};
  const Operator<double> sparse = Csr<double>::from_entries(1, entries), dense = Dense<double>::own({1.0}, 1);
  EXPECT_THROW(cli::parallel_algorithms(1)->bind(sparse, plain()), UsageError);
  EXPECT_THROW(cli::parallel_algorithms(1)->bind(dense, plain()), UsageError);
}

}  // namespace
}  // namespace jacobi::test

namespace jacobi::cli_test {
namespace {

TEST(Cli, BenchStencilStillHasTheRungOfParallelAlgorithmsAtItsPlace) {
  const Result r =
      jacobi(split("bench stencil --points 20 --threads 1,2 --rungs parallel,fused,simd --repeat 1 --seconds "
                   "0.001 --json -"));
  ASSERT_EQ(r.code, 0) << r.err;
  const auto table = nlohmann::json::parse(r.out);
  Words rungs;
  for (const auto& row : table["rows"]) rungs.push_back(row["rung"]);
  EXPECT_EQ(rungs, (Words{"textbook", "fused", "parallel", "parallel", "simd"}));
}

TEST(Cli, SolvesByParallelAlgorithmsAreRefusedNamingTheRungsThereAre) {
  const Result r = jacobi(split("poisson --points 9 --rung parallel"));
  EXPECT_EQ(r.code, 2);
  EXPECT_PRED2(contains, r.err,
               "there is no rung 'parallel': choose one of textbook, no-copy, fused, simd, threads, tiled");
}

}  // namespace
}  // namespace jacobi::cli_test
