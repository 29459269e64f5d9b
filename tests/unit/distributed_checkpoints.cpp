/// Solves over ranks that were killed go on over another number of ranks, to the bits of one without a break.
#include <gtest/gtest.h>

#include <stdexcept>

#include "jacobi/distributed.hpp"
#include "jacobi/jacobi.hpp"
#include "ladder/run.hpp"
#include "random.hpp"

namespace jacobi::test {
namespace {

struct KilledRank : std::runtime_error {
  KilledRank() : std::runtime_error("killed") {}
};

/// By so many emulated ranks; of 0 by a solver of one process.
template <class T, int D>
Report solve_by(int ranks, const Stencil<T, D>& a, const Plan& plan, std::span<const T> b, std::vector<T>& x,
                const Stop& stop) {
  if (ranks == 0) return Solver<T>(a, plan, backend("serial")).solve(b, x, stop);
  std::vector<Report> reports(static_cast<std::size_t>(ranks));
  emulate({.ranks = ranks}, [&](const std::shared_ptr<Ranks>& at) {
    const Distributed<T, D> mine(at, a, 5);
    const auto first = static_cast<std::size_t>(mine.first_row()),
               rows = static_cast<std::size_t>(mine.rows());
    reports[static_cast<std::size_t>(at->number())] = solve<T, D>(
        mine, plan, b.subspan(first, rows), std::span(x).subspan(first, rows), stop, backend("serial"));
  });
  return reports.back();
}

/// Killed at a snapshot of each life but the last, each with another number of ranks.
template <class T, int D>
void expect_same_after_kills(const Stencil<T, D>& a, const Plan& plan, Norm norm) {
  SCOPED_TRACE(plan.method.name + " " + name(norm));
  const std::vector<T> b = random_values<T>(a.rows(), -1, 1, 7), start = random_values<T>(a.rows(), -1, 1, 8);
  Stop stop;
  stop.relative = sizeof(T) == sizeof(double) ? 1e-9 : 1e-4;
  stop.max_sweeps = 300;
  stop.norm = norm;
  std::vector<T> expected = start;
  const Report whole = solve_by<T, D>(0, a, plan, b, expected, stop);
  stop.keep_every = 1e-9;
  Report last;
  std::vector<T> x;
  for (const int ranks : {2, 3, 0, 20, 1, 4}) {
    Snapshot snapshot;
    int kept = 0;
    stop.keep = [&](const Snapshot& now) {
      snapshot = now;
      if (ranks != 4 && ++kept > 2) throw KilledRank();
    };
    x = start;
    try {
      last = solve_by<T, D>(ranks, a, plan, b, x, stop);
      break;
    } catch (const BackendError&) {  // what another rank says of it
      stop.resume = std::make_shared<const Snapshot>(std::move(snapshot));
    } catch (const KilledRank&) {
      stop.resume = std::make_shared<const Snapshot>(std::move(snapshot));
    }
  }
  ASSERT_TRUE(stop.resume);
  EXPECT_TRUE(same_bits(x, expected));
  EXPECT_EQ(last.status, whole.status);
  EXPECT_EQ(last.sweeps, whole.sweeps);
  EXPECT_EQ(last.checks, whole.checks);
  EXPECT_EQ(last.norm_final, whole.norm_final);
  ASSERT_EQ(last.history.size(), whole.history.size());
  for (std::size_t k = 0; k < whole.history.size(); ++k)
    EXPECT_EQ(last.history[k].norm, whole.history[k].norm) << k;
}

TEST(DistributedCheckpoints, LeadToTheBitsOfAWholeSolveOnAnotherNumberOfRanks) {
  const auto flat = poisson<double, 2>({40, 31});
  const auto deep = poisson<float, 3>({12, 11, 18});
  for (const Plan& plan :
       {Plan(plain()), Plan(weighted(0.8)), Plan(chebyshev(bounds(flat))), Plan(scheduled({0.6, 1.1, 0.8})),
        Plan(cg()), Plan(bicgstab()), Plan(anderson()), multigrid(flat), cg_with_multigrid()}) {
    expect_same_after_kills<double, 2>(flat, plan, Norm::residual);
    expect_same_after_kills<float, 3>(deep, plan, Norm::residual);
  }
}

TEST(DistributedCheckpoints, AreOfGridsThatRanksShare) {
  const auto large = poisson<double, 2>({400, 400});  // by 4 ranks too
  for (const Plan& plan : {multigrid(large), cg_with_multigrid()})
    expect_same_after_kills<double, 2>(large, plan, Norm::residual);
}

TEST(DistributedCheckpoints, AreOfOneSolve) {
  const auto a = poisson<double, 2>({20, 21});
  const std::vector<double> b(420, 1), other(420, 2);
  std::vector<double> x(420);
  Stop stop;
  stop.max_sweeps = 10;
  auto kept = std::make_shared<Snapshot>();
  stop.keep = [&](const Snapshot& now) { *kept = now; };
  solve_by<double, 2>(2, a, plain(), std::span(b), x, stop);
  ASSERT_EQ(kept->vectors.at("x"), x);
  stop.resume = kept;
  x.assign(420, 0);
  EXPECT_THROW((solve_by<double, 2>(3, a, plain(), std::span(other), x, stop)), InputError);
}

}  // namespace
}  // namespace jacobi::test
