/// Solves by algebraic multigrid: bits, factors, and what it makes of matrices that are not what it likes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <stop_token>

#include "amg/matrices.hpp"
#include "core/asked.hpp"
#include "share.hpp"
#include "sweep/amg/cycle.hpp"
#include "sweep/amg/hierarchy.hpp"

namespace jacobi {
namespace {

using test::Full;
using test::Random;

Plan bicgstab_with_amg(const Amg& options = {}) {
  Plan plan{bicgstab()};
  plan.by = options;
  return plan;
}

Amg with_coarsest(Index rows) {
  Amg options;
  options.coarsest = rows;
  return options;
}

template <class T>
Report solved_by(const Csr<T>& a, const Plan& plan, const std::vector<T>& b, std::vector<T>& x,
                 const Stop& stop = {}, int threads = 1) {
  x.assign(b.size(), T(0));
  return Solver<T>(a, plan, backend(fmt::format("threads:{}", threads)), {}).solve(b, x, stop);
}

TEST(AmgThreads, GiveTheSameBits) {
  for (unsigned seed = 0; seed < test::drawn(12); ++seed) {
    Random random(seed);
    const auto a = test::random_graph(random, 20000 + 9000 * (seed % 2), 0.01).matrix();
    const auto b = random.vector<double>(a.rows());
    Stop stop;
    stop.max_sweeps = 6;
    for (const Plan& plan : {amg(), cg_with_amg(), bicgstab_with_amg()}) {
      std::vector<double> one, many;
      solved_by(a, plan, b, one, stop, 1);
      for (const int threads : {2, 3, 4}) {
        solved_by(a, plan, b, many, stop, threads);
        ASSERT_EQ(one, many) << seed << ", " << plan.method.name << ", threads " << threads;
      }
    }
  }
}

TEST(Amg, SolvesGridsInAboutAsManySweepsWhateverTheirSize) {
  Index least = 1000, most = 0;
  for (const Index n : {60, 120, 240}) {
    const auto a = test::grid_rows(n, n);
    const std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0);
    std::vector<double> x;
    const Report r = solved_by(a, cg_with_amg(), b, x);
    EXPECT_TRUE(r.converged());
    EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance);
    EXPECT_EQ(r.cycles, r.sweeps);
    EXPECT_NE(r.plan.find("levels, from"), std::string::npos) << r.plan;
    least = std::min(least, r.sweeps);
    most = std::max(most, r.sweeps);
  }
  EXPECT_LE(most, 22);
  EXPECT_LE(most - least, 6);
}

