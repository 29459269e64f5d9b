/// Multigrid cycles over ranks: the bits of one, and messages as the model has them.
#include <gtest/gtest.h>

#include <optional>

#include "sweep/multigrid/bind.hpp"
#include "unit/distributed.hpp"

namespace jacobi {
namespace {

using sweep::AmongRanks;

/// Grids are shared as long as halos have room.
sweep::Exchanging shared_if_possible() {
  sweep::Exchanging how;
  how.cycles.least_slabs = how.cycles.least_unknowns = 1;
  return how;
}

/// Of any sides and sizes, constant or from a k at the points.
template <class T, int D>
std::optional<Stencil<T, D>> random_diffusion(test::Random& random, Index slabs) {
  const Stencil<T, D> constant = test::random_laplacian<T, D>(random, D == 3 ? 9 : 20);
  Grid<T, D> grid = constant.grid();
  grid.unknowns[D - 1] = random.integer(2, slabs);
  const double c = random.integer(0, 1) == 0 ? 0 : random.real(0.1, 1);
  if (random.integer(0, 1) == 0) return poisson<T, D>(grid, c);
  Index points = 1;
  for (int d = 0; d < D; ++d) {
    Index at_sides = 0;
    for (auto& side : grid.sides[d]) {
      if (side.kind == BoundaryKind::neumann) side.values.clear();  // which ranks refuse beside a varying k
      at_sides += side.kind == BoundaryKind::dirichlet;
    }
    points *= grid.unknowns[d] + at_sides;
  }
  const std::vector<T> k = random.vector<T>(points, 0.3, 3), reaction(1, static_cast<T>(c));
  return diffusion<T, D>(grid, k, reaction);
}

template <class T, int D>
Plan random_cycles(test::Random& random, const Stencil<T, D>& a) {
  const Multigrid cycle{random.integer(0, 3), random.integer(1, 3), random.integer(1, 2),
                        random.integer(0, 1) == 0};
  const Index kind = random.integer(0, 3);
  if (kind == 0) return cg_with_multigrid({cycle.post, cycle.post, cycle.visits, false});
  if (kind == 1) return multigrid(a, cycle);
  Plan plan{kind == 2 ? weighted(0.8) : scheduled({0.6, 1.1, 0.8})};
  plan.by = cycle;
  return plan;
}

/// Random diffusions by random cycles; in 2D and 3D a fifth of them at least on grids that ranks share.
template <class T, int D>
void solve_random_diffusions(unsigned seed, int count, Index slabs) {
  constexpr std::array norms = {Norm::residual, Norm::max_residual, Norm::scaled_residual, Norm::update,
                                Norm::automatic};
  test::Random random(seed);
  int shared = 0;
  for (int k = 0; k < count; ++k) {
    const std::optional<Stencil<T, D>> system = random_diffusion<T, D>(random, slabs);
    const Stencil<T, D>& a = *system;
    const Plan plan = random_cycles<T, D>(random, a);
    Stop stop;
    stop.norm = norms[static_cast<std::size_t>(random.integer(0, 4))];
    stop.relative = random.integer(0, 1) == 0 ? 1e-3 : 1e-30;
    stop.max_sweeps = random.integer(1, 25);
    const std::vector<T> b = random.vector<T>(a.rows());
    const std::vector<T> start =
        random.integer(0, 1) == 0 ? random.vector<T>(a.rows()) : std::vector<T>(b.size());
    const int ranks = static_cast<int>(random.integer(1, 8));
    if (a.singular()) continue;
    SCOPED_TRACE(testing::Message() << "system " << k << ", " << plan.name() << ", ranks " << ranks << ", "
                                    << a.grid().unknowns[D - 1] << " slabs, norm "
                                    << static_cast<int>(stop.norm));
    std::vector<T> expected = start;
    const Report report = Solver<T>(a, plan, backend("serial")).solve(b, expected, stop);
    const auto found =
        test::solve_together<T, D>({.ranks = ranks}, a, plan, b, start, stop, 0, shared_if_possible());
    EXPECT_TRUE(test::same_bits(found.x, expected));
    for (const Report& one : found.reports) {
      test::expect_same_report(one, report);
      EXPECT_EQ(one.cycles, report.cycles);
      EXPECT_EQ(one.work, report.work);
      EXPECT_EQ(one.method, report.method);
    }
    shared += found.reports[0].plan.find("of them shared") != std::string::npos;
    if (testing::Test::HasFailure()) return;
  }
  if (D > 1) EXPECT_GT(shared, count / 5);
}

TEST(DistributedMultigrid, HasTheBitsOfOneRankIn1D) { solve_random_diffusions<double, 1>(1, 30, 60); }
TEST(DistributedMultigrid, HasTheBitsOfOneRankIn2D) { solve_random_diffusions<double, 2>(2, 250, 90); }
TEST(DistributedMultigrid, HasTheBitsOfOneRankIn3D) { solve_random_diffusions<double, 3>(3, 120, 60); }
TEST(DistributedMultigrid, HasTheBitsOfOneRankIn2DFloat) { solve_random_diffusions<float, 2>(4, 120, 90); }
TEST(DistributedMultigrid, HasTheBitsOfOneRankIn3DFloat) { solve_random_diffusions<float, 3>(5, 60, 60); }

/// 82 intervals become 41, then 21: each cut of the first grids falls otherwise.
struct ManyLines {
  Stencil<double, 2> a = poisson<double, 2>({30, 81});
  std::vector<double> b = test::random_values<double>(30 * 81, -1, 1, 3),
                      zero = std::vector<double>(b.size());
  Stop stop;

