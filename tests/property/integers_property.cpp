/// Every public integer takes any value: a call works, or throws jacobi::Error, and neither takes long.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bytes_in_memory.hpp"
#include "core/executed.hpp"
#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

constexpr Index most = std::numeric_limits<Index>::max(), least = std::numeric_limits<Index>::min();

/// Zeros, ones, what fits 32 bits and no longer does, what overflows when a little is added or multiplied.
const std::vector<Index> extremes = {0,
                                     1,
                                     -1,
                                     2,
                                     3,
                                     7,
                                     -2,
                                     64,
                                     4097,
                                     (Index(1) << 31) - 1,
                                     Index(1) << 31,
                                     (Index(1) << 31) + 1,
                                     (Index(1) << 32) - 1,
                                     (Index(1) << 32) + 1,
                                     Index(1) << 40,
                                     Index(1) << 53,
                                     Index(1) << 59,
                                     Index(1) << 60,
                                     Index(1) << 62,
                                     most / 8,
                                     most / 8 + 1,
                                     most / 2,
                                     most / 2 + 1,
                                     most - 4096,
                                     most - 512,
                                     most - 511,
                                     most - 64,
                                     most - 63,
                                     most - 8,
                                     most - 1,
                                     most,
                                     least,
                                     least + 1,
                                     least / 2,
                                     -(Index(1) << 31),
                                     -(Index(1) << 32) - 1};

/// call(n) works, or throws jacobi::Error; nothing else, and it does not work through n of anything.
void expect_taken_or_refused(const std::string& what, const std::function<void(Index)>& call,
                             const std::vector<Index>& values = extremes) {
  for (const Index n : values) {
    SCOPED_TRACE(what + " = " + std::to_string(n));
    const double before = test::bytes_in_memory("VmHWM");
    try {
      call(n);
    } catch (const Error&) {  // its words are for those who gave the number
    } catch (const std::exception& other) {
      ADD_FAILURE() << what << " = " << n << ": " << other.what();
    }
    EXPECT_LT(test::bytes_in_memory("VmHWM") - before, 256e6) << what << " = " << n;
  }
}

/// Solves a small system by this plan, and looks that sweeps were made. Large ones are bound where no machine
/// holds them, and else only made.
template <class A>
void solve_by(const A& a, const Plan& plan, Stop stop = {.relative = 0, .max_sweeps = 5},
              const char* on = "serial") {
  if (a.rows() > 1'000'000) {
    if (a.rows() > Index(1) << 40) Solver<double>(a, plan, backend(on));
    return;
  }
  std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0), x(b.size()), plainly(b.size());
  const Report r = Solver<double>(a, plan, backend(on)).solve(b, x, stop);
  if (stop.max_sweeps != 5) return;
  EXPECT_TRUE(r.sweeps == 5 || r.norm_final == 0) << r.sweeps;
  if (plan.multigrid() || accelerated(plan.method) || plan.tiling()) return;
  Solver<double>(a, plan.method, backend("serial")).solve(b, plainly, stop);
  EXPECT_EQ(x, plainly);
}