TEST(Amg, SolvesAnisotropicAndJumpingCoefficients) {
  std::vector<double> x;
  const auto thin = test::grid_rows(100, 100, 1, 1000, 1);
  const std::vector<double> b(10000, 1.0);
  const Report r = solved_by(thin, cg_with_amg(), b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_LE(r.sweeps, 40);
  const Report second = solved_by(test::squares_of(100, 4, 1e6), cg_with_amg(), b, x);
  EXPECT_TRUE(second.converged());
  EXPECT_LE(second.sweeps, 60);
  // prolongators keep what the smaller coefficients depend on: without it these took twice as many
  const std::vector<double> ones(40'000, 1.0);
  const Index even = solved_by(test::squares_of(200, 8, 1), cg_with_amg(), ones, x).sweeps;
  const Report jumping = solved_by(test::squares_of(200, 8, 1e4), cg_with_amg(), ones, x);
  EXPECT_TRUE(jumping.converged());
  EXPECT_LE(jumping.sweeps, even + 8);
}

/// E = S_post (I - P A_c^-1 P^T A) S_pre in dense matrices, and what the cycle makes of vectors.
TEST(Amg, TwoLevelsDoWhatTheirDenseOperatorsDo) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const auto a = test::random_graph(random, random.integer(40, 120), 0.05).matrix();
    const Index n = a.rows();
    Amg options = with_coarsest(n - 1);
    options.pre = random.integer(0, 3);
    options.post = random.integer(1, 3);
    options.complexity = 10;
    if (seed % 3 == 0) options.smoother = AmgSmoother::l1;
    const sweep::amg::Hierarchy<double> h(a, options, true, 1);
    if (h.levels().size() != 2) continue;
    const Full f = test::full_of(a);
    Full p(n, h.levels()[1].a.rows);
    for (Index i = 0; i < n; ++i)
      for (auto k = h.levels()[0].p.offsets[i]; k < h.levels()[0].p.offsets[i + 1]; ++k)
        p.at(i, h.levels()[0].p.column[k]) = h.levels()[0].p.value[k];
    const Full coarse = test::transposed(p) * f * p;
    const auto residual = [&](const std::vector<double>& e) {  // of the error e: -A e
      std::vector<double> r(e.size());
      for (Index i = 0; i < n; ++i)
        for (Index j = 0; j < n; ++j) r[i] -= f.at(i, j) * e[j];
      return r;
    };
    const auto smooth = [&](std::vector<double>& e, Index sweeps) {
      const bool l1 = options.smoother == AmgSmoother::l1;
      const auto weights = l1           ? std::vector<double>(static_cast<std::size_t>(sweeps), 1.0)
                           : sweeps > 0 ? fourth_kind_weights(h.levels()[0].rho, sweeps)
                                        : std::vector<double>();
      for (const double weight : weights) {
        const std::vector<double> r = residual(e);
        for (Index i = 0; i < n; ++i) {
          double divisor = f.at(i, i);
          for (Index j = 0; l1 && j < n; ++j) divisor += j == i ? 0 : std::abs(f.at(i, j));
          e[i] += weight * r[i] / divisor;
        }
      }
    };
    Solver<double> solver(a, amg(options), backend("serial"), {});
    std::vector<double> e = random.vector<double>(n), b(e.size()), x(e.size());
    double dense = 1, swept = 1;
    for (int cycle = 0; cycle < 12; ++cycle) {
      double before = 0, after = 0, off = 0;
      solver.sweeper().load(b, e);  // b = 0: the iterate is the error
      smooth(e, options.pre);
      const std::vector<double> r = residual(e);
      std::vector<double> rc(static_cast<std::size_t>(p.columns));
      for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < p.columns; ++c) rc[c] += p.at(i, c) * r[i];
      const std::vector<double> ec = test::solved_densely(coarse, rc);
      for (Index i = 0; i < n; ++i)
        for (Index c = 0; c < p.columns; ++c) e[i] += p.at(i, c) * ec[c];
      smooth(e, options.post);
      solver.sweeper().advance(std::vector<Step>(1), Want::nothing);
      solver.sweeper().store(x);
      for (Index i = 0; i < n; ++i) {
        off = std::max(off, std::abs(x[i] - e[i]));
        after = std::max(after, std::abs(e[i]));
        before = std::max(before, std::abs(x[i]));
      }
      ASSERT_LE(off, 1e-10 * (after + 1e-30) + 1e-14) << seed << ", cycle " << cycle;
      dense = after;
      swept = before;
      for (double& value : e) value /= after;  // the factor shows in what is left
    }
    EXPECT_NEAR(swept / dense, 1, 1e-8);
    EXPECT_LT(dense, 1) << seed;
  }
}

TEST(Amg, SolvesSingularSystemsThatHaveSolutions) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    Random random(seed);
    test::Edges graph{4000};  // four parts, each without a boundary
    for (Index i = 0; i < 4000; ++i)
      for (const Index reach : {1, 31, 100})
        if (i % 1000 + reach < 1000) graph.join(i, i + reach, random.real(0.5, 2));
    const auto a = graph.matrix();
    std::vector<double> b(4000), x;
    for (Index i = 0; i + 1 < 4000; i += 2) {
      b[i] = random.real(-1, 1);
      b[i + 1] = -b[i];
    }
    const Report r = solved_by(a, cg_with_amg(), b, x);
    EXPECT_TRUE(r.converged()) << seed << ": " << r.plan;
    EXPECT_LE(r.sweeps, 60);
    const Report alone = solved_by(a, amg(), b, x, {.max_sweeps = 500});
    EXPECT_TRUE(alone.converged()) << seed << ": " << alone.plan;
  }
}

