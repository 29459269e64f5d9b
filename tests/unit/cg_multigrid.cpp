/// Conjugate gradients preconditioned by multigrid cycles.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using enum BoundaryKind;

/// -div(k grad u) on n x n unknowns, k = inside in a disc and 1 outside.
Stencil<double, 2> disc(Index n, double inside) {
  const auto grid = unit_grid<double, 2>({n, n});
  std::vector<double> k;
  for (Index y = 0; y < n + 2; ++y)
    for (Index x = 0; x < n + 2; ++x) {
      const double h = 1.0 / static_cast<double>(n + 1);
      const double r = std::hypot(h * static_cast<double>(x) - 0.5, h * static_cast<double>(y) - 0.5);
      k.push_back(r < 0.3 ? inside : 1);
    }
  return diffusion<double, 2>(grid, k);
}

template <class T, int D>
Report run(const Stencil<T, D>& a, const std::vector<T>& b, std::vector<T>& x, const Stop& stop,
           const Plan& plan = cg_with_multigrid(), const char* on = "threads:2") {
  x.resize(b.size());
  return Solver<T>(a, plan, backend(on)).solve(b, x, stop);
}

TEST(CgWithMultigrid, SolvesWhereCyclesAloneHardlyConverge) {
  for (const Index n : {127, 128, 200}) {
    const auto a = disc(n, 1e4);
    const std::vector<double> b(a.rows(), 1.0);
    const Stop stop{.relative = 1e-7, .norm = Norm::residual, .max_sweeps = 1000};
    std::vector<double> x, y, z;
    const Report both = run(a, b, x, stop);
    EXPECT_TRUE(both.converged()) << n;
    EXPECT_LE(a.residual_norms(b, x).l2, both.tolerance * (1 + 1e-6));
    EXPECT_LE(both.sweeps, 90) << n;
    EXPECT_EQ(both.cycles, both.sweeps);
    EXPECT_NEAR(*both.work / static_cast<double>(both.sweeps), 5 * 4.0 / 3 + 1, 0.2);  // V(2,2), a product
    EXPECT_FALSE(run(a, b, y, stop, multigrid(a)).converged()) << n;
    EXPECT_GT(run(a, b, z, stop, Plan(cg())).sweeps, 3 * both.sweeps) << n;
    EXPECT_PRED2(contains, both.plan, "preconditioned by V(2,2) cycles on");
  }
}

template <int D>
Stencil<double, D> with_sides(Index n, BoundaryKind low, BoundaryKind high, double value = 0) {
  Sides<double, D> sides;
  std::array<Index, D> points;
  std::array<double, D> from{}, to;
  points.fill(n);
  to.fill(1);
  for (auto& pair : sides) {
    pair = {Side<double>{low, {}}, Side<double>{high, {}}};
    for (auto& side : pair)
      if (side.kind != periodic) side.values = {value};
  }
  return poisson(make_grid<double, D>(points, from, to, sides));
}

template <int D>
void expect_few(Index n) {
  for (const auto& [low, high] :
       {std::pair{dirichlet, dirichlet}, {neumann, dirichlet}, {neumann, neumann}, {periodic, periodic}}) {
    const auto a = with_sides<D>(n, low, high);
    std::vector<double> b(a.rows()), x;
    b[a.rows() / 3] = 1;
    b[a.rows() / 2] = -1 * a.weight(a.rows() / 3) / a.weight(a.rows() / 2);
    const Report r = run(a, b, x, {.relative = 1e-9});
    EXPECT_TRUE(r.converged()) << static_cast<int>(low) << static_cast<int>(high) << name(r.status);
    EXPECT_LE(r.sweeps, 14) << static_cast<int>(low) << static_cast<int>(high);
    EXPECT_LE(a.residual_norms(b, x).l2, 1.01 * r.tolerance);
  }
}

TEST(CgWithMultigrid, TakesFewStepsForEveryKindOfSides) {
  expect_few<1>(100);
  expect_few<2>(40);
  expect_few<3>(16);
}

TEST(CgWithMultigrid, KeepsWhatIsGivenOnTheSides) {
  const auto a = with_sides<2>(30, dirichlet, dirichlet, 5.0);
  std::vector<double> x;
  EXPECT_TRUE(run(a, std::vector<double>(a.rows()), x, {.relative = 1e-11}).converged());
  for (const double value : x) EXPECT_NEAR(value, 5, 1e-8);
}

