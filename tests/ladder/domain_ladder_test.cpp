/// Domains with holes, fixed points and Robin sides: every rung, on 1 to 3 threads, gives the bits of rung 0.
#include <gtest/gtest.h>

#include "jacobi/backend.hpp"
#include "jacobi/domain.hpp"
#include "jacobi/solver.hpp"
#include "ladder/run.hpp"
#include "random.hpp"
#include "share.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::test {
namespace {

template <class T, int D>
Domain<T, D> drawn_domain(const PerDirection<Index, D>& n, unsigned seed) {
  PerDirection<double, D> lower{}, upper;
  upper.fill(1);
  Sides<T, D> sides;
  sides[0][0].kind = sides[0][1].kind = BoundaryKind::neumann;
  if (seed % 2 == 1 && D > 1) sides[D - 1][0].kind = sides[D - 1][1].kind = BoundaryKind::periodic;
  const Stencil<T, D> box = poisson(make_grid<T, D>(n, lower, upper, sides));
  Random random(seed);
  DomainPoints<T> points;
  points.insulated = seed % 2 == 0;
  for (Index p = 0; p < box.rows(); ++p) {
    const double drawn = random.real(0, 1);
    points.kinds.push_back(drawn < 0.2    ? PointKind::outside
                           : drawn < 0.25 ? PointKind::fixed
                                          : PointKind::unknown);
    points.values.push_back(static_cast<T>(random.real(-1, 1)));
  }
  const double alpha = 2, beta = 1;
  add_robin<T, D>(box, 0, std::span(&alpha, 1), std::span(&beta, 1), points);
  return Domain<T, D>(box, std::move(points));
}

template <class T, int D>
void expect_rungs_alike(const PerDirection<Index, D>& n) {
  for (unsigned seed = 0; seed < drawn(4); ++seed) {
    const Domain<T, D> domain = drawn_domain<T, D>(n, seed);
    std::vector<T> b = random_values<T>(domain.a().rows(), -1, 1, seed), x = b;
    domain.fold(b, b, true);
    domain.start(x);
    const Operator<T> a = domain.a();
    const auto textbook = backend("serial")->bind(a, {plain(), "textbook"});
    for (const Rung& rung : stencil_rungs())
      for (const int threads : {1, 2, 3}) {
        if (!rung.compiled || (threads > 1 && !rung.parallel)) continue;
        const auto sweeper = backend("threads:" + std::to_string(threads))->bind(a, {plain(), rung.name});
        for (const int kind : {0, 1, 2})
          EXPECT_TRUE(same_bits(swept(*textbook, b, x, kind, 9), swept(*sweeper, b, x, kind, 9)))
              << rung.name << " on " << threads << ", seed " << seed << ", steps " << kind;
        if (seed > 0) continue;
        const auto left = swept(*sweeper, b, x, 0, 9);
        for (Index p = 0; p < domain.a().rows(); ++p)
          if (domain.kind(p) != PointKind::unknown) EXPECT_EQ(left[p], T(0));  // by itself, and at rest
      }
  }
}

TEST(LadderDomain, EveryRungEqualsTextbookIn1D) { expect_rungs_alike<double, 1>({500}); }
TEST(LadderDomain, EveryRungEqualsTextbookIn2D) { expect_rungs_alike<double, 2>({131, 97}); }
TEST(LadderDomain, EveryRungEqualsTextbookIn3D) { expect_rungs_alike<double, 3>({33, 21, 18}); }
TEST(LadderDomain, EveryRungEqualsTextbookInFloat) { expect_rungs_alike<float, 2>({140, 90}); }

/// Cycles too keep bits for every number of threads.
TEST(LadderDomain, CyclesAreTheSameOnAnyThreads) {
  const Domain<double, 2> domain = drawn_domain<double, 2>({200, 190}, 1);
  std::vector<double> b(domain.a().rows(), 1.0), first;
  domain.fold(b, b);
  for (const int threads : {1, 2, 3}) {
    std::vector<double> x(b.size());
    Stop stop;
    stop.max_sweeps = 12;
    Solver<double>(domain.a(), multigrid(domain.a()), backend("threads:" + std::to_string(threads)))
        .solve(b, x, stop);
    if (first.empty()) first = x;
    EXPECT_TRUE(same_bits(first, x)) << threads;
  }
}

}  // namespace
}  // namespace jacobi::test
