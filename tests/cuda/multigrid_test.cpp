/// Multigrid cycles of the device against those of the host: random problems, the same bits.
#include <optional>

#include "cuda/on_device.hpp"
#include "jacobi/domain.hpp"
#include "jacobi/error.hpp"
#include "random_laplacian.hpp"

namespace jacobi::test {
namespace {

/// The same operator with one array per coefficient.
template <class T, int D>
struct Spread {
  std::vector<std::vector<T>> arrays;
  Stencil<T, D> make(const Stencil<T, D>& a) {
    std::array<std::span<const T>, 2 * D> off;
    for (int k = 0; k <= 2 * D; ++k)
      arrays.emplace_back(static_cast<std::size_t>(a.rows()), k == 2 * D ? a.center(0) : a.off(k, 0));
    for (int k = 0; k < 2 * D; ++k) off[k] = arrays[k];
    return Stencil<T, D>::variable(a.grid(), arrays[2 * D], off);
  }
};

template <class T>
struct CyclesRun {
  std::vector<T> x;
  Norms update, wanted;
  Executed ran;
};
/// So many sweeps of the plan, cycle by cycle or all at once, as `want` is measured.
template <class T>
CyclesRun<T> cycles_run(Sweeper<T>& sweeper, const Plan& plan, const std::vector<T>& b,
                        const std::vector<T>& x, Index sweeps, Want want) {
  sweeper.load(b, x);
  std::vector<Step> steps;
  for (Index n = 0; n < sweeps; ++n) steps.push_back(plan.method.step(n, {}));
  CyclesRun<T> r;
  const auto first = static_cast<std::size_t>(std::min(sweeps, sweeper.sweeps_per_cycle()));
  sweeper.advance(std::span<const Step>(steps).first(first), Want::nothing);
  r.wanted = sweeper.advance(std::span<const Step>(steps).subspan(first), want);
  r.update = sweeper.norms(Want::update);
  r.x.resize(b.size());
  sweeper.store(r.x);
  r.ran = sweeper.executed();
  return r;
}

template <class T>
DomainPoints<T> some_outside(Random& random, Index rows) {
  DomainPoints<T> points;
  points.insulated = random.integer(0, 1) == 0;
  for (Index p = 0; p < rows; ++p)
    points.kinds.push_back(p > 0 && random.integer(0, 3) == 0 ? PointKind::outside : PointKind::unknown);
  return points;
}

void expect_near(const Norms& here, const Norms& there, double by, const std::string& where) {
  ASSERT_NEAR(here.l2, there.l2, by * there.l2) << where;
  ASSERT_NEAR(here.max, there.max, by * there.max) << where;
}

class CudaMultigrid : public OnDevice {
 protected:
  template <class T, int D>
  static void expect_the_hosts_bits(unsigned seed, Index most, int cases) {
    Random random(seed);
    for (int one = 0; one < cases / JACOBI_TEST_SHARE; ++one) {
      const bool from_zero = random.integer(0, 1) == 0, spreads = random.integer(0, 2) == 0;
      auto a = random_laplacian<T, D>(random, most, random.integer(0, 1) == 0);
      Spread<T, D> spread;
      if (spreads) a = spread.make(a);
      std::optional<Domain<T, D>> holed;
      if (random.integer(0, 3) == 0) a = holed.emplace(a, some_outside<T>(random, a.rows())).a();
      const Multigrid cycle{random.integer(0, 4), random.integer(1, 4), random.integer(1, 2),
                            random.integer(0, 1) == 1};
      const Plan plan = multigrid(a, cycle);
      const auto b = random.vector<T>(a.rows());
      const auto x = from_zero ? std::vector<T>(a.rows()) : random.vector<T>(a.rows());
      const Index sweeps = (cycle.pre + cycle.post) * random.integer(1, 2) + random.integer(0, 1);
      const Want want = std::array{Want::update, Want::residual, Want::correction}[random.integer(0, 2)];
      order_threads(static_cast<unsigned>(random.integer(1, 1000)));
      const auto host = backend("serial")->bind(Operator<T>(a), plan), there = on_device(a, plan);
      const CyclesRun<T> right = cycles_run(*host, plan, b, x, sweeps, want),
                         here = cycles_run(*there, plan, b, x, sweeps, want);
      std::string where = "case " + std::to_string(one) + ":";
      for (const Index n : a.grid().unknowns) where += " " + std::to_string(n);
      where += " unknowns, " + here.ran.blocking;
      ASSERT_TRUE(same_values(right.x, here.x)) << where;
      const double by = sizeof(T) == 8 ? 1e-12 : 1e-6;
      expect_near(here.wanted, right.wanted, by, where);
      expect_near(here.update, right.update, by, where);
      ASSERT_EQ(here.ran.sweeps, right.ran.sweeps);
      ASSERT_EQ(here.ran.cycles, right.ran.cycles);
      ASSERT_NEAR(here.ran.work, right.ran.work, 1e-12 * right.ran.work) << where;
    }
  }
  /// Zeros may differ in sign: the device leaves out what is multiplied by 0.
  template <class T>
  static bool same_values(const std::vector<T>& a, const std::vector<T>& b) {
    for (std::size_t p = 0; p < a.size(); ++p)
      if (!(a[p] == b[p])) return false;
    return a.size() == b.size();
  }
};

TEST_F(CudaMultigrid, HasTheHostsBitsIn1D) {
  expect_the_hosts_bits<double, 1>(1, 90, 15);
  expect_the_hosts_bits<double, 1>(2, 3000, 3);
  expect_the_hosts_bits<float, 1>(3, 90, 8);
}
TEST_F(CudaMultigrid, HasTheHostsBitsIn2D) {
  expect_the_hosts_bits<double, 2>(4, 40, 25);
  expect_the_hosts_bits<double, 2>(5, 150, 4);
  expect_the_hosts_bits<float, 2>(6, 70, 10);
}
TEST_F(CudaMultigrid, HasTheHostsBitsIn3D) {
  expect_the_hosts_bits<double, 3>(7, 10, 15);
  expect_the_hosts_bits<double, 3>(8, 36, 2);
  expect_the_hosts_bits<float, 3>(9, 14, 5);
}

TEST_F(CudaMultigrid, AnotherCycleIsCaught) {  // else the tests above could not fail
  const auto a = poisson<double, 2>({70, 40});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  const Plan plan = multigrid(a, {2, 1, 1, false});
  const auto right =
      cycles_run(*backend("serial")->bind(Operator<double>(a), plan), plan, b, x, 6, Want::update);
  for (const Multigrid& wrong :
       {Multigrid{2, 1, 2, false}, Multigrid{2, 1, 1, true}, Multigrid{1, 2, 1, false}}) {
    Plan other = plan;
    other.by = wrong;
    EXPECT_FALSE(same_values(right.x, cycles_run(*on_device(a, other), plan, b, x, 6, Want::update).x));
  }
}

TEST_F(CudaMultigrid, GoesBackToWhatWasSaved) {
  const auto a = poisson<double, 2>({33, 20});
  const Plan plan = multigrid(a);
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  const auto sweeper = on_device(a, plan);
  std::vector<Step> steps;
  for (Index n = 0; n < 3; ++n) steps.push_back(plan.method.step(n, {}));
  sweeper->load(b, x);
  sweeper->advance(steps, Want::nothing);
  sweeper->save();
  const Executed saved = sweeper->executed();
  const Norms update = sweeper->norms(Want::update);
  std::vector<double> first(b.size()), back(b.size());
  sweeper->store(first);
  sweeper->advance(steps, Want::residual);
  sweeper->advance(std::span<const Step>(steps).first(1), Want::residual);
  sweeper->restore();
  sweeper->store(back);
  EXPECT_TRUE(same_bits(first, back));
  EXPECT_EQ(sweeper->executed().sweeps, saved.sweeps);
  EXPECT_EQ(sweeper->executed().cycles, saved.cycles);
  EXPECT_EQ(sweeper->executed().work, saved.work);
  EXPECT_EQ(sweeper->norms(Want::update).l2, update.l2);
}

TEST_F(CudaMultigrid, ASolveEndsAsOnTheHost) {
  const auto a = poisson<double, 2>({65, 50});
  std::vector<double> b(a.rows(), 1.0), x(a.rows()), y(a.rows());
  const Stop stop{.relative = 1e-9, .max_sweeps = 300};
  Solver<double> host(a, multigrid(a), backend("serial")), there(a, multigrid(a), device());
  const Report right = host.solve(b, x, stop), report = there.solve(b, y, stop);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.rung, "multigrid");
  EXPECT_EQ(report.sweeps, right.sweeps);
  EXPECT_EQ(report.cycles, right.cycles);
  EXPECT_NEAR(*report.work, *right.work, 1e-12 * *right.work);
  EXPECT_TRUE(same_values(x, y));
}

TEST_F(CudaMultigrid, RefusesInWordsWhatItDoesNotMake) {
  const auto a = poisson<double, 2>({20, 20});
  const auto words = [&](const Plan& plan) {
    try {
      on_device(a, plan);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Plan narrow = multigrid(a);
  narrow.matrix_precision = MatrixPrecision::single;
  EXPECT_NE(words(narrow).find("stored narrower"), std::string::npos);
  Plan chequered = multigrid(a);
  chequered.method = red_black();
  EXPECT_NE(words(chequered).find("no smoother"), std::string::npos) << words(chequered);
  EXPECT_NE(words(cg_with_multigrid()).find("precondition"), std::string::npos);
}

TEST_F(CudaMultigrid, SaysWhatTransfersTookAndHowFullTheDeviceIs) {
  const auto a = poisson<double, 2>({65, 50});
  for (const Plan& plan : {multigrid(a), Plan()}) {
    std::vector<double> b(a.rows(), 1.0), x(a.rows());
    Solver<double> solver(a, plan, device());
    const Report report = solver.solve(b, x, {.relative = 1e-3, .max_sweeps = 30});
    EXPECT_GT(report.seconds_upload.value_or(0), 0);
    EXPECT_GT(report.seconds_download.value_or(0), 0);
    if (plan.multigrid()) EXPECT_GT(report.occupancy.value_or(0), 0);
    EXPECT_LE(report.occupancy.value_or(0), 1);
  }
}

}  // namespace
}  // namespace jacobi::test
