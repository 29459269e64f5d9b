/// As many threads as are fastest, on machines of a few lines: no clock is read.
#include "core/governor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace jacobi {
namespace {

/// What a call takes per sweep on so many threads, and the share of it that the caller works.
struct Machine {
  std::function<double(int team)> sweep;
  std::function<double(int team)> share;
};

/// Every thread has a core.
Machine idle() {
  return {[](int team) { return 1e-3 / team; }, [](int) { return 0.95; }};
}
/// Other processes hold all cores but one: a team waits for its last member.
Machine lost() {
  return {[](int team) { return team == 1 ? 1e-3 : 5e-3; }, [](int team) { return team == 1 ? 1.0 : 0.2; }};
}
/// A second thread costs as much as it gives.
Machine small() {
  return {[](int team) { return 1e-5 * team; }, [](int team) { return 0.6 / team; }};
}

/// Calls of a ms or one sweep; seconds that they took.
double sweep(Governor& governor, const Machine& machine, int threads, std::size_t sweeps, int free = 1) {
  double seconds = 0;
  while (sweeps > 0) {
    const int team = std::min(governor.team(), threads);
    const double each = machine.sweep(team);
    const std::size_t call =
        std::min(sweeps, std::max<std::size_t>(1, static_cast<std::size_t>(1e-3 / each)));
    const double took = each * static_cast<double>(call);
    governor.took(threads, call, took, machine.share(team) * took, free);
    seconds += took;
    sweeps -= call;
  }
  return seconds;
}

int team_of(const Governor& governor, int threads) { return std::min(governor.team(), threads); }

TEST(Governor, LeavesAllThreadsWhereEachHasACore) {
  for (const int threads : {2, 4, 16}) {
    Governor governor;
    governor.begin(threads);
    EXPECT_NEAR(sweep(governor, idle(), threads, 1600), 1600 * idle().sweep(threads), 1e-9);
  }
}

TEST(Governor, TakesOneThreadWhereAMemberIsLost) {
  for (const int threads : {2, 4, 16}) {
    Governor governor;
    governor.begin(threads);
    sweep(governor, lost(), threads, 100);
    EXPECT_EQ(team_of(governor, threads), 1);
    EXPECT_LT(sweep(governor, lost(), threads, 5000), 5 * 1.1) << "trials of more cost less than a tenth";
  }
}

TEST(Governor, TakesOneThreadWhereASecondCostsMoreThanItGives) {
  Governor governor;
  governor.begin(2);
  EXPECT_LT(sweep(governor, small(), 2, 100000), 1 * 1.05);
}

TEST(Governor, TakesAllThreadsAgainWhenCoresAreBack) {
  Governor governor;
  governor.begin(4);
  sweep(governor, lost(), 4, 1000);
  ASSERT_EQ(team_of(governor, 4), 1);
  sweep(governor, idle(), 4, 20000);
  EXPECT_EQ(team_of(governor, 4), 4) << "also where all cores seem to be taken";
}

/// A slow machine is no reason: all wait for one who has more to do.
TEST(Governor, ReturnsToMoreThreadsWhereFewerAreSlower) {
  const Machine uneven = {[](int team) { return team == 1 ? 1e-3 : 6e-4; }, [](int) { return 0.4; }};
  Governor governor;
  governor.begin(2);
  EXPECT_LT(sweep(governor, uneven, 2, 5000), 5 * 0.6 * 1.05);
  EXPECT_EQ(team_of(governor, 2), 2);
}

TEST(Governor, BeginsWithTheCoresThatAreFree) {
  Governor governor;
  EXPECT_TRUE(governor.is_new());
  governor.begin(1);
  EXPECT_EQ(governor.team(), 1);
  sweep(governor, idle(), 2, 100);
  EXPECT_EQ(team_of(governor, 2), 1);
  sweep(governor, idle(), 2, 15, 2);
  EXPECT_EQ(team_of(governor, 2), 2) << "tried at once where a core is free";
}

TEST(Governor, SaysNothingOfOneThread) {
  Governor governor;
  governor.begin(2);
  governor.took(1, 100, 1, 0, 1);
  EXPECT_EQ(governor.team(), 2);
}

}  // namespace
}  // namespace jacobi
