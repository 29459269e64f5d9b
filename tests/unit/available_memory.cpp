/// Available memory: that of the system, of control groups of both versions, of limits, whichever is least.
#include <gtest/gtest.h>

#include <cmath>

#include "core/memory.hpp"
#include "core/memory_limits.hpp"
#include "unit/fake_root.hpp"

namespace jacobi {
namespace {

/// With 8 GiB of available memory.
class Machine : public FakeRoot {
 public:
  Machine() {
    put("proc/meminfo", "MemTotal:  16777216 kB\nMemFree:   1024 kB\nMemAvailable:   8388608 kB\n");
  }
  double left() const { return memory_left_by_the_system(path()); }
};

constexpr double mib = 1 << 20;

TEST(AvailableMemory, IsTheSystemsWithoutGroups) {
  const Machine root;
  EXPECT_EQ(root.left(), 8192 * mib);
  root.put("proc/self/cgroup", "0::/\n");
  root.put("sys/fs/cgroup/memory.max", "max\n");
  EXPECT_EQ(root.left(), 8192 * mib);
}

TEST(AvailableMemory, OfANestedGroupIsTheLeastOfAllThatItLiesIn) {
  const Machine root;
  root.put("proc/self/cgroup", "0::/outer/inner\n");
  root.put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  root.put("sys/fs/cgroup/outer/memory.max", "314572800\n");
  root.put("sys/fs/cgroup/outer/memory.current", "104857600\n");
  EXPECT_EQ(root.left(), 200 * mib);
  root.put("sys/fs/cgroup/outer/inner/memory.high", "157286400\n");  // reclaimed above it, to a standstill
  root.put("sys/fs/cgroup/outer/inner/memory.current", "52428800\n");
  EXPECT_EQ(root.left(), 100 * mib);
  root.put("sys/fs/cgroup/memory.max", "1048576\n");
  EXPECT_EQ(root.left(), mib);
}

TEST(AvailableMemory, CountsWhatFilesOccupyAsFree) {
  const Machine root;
  root.put("proc/self/cgroup", "0::/a\n");
  root.put("sys/fs/cgroup/a/memory.max", "314572800\n");
  root.put("sys/fs/cgroup/a/memory.current", "304087040\n");
  root.put("sys/fs/cgroup/a/memory.stat", "anon 10485760\nfile 293601280\ninactive_file 209715200\n");
  EXPECT_EQ(root.left(), 210 * mib);
}

TEST(AvailableMemory, OfTheFirstVersionIsTheMemoryControllersOwn) {
  const Machine root;
  root.put("proc/self/cgroup", "12:pids:/elsewhere\n4:cpu,memory:/docker/abc\n1:name=systemd:/\n");
  root.put("sys/fs/cgroup/memory/docker/memory.limit_in_bytes", "9223372036854771712\n");
  root.put("sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes", "314572800\n");
  root.put("sys/fs/cgroup/memory/docker/abc/memory.usage_in_bytes", "209715200\n");
  root.put("sys/fs/cgroup/memory/docker/abc/memory.stat", "inactive_file 1\ntotal_inactive_file 104857600\n");
  EXPECT_EQ(root.left(), 200 * mib);
}

TEST(AvailableMemory, OfAContainerIsThatOfTheGroupMounted) {
  const Machine root;  // whose path is told as the host has it
  root.put("proc/self/cgroup", "4:memory:/docker/abc\n0::/system.slice\n");
  root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "314572800\n");
  EXPECT_EQ(root.left(), 300 * mib);
}

TEST(AvailableMemory, OfAFullGroupIsNothing) {
  const Machine root;
  root.put("proc/self/cgroup", "0::/a\n");
  root.put("sys/fs/cgroup/a/memory.max", "1000\n");
  root.put("sys/fs/cgroup/a/memory.current", "2000\n");
  EXPECT_EQ(root.left(), 0);
}

TEST(AvailableMemory, OfThisProcessIsFiniteAndSomething) {
  EXPECT_GT(available_memory(), 0);
  EXPECT_TRUE(std::isfinite(available_memory()));
}

}  // namespace
}  // namespace jacobi
