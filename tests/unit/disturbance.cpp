/// Measurements that other work took part in.
#include "machine/disturbance.hpp"

#include <gtest/gtest.h>

namespace jacobi::machine {
namespace {

TEST(Disturbance, IsLessTimeOfProcessorsThanOfTheClockForThreadsPutOffTheirCores) {
  EXPECT_FALSE((Stretch{1, 1, 0, 0}.disturbs(1)));
  EXPECT_FALSE((Stretch{1, 2, 8, 0}.disturbs(2))) << "a few switches are usual";
  EXPECT_TRUE((Stretch{1, 0.5, 200, 0}.disturbs(1)));
  EXPECT_TRUE((Stretch{1, 1.5, 200, 0}.disturbs(2)));
  EXPECT_TRUE((Stretch{0.005, 0.002, 1, 0}.disturbs(1))) << "one switch spoils a short run";
  EXPECT_FALSE((Stretch{1, 1.5, 10, 0}.disturbs(2))) << "one of two threads sleeps while it waits";
  EXPECT_TRUE((Stretch{0.081, 0.001, 1, 0}.disturbs(1))) << "one switch that took long";
  EXPECT_TRUE((Stretch{0.1, 0.08, 1, 0}.disturbs(2)));
  EXPECT_FALSE((Stretch{1, 1, 200, 0}.disturbs(1))) << "switched away, and back at once";
}

TEST(Disturbance, IsWhatAHostTakes) {
  EXPECT_TRUE((Stretch{1, 1, 0, 0.2}.disturbs(1)));
  EXPECT_FALSE((Stretch{0.2, 0.2, 0, 0.01}.disturbs(1)))
      << "one hundredth of a second is how fine it is told";
}

TEST(Disturbance, KnowsTheShareLost) {
  EXPECT_DOUBLE_EQ((Stretch{2, 3, 0, 0}.lost(2)), 0.25);
  EXPECT_DOUBLE_EQ((Stretch{2, 5, 0, 0}.lost(2)), 0);
  EXPECT_DOUBLE_EQ((Stretch{}.lost(2)), 0);
}

TEST(Disturbance, MeasuresThisProcess) {
  const Stopwatch watch;
  volatile double sum = 0;
  for (int i = 0; i < 20'000'000; ++i) sum = sum + 1;
  const Stretch s = watch.stretch();
  EXPECT_GT(s.processor, 0);
  EXPECT_GE(s.switches, 0);
  EXPECT_GT(s.seconds, 0);
}

}  // namespace
}  // namespace jacobi::machine