TEST(Amg, TakesRowsOfAnyKind) {
  std::vector<double> x;
  const auto solves = [&](const Csr<double>& a, const std::vector<double>& b, const char* what,
                          bool alone = true) {
    for (const Plan& plan : {amg(with_coarsest(10)), cg_with_amg(with_coarsest(10)), amg(), cg_with_amg()}) {
      const Report r = solved_by(a, plan, b, x, {.max_sweeps = 2000});
      const bool must = alone || accelerated(plan.method);
      if (!must) EXPECT_TRUE(r.converged() || r.status == Status::sweep_limit) << name(r.status);
      if (!r.converged() && !must) continue;
      EXPECT_TRUE(r.converged()) << what << ", " << plan.method.name << ": " << name(r.status) << " "
                                 << r.plan;
      EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance) << what;
    }
  };
  solves(Csr<double>::from_entries(1, std::vector<Entry<double>>{{0, 0, 4}}), {8}, "1 x 1");
  test::Edges chain{600};
  for (Index i = 0; i + 1 < 400; ++i) chain.join(i, i + 1, 1);
  chain.shift(0, 1);
  std::vector<double> b(600, 1.0);
  for (Index i = 400; i < 500; ++i) chain.shift(i, 2 + static_cast<double>(i % 3));
  for (Index i = 500; i < 600; ++i) b[i] = 0;  // rows of zeros
  chain.shift(599, 0);
  solves(chain.matrix(), b, "rows by themselves, and of zeros");
  test::Edges star{900};
  for (Index i = 1; i < 900; ++i) star.join(0, i, 1 + static_cast<double>(i % 5));
  for (Index i = 0; i + 1 < 900; ++i) star.join(i, i + 1, 1);
  star.shift(17, 1);
  solves(star.matrix(), std::vector<double>(900, 1.0), "a dense row",
         false);  // a cycle alone is slow around hubs
  test::Edges mixed{900};
  for (Index y = 0; y < 30; ++y)
    for (Index i = 0; i < 30; ++i) {
      const Index p = y * 30 + i;
      mixed.shift(p, 0.5);
      if (i < 29) mixed.join(p, p + 1, 1);
      if (y < 29) mixed.join(p, p + 30, 1);
      if (i < 29 && y < 29) mixed.join(p, p + 31, -0.2);  // positive beside the diagonal
    }
  solves(mixed.matrix(), std::vector<double>(900, 1.0), "positive entries off the diagonal");
  test::Edges negative = mixed;
  for (auto& e : negative.entries) e.value = -e.value;
  solves(negative.matrix(), std::vector<double>(900, 1.0), "a negative definite matrix");
}

