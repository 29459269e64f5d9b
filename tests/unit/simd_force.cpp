/// The forced instruction set is the one that runs.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/executed.hpp"
#include "instruction_sets.hpp"
#include "jacobi/jacobi.hpp"
#include "sweep/rungs.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

class Simd : public testing::Test {
 protected:
  const test::Forced kept_{simd::chosen()};
};

Report solve(const std::string& rung, std::vector<double>& x, Index limit = 100'000) {
  const auto a = poisson<double, 2>({37, 26});
  const std::vector<double> b(a.rows(), 1.0);
  x.assign(b.size(), 0);
  return Solver<double>(a, {plain(), rung}, backend(rung == "simd" ? "serial" : "threads:2"))
      .solve(b, x, {.relative = 1e-6, .max_sweeps = limit, .check_every = 1});
}

TEST_F(Simd, RunsWhatIsForced) {
  std::vector<double> x;
  for (const std::string& target : simd::usable()) {
    simd::force(target);
    EXPECT_EQ(simd::chosen(), target);
    for (const Rung& rung : stencil_rungs())
      if (rung.compiled) {
        EXPECT_EQ(solve(rung.name, x, 40).simd, target) << rung.name;
      }
  }
  simd::force("");
  EXPECT_EQ(simd::chosen(), simd::usable().front());
}

TEST_F(Simd, GivesTheSameCountsUnderEveryTarget) {
  std::vector<double> x;
  std::vector<Index> counts;
  for (const std::string& target : simd::usable()) {
    simd::force(target);
    counts.push_back(solve("simd", x).sweeps);
  }
  for (const Index count : counts) EXPECT_EQ(count, counts.front());
  EXPECT_GT(counts.front(), 500);
}

TEST_F(Simd, GivesTheSameBitsWhereMultiplyAddIsFused) {
  std::vector<double> one, other;
  std::vector<std::string> fused;
  for (const std::string& target : simd::usable())
    if (target == "avx512" || target == "avx2") fused.push_back(target);
  if (fused.size() < 2) GTEST_SKIP() << "needs avx512 and avx2";
  simd::force(fused[0]);
  solve("simd", one);
  simd::force(fused[1]);
  solve("simd", other);
  EXPECT_EQ(one, other);
}

TEST_F(Simd, KeepsTheTargetOfASweeperThatIsBoundAlready) {
  if (simd::usable().size() < 2) GTEST_SKIP() << "one target only";
  const Operator<double> a = tridiagonal<double>(100, -1, 2, -1);
  const std::vector<double> b(100, 1.0), x(100);
  simd::force(simd::usable()[0]);
  const auto sweeper = backend("serial")->bind(a, plain());
  simd::force(simd::usable()[1]);
  sweeper->load(b, x);
  sweeper->advance(std::vector<Step>(1), Want::nothing);
  EXPECT_EQ(sweeper->executed().simd, simd::usable()[0]);
}

TEST_F(Simd, ForcedForAWhileIsTheOneBeforeAgain) {
  simd::force(simd::usable().back());
  {
    const test::Forced forced(simd::usable().front());
    EXPECT_EQ(simd::chosen(), simd::usable().front());
  }
  EXPECT_EQ(simd::chosen(), simd::usable().back());
}

TEST_F(Simd, NamesTheUsableOnesForAnUnknownName) {
  const std::string before = simd::chosen();
  for (const std::string name : {"avx1024", "AVX2", " ", "avx2 "}) {
    const std::string text = io_test::message_of<UsageError>([&] { simd::force(name); });
    EXPECT_PRED2(io_test::contains, text, "'" + name + "'");
    for (const std::string& usable : simd::usable()) EXPECT_PRED2(io_test::contains, text, usable);
  }
  EXPECT_EQ(simd::chosen(), before);
}

TEST_F(Simd, CompiledHoldsEverythingUsable) {
  ASSERT_FALSE(simd::usable().empty());
  for (const std::string& name : simd::usable()) {
    const auto all = simd::compiled();
    EXPECT_NE(std::find(all.begin(), all.end(), name), all.end()) << name;
  }
}

/// In a process of its own, where nothing was chosen yet.
[[noreturn]] void force_against_environment(const std::string& environment, const std::string& forced) {
  setenv("JACOBI_SIMD", environment.c_str(), 1);
  simd::force(forced);
  std::fprintf(stderr, "chosen %s\n", simd::chosen().c_str());
  std::exit(0);
}

TEST(SimdDeathTest, ACallOutranksTheEnvironment) {
  if (simd::usable().size() < 2) GTEST_SKIP() << "one target only";
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const std::string first = simd::usable().front(), last = simd::usable().back();
  EXPECT_EXIT(force_against_environment(last, first), testing::ExitedWithCode(0), "chosen " + first);
}

}  // namespace
}  // namespace jacobi
