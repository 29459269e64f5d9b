/// Stretched grids against matrices written down anew, against plain grids, and for every number of threads.
#include <gtest/gtest.h>

#include <Eigen/SparseCholesky>
#include <numeric>
#include <string>

#include "axes.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/solver.hpp"
#include "random.hpp"
#include "stop_at.hpp"

namespace jacobi::test {
namespace {

std::vector<double> drawn_axis(Random& random, Index points, double from) {
  std::vector<double> at{from};
  while (std::ssize(at) < points) at.push_back(at.back() + random.real(0.05, 1));
  return at;
}

/// Cells of all points, whole ones: what flows through a face is k area / distance times the difference.
template <int D>
struct Cells {
  PerDirection<std::vector<double>, D> at;
  Coordinates coordinates;
  std::vector<double> k;

  bool is_radial(int d) const { return d == 0 && coordinates != Coordinates::cartesian; }
  bool is_angle(int d) const {
    return d == 1 &&
           (coordinates == Coordinates::polar || (coordinates == Coordinates::cylindrical && D == 3));
  }
  std::array<double, 2> ends(int d, Index i) const {
    const auto& x = at[d];
    const Index last = std::ssize(x) - 1;
    return {i == 0 ? x[0] : (x[i - 1] + x[i]) / 2, i == last ? x[last] : (x[i] + x[i + 1]) / 2};
  }
  double size(int d, Index i) const {
    const auto [from, to] = ends(d, i);
    return is_radial(d) ? (to * to - from * from) / 2 : to - from;
  }
  double volume(const Position<D>& p) const {
    double product = 1;
    for (int d = 0; d < D; ++d) product *= size(d, p[d]);
    return product;
  }
  /// Area over distance of the face above p along d.
  double face(const Position<D>& p, int d) const {
    const auto& x = at[d];
    const double middle = (x[p[d]] + x[p[d] + 1]) / 2;
    double product = (is_radial(d) ? middle : 1) / (x[p[d] + 1] - x[p[d]]);
    for (int e = 0; e < D; ++e) {
      const auto [from, to] = ends(e, p[e]);
      if (e != d) product *= is_angle(d) && e == 0 ? std::log(to / from) : size(e, p[e]);
    }
    return product;
  }
};

/// A grid of drawn coordinates with u given on some sides and nothing flowing through the others.
template <class T, int D>
void compare_with_direct_solution(Random& random, Coordinates coordinates) {
  Cells<D> cells{{}, coordinates, {}};
  PerDirection<Index, D> points;
  PerDirection<double, D> lower, upper;
  Sides<T, D> sides;
  for (int d = 0; d < D; ++d) {
    points[d] = random.integer(4, D == 3 ? 7 : 20);
    const bool radial = cells.is_radial(d),
               at_axis = radial && D < 3 && coordinates == Coordinates::cylindrical;
    cells.at[d] = drawn_axis(random, points[d],
                             at_axis  ? 0
                             : radial ? random.real(0.1, 1)
                                      : random.real(-1, 1));
    lower[d] = cells.at[d].front();
    upper[d] = cells.at[d].back();
    for (int e = 0; e < 2; ++e) {
      Side<T>& side = sides[d][e];
      if ((d == 0 && e == 1) || (!at_axis && random.integer(0, 1) == 0))
        side.values = {static_cast<T>(random.real(-1, 1))};
      else
        side.kind = BoundaryKind::neumann;
    }
  }
  const Grid<T, D> grid = on_axes(make_grid<T, D>(points, lower, upper, sides), cells.at, coordinates);
  Grid<double, D> all;
  all.unknowns = points;
  std::vector<T> k;
  for (Index p = 0; p < all.rows(); ++p) {
    k.push_back(static_cast<T>(random.real(0.5, 2)));
    cells.k.push_back(k.back());
  }
  std::vector<T> b;
  for (Index p = 0; p < grid.rows(); ++p) b.push_back(static_cast<T>(random.real(-1, 1)));

  std::vector<Index> number;  // of a point of all its unknown, or -1
  std::vector<double> given;
  Index count = 0;
  walk(all, [&](Index, const Position<D>& at) {
    int side = -1;
    for (int d = D - 1; d >= 0; --d)
      for (int e = 0; e < 2; ++e)
        if (at[d] == (e == 0 ? 0 : points[d] - 1) && sides[d][e].kind == BoundaryKind::dirichlet)
          side = 2 * d + e;
    number.push_back(side < 0 ? count++ : -1);
    given.push_back(side < 0 ? 0 : double{sides[side / 2][side % 2].values[0]});
  });
  ASSERT_EQ(count, grid.rows());
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd rhs = Eigen::VectorXd::Zero(count);
  const double c = 0.5;
  walk(all, [&](Index p, const Position<D>& at) {
    if (number[p] >= 0) {
      rhs(number[p]) += cells.volume(at) * b[number[p]];
      entries.emplace_back(number[p], number[p], c * cells.volume(at));
    }
    for (int d = 0; d < D; ++d) {
      if (at[d] + 1 == points[d]) continue;
      const Index q = p + stride_of(all, d);
      const double flow = 2 / (1 / cells.k[p] + 1 / cells.k[q]) * cells.face(at, d);
      for (const auto& [here, there] : {std::pair(p, q), std::pair(q, p)}) {
        if (number[here] < 0) continue;
        entries.emplace_back(number[here], number[here], flow);
        if (number[there] >= 0)
          entries.emplace_back(number[here], number[there], -flow);
        else
          rhs(number[here]) += flow * given[there];
      }
    }
  });
  Eigen::SparseMatrix<double> matrix(count, count);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd expected = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(rhs);

  times_volumes<T, D>(grid, b);
  const T reaction = static_cast<T>(c);
  const Stencil<T, D> a = diffusion<T, D>(grid, k, std::span<const T>(&reaction, 1));
  constexpr bool is_double = sizeof(T) == sizeof(double);
  const Solution<T> found = solve(a, RightHandSide<T>(b), stop_at(is_double ? 1e-12 : 1e-5));
  ASSERT_TRUE(found.report.converged());
  for (Index p = 0; p < count; ++p)
    ASSERT_NEAR(found.x[p], expected(p), (is_double ? 1e-9 : 2e-3) * expected.cwiseAbs().maxCoeff()) << p;
}

TEST(Axes, GiveTheDirectSolutionOfTheirFiniteVolumes) {
  Random random(20);
  for (int drawn = 0; drawn < 20; ++drawn) {
    compare_with_direct_solution<double, 1>(random, Coordinates::cartesian);
    compare_with_direct_solution<double, 1>(random, Coordinates::cylindrical);
    compare_with_direct_solution<double, 2>(random, Coordinates::cartesian);
    compare_with_direct_solution<double, 2>(random, Coordinates::cylindrical);
    compare_with_direct_solution<double, 2>(random, Coordinates::polar);
    compare_with_direct_solution<double, 3>(random, Coordinates::cartesian);
    compare_with_direct_solution<double, 3>(random, Coordinates::cylindrical);
    compare_with_direct_solution<float, 2>(random, Coordinates::cartesian);
    compare_with_direct_solution<float, 3>(random, Coordinates::cartesian);
  }
}

/// Axes that are equally spaced after all: the equations are the plain grid's but for rounding.
TEST(Axes, EquallySpacedGiveThePlainGridsSolution) {
  for (const Kind kind : {Kind::dirichlet, Kind::neumann, Kind::robin, Kind::periodic}) {
    Known<2> plain{{},
                   {{{kind, kind}, {Kind::dirichlet, Kind::neumann}}},
                   Coordinates::cartesian,
                   {2 * std::acos(-1.0), 1},
                   {0.3, 0.4},
                   0};
    Known<2> stretched = plain;
    stretched.maps = {[](double s) { return s; }, [](double s) { return s; }};
    const auto one = discrete<double, 2>(plain, 32), other = discrete<double, 2>(stretched, 32);
    for (int k = 0; k < 4; ++k)
      for (Index p = 0; p < one.a.rows(); ++p)
        ASSERT_NEAR(one.a.off(k, p), other.a.off(k, p), 1e-11 * std::abs(one.a.off(k, p))) << k << " " << p;
    for (std::size_t p = 0; p < one.b.size(); ++p) ASSERT_NEAR(one.b[p], other.b[p], 1e-12);
    EXPECT_NEAR(one.error(stop_at(1e-11)) / other.error(stop_at(1e-11)), 1, 1e-6);
  }
}

template <class T, int D>
void expect_same_bits(const Known<D>& known, Index intervals) {
  const Discrete<T, D> problem = discrete<T, D>(known, intervals);
  Stop stop;
  stop.max_sweeps = 23;
  stop.relative = 0;
  const auto swept = [&](Plan plan, int threads) {
    std::vector<T> x(problem.b.size());
    Solver<T>(problem.a, plan, backend("threads:" + std::to_string(threads))).solve(problem.b, x, stop);
    return x;
  };
  for (const Method& method : {plain(), weighted(0.8)}) {
    const std::vector<T> expected = swept(Plan(method, "textbook"), 1);
    for (int threads = 1; threads <= 3; ++threads)
      EXPECT_EQ(swept(Plan(method), threads), expected) << threads;
  }
  const std::vector<T> cycles = swept(cg_with_multigrid(), 1);
  for (int threads = 2; threads <= 3; ++threads) EXPECT_EQ(swept(cg_with_multigrid(), threads), cycles);
}

TEST(Axes, KeepTheBitsOfRung0OnOneToThreeThreads) {
  const Known<1> line{{square}, {{{Kind::dirichlet, Kind::neumann}}}, Coordinates::cartesian, {2}, {0.3}};
  const Known<2> plane{{square, sinh_map},
                       {{{Kind::neumann, Kind::dirichlet}, {Kind::neumann, Kind::dirichlet}}},
                       Coordinates::cylindrical,
                       {2, 1.5},
                       {0.3, 0.4}};
  const Known<3> body{{square, {}, sinh_map},
                      {{{Kind::dirichlet, Kind::neumann},
                        {Kind::periodic, Kind::periodic},
                        {Kind::dirichlet, Kind::neumann}}},
                      Coordinates::cartesian,
                      {2, 1, 1.5},
                      {0.3, 0.2, 0.4}};
  expect_same_bits<double, 1>(line, 500);
  expect_same_bits<double, 2>(plane, 150);
  expect_same_bits<float, 2>(plane, 150);
  expect_same_bits<double, 3>(body, 24);
}

/// Of 257 x 257 points, to 1e-8. By cycles that coarsen both directions at once they are 28 to 80.
TEST(Axes, TakeFewIterationsWhereBothAreStretched) {
  const auto pure_square = [](double s) { return s * s; };
  using Kinds = std::array<std::array<Kind, 2>, 2>;
  const Kinds given{{{Kind::dirichlet, Kind::dirichlet}, {Kind::dirichlet, Kind::dirichlet}}};
  const Kinds mixed{{{Kind::robin, Kind::neumann}, {Kind::dirichlet, Kind::robin}}};
  for (const auto& maps :
       {PerDirection<Map, 2>{pure_square, {}}, PerDirection<Map, 2>{pure_square, pure_square},
        PerDirection<Map, 2>{pure_square, sinh_map}, PerDirection<Map, 2>{sinh_map, sinh_map}})
    for (const Kinds& sides : {given, mixed}) {
      const Known<2> known{maps, sides, Coordinates::cartesian, {2, 1.5}, {0.3, 0.4}};
      const Discrete<double, 2> problem = discrete<double, 2>(known, 256);
      const Stop stop = stop_at(1e-8);
      const auto found =
          problem.points.diagonal.empty()
              ? solve(problem.a, RightHandSide<double>(problem.b), stop)
              : solve(Domain<double, 2>(problem.a, problem.points), RightHandSide<double>(problem.b), stop);
      EXPECT_TRUE(found.report.converged());
      EXPECT_EQ(found.report.method, "cg");
      EXPECT_LE(found.report.sweeps, 15);
    }
}

/// A singular problem: the mean over the volume is 0, not that over the points.
TEST(Axes, WithoutAGivenValueHaveTheMeanZeroOverTheVolume) {
  const Sides<double, 1> sides{
      {{Side<double>{BoundaryKind::neumann, {}}, Side<double>{BoundaryKind::neumann, {}}}}};
  const std::vector<double> at = points_of(square, 64);
  const Grid<double, 1> grid = on_axes(make_grid<double, 1>({65}, {0}, {1}, sides), {at});
  std::vector<double> b, volumes(65, 1.0);
  for (const double x : at) b.push_back(std::cos(std::acos(-1.0) * x));
  times_volumes<double, 1>(grid, b);
  times_volumes<double, 1>(grid, volumes);
  volumes.front() /= 2;  // of these cells half is a mirror image
  volumes.back() /= 2;
  const Solution<double> found = solve(poisson(grid), RightHandSide<double>(b), stop_at(1e-10));
  ASSERT_TRUE(found.report.converged());
  EXPECT_NEAR(std::inner_product(volumes.begin(), volumes.end(), found.x.begin(), 0.0), 0, 1e-9);
  const double scale = std::pow(std::acos(-1.0), 2);
  for (std::size_t i = 0; i < at.size(); ++i)
    EXPECT_NEAR(found.x[i], std::cos(std::acos(-1.0) * at[i]) / scale, 2e-4) << i;
}

template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Axes, SayInOneSentenceWhatIsWrongWithThem) {
  using Axes2 = PerDirection<std::vector<double>, 2>;
  const auto with = [](const Axes2& axes, Coordinates coordinates,
                       BoundaryKind low = BoundaryKind::dirichlet) {
    Sides<double, 2> sides;
    sides[0][0].kind = low;
    return message_of([&] {
      on_axes(make_grid<double, 2>({4, 3}, {0, 0}, {1, 1}, sides), axes, coordinates);
    });
  };
  const auto flat = Coordinates::cartesian;
  EXPECT_EQ(with({{{0, 0.5, 0.4, 1}, {}}}, flat),
            "coordinates of x must increase, and 0.4 follows 0.5 at point 3");
  EXPECT_EQ(with({{{}, {0, 1, 1}}}, flat), "coordinates of y must increase, and 1 follows 1 at point 3");
  EXPECT_EQ(with({{{0, 0.5, 1}, {}}}, flat), "3 coordinates of x for 4 points");
  EXPECT_EQ(with({{{0, NAN, 0.5, 1}, {}}}, flat), "coordinate 2 of x is nan: it must be finite");
  EXPECT_EQ(with({{{-1, 0.3, 0.5, 1}, {}}}, Coordinates::cylindrical),
            "x is the radius here and begins at -1: it must be >= 0");
  EXPECT_EQ(with({}, Coordinates::polar, BoundaryKind::neumann),
            "x is the radius here and begins at 0, where all angles meet: begin beside it");
  EXPECT_EQ(
      with({}, Coordinates::cylindrical),
      "the low side of x lies at r = 0, where nothing flows: neither u nor its derivative is given there");
  EXPECT_EQ(message_of([] { on_axes(make_grid<double, 1>({5}, {1}, {2}), {}, Coordinates::polar); }),
            "polar coordinates, r and an angle, are of 2 dimensions, not 1: take cylindrical ones");
  Sides<double, 1> around;
  for (Side<double>& side : around[0]) side.kind = BoundaryKind::periodic;
  EXPECT_EQ(message_of([&] {
              on_axes(make_grid<double, 1>({4}, {0}, {1}, around), {{{0, 0.1, 0.2, 0.5}}});
            }),
            "4 coordinates of x for 4 points: 5 are needed, the last where the period ends");
}

}  // namespace
}  // namespace jacobi::test
