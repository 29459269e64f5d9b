/// Cores that may be used: the least of affinity, quotas of control groups, and what OpenMP is told.
#include <gtest/gtest.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <limits>

#include "core/teams.hpp"
#include "jacobi/backend.hpp"
#include "unit/fake_root.hpp"

namespace jacobi {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

TEST(BackendThreads, AreThoseAskedFor) {
  EXPECT_EQ(backend("serial")->threads(), 1);
  EXPECT_EQ(backend("threads:2")->threads(), 2);
}

TEST(CpuQuota, IsNoneWithoutGroups) {
  const FakeRoot root;
  EXPECT_EQ(cpu_quota(root.path()), unlimited);
  root.put("proc/self/cgroup", "0::/a\n");
  root.put("sys/fs/cgroup/a/cpu.max", "max 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), unlimited);
}

TEST(CpuQuota, OfANestedGroupIsTheLeastOfAllThatItLiesIn) {
  const FakeRoot root;
  root.put("proc/self/cgroup", "0::/outer/inner\n");
  root.put("sys/fs/cgroup/outer/inner/cpu.max", "400000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 4);
  root.put("sys/fs/cgroup/outer/cpu.max", "150000 100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 1.5);
}

TEST(CpuQuota, OfTheFirstVersionIsTheCpuControllersOwn) {
  const FakeRoot root;
  root.put("proc/self/cgroup", "5:cpuset:/elsewhere\n4:cpu,cpuacct:/docker/abc\n1:name=systemd:/\n");
  root.put("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_quota_us", "-1\n");
  root.put("sys/fs/cgroup/cpu,cpuacct/docker/abc/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(root.path()), unlimited);
  root.put("sys/fs/cgroup/cpu/docker/cpu.cfs_quota_us", "50000\n");
  root.put("sys/fs/cgroup/cpu/docker/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(cpu_quota(root.path()), 0.5);
}

TEST(FreeCores, AreThoseWithoutAThreadThatCanRun) {
  const FakeRoot root;
  const int cores = free_cores(0, root.path());
  EXPECT_GE(cores, 1) << "nothing is told: all";
  root.put("proc/loadavg", "0.20 0.18 0.12 1/80 11206\n");
  EXPECT_EQ(free_cores(0, root.path()), cores) << "this thread alone";
  root.put("proc/loadavg", "0.20 0.18 0.12 2/80 11206\n");
  EXPECT_EQ(free_cores(0, root.path()), std::max(1, cores - 1));
  EXPECT_EQ(free_cores(1, root.path()), cores) << "the other one is our own";
  root.put("proc/loadavg", "900 900 900 1000/8000 11206\n");
  EXPECT_EQ(free_cores(0, root.path()), 1);
}

TEST(AvailableCores, AreSomeAndNoMoreThanAffinityLeaves) {
  EXPECT_GE(available_cores(), 1);
  EXPECT_LE(available_cores(), cores_of_affinity());
}

#ifdef _OPENMP  // whose threads the library uses too
TEST(AvailableCores, AreNoMoreThanOpenMpIsTold) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  EXPECT_EQ(available_cores(), 1);
  EXPECT_EQ(backend("threads")->name(), "threads:1");
  EXPECT_EQ(backend("threads:2")->name(), "threads:2") << "a number is an order";
  omp_set_num_threads(before);
}

TEST(AvailableCores, AreOneInsideATeam) {
  int inside = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp single
    inside = available_cores();
  }
  EXPECT_EQ(inside, 1);
}
#endif

}  // namespace
}  // namespace jacobi
