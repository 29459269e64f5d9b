/// Threads that work together: everyone once, whatever the sizes of teams, and alone where there can be no
/// team.
#include "core/team_pool.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "core/team.hpp"

namespace jacobi {
namespace {

/// Numbers of the members that ran, each once; the team that each was told.
std::multiset<int> members_of(int threads, int& team) {
  std::mutex one_at_a_time;
  std::multiset<int> numbers;
  std::set<int> teams;
  team = run_team(threads, [&](const Member& me) {
    const std::lock_guard lock(one_at_a_time);
    numbers.insert(me.number);
    teams.insert(me.team);
  });
  EXPECT_EQ(teams, std::set<int>{team});
  return numbers;
}

std::multiset<int> first_numbers(int count) {
  std::multiset<int> numbers;
  for (int k = 0; k < count; ++k) numbers.insert(k);
  return numbers;
}

TEST(TeamPoolThreads, EveryMemberRunsOnceWhateverTheSizesOfTeams) {
  std::minstd_rand random(1);
  for (int run = 0; run < 3000; ++run) {
    const int threads = 1 + static_cast<int>(random() % 7);
    int team = 0;
    ASSERT_EQ(members_of(threads, team), first_numbers(threads)) << run;
    ASSERT_EQ(team, threads);
  }
}

TEST(TeamPoolThreads, AreAsManyAsTheLimitLeaves) {
  TeamPool& pool = TeamPool::of_this_thread();
  const int before = std::exchange(pool.most, 2);
  pool.asked = 0;
  int team = 0;
  EXPECT_EQ(members_of(5, team), first_numbers(2));
  EXPECT_EQ(pool.asked, 5);
  pool.most = before;
  EXPECT_EQ(members_of(5, team), first_numbers(5));
}

TEST(TeamPoolThreads, OneWithinAnother) {
  std::atomic<int> inner = 0, calls = 0;
  run_team(3, [&](const Member&) {
    inner += run_team(3, [&](const Member& me) {
      EXPECT_EQ(me.team, 1);
      ++calls;
    });
  });
  EXPECT_EQ(inner, 3);
  EXPECT_EQ(calls, 3);
}

/// Each thread has its own pool, which ends with it.
TEST(TeamPoolThreads, TenOwnersHaveATeamEach) {
  std::atomic<long> sum = 0;
  std::vector<std::thread> owners;
  for (int t = 0; t < 10; ++t)
    owners.emplace_back([&] {
      for (int run = 0; run < 200; ++run)
        run_team(3, [&](const Member& me) {
          me.wait();
          sum += me.number;
          me.wait();
        });
    });
  for (std::thread& owner : owners) owner.join();
  EXPECT_EQ(sum, 10 * 200 * 3);
}

TEST(TeamPoolThreads, ShareAllOfARange) {
  for (const int threads : {1, 2, 5})
    for (const Index count : {0, 1, 2, 3, 1000}) {
      std::vector<std::atomic<int>> shared(static_cast<std::size_t>(count)), taken(shared.size());
      parallel_for(threads, count, [&](Index i) { ++shared[static_cast<std::size_t>(i)]; });
      parallel_chunks(threads, count, 7, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) ++taken[static_cast<std::size_t>(i)];
      });
      for (std::size_t i = 0; i < shared.size(); ++i) {
        EXPECT_EQ(shared[i], 1);
        EXPECT_EQ(taken[i], 1);
      }
    }
}

}  // namespace
}  // namespace jacobi
