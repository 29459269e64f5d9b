/// Runs of steps in time: resumed, ended, refused.
#include <gtest/gtest.h>

#include <cmath>

#include "jacobi/error.hpp"
#include "jacobi/heat.hpp"
#include "random.hpp"
#include "unit/heat.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi::test {
namespace {

using io_test::contains;
using io_test::message_of;

template <class T>
void expect_resumed_bits(const HeatOptions& o, double dt) {
  const auto a = poisson<T, 2>({40, 30});
  const std::vector<T> u = random_values<T>(a.rows(), 0, 1, 1), f(u.size(), T(1));
  Heat<T, 2> whole(a, f, u, dt, o, backend("threads:2"));
  whole.run(48);
  Heat<T, 2> first(a, f, u, dt, o, backend("serial"));
  first.run(19);
  const Snapshot kept = first.keep();
  Heat<T, 2> second(a, f, u, dt, o, backend("threads:3"));
  second.resume(kept);
  EXPECT_EQ(second.time(), first.time());
  second.run(29);
  EXPECT_EQ(second.time(), whole.time());
  if (o.step_tolerance == 0) EXPECT_EQ(second.u(), whole.u());
  HeatOptions other = o;
  other.theta = 0.75;
  Heat<T, 2> different(a, f, u, dt, other);
  EXPECT_TRUE(contains(message_of<InputError>([&] { different.resume(kept); }), "theta"));
}

TEST(HeatRuns, GoesOnFromASnapshotWithTheSameBits) {
  expect_resumed_bits<double>(explicit_euler(), 1e-4);
  expect_resumed_bits<double>(theta(0.5), 1e-2);
  expect_resumed_bits<float>(theta(1), 1e-2);
  HeatOptions o;
  o.step_tolerance = 1e-5;
  expect_resumed_bits<double>(o, 1e-3);
}

TEST(HeatRuns, EndsBetweenStepsWhereItIsAskedTo) {
  const auto a = poisson<double, 2>({300, 300});
  const std::vector<double> u = random_values<double>(a.rows(), 0, 1, 1), f(u.size());
  for (const HeatOptions& o : {explicit_euler(), theta(0.5)}) {
    Heat<double, 2> heat(a, f, u, 2e-6, o);
    HeatStop stop;
    stop.progress = [](const HeatProgress&) { return false; };
    const HeatReport r = heat.run(1'000'000, stop);
    EXPECT_EQ(r.status, Status::interrupted);
    EXPECT_LT(r.steps, 1'000'000);
    EXPECT_NEAR(r.time, 2e-6 * static_cast<double>(r.steps), 1e-15);
    for (const double value : heat.u()) EXPECT_LE(std::abs(value), 1);
    stop.progress = {};
    stop.max_seconds = 0.05;
    EXPECT_EQ(heat.run(1'000'000, stop).status, Status::time_limit);
  }
}

TEST(HeatRuns, RefusesWhatCannotBe) {
  const auto a = poisson<double, 1>({5});
  const std::vector<double> u(5), f(5), nan(5, std::nan(""));
  const auto refused = [&](double dt, const HeatOptions& o) {
    return message_of<UsageError>([&] { Heat<double, 1>(a, f, u, dt, o); });
  };
  EXPECT_TRUE(contains(refused(0, {}), "above 0"));
  EXPECT_TRUE(contains(refused(INFINITY, {}), "above 0"));
  EXPECT_TRUE(contains(refused(1, theta(0.4)), "0.5 (Crank-Nicolson)"));
  EXPECT_TRUE(contains(refused(1, theta(1.1)), "implicit Euler"));
  HeatOptions o;
  o.relative = 0;
  EXPECT_TRUE(contains(refused(1, o), "between 0 and 1"));
  o = explicit_euler();
  o.step_tolerance = 1e-3;
  EXPECT_TRUE(contains(refused(1e-3, o), "goes with theta"));
  EXPECT_TRUE(contains(message_of<InputError>([&] { Heat<double, 1>(a, f, nan, 1); }), "nan"));
  EXPECT_THROW((Heat<double, 1>(a, f, std::span(u).first(4), 1)), UsageError);
  Heat<double, 1> heat(a, f, u, 1);
  EXPECT_THROW(heat.run(-1), UsageError);
  EXPECT_EQ(heat.run(0).steps, 0);
}

}  // namespace
}  // namespace jacobi::test