TEST(Integers, OfABlockingOfGrids) {
  const auto line = poisson<double, 1>({300});
  const auto plane = poisson<double, 2>({33, 20});
  const auto box = poisson<double, 3>({17, 9, 8});
  const auto try_all = [&](const auto& a, std::array<Index, 3> tile, Index sweeps) {
    for (const char* on : {"serial", "threads:2"})
      solve_by(a, {plain(), "", {tile, sweeps}}, {.relative = 0, .max_sweeps = 5}, on);
  };
  expect_taken_or_refused("sweeps", [&](Index n) { try_all(line, {64, 0, 0}, n); });
  expect_taken_or_refused("sweeps", [&](Index n) { try_all(plane, {16, 4, 0}, n); });
  expect_taken_or_refused("sweeps", [&](Index n) { try_all(box, {16, 4, 2}, n); });
  expect_taken_or_refused("sweeps alone", [&](Index n) { try_all(plane, {}, n); });
  expect_taken_or_refused("tile along x", [&](Index n) { try_all(line, {n, 0, 0}, 8); });
  expect_taken_or_refused("tile along x", [&](Index n) { try_all(plane, {n, 4, 0}, 8); });
  expect_taken_or_refused("tile along y", [&](Index n) { try_all(plane, {16, n, 0}, 8); });
  expect_taken_or_refused("tile along z", [&](Index n) { try_all(box, {16, 4, n}, 8); });
  expect_taken_or_refused("all", [&](Index n) { try_all(box, {n, n, n}, n); });
  expect_taken_or_refused("tile of red-black", [&](Index n) {
    solve_by(plane, {red_black(), "", {{n, n, 0}, 8}});
  });
  expect_taken_or_refused("reblock", [&](Index n) {
    for (const Blocking& wanted :
         {Blocking{{n, 4, 0}, 8}, Blocking{{16, n, 0}, 8}, Blocking{{16, 4, 0}, n}}) {
      const auto sweeper = backend("threads:2")->bind(Operator<double>(plane), Plan(plain()));
      const std::vector<double> b(660, 1.0);
      sweeper->load(b, b);
      sweeper->reblock(wanted);
      sweeper->advance(std::vector<Step>(20), Want::update);
      EXPECT_EQ(sweeper->executed().sweeps, 20);
    }
  });
}

TEST(Integers, OfABlockingOfMatrices) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < 20000; ++i) {
    entries.push_back({i, i, 4});
    if (i > 2) entries.push_back({i, i - 3, -1});
    if (i + 2 < 20000) entries.push_back({i, i + 2, -1});
  }
  const auto a = Csr<double>::from_entries(20000, entries);
  for (const char* rung : {"blocked", "simd", ""}) {
    expect_taken_or_refused("rows", [&](Index n) { solve_by(a, {plain(), rung, {{n}, 4}}); });
    expect_taken_or_refused("sweeps", [&](Index n) { solve_by(a, {plain(), rung, {{512}, n}}); });
    expect_taken_or_refused("both", [&](Index n) { solve_by(a, {plain(), rung, {{n}, n}}); });
  }
}

TEST(Integers, OfGrids) {
  expect_taken_or_refused("unknowns", [](Index n) { solve_by(poisson<double, 1>({n}), plain()); });
  for (int d = 0; d < 3; ++d)
    expect_taken_or_refused("unknowns of a box",
                            [d](Index n) {
                              std::array<Index, 3> unknowns = {3, 4, 5};
                              unknowns[d] = n;
                              solve_by(poisson<double, 3>(unknowns), plain());
                            },
                            {0, -1, 1, 2, most, most - 1, most - 64, most / 8, most / 8 / 20, least,
                             Index(1) << 40, Index(1) << 59});
  expect_taken_or_refused("unknowns of a square",
                          [](Index n) {
                            solve_by(poisson<double, 2>({n, n}), plain());
                          },
                          {0, -1, 1, 7, Index(1) << 31, Index(1) << 29, most, least});
  const auto made = [](Index n, BoundaryKind kind, double value) {
    Sides<double, 2> sides;
    for (auto& pair : sides) pair = {Side<double>{kind, {}}, Side<double>{kind, {}}};
    if (value != 0) sides[0][0].values = {value};
    return make_grid<double, 2>({7, n}, {0, 0}, {1, 1}, sides);
  };
  const std::vector<Index> few_or_many = {
      0,         -1,       1,    2,    3, 9, Index(1) << 36, Index(1) << 40, Index(1) << 53, Index(1) << 59,
      most / 56, most - 1, most, least};
  for (const BoundaryKind kind : {BoundaryKind::dirichlet, BoundaryKind::neumann, BoundaryKind::periodic})
    expect_taken_or_refused(
        "points", [&](Index n) { poisson(made(n, kind, 0)); }, few_or_many);
  expect_taken_or_refused(
      "points beside a flux", [&](Index n) { poisson(made(n, BoundaryKind::neumann, 1)); }, few_or_many);
  expect_taken_or_refused("unknowns of a diffusion", [](Index n) {
    Grid<double, 2> grid;
    grid.unknowns = {n, 3};
    grid.spacing = {1, 1};
    const std::vector<double> k(20, 1.0);
    diffusion<double, 2>(grid, k);
  });
  expect_taken_or_refused("unknowns of a tridiagonal matrix",
                          [](Index n) { tridiagonal<double>(n, -1, 2, -1); });
  expect_taken_or_refused("unknowns of a pentadiagonal matrix", [](Index n) {
    pentadiagonal<double>({2, n}, -1, 4, -1, -1, -1);
  });
  expect_taken_or_refused("unknowns of a heptadiagonal matrix", [](Index n) {
    heptadiagonal<double>({2, n, n}, -1, 6, -1, -1, -1, -1, -1);
  });
  expect_taken_or_refused("copies", [](Index n) { solve_by(batch(poisson<double, 1>({9}), n), plain()); });
}

