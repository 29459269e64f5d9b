/// Explicit steps in tiles have the bits of the plain loop, whatever the coefficients and threads.
#include <gtest/gtest.h>

#include <cstring>
#include <optional>

#include "jacobi/heat.hpp"
#include "random.hpp"
#include "share.hpp"

namespace jacobi::test {
namespace {

enum class Coefficients { constant, varying, in_a_mask };

template <class T, int D>
Grid<T, D> drawn_grid(Random& dice) {
  using enum BoundaryKind;
  PerDirection<Index, D> points;
  PerDirection<double, D> lower{}, upper;
  Sides<T, D> sides;
  for (int d = 0; d < D; ++d) {
    points[d] = dice.integer(9, D == 1 ? 900 : D == 2 ? 90 : 24);
    upper[d] = 1;
    const Index kind = dice.integer(0, 2);
    for (int e = 0; e < 2; ++e)
      sides[d][e].kind = kind == 0 ? periodic : dice.integer(0, 1) == 0 ? neumann : dirichlet;
  }
  return make_grid<T, D>(points, lower, upper, sides);
}

/// Values on all points, those of Dirichlet sides included.
template <class T, int D>
Index points_of(const Grid<T, D>& grid) {
  Index all = 1;
  for (int d = 0; d < D; ++d)
    all *= grid.unknowns[d] + (grid.sides[d][0].kind == BoundaryKind::dirichlet) +
           (grid.sides[d][1].kind == BoundaryKind::dirichlet);
  return all;
}

template <class T, int D>
std::vector<T> by_rung(const Domain<T, D>* domain, const Stencil<T, D>& a, const std::string& rung,
                       int threads, Index steps) {
  const std::vector<T> f = random_values<T>(a.rows(), -1, 1, 1), u = random_values<T>(a.rows(), -1, 1, 2);
  HeatOptions o;
  o.scheme = HeatScheme::explicit_euler;
  o.rung = rung;
  const double dt = 0.9 * largest_step(a).step;
  const auto on = backend("threads:" + std::to_string(threads));
  Heat<T, D> heat = domain ? Heat<T, D>(*domain, f, u, dt, o, on) : Heat<T, D>(a, f, u, dt, o, on);
  const HeatReport report = heat.run(steps);
  EXPECT_TRUE(report.finished());
  EXPECT_EQ(report.steps, steps);
  if (rung.empty()) EXPECT_EQ(report.algorithm == "textbook", false);
  return heat.u();
}

template <class T, int D>
void expect_same_bits(Coefficients kind, unsigned seed) {
  Random dice(seed);
  const Grid<T, D> grid = drawn_grid<T, D>(dice);
  const std::vector<T> k = dice.vector<T>(points_of(grid), 0.5, 2), c = dice.vector<T>(grid.rows(), 0, 9);
  const Stencil<T, D> box = kind == Coefficients::varying ? diffusion<T, D>(grid, k, c) : poisson(grid);
  std::optional<Domain<T, D>> domain;
  if (kind == Coefficients::in_a_mask) {
    DomainPoints<T> points;
    for (Index p = 0; p < grid.rows(); ++p)
      points.kinds.push_back(dice.integer(0, 4) == 0 ? PointKind::outside : PointKind::unknown);
    points.insulated = dice.integer(0, 1) == 0;
    domain.emplace(box, points);
  }
  const Stencil<T, D>& a = domain ? domain->a() : box;
  const Domain<T, D>* const of = domain ? &*domain : nullptr;
  const Index steps = dice.integer(20, 90);
  const std::vector<T> plain = by_rung(of, a, "textbook", 1, steps);
  for (int threads = 1; threads <= 3; ++threads) {
    const std::vector<T> tiled = by_rung(of, a, "", threads, steps);
    EXPECT_EQ(std::memcmp(plain.data(), tiled.data(), plain.size() * sizeof(T)), 0)
        << threads << " threads, case " << seed;
  }
}

TEST(HeatTiled, HasTheBitsOfThePlainLoop) {
  for (unsigned seed = 0; seed < drawn(8); ++seed)
    for (const auto kind : {Coefficients::constant, Coefficients::varying, Coefficients::in_a_mask}) {
      expect_same_bits<double, 1>(kind, seed);
      expect_same_bits<double, 2>(kind, seed);
      expect_same_bits<double, 3>(kind, seed);
      expect_same_bits<float, 2>(kind, seed);
    }
}

/// Every rung of lines, where the diagonal varies.
TEST(HeatTiled, AllRungsAgreeWhereTheDiagonalVaries) {
  Random dice(5);
  const Grid<double, 2> grid = drawn_grid<double, 2>(dice);
  const std::vector<double> k = dice.vector<double>(points_of(grid), 0.5, 2);
  const Stencil<double, 2> a = diffusion<double, 2>(grid, k);
  const std::vector<double> plain = by_rung<double, 2>(nullptr, a, "textbook", 1, 30);
  for (const char* rung : {"no-copy", "fused", "simd", "threads"}) {
    const std::vector<double> other = by_rung<double, 2>(nullptr, a, rung, 2, 30);
    EXPECT_EQ(std::memcmp(plain.data(), other.data(), plain.size() * sizeof(double)), 0) << rung;
  }
}

}  // namespace
}  // namespace jacobi::test
