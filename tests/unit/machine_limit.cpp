/// Limits by made-up ceilings, with known answers.
#include <gtest/gtest.h>

#include "machine/kernels.hpp"
#include "machine/limit.hpp"

namespace jacobi::machine {
namespace {

constexpr double giga = 1e9;

/// Additions and fused multiply-adds have units of their own here: 1:1 they run side by side.
Ceilings machine_of(double dram = 8) {
  Ceilings c;
  c.cache_bytes = {32e3, 1e6, 32e6};
  c.one = {1, {320 * giga, 96 * giga, 24 * giga, dram * giga}, 20 * giga, 10 * giga, 20 * giga};
  c.all = {4, {1280 * giga, 384 * giga, 48 * giga, 2 * dram * giga}, 80 * giga, 40 * giga, 80 * giga};
  return c;
}

Work work_2d(double rows, double bytes_per_update = 24, int threads = 1) {
  Work w;
  w.threads = threads;
  w.bytes_per_update = bytes_per_update;
  w.working_set = 24 * rows;
  w.loads = 5;
  w.adds = 3;
  w.fmas = 1;
  return w;
}

TEST(Limit, IsTheBandwidthOfTheLevelThatHoldsTheArrays) {
  const Limit l2 = limit_of(work_2d(30'000), machine_of());  // 0.72 MB
  EXPECT_EQ(l2.by, "L2");
  EXPECT_DOUBLE_EQ(l2.lups, 4 * giga);
  const Limit l3 = limit_of(work_2d(1'000'000), machine_of());
  EXPECT_EQ(l3.by, "L3");
  EXPECT_DOUBLE_EQ(l3.lups, giga);
  const Limit dram = limit_of(work_2d(2'000'000), machine_of());
  EXPECT_EQ(dram.by, "DRAM");
  EXPECT_DOUBLE_EQ(dram.lups, giga / 3);
}

TEST(Limit, OfManySweepsPerVisitIsNotTheMemory) {
  const Limit limit = limit_of(work_2d(2'000'000, 1), machine_of());
  EXPECT_EQ(limit.by, "floating point");
  EXPECT_DOUBLE_EQ(limit.lups, 5 * giga);  // 20 / 4 for both together, 20 / 3 and 10 for each alone
  Ceilings few_loads = machine_of();
  few_loads.one.read[0] = 120 * giga;
  EXPECT_EQ(limit_of(work_2d(2'000'000, 1), few_loads).by, "L1 loads");
  EXPECT_DOUBLE_EQ(limit_of(work_2d(2'000'000, 1), few_loads).lups, 3 * giga);  // 5 words of 8 bytes
}

TEST(Limit, OfAdditionsAloneBindsWhereTheyHaveTheirOwnUnits) {
  Ceilings c = machine_of();
  c.one.add = c.one.fma = 10 * giga;  // as many of each: 20
  EXPECT_DOUBLE_EQ(limit_of(work_2d(2'000'000, 1), c).lups, 10 * giga / 3);
  Work fmas = work_2d(2'000'000, 1);
  fmas.adds = 0, fmas.fmas = 4, fmas.loads = 1;
  EXPECT_DOUBLE_EQ(limit_of(fmas, c).lups, 10 * giga / 4);
}

TEST(Limit, CountsTwiceTheValuesOfFloat) {
  Work single = work_2d(2'000'000, 0.5);
  single.value_bytes = 4;
  EXPECT_DOUBLE_EQ(limit_of(single, machine_of()).lups, 10 * giga);
}

TEST(Limit, OfThreadsThatShareTheWork) {
  EXPECT_EQ(level_of(work_2d(100'000), machine_of()), 2);
  EXPECT_EQ(level_of(work_2d(100'000, 24, 4), machine_of()), 1);  // 0.6 MB for each
  EXPECT_DOUBLE_EQ(limit_of(work_2d(1'000'000, 24, 4), machine_of()).lups, 2 * giga);
  EXPECT_DOUBLE_EQ(ceiling_of(machine_of(), 3).read[2], 48 * giga);   // all of it
  EXPECT_DOUBLE_EQ(ceiling_of(machine_of(), 3).read[0], 960 * giga);  // three times one
  EXPECT_DOUBLE_EQ(ceiling_of(machine_of(), 9).add, 80 * giga);
}

TEST(Limit, SkipsACacheThatWasNotMeasured) {
  Ceilings c = machine_of();
  c.one.read[2] = c.all.read[2] = 0;
  EXPECT_EQ(limit_of(work_2d(1'000'000), c).by, "DRAM");
}

TEST(Work, CountsOperationsAndLoadsAsTheyAreMade) {
  const auto check = [](const Work& w, double loads, double adds, int fmas, double set) {
    EXPECT_EQ(w.loads, loads);
    EXPECT_EQ(w.adds, adds);
    EXPECT_EQ(w.fmas, fmas);
    EXPECT_EQ(w.working_set, set);
  };
  const auto square = poisson<double, 2>({4, 4});
  check(work_of(poisson<double, 1>({10}), "tiles", false, 24, 1), 3, 1, 1, 240);
  const double loads = vector_registers() == 16 ? 13.0 / 6 : 26.0 / 15;  // of lines in strips
  check(work_of(square, "strips", false, 24, 1), loads, 2, 1, 384);
  check(work_of(poisson<float, 3>({3, 3, 3}), "wavefront", false, 12, 1), 4.5, 4.25, 1, 324);
  check(work_of(square, "tiles", true, 24, 1), 2.5, 3.25, 2, 384);
  check(work_of(poisson<double, 2>({4, 5}), "tiles", false, 24, 1), 2.5, 0, 4, 480);  // unequal spacings
  const double of_batch = vector_registers() == 16 ? 10.0 / 15 : 19.0 / 48;
  check(work_of(batch(poisson<double, 1>({10}), 2), "batch", false, 24, 1), of_batch, 1, 1, 480);
}

TEST(Work, OfARungIsByItsOwnCountOfLoads) {
  const auto square = poisson<double, 2>({34, 34});
  const auto loads = [&](const char* algorithm) { return work_of(square, algorithm, false, 24, 1).loads; };
  EXPECT_EQ(loads("textbook"), 8);  // of the norm and the copy too
  for (const char* one : {"no-copy", "fused", "simd", "threads", "parallel"}) EXPECT_EQ(loads(one), 5) << one;
  EXPECT_EQ(loads("tiles"), 2.5);
  EXPECT_LT(loads("strips"), loads("tiles"));
  Ceilings few_loads = machine_of();
  few_loads.one.read[0] = 120 * giga;
  EXPECT_DOUBLE_EQ(limit_of(work_of(square, "simd", false, 24, 1), few_loads).lups, 3 * giga);
  EXPECT_EQ(limit_of(work_of(square, "simd", false, 24, 1), few_loads).by, "L1 loads");
}

}  // namespace
}  // namespace jacobi::machine