/// Spacings are no integers, but go the same way.
TEST(Integers, NorTheSpacingsBesideThem) {
  for (const double h : {0.0, -1.0, 1e-200, 1e200, std::numeric_limits<double>::infinity(), std::nan("")})
    expect_taken_or_refused("spacing " + std::to_string(h),
                            [h](Index n) {
                              Grid<double, 1> grid;
                              grid.unknowns = {n};
                              grid.spacing = {h};
                              solve_by(poisson(grid), plain());
                            },
                            {1, 5, most});
}

TEST(Integers, OfSparseMatrices) {
  const std::vector<Entry<double>> one = {{0, 0, 1}};
  expect_taken_or_refused("rows", [&](Index n) { Csr<double>::from_entries(n, one); });
  expect_taken_or_refused("a row", [](Index n) {
    const std::vector<Entry<double>> entries = {{n, 0, 1}, {0, 0, 1}};
    Csr<double>::from_entries(2, entries);
  });
  expect_taken_or_refused("a column", [](Index n) {
    const std::vector<Entry<float>> entries = {{0, n, 1}, {0, 0, 1}};
    Csr<float>::from_entries(2, entries);
  });
  const std::vector<double> values = {1, 1};
  for (std::size_t at : {0U, 1U, 2U})
    expect_taken_or_refused("an offset", [&](Index n) {
      std::vector<std::int64_t> offsets = {0, 1, 2};
      offsets[at] = n;
      const std::vector<std::int64_t> columns = {0, 1};
      Csr<double>::view<std::int64_t>(offsets, columns, values);
    });
  expect_taken_or_refused("a column of a view", [&](Index n) {
    const std::vector<std::int64_t> offsets = {0, 1, 2}, columns = {0, n};
    Csr<double>::view<std::int64_t>(offsets, columns, values);
  });
}

TEST(Integers, OfDenseMatrices) {
  const std::vector<double> four = {2, 1, 1, 2};
  for (const Layout layout : {Layout::row_major, Layout::column_major}) {
    expect_taken_or_refused("order", [&](Index n) { Dense<double>::view(four, n, layout); });
    expect_taken_or_refused("leading", [&](Index n) { Dense<double>::view(four, 2, layout, n); });
    expect_taken_or_refused("leading of one row", [&](Index n) {
      solve_by(Dense<double>::view(four, 1, layout, n), plain(), {.max_sweeps = 3});
    });
  }
  expect_taken_or_refused("order of own", [&](Index n) { Dense<double>::own(four, n); });
  expect_taken_or_refused("copies", [&](Index n) { batch(Dense<double>::view(four, 2), n); });
}

TEST(Integers, OfTilings) {
  const auto plane = poisson<double, 2>({33, 20});
  const auto swept = [&](const Tiling& tiling) {
    Plan plan;
    plan.by = tiling;
    solve_by(plane, plan);
  };
  expect_taken_or_refused("extent", [&](Index n) { swept({{n, 8, 1}, 2, {1, 1, 0}}); });
  expect_taken_or_refused("extents", [&](Index n) { swept({{n, n, n}, 2, {0, 0, 0}}); });
  expect_taken_or_refused("overlap", [&](Index n) { swept({{8, 8, 1}, 2, {1, n, 0}}); });
  expect_taken_or_refused("extent and overlap", [&](Index n) { swept({{n, 8, 1}, 2, {n / 2, 1, 0}}); });
  expect_taken_or_refused("subiterations", [&](Index n) { swept({{8, 8, 1}, n, {1, 1, 0}}); });
}

