/// Names of backends.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "core/teams.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "sweep/rungs.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;

std::string refusal(const std::string& name) {
  return message_of<UsageError>([&] { backend(name); });
}

TEST(Backend, NamesItselfWithItsThreads) {
  EXPECT_EQ(backend("serial")->name(), "serial");
  EXPECT_EQ(backend("threads:2")->name(), "threads:2");
  EXPECT_EQ(backend("threads:02")->name(), "threads:2");
  const std::string all = "threads:" + std::to_string(available_cores());
  EXPECT_EQ(backend("threads")->name(), all);
  EXPECT_EQ(backend("")->name(), all);
  EXPECT_EQ(backend()->name(), all);
}

TEST(Backend, TakesUpToFourThreadsPerCore) {
  const int most = 4 * cores_of_affinity();
  EXPECT_NO_THROW(backend("threads:" + std::to_string(most)));
  EXPECT_PRED2(contains, refusal("threads:" + std::to_string(most + 1)), "give 1 to " + std::to_string(most));
  EXPECT_PRED2(contains, refusal("threads:100000"), "give 1 to");
}

TEST(Backend, RefusesNumbersThatAreNone) {
  for (const std::string name : {"threads:0", "threads:", "threads:-1", "threads:two", "threads:2x",
                                 "threads: 2", "threads:2:2", "threads:99999999999999999999", "threads:1.5"})
    EXPECT_NE(refusal(name), "") << name;
  EXPECT_PRED2(contains, refusal("serial:2"), "serial takes no number");
}

TEST(Backend, NamesTheKnownOnesForAnUnknownOne) {
  for (const std::string name : {"metal", "CUDA", "Threads", "serials", ":2", " "}) {
    EXPECT_PRED2(contains, refusal(name), "serial, threads, cuda, opencl") << name;
  }
  EXPECT_PRED2(contains, refusal("metal:0"), "'metal'");
}

TEST(Backend, SaysHowToBuildWhatIsNotCompiledIn) {
  for (const BackendInfo& one : backends())
    if (!one.compiled) {
      EXPECT_PRED2(contains, message_of<BackendError>([&] { backend(one.name); }), "configure with -DJACOBI_")
          << one.name;
      EXPECT_PRED2(contains, one.note, "configure with -DJACOBI_") << one.name;
    }
}

TEST(Backend, ListsWhatIsCompiledAndUsable) {
  const auto list = backends();
  ASSERT_GE(list.size(), 2U);
  EXPECT_EQ(list[0].name, "serial");
  EXPECT_TRUE(list[0].usable);
  for (const BackendInfo& one : list) {
    EXPECT_FALSE(one.note.empty()) << one.name;
    EXPECT_LE(one.usable, one.compiled);
    if (one.usable) {
      EXPECT_NO_THROW(backend(one.name)) << one.name;
    }
  }
}

TEST(Backend, RefusesUnknownRungsNamingThoseThereAre) {
  const Operator<double> a = tridiagonal<double>(5, -1, 2, -1);
  const std::string text =
      message_of<UsageError>([&] { backend("serial")->bind(a, Plan(plain(), "woven")); });
  for (const Rung& rung : stencil_rungs()) EXPECT_PRED2(contains, text, rung.name);
}

TEST(Backend, BindingMoreThanTheMemoryHoldsNamesBothSizes) {
  Grid<double, 2> grid;
  grid.unknowns = {Index{1} << 22, Index{1} << 22};  // 128 TiB per array; no coefficients are stored
  grid.spacing = {1, 1};
  const Operator<double> a = Stencil<double, 2>::constant(grid, 4, {-1, -1, -1, -1});
  EXPECT_PRED2(contains, message_of<BackendError>([&] { backend("serial")->bind(a, {}); }), "TiB");
}

}  // namespace
}  // namespace jacobi