  ManyLines() {
    stop.relative = 1e-30;
    stop.max_sweeps = 12;
  }
  std::vector<double> expected(const Plan& plan) const {
    std::vector<double> x = zero;
    Solver<double>(a, plan, backend("serial")).solve(b, x, stop);
    return x;
  }
  test::Together<double> found(const Plan& plan, const sweep::Exchanging& how, int ranks = 3) const {
    return test::solve_together<double, 2>({.ranks = ranks}, a, plan, b, zero, stop, 0, how);
  }
};

TEST(DistributedMultigrid, NeedsHalosAsDeepAsThePassesReach) {
  ManyLines lines;
  for (const Index slabs : {81, 83, 85, 88}) {  // of these intervals some are odd, where more is restricted
    lines.a = poisson<double, 2>({30, slabs});
    lines.b = test::random_values<double>(30 * slabs, -1, 1, 3);
    lines.zero.assign(lines.b.size(), 0);
    for (const bool full : {false, true}) {
      const Plan plan = multigrid(lines.a, Multigrid{2, 2, 1, full});
      EXPECT_TRUE(test::same_bits(lines.found(plan, shared_if_possible()).x, lines.expected(plan)));
    }
  }
  const Plan plan = multigrid(lines.a, Multigrid{2, 2, 1, false});
  for (std::size_t k = 0; k < 3; ++k) {
    sweep::Exchanging wrong = shared_if_possible();
    wrong.cycles.lacks[k] = 1;
    EXPECT_FALSE(test::same_bits(lines.found(plan, wrong).x, lines.expected(plan))) << k;
  }
}

/// Of L grids that are shared, V-cycles trade x before each pass down the finest and up each of them, the
/// coarser x before each pass up but the last, and g after each pass down but the last; there all send their
/// part to all. The load trades g of the finest.
TEST(DistributedMultigrid, SendsAsMuchAsTheModelSays) {
  constexpr Index pre = 2, post = 1, row = 31, size = sizeof(double);
  const Index slabs = 127;
  for (const int ranks : {1, 2, 3})
    for (const Index cycles : {0, 1, 3}) {
      const Stencil<double, 2> a = poisson<double, 2>({row, slabs});
      const Plan plan = multigrid(a, Multigrid{pre, post, 1, false});
      AmongRanks among = shared_if_possible().cycles;
      among.least_slabs = 10;
      const Traffic sent = emulate({.ranks = ranks}, [&](const std::shared_ptr<Ranks>& at) {
        const Distributed<double, 2> mine(at, a);
        AmongRanks here = among;
        here.ranks = at.get();
        for (int r = 0; r <= ranks; ++r) here.cuts.push_back(slabs * r / ranks);
        const auto sweeper = sweep::bind_multigrid(a, plan, 1, false, -1, &here);
        const std::vector<double> b(static_cast<std::size_t>(mine.rows()), 1);
        sweeper->load(b, b);
        std::vector<Step> steps;
        for (Index n = 0; n < cycles * (pre + post); ++n) steps.push_back(plan.method.step(n, {}));
        sweeper->advance(steps, Want::nothing);
      });
      const std::vector<Index> lines = {127, 63, 31, 15}, rows = {31, 31, 31, 15};  // y is coarsened first
      std::size_t apart = 0;
      while (ranks > 1 && lines[apart] / ranks >= 10) ++apart;
      ASSERT_EQ(apart, ranks == 1 ? 0U : 3U);
      Index trades = 0, values = 0;
      const auto trade = [&](std::size_t grid, Index depth, Index times) {
        trades += times;
        values += times * depth * rows[grid];
      };
      if (apart > 0) {
        trade(0, pre + 2, 1);
        trade(0, pre + 3, cycles);
        for (std::size_t l = 1; l < apart; ++l) {
          trade(l, pre + 2, cycles);             // g
          trade(l, (post + 1) / 2 + 1, cycles);  // x, by whoever corrects the finer grid
        }
        for (std::size_t l = 0; l < apart; ++l) trade(l, post, cycles);
      }
      const Index cuts = ranks - 1, all = ranks > 1 ? cycles * rows[apart] * lines[apart] : 0;
      EXPECT_EQ(trades, ranks == 1 ? 0 : 1 + cycles * (3 * static_cast<Index>(apart) - 1));
      EXPECT_EQ(sent.messages, 2 * cuts * trades + (ranks > 1 ? cycles * ranks * cuts : 0));
      EXPECT_EQ(sent.bytes, size * (2 * cuts * values + cuts * all));
    }
}

TEST(DistributedMultigrid, SharesPassesOfSeveralMembersOfATeam) {
  const auto a = poisson<double, 2>({260, 200});
  const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1);
  Stop stop;
  for (const Plan& plan : {multigrid(a), cg_with_multigrid()}) {
    std::vector<double> expected(b.size()), x(b.size());
    const Report report = Solver<double>(a, plan, backend("serial")).solve(b, expected, stop);
    emulate({.ranks = 2}, [&](const std::shared_ptr<Ranks>& ranks) {
      const Distributed<double, 2> mine(ranks, a);
      const auto first = static_cast<std::size_t>(mine.first_row()),
                 rows = static_cast<std::size_t>(mine.rows());
      const Report one = solve<double, 2>(mine, plan, std::span(b).subspan(first, rows),
                                          std::span(x).subspan(first, rows), stop, backend("threads:2"));
      if (ranks->number() == 0) test::expect_same_report(one, report);
    });
    EXPECT_TRUE(test::same_bits(x, expected)) << plan.name();
  }
}

TEST(DistributedMultigrid, IsChosenWhereOneProcessChoosesIt) {
  const auto a = poisson<double, 2>({61, 90});
  EXPECT_TRUE(choose(a, {}, over_ranks).plan.multigrid());
}

TEST(DistributedMultigrid, IsRefusedInWords) {
  const ManyLines lines;
  const auto words = [&](const Plan& plan) {
    try {
      lines.found(plan, {});
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  Plan three_term{chebyshev({0.1, 1.9})}, colours{red_black()}, other{bicgstab()};
  three_term.by = colours.by = Multigrid{};
  other.by = PreconditionedBy{Multigrid{}};
  EXPECT_NE(words(three_term).find("take weighted"), std::string::npos);
  EXPECT_NE(words(colours).find("no smoother"), std::string::npos);
  EXPECT_NE(words(other).find("preconditions conjugate gradients"), std::string::npos);
}

}  // namespace
}  // namespace jacobi