TEST(CgWithMultigrid, SolvesNegativeSystemsAndInFloat) {
  const auto negative = pentadiagonal<double>({40, 30}, 1, -4, 1, 1, 1);
  std::vector<double> x;
  EXPECT_TRUE(run(negative, std::vector<double>(negative.rows(), 1.0), x, {.relative = 1e-9}).converged());
  const auto single = poisson<float, 2>({63, 63});
  std::vector<float> y;
  const Report r = run(single, std::vector<float>(single.rows(), 1.0F), y, {.relative = 2e-4});
  EXPECT_TRUE(r.converged());
  EXPECT_LE(r.sweeps, 6);
}

/// In float the constant, which nothing holds, would grow until it is all that is left.
TEST(CgWithMultigrid, KeepsConstantsOutOfSingularProblemsInFloat) {
  for (const BoundaryKind kind : {periodic, neumann}) {
    Sides<float, 2> sides;
    for (auto& pair : sides)
      for (auto& side : pair) side.kind = kind;
    const auto grid = make_grid<float, 2>({128, 128}, {0, 0}, {1, 1}, sides);
    std::vector<float> k(128 * 128);
    for (std::size_t p = 0; p < k.size(); ++p) k[p] = 1 + static_cast<float>(p % 128) / 128;
    const auto a = diffusion<float, 2>(grid, k);
    ASSERT_TRUE(a.singular());
    std::vector<float> b(a.rows()), x;
    for (Index p = 0; p < a.rows(); ++p)
      b[p] = static_cast<float>(std::cos(2 * 3.14159265358979 * a.grid().coordinate(1, p / 128)));
    const Report r = run(a, b, x, {.relative = 1e-3});
    EXPECT_TRUE(r.converged()) << name(r.status) << " " << r.norm_final << " of " << r.norm_initial;
    EXPECT_LE(r.sweeps, 12);
  }
}

TEST(CgWithMultigrid, HasTheSameBitsOnAnyNumberOfThreadsAndAgain) {
  const auto a = disc(200, 100);
  const auto b = test::random_values<double>(a.rows(), -1, 1, 7);
  std::vector<double> first;
  const Report one = run(a, b, first, {}, cg_with_multigrid(), "threads:1");
  for (const char* threads : {"threads:2", "threads:3", "threads:5"}) {
    Solver<double> solver(a, cg_with_multigrid(), backend(threads));
    for (int again = 0; again < 2; ++again) {
      std::vector<double> x(a.rows());
      const Report r = solver.solve(b, x);
      EXPECT_EQ(x, first) << threads;
      EXPECT_EQ(r.sweeps, one.sweeps);
      EXPECT_EQ(r.norm_final, one.norm_final);
    }
  }
}

TEST(CgWithMultigrid, EndsWhereRoundingOrLimitsSaySo) {
  const auto a = disc(40, 10);
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x;
  Report r = run(a, b, x, {.relative = 1e-18});
  EXPECT_EQ(r.status, Status::stagnated);
  EXPECT_LT(r.norm_final, 1e-11 * r.norm_initial);
  EXPECT_LT(r.sweeps, 5000);
  for (const Index limit : {0, 1, 3}) {
    x.assign(x.size(), 0.0);
    r = run(a, b, x, {.max_sweeps = limit});
    EXPECT_EQ(r.status, Status::sweep_limit);
    EXPECT_EQ(r.sweeps, limit);
    EXPECT_NEAR(r.norm_final, a.residual_norms(b, x).l2, 1e-9 * r.norm_initial);
  }
  std::vector<double> zero(a.rows()), y;
  EXPECT_EQ(run(a, zero, y, {}).sweeps, 0);
}

TEST(CgWithMultigrid, IsForConjugateGradientsOnGrids) {
  const auto refused = [](const Operator<double>& a, const Plan& plan) {
    return message_of<UsageError>([&] { backend("serial")->bind(a, plan); });
  };
  Plan plan = cg_with_multigrid();
  EXPECT_PRED2(contains, refused(test::dense_of<double>(test::symmetric_matrix(20, 1)), plan), "on a grid");
  plan.method = bicgstab();
  EXPECT_PRED2(contains, refused(poisson<double, 2>({9, 8}), plan), "conjugate gradients on a grid");
  EXPECT_THROW(cg_with_multigrid({-1, 1}), UsageError);
  EXPECT_PRED2(contains, refused(pentadiagonal<double>({9, 9}, 1, 4, 1, -1, -1), cg_with_multigrid()),
               "no diffusion");
}

}  // namespace
}  // namespace jacobi
