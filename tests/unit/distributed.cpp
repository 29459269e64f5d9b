/// Grids that ranks sweep together: the bits of one rank, whatever their number.
#include "jacobi/distributed.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <optional>

#include "sweep/distributed/sweeper.hpp"
#include "unit/distributed.hpp"

namespace jacobi {
namespace {

using sweep::Exchanging;
using test::expect_same_report, test::same_bits, test::solve_together, test::Together;

/// A grid, its coefficients arrays where they vary.
template <class T, int D>
struct System {
  std::vector<T> center;
  PerSide<std::vector<T>, D> off;
  std::optional<Stencil<T, D>> a;
};

template <class T, int D>
System<T, D> random_system(test::Random& random, Index most, bool even) {
  System<T, D> s;
  Grid<T, D> grid = test::random_laplacian<T, D>(random, most).grid();
  for (int d = 0; d < D; ++d)
    if (even && grid.sides[d][0].kind == BoundaryKind::periodic) grid.unknowns[d] += grid.unknowns[d] % 2;
  if (random.integer(0, 1) == 0) {
    s.a = poisson<T, D>(grid, random.real(0.1, 2));
    return s;
  }
  const Index rows = grid.rows();
  PerSide<std::span<const T>, D> views;
  for (int k = 0; k < 2 * D; ++k) {
    s.off[k] = random.vector<T>(rows, -1, T(-0.1));
    views[k] = s.off[k];
  }
  s.center = random.vector<T>(rows, 2 * D, 2 * D + 1);
  s.a = Stencil<T, D>::variable(grid, s.center, views);
  return s;
}

template <class T, int D>
Plan random_plan(test::Random& random, const Stencil<T, D>& a) {
  switch (random.integer(0, 8)) {
    case 0:
      return plain();
    case 1:
      return weighted(random.real(0.5, 1));
    case 2:
      return scheduled({0.6, 1.1, 0.8});
    case 3:
      return chebyshev({0.05, 1.95});
    case 4:
      return red_black();
    case 5:
      return a.is_constant() ? cg() : bicgstab();
    case 6:
      return bicgstab();
    case 7:
      return anderson({.depth = random.integer(1, 6), .period = random.integer(1, 5), .omega = 0.7});
    default:
      return cyclic_chebyshev(0.05);
  }
}

template <class T, int D>
void solve_random_systems(unsigned seed, int count, Index most) {
  constexpr std::array norms = {Norm::residual, Norm::max_residual, Norm::scaled_residual, Norm::update,
                                Norm::automatic};
  test::Random random(seed);
  for (int k = 0; k < count; ++k) {
    const System<T, D> system = random_system<T, D>(random, most, true);
    const Stencil<T, D>& a = *system.a;
    const Plan plan = random_plan<T, D>(random, a);
    Stop stop;
    stop.norm = norms[static_cast<std::size_t>(random.integer(0, 4))];
    stop.relative = random.integer(0, 1) == 0 ? 1e-3 : 1e-30;
    stop.max_sweeps = random.integer(1, 90);
    stop.check_every = random.integer(0, 2) * 7;
    const std::vector<T> b = random.vector<T>(a.rows()), start = random.vector<T>(a.rows());
    std::vector<T> expected = start;
    const Report report = Solver<T>(a, plan, backend("serial")).solve(b, expected, stop);
    const int ranks = static_cast<int>(random.integer(1, 8));
    const Index halo = random.integer(1, 12);
    SCOPED_TRACE(testing::Message() << "system " << k << ", " << plan.method.name << ", ranks " << ranks
                                    << ", halo " << halo << ", " << a.grid().unknowns[D - 1]
                                    << " slabs, norm " << static_cast<int>(stop.norm) << ", sweeps "
                                    << report.sweeps);
    const Together<T> found = solve_together<T, D>({.ranks = ranks}, a, plan, b, start, stop, halo);
    EXPECT_TRUE(same_bits(found.x, expected));
    for (const Report& one : found.reports) expect_same_report(one, report);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Distributed, HasTheBitsOfOneRankIn1D) { solve_random_systems<double, 1>(1, 50, 60); }
TEST(Distributed, HasTheBitsOfOneRankIn2D) { solve_random_systems<double, 2>(2, 400, 40); }
TEST(Distributed, HasTheBitsOfOneRankIn3D) { solve_random_systems<double, 3>(3, 200, 14); }
TEST(Distributed, HasTheBitsOfOneRankIn2DFloat) { solve_random_systems<float, 2>(4, 200, 40); }
TEST(Distributed, HasTheBitsOfOneRankIn3DFloat) { solve_random_systems<float, 3>(5, 150, 14); }

/// 40 lines on 3 ranks that begin at lines 0, 13 and 26.
struct FortyLines {
  Stencil<double, 2> a = poisson<double, 2>({30, 40});
  std::vector<double> b = std::vector<double>(1200, 1), zero = std::vector<double>(1200, 0);
  Stop stop;

  FortyLines() {
    stop.relative = 1e-30;
    stop.max_sweeps = 60;
  }
  std::vector<double> expected(const Plan& plan) const {
    std::vector<double> x = zero;
    Solver<double>(a, plan, backend("serial")).solve(b, x, stop);
    return x;
  }
  Together<double> found(const Plan& plan, const Exchanging& wrong, int ranks = 3) const {
    return solve_together<double, 2>({.ranks = ranks}, a, plan, b, zero, stop, 6, wrong);
  }
};

/// Where one rank alone takes lines in strips, or planes in one array, and boxes may be swept otherwise.
template <int D>
void solve_by(const char* algorithm, const Stencil<double, D>& a) {
  const std::vector<double> b = test::random_values<double>(a.rows(), -1, 1, 8), zero(b.size());
  Stop stop;
  stop.relative = 1e-30;
  stop.max_sweeps = D == 3 ? 40 : 70;
  for (const Norm norm : {Norm::residual, Norm::update})
    for (const Index every : {0, 17, 16}) {
      stop.norm = norm;
      stop.check_every = every;
      std::vector<double> expected = zero;
      const Report report = Solver<double>(a, plain(), backend("serial")).solve(b, expected, stop);
      if (report.algorithm != algorithm) GTEST_SKIP() << "this processor takes " << report.algorithm;
      for (const int ranks : {2, 3, 5}) {
        const auto found = solve_together<double, D>({.ranks = ranks}, a, plain(), b, zero, stop, 0);
        EXPECT_TRUE(same_bits(found.x, expected)) << ranks;
        if (ranks == 2 && every == 16)  // else most calls are short, and go in tiles
          EXPECT_EQ(found.reports[0].algorithm, algorithm);
        ASSERT_EQ(found.reports[0].history.size(), report.history.size());
        if (norm == Norm::update) continue;  // the whole may be swept in other pieces
        EXPECT_EQ(found.reports[0].norm_final, report.norm_final);
        for (std::size_t k = 0; k < report.history.size(); ++k)
          EXPECT_EQ(found.reports[0].history[k].norm, report.history[k].norm);
      }
    }
}
TEST(Distributed, HasTheBitsOfStrips) {
  solve_by<2>("strips", pentadiagonal<double>({300, 210}, -1, 4.1, -1, -1, -1));
}
TEST(Distributed, HasTheBitsOfStripsInSegments) {
  solve_by<2>("strips", pentadiagonal<double>({2600, 150}, -1, 4.1, -1, -1, -1));
}
TEST(Distributed, HasTheBitsOfTheWavefront) { solve_by<3>("wavefront", poisson<double, 3>({200, 48, 84})); }

TEST(Distributed, NeedsHalosAsDeepAsTheSweepsBetweenExchanges) {
  const FortyLines lines;
  for (const Plan& plan :
       {Plan(plain()), Plan(weighted(0.8)), Plan(chebyshev({0.01, 1.99})), Plan(red_black())}) {
    EXPECT_TRUE(same_bits(lines.found(plan, {}).x, lines.expected(plan))) << plan.method.name;
    EXPECT_FALSE(same_bits(lines.found(plan, {.sweeps_beyond = 2}).x, lines.expected(plan)))
        << plan.method.name;
  }
  EXPECT_FALSE(same_bits(lines.found(plain(), {.sweeps_beyond = 1}).x, lines.expected(plain())));
}

TEST(Distributed, ColoursBoxesAsTheWhole) {
  const FortyLines lines;
  EXPECT_TRUE(same_bits(lines.found(red_black(), {}).x, lines.expected(red_black())));
  EXPECT_FALSE(same_bits(lines.found(red_black(), {.even_origins = false}).x, lines.expected(red_black())));
}

TEST(Distributed, StopsWhereAnyRankIsCancelled) {
  const FortyLines lines;
  std::stop_source cancel;
  cancel.request_stop();
  const auto run = [&](const Exchanging& wrong) {
    std::vector<Report> reports(3);
    emulate({.ranks = 3, .patience = std::chrono::seconds(5)}, [&](const std::shared_ptr<Ranks>& ranks) {
      const Distributed<double, 2> mine(ranks, lines.a, 6);
      std::vector<double> b(static_cast<std::size_t>(mine.rows()), 1), x(b.size());
      Stop stop = lines.stop;
      stop.max_sweeps = 1000000;
      if (ranks->number() == 1) stop.cancel = cancel.get_token();
      reports[static_cast<std::size_t>(ranks->number())] =
          sweep::solve_over<double, 2>(mine, plain(), b, x, stop, *backend("serial"), wrong);
    });
    return reports;
  };
  const std::vector<Report> reports = run({});
  for (const Report& one : reports) {
    EXPECT_EQ(one.status, Status::interrupted);
    EXPECT_EQ(one.sweeps, reports[0].sweeps);
  }
  EXPECT_THROW(run({.clocks_agree = false}), BackendError);
}

TEST(Distributed, EndsOnAllRanksWhereOneThrows) {
  const FortyLines lines;
  std::atomic<int> others = 0;
  const auto run = [&](const std::shared_ptr<Ranks>& ranks) {
    const Distributed<double, 2> mine(ranks, lines.a, 6);
    std::vector<double> b(static_cast<std::size_t>(mine.rows()), 1), x(b.size());
    Stop stop = lines.stop;
    stop.check_every = 5;
    stop.observe = [&](const Check& check) {
      if (ranks->number() == 1 && check.sweeps == 20) throw std::runtime_error("the disk is full");
      return true;
    };
    try {
      solve<double, 2>(mine, plain(), b, x, stop);
    } catch (const BackendError& error) {
      others += std::string(error.what()) == "rank 1: the disk is full";
      throw;
    }
  };
  EXPECT_THROW(emulate({.ranks = 3, .patience = std::chrono::seconds(5)}, run), std::runtime_error);
  EXPECT_EQ(others, 2);
}

TEST(Distributed, EndsAtOneSweepWhateverTheClocks) {
  FortyLines lines;
  lines.stop.max_sweeps = 100000000;
  lines.stop.max_seconds = 0.1;
  const Emulation how{.ranks = 4, .delay = [](int rank, Index n) {
                        return std::chrono::microseconds(rank == 2 && n % 50 == 7 ? 3000 : 0);
                      }};
  const auto found = solve_together<double, 2>(how, lines.a, plain(), lines.b, lines.zero, lines.stop, 6);
  for (const Report& one : found.reports) {
    EXPECT_EQ(one.status, Status::time_limit);
    EXPECT_EQ(one.sweeps, found.reports[0].sweeps);
  }
}

/// Messages and bytes: b and x at load, then an exchange whenever halos are used up, twice as much of it
/// before a three-term step.
TEST(Distributed, SendsAsMuchAsTheModelSays) {
  const Stencil<double, 3> a = poisson<double, 3>({7, 9, 50});
  const Index slab = 63, depth = 5;
  for (const int ranks : {1, 2, 5, 8})
    for (const bool three_term : {false, true})
      for (const Index sweeps : {0, 4, 5, 6, 23}) {
        const Traffic sent = emulate({.ranks = ranks}, [&](const std::shared_ptr<Ranks>& at) {
          const Distributed<double, 3> mine(at, a, depth);
          const Plan plan = three_term ? Plan(chebyshev({0.01, 1.99})) : Plan(plain());
          const sweep::Slabs slabs = sweep::slabs_of(mine, plan);
          sweep::DistributedSweeper<double, 3> sweeper(at, a, slabs, slabs.depth, [&](const auto& box) {
            return std::shared_ptr<Sweeper<double>>(backend("serial")->bind(box, plan));
          });
          const std::vector<double> b(static_cast<std::size_t>(mine.rows()), 1);
          sweeper.load(b, b);
          const std::vector<Step> steps(static_cast<std::size_t>(sweeps), Step{1, three_term ? 1.2 : 1});
          sweeper.advance(steps, Want::nothing);
        });
        const Index cuts = ranks - 1, exchanges = std::max<Index>(0, (sweeps + depth - 1) / depth - 1);
        const Index trades = 2 + exchanges * (three_term ? 2 : 1);
        EXPECT_EQ(sent.messages, 2 * cuts * trades);
        EXPECT_EQ(sent.bytes, 2 * cuts * trades * depth * slab * static_cast<Index>(sizeof(double)));
      }
}

/// One slab per neighbour for every product, those of norms from scratch included.
TEST(Distributed, SendsASlabPerProductOfConjugateGradients) {
  const FortyLines lines;
  const auto sent = [&](Index sweeps, int ranks) {
    Stop stop = lines.stop;
    stop.max_sweeps = stop.check_every = sweeps;
    return solve_together<double, 2>({.ranks = ranks}, lines.a, cg(), lines.b, lines.zero, stop, 0).sent;
  };
  for (const int ranks : {1, 2, 5}) {
    const Traffic few = sent(4, ranks), many = sent(9, ranks);
    EXPECT_EQ(many.messages - few.messages, 5 * 2 * (ranks - 1));
    EXPECT_EQ(many.bytes, many.messages * 30 * static_cast<Index>(sizeof(double)));
  }
}

TEST(Distributed, SharesProductsOfSeveralThreads) {
  const FortyLines lines;
  for (const Plan& plan : {Plan(cg()), Plan(bicgstab()), Plan(anderson())}) {
    std::vector<double> x = lines.zero;
    emulate({.ranks = 3}, [&](const std::shared_ptr<Ranks>& ranks) {
      const Distributed<double, 2> mine(ranks, lines.a);
      const auto first = static_cast<std::size_t>(mine.first_row()),
                 rows = static_cast<std::size_t>(mine.rows());
      solve<double, 2>(mine, plan, std::span(lines.b).subspan(first, rows), std::span(x).subspan(first, rows),
                       lines.stop, backend("threads:2"));
    });
    EXPECT_TRUE(same_bits(x, lines.expected(plan))) << plan.method.name;
  }
}

TEST(Distributed, LeavesRanksBeyondItsLinesIdle) {
  const Stencil<double, 2> a = poisson<double, 2>({20, 5});
  const std::vector<double> b(100, 1), zero(100);
  std::vector<double> expected = zero;
  const Report report = Solver<double>(a, plain(), backend("serial")).solve(b, expected);
  const auto found = solve_together<double, 2>({.ranks = 6}, a, plain(), b, zero, {}, 0);
  EXPECT_TRUE(same_bits(found.x, expected));
  for (const Report& one : found.reports) {
    expect_same_report(one, report);
    ASSERT_FALSE(one.notes.empty());
    EXPECT_EQ(one.notes.back().text, "2 of 6 ranks have lines of the grid: the others own nothing");
  }
}

TEST(Distributed, NamesThePointOfTheWholeGrid) {
  const Stencil<double, 2> a = poisson<double, 2>({6, 20});
  std::vector<double> b(120, 1);
  const std::vector<double> zero(120);
  b[17 * 6 + 3] = std::nan("");
  try {
    solve_together<double, 2>({.ranks = 4}, a, plain(), b, zero, {}, 0);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("at point (3, 17) is nan"), std::string::npos) << error.what();
  }
}

TEST(Distributed, RefusesWhatRanksDoNotShare) {
  const FortyLines lines;
  Plan tiled(plain());
  tiled.by = Tiling{{8, 8}, 2, {1, 1}};
  EXPECT_THROW(lines.found(tiled, {}), UsageError);
  EXPECT_THROW(
      emulate({.ranks = 2},
              [&](const std::shared_ptr<Ranks>& ranks) { Distributed<double, 2>(ranks, lines.a, -1); }),
      UsageError);
}

}  // namespace
}  // namespace jacobi