TEST(Amg, RefusesWhatItCannotSweep) {
  const auto refused = [](const Csr<double>& a, const Plan& plan) -> std::string {
    try {
      Solver<double>(a, plan, backend("serial"), {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
  using Entries = std::vector<Entry<double>>;
  const auto zero = Csr<double>::from_entries(2, Entries{{0, 1, 1}, {1, 0, 1}, {1, 1, 2}});
  EXPECT_PRED2(has, refused(zero, amg()), "the diagonal entry of row 0 is 0");
  const auto signs = Csr<double>::from_entries(2, Entries{{0, 0, 1}, {1, 1, -2}});
  EXPECT_PRED2(has, refused(signs, amg()), "differ in sign");
  const auto skew = Csr<double>::from_entries(2, Entries{{0, 0, 1}, {0, 1, 3}, {1, 1, 2}});
  EXPECT_PRED2(has, refused(skew, cg_with_amg()), "method cg is for symmetric matrices");
  const auto one = Csr<double>::from_entries(1, Entries{{0, 0, 1}});
  Plan plan = amg();
  try {
    name_rung(plan, "threads");
    FAIL() << "a rung beside algebraic multigrid";
  } catch (const UsageError& error) {
    EXPECT_PRED2(has, std::string(error.what()), "it has passes of its own");
  }
  Amg uneven;
  uneven.pre = 2;
  EXPECT_PRED2(has, refused(one, cg_with_amg(uneven)), "as many sweeps before the correction (2)");
  plan = Plan(chebyshev({0.1, 2}));
  plan.by = Amg{};
  EXPECT_PRED2(has, refused(one, plan), "it goes by itself (method amg), or preconditions cg or bicgstab");
  Amg options;
  options.near_null = std::make_shared<std::vector<std::vector<double>>>(1, std::vector<double>(3));
  EXPECT_PRED2(has, refused(one, amg(options)), "a near-null vector of 3 values for a matrix of 1 rows");
  using Vectors = std::vector<std::vector<double>>;
  const auto two = Csr<double>::from_entries(2, Entries{{0, 0, 1}, {1, 1, 2}});
  options.near_null = std::make_shared<Vectors>(Vectors{{1, std::nan("")}});
  EXPECT_PRED2(has, refused(two, amg(options)), "entry 1 of a near-null vector is nan");
  options.near_null = std::make_shared<Vectors>(Vectors{{1, 1}, {0, 0}});
  EXPECT_PRED2(has, refused(two, amg(options)), "a near-null vector is all zeros");
  options = {};
  options.block = 2;
  EXPECT_PRED2(has, refused(one, amg(options)), "blocks of 2 unknowns in a matrix of 1 rows");
  Amg wrong;
  wrong.pre = -1;
  EXPECT_THROW(amg(wrong), UsageError);
  wrong = {};
  wrong.post = 0;
  EXPECT_THROW(amg(wrong), UsageError);
  EXPECT_THROW(Solver<double>(Operator<double>(poisson<double, 2>({5, 5})), amg(), backend("serial"), {}),
               UsageError);
}

TEST(Amg, SolvesNonsymmetricMMatricesWithBicgstab) {
  std::vector<Entry<double>> entries;
  const Index n = 60;
  for (Index p = 0; p < n * n; ++p) {  // convection along x, upwind
    entries.push_back({p, p, 4 + 20.0 / n});
    if (p % n > 0) entries.push_back({p, p - 1, -1 - 20.0 / n});
    if (p % n + 1 < n) entries.push_back({p, p + 1, -1});
    if (p >= n) entries.push_back({p, p - n, -1});
    if (p + n < n * n) entries.push_back({p, p + n, -1});
  }
  const auto a = Csr<double>::from_entries(n * n, entries);
  const std::vector<double> b(static_cast<std::size_t>(n * n), 1.0);
  std::vector<double> x;
  const Report r = solved_by(a, bicgstab_with_amg(), b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_LE(r.sweeps, 60);
}

TEST(Amg, TakesChangedValues) {
  Random random(5);
  test::Edges graph = test::random_graph(random, 3000, 0.05);
  std::vector<std::int32_t> offsets, columns;
  std::vector<double> values;
  graph.matrix().visit([&](auto o, auto c, auto v) {
    offsets.assign(o.begin(), o.end());
    columns.assign(c.begin(), c.end());
    values.assign(v.begin(), v.end());
  });
  const auto a = Csr<double>::view<std::int32_t>(offsets, columns, std::span<const double>(values));
  const auto b = random.vector<double>(3000);
  for (const Plan& plan : {amg(), cg_with_amg()}) {
    Solver<double> solver(a, plan, backend("threads:2"), {});
    std::vector<double> x(3000), fresh(3000);
    solver.solve(b, x);
    for (double& value : values) value *= 2;  // aggregates of either are the same, and so are bits
    solver.values_changed();
    std::ranges::fill(x, 0.0);
    EXPECT_TRUE(solver.solve(b, x).converged());
    Solver<double>(a, plan, backend("threads:2"), {}).solve(b, fresh);
    EXPECT_EQ(x, fresh) << plan.method.name;
  }
}

TEST(Amg, EndsItsSetupWhenAsked) {
  const auto stop = std::make_unique<std::stop_source>();  // on the stack GCC 12 finds it not set
  stop->request_stop();
  EXPECT_THROW(Solver<double>(test::grid_rows(80, 80), cg_with_amg(), backend("serial"), stop->get_token()),
               Interrupted);
}

TEST(Amg, EndsASetupThatTakesLongerThanItMay) {
  const auto a = test::grid_rows(80, 80);
  const std::vector<double> b(6400, 1.0);
  std::vector<double> x(6400, 0.0), free = x, within = x;
  Amg none, enough;
  none.max_setup_seconds = 0;
  enough.max_setup_seconds = 1e6;
  EXPECT_THROW(solved_by(a, amg(none), b, x), BackendError);
  EXPECT_THROW(solved_by(a, cg_with_amg(none), b, x), BackendError);
  none.max_setup_seconds = -1;
  EXPECT_THROW(amg(none), UsageError);
  solved_by(a, cg_with_amg(), b, free);
  solved_by(a, cg_with_amg(enough), b, within);
  EXPECT_EQ(free, within);
}

TEST(Amg, HandsOverToTheFallbackWhereItCannotBeSetUp) {
  const auto a = test::grid_rows(80, 80);
  const std::vector<double> b(6400, 1.0), start(6400, 0.5);
  Amg none;
  none.max_setup_seconds = 0;
  Choice choice{cg_with_amg(none), "chosen"};
  std::vector<double> x = start, by_cg = start;
  const auto run = [&](std::vector<double>& from) {
    return [&](const Plan& plan, const Stop& stop) {
      return Solver<double>(a, plan, backend("serial")).solve(b, from, stop);
    };
  };
  const auto run_x = run(x), run_cg = run(by_cg);
  EXPECT_THROW(solve<double>(choice, x, {}, run_x), BackendError);
  choice.fallback = Plan(cg());
  const Report r = solve<double>(choice, x, {}, run_x);
  EXPECT_TRUE(r.converged());
  ASSERT_GE(r.notes.size(), 2U);
  EXPECT_EQ(r.notes[0].text, "chosen");
  EXPECT_EQ(
      r.notes[1].text,
      "the setup of algebraic multigrid takes longer than 0 s: allow more time, or take method cg without "
      "it; method cg went on from the initial iterate");
  run_cg(Plan(cg()), {});
  EXPECT_EQ(x, by_cg);
}

TEST(Amg, GoesOnFromACheckpointToTheSameBits) {
  const auto a = test::grid_rows(50, 50);
  const std::vector<double> b(2500, 1.0);
  for (const Plan& plan : {amg(), cg_with_amg()}) {
    std::vector<double> whole(2500), part(2500), resumed(2500);
    Stop stop;
    stop.check_every = 1;
    const Report all = Solver<double>(a, plan, backend("serial"), {}).solve(b, whole, stop);
    std::shared_ptr<Snapshot> kept;
    Stop first = stop;
    first.max_sweeps = 4;
    first.keep = [&](Snapshot snapshot) { kept = std::make_shared<Snapshot>(std::move(snapshot)); };
    Solver<double>(a, plan, backend("serial"), {}).solve(b, part, first);
    ASSERT_TRUE(kept);
    stop.resume = kept;
    const Report r = Solver<double>(a, plan, backend("serial"), {}).solve(b, resumed, stop);
    EXPECT_EQ(r.sweeps, all.sweeps);
    EXPECT_EQ(whole, resumed) << plan.method.name;
  }
}

}  // namespace
}  // namespace jacobi