TEST(Integers, OfMultigrid) {
  const auto plane = poisson<double, 2>({31, 31});
  const auto cycle = [&](const Multigrid& m) { solve_by(plane, multigrid(plane, m), {.max_sweeps = 20}); };
  expect_taken_or_refused("pre", [&](Index n) { cycle({n, 1}); });
  expect_taken_or_refused("post", [&](Index n) { cycle({1, n}); });
  expect_taken_or_refused("both", [&](Index n) { cycle({n, n}); });
  expect_taken_or_refused("visits", [&](Index n) { cycle({1, 1, n}); });
  expect_taken_or_refused("pre of a preconditioner", [&](Index n) {
    solve_by(plane, cg_with_multigrid({n, 1, 1, false}));
  });
  expect_taken_or_refused("pre beside a method", [&](Index n) {
    Plan plan = weighted(0.8);
    plan.by = Multigrid{n, 1};
    solve_by(plane, plan, {.max_sweeps = 20});
  });
  expect_taken_or_refused("weights", [](Index n) { chebyshev_weights({0.5, 2}, n); });
}

TEST(Integers, OfMethods) {
  const auto plane = poisson<double, 2>({9, 9});
  expect_taken_or_refused("depth", [&](Index n) { solve_by(plane, anderson({n, 2, 0.5})); });
  expect_taken_or_refused("period of anderson", [&](Index n) { solve_by(plane, anderson({3, n, 0.5})); });
  expect_taken_or_refused("period of a schedule", [&](Index n) {
    solve_by(plane, scheduled(Range{0.1, 2}, n));
  });
  expect_taken_or_refused("period", [&](Index n) {
    Method method = plain();
    method.period = n;
    solve_by(plane, method);
  });
  expect_taken_or_refused("period in cycles", [&](Index n) {
    Plan plan = multigrid(plane);
    plan.method.period = n;
    solve_by(plane, plan);
  });
  expect_taken_or_refused("sweeps of a preconditioner", [&](Index n) {
    const auto sweeper = backend("serial")->bind(Operator<double>(poisson<double, 1>({3})), Plan(plain()));
    Preconditioner<double>(*sweeper, weighted(0.5), n);
  });
}

TEST(Integers, OfStop) {
  const auto plane = poisson<double, 2>({9, 9});
  for (const Plan& plan : {Plan(plain()), multigrid(plane), Plan(cg()), Plan(red_black())}) {
    const auto stop = [&](const Stop& s) { solve_by(plane, plan, s); };
    expect_taken_or_refused("max_sweeps", [&](Index n) { stop({.relative = 1e-4, .max_sweeps = n}); });
    expect_taken_or_refused("check_every",
                            [&](Index n) { stop({.relative = 1e-4, .max_sweeps = 999, .check_every = n}); });
    expect_taken_or_refused("first_check",
                            [&](Index n) { stop({.relative = 1e-4, .max_sweeps = 999, .first_check = n}); });
    expect_taken_or_refused("both", [&](Index n) {
      stop({.relative = 1e-4, .max_sweeps = 999, .check_every = n, .first_check = n});
    });
  }
}

TEST(Integers, OfBackendsAndBudgets) {
  expect_taken_or_refused("threads", [](Index n) { backend("threads:" + std::to_string(n)); });
  expect_taken_or_refused("device", [](Index n) { backend("cuda:" + std::to_string(n)); });
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < 30; ++i)
    for (Index j = 0; j < 30; ++j)
      if (i == j || (i + 2 * j) % 5 == 0)
        entries.push_back({i, j, i == j ? 20.0 : 1.0 + 0.1 * static_cast<double>(i)});
  const auto a = Csr<double>::from_entries(30, entries);
  const std::vector<double> b(30, 1.0), x(30);
  expect_taken_or_refused("budget", [&](Index n) {
    DiagnoseOptions options;
    options.budget = n;
    diagnose<double>(a, b, x, options);
  });
}

}  // namespace
}  // namespace jacobi
