/// Masks, fixed points and Robin sides against matrices written down anew and solved directly.
#include "jacobi/domain.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <numbers>

#include "core/walk.hpp"
#include "domain_errors.hpp"
#include "jacobi/convert.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"
#include "random.hpp"
#include "stop_at.hpp"

namespace jacobi::test {
namespace {

/// -laplacian u on a box of points, as a list of equations: -1 stands for what is outside and insulated.
struct Equations {
  Eigen::MatrixXd matrix;
  Eigen::VectorXd added;         ///< to b
  std::vector<Index> number;     ///< of a point's equation, or -1
  std::vector<Index> component;  ///< of an equation: the least equation that it is coupled to, through others
  std::vector<bool> free;        ///< whether that component is held by nothing
};

/// Written from finite volumes, without a stencil: what flows between p and each neighbour.
template <class T, int D>
Equations equations_of(const Grid<T, D>& grid, const DomainPoints<T>& points) {
  Equations e;
  e.number.assign(grid.rows(), -1);
  Index count = 0;
  for (Index p = 0; p < grid.rows(); ++p)
    if (points.kinds[p] == PointKind::unknown) e.number[p] = count++;
  e.matrix.setZero(count, count);
  e.added.setZero(count);
  std::vector<bool> held(count);
  for (Index p = 0; p < grid.rows(); ++p) {
    const Index row = e.number[p];
    if (row < 0) continue;
    const auto at = position(grid, p);
    if (!points.diagonal.empty()) {
      e.matrix(row, row) += points.diagonal[p];
      e.added(row) += points.source[p];
      if (points.diagonal[p] > 0) held[row] = true;
    }
    for (int k = 0; k < 2 * D; ++k) {
      const double flow = 1 / (grid.spacing[k / 2] * grid.spacing[k / 2]);
      const Index q = neighbour(grid, p, at, k);
      if (q >= 0 && points.kinds[q] == PointKind::outside && points.insulated) continue;
      e.matrix(row, row) += flow;
      if (q >= 0 && e.number[q] >= 0) {
        e.matrix(row, e.number[q]) -= flow;
        continue;
      }
      held[row] = true;
      const Side<T>& side = grid.sides[k / 2][k % 2];
      e.added(row) += flow * (q >= 0 ? points.values[q] : side.values.empty() ? T(0) : side.values[0]);
    }
  }
  e.component.resize(count);
  for (Index i = 0; i < count; ++i) e.component[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < count; ++j)
        if (e.matrix(i, j) != 0 && e.component[j] < e.component[i]) {
          e.component[i] = e.component[j];
          changed = true;
        }
  }
  std::vector<bool> fixed(count);
  for (Index i = 0; i < count; ++i)
    if (held[i]) fixed[e.component[i]] = true;
  for (Index i = 0; i < count; ++i) e.free.push_back(!fixed[e.component[i]]);
  return e;
}

template <class T, int D>
struct DrawnDomain {
  Stencil<T, D> box;
  DomainPoints<T> points;
};

/// A few points in each direction, sides of any kind, many holes.
template <class T, int D>
DrawnDomain<T, D> draw_domain(Random& random) {
  PerDirection<Index, D> n;
  PerDirection<double, D> lower{}, upper;
  Sides<T, D> sides;
  for (int d = 0; d < D; ++d) {
    n[d] = random.integer(3, D == 1 ? 40 : D == 2 ? 12 : 6);
    upper[d] = random.real(0.5, 2);
    const Index kind = random.integer(0, 3);
    for (int e = 0; e < 2; ++e) {
      Side<T>& side = sides[d][e];
      side.kind = kind == 0                       ? BoundaryKind::periodic
                  : kind == 1 || (kind == 2 && e) ? BoundaryKind::neumann
                                                  : BoundaryKind::dirichlet;
      if (side.kind == BoundaryKind::dirichlet) side.values = {static_cast<T>(random.real(-1, 1))};
    }
    if (kind == 3) n[d] += 2;
  }
  Stencil<T, D> box = poisson(make_grid<T, D>(n, lower, upper, sides));
  DomainPoints<T> points;
  points.insulated = random.integer(0, 1) == 1;
  const double outside = random.real(0.05, 0.6), fixed = random.integer(0, 1) == 0 ? 0 : 0.05;
  for (Index p = 0; p < box.rows(); ++p) {
    const double drawn = random.real(0, 1);
    points.kinds.push_back(p == 0                    ? PointKind::unknown
                           : drawn < outside         ? PointKind::outside
                           : drawn < outside + fixed ? PointKind::fixed
                                                     : PointKind::unknown);
    points.values.push_back(static_cast<T>(random.real(-1, 1)));
  }
  for (int k = 0; k < 2 * D; ++k)
    if (sides[k / 2][k % 2].kind == BoundaryKind::neumann && random.integer(0, 1) == 0) {
      const double alpha = random.real(0, 3), beta = random.real(-1, 1);
      add_robin<T, D>(box, k, std::span(&alpha, 1), std::span(&beta, 1), points);
    }
  return {std::move(box), std::move(points)};
}

/// The difference from a direct solution, relative to its largest value; counts pockets.
template <class T, int D>
double difference_from_direct(Random& random, Index& pockets) {
  const DrawnDomain<T, D> drawn = draw_domain<T, D>(random);
  const Domain<T, D> domain(drawn.box, drawn.points);
  const Equations e = equations_of(drawn.box.grid(), drawn.points);
  const auto count = static_cast<Index>(e.free.size());
  EXPECT_EQ(domain.unknowns(), count);
  Index free = 0;
  for (Index i = 0; i < count; ++i) free += e.free[i] && e.component[i] == i;
  EXPECT_EQ(std::ssize(domain.pockets()), free);
  pockets += free;

  const Eigen::VectorXd given = Eigen::VectorXd::NullaryExpr(count, [&] { return random.real(-1, 1); });
  const Eigen::VectorXd b = e.matrix * given;  // has a solution in every pocket
  Eigen::VectorXd direct = e.matrix.completeOrthogonalDecomposition().solve(b + e.added);
  std::vector<T> rhs(drawn.box.rows(), T(7));  // what stands outside does not count
  std::vector<double> sums(count), weights(count);
  for (Index p = 0; p < drawn.box.rows(); ++p) {
    const Index row = e.number[p];
    if (row < 0) continue;
    rhs[p] = static_cast<T>(b(row));
    sums[e.component[row]] += drawn.box.weight(p) * direct(row);
    weights[e.component[row]] += drawn.box.weight(p);
  }
  Stop stop = stop_at(sizeof(T) == 8 ? 1e-12 : 1e-6);
  stop.project_rhs = true;  // fluxes of Robin sides with alpha 0 among them
  const Solution<T> found = solve(domain, rhs, stop);
  double off = 0, largest = 1e-3;
  for (Index p = 0; p < drawn.box.rows(); ++p) {
    const Index row = e.number[p];
    if (row < 0) {
      const bool fixed = drawn.points.kinds[p] == PointKind::fixed;
      EXPECT_TRUE(fixed ? found.x[p] == drawn.points.values[p] : std::isnan(found.x[p]));
      continue;
    }
    const double mean = e.free[row] ? sums[e.component[row]] / weights[e.component[row]] : 0;
    largest = std::max(largest, std::abs(direct(row) - mean));
    off = std::max(off, std::abs(direct(row) - mean - found.x[p]));
  }
  return off / largest;
}

template <class T, int D>
void expect_agreement(unsigned count, double within) {
  Random random(100 + D);
  Index pockets = 0;
  for (unsigned i = 0; i < count; ++i) {
    SCOPED_TRACE(i);
    EXPECT_LT((difference_from_direct<T, D>(random, pockets)), within);
  }
  EXPECT_GT(pockets, count / 10);
}

TEST(Domain, RandomMasksIn1DAgreeWithDirectSolutions) { expect_agreement<double, 1>(50, 1e-8); }
TEST(Domain, RandomMasksIn2DAgreeWithDirectSolutions) { expect_agreement<double, 2>(80, 1e-8); }
TEST(Domain, RandomMasksIn3DAgreeWithDirectSolutions) { expect_agreement<double, 3>(40, 1e-8); }
TEST(Domain, RandomMasksInFloatAgreeWithDirectSolutions) { expect_agreement<float, 2>(30, 2e-3); }

TEST(Domain, StaircasesAreOfFirstOrderIn1D) { EXPECT_GT((order_of<1>({41, 67, 101, 163, 251}, false)), 0.9); }
TEST(Domain, StaircasesAreOfFirstOrderIn2D) {
  EXPECT_GT((order_of<2>({31, 47, 71, 109, 163}, false)), 0.9);
  EXPECT_GT((order_of<2>({31, 47, 71, 109, 163}, true)), 0.9);
}
TEST(Domain, StaircasesAreOfFirstOrderIn3D) { EXPECT_GT((order_of<3>({17, 23, 31, 43, 59}, false)), 0.9); }

/// Two discs at 1 and -1 in a box, by a sparse factorisation.
TEST(Domain, ElectrodesAreRight) {
  const Stencil<double, 2> box = poisson<double, 2>({127, 127});
  DomainPoints<double> points;
  points.kinds.resize(box.rows());
  points.values.resize(box.rows());
  walk(box.grid(), [&](Index p, const PerDirection<Index, 2>& at) {
    const double x = box.grid().coordinate(0, at[0]), y = box.grid().coordinate(1, at[1]) - 0.5;
    for (const double centre : {0.3, 0.7})
      if ((x - centre) * (x - centre) + y * y < 0.01) {
        points.kinds[p] = PointKind::fixed;
        points.values[p] = centre < 0.5 ? 1 : -1;
      }
  });
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::VectorXd b = Eigen::VectorXd::Zero(box.rows());
  const double h2 = box.grid().spacing[0] * box.grid().spacing[0];
  walk(box.grid(), [&](Index p, const PerDirection<Index, 2>& at) {
    entries.emplace_back(p, p, 4 / h2);
    if (points.kinds[p] == PointKind::fixed) b(p) = 4 / h2 * points.values[p];
    for (int k = 0; k < 4 && points.kinds[p] == PointKind::unknown; ++k) {
      const Index q = neighbour(box.grid(), p, at, k);
      if (q >= 0 && points.kinds[q] == PointKind::fixed) b(p) += points.values[q] / h2;
      if (q >= 0 && points.kinds[q] == PointKind::unknown) entries.emplace_back(p, q, -1 / h2);
    }
  });
  Eigen::SparseMatrix<double> matrix(box.rows(), box.rows());
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::VectorXd right = Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>>(matrix).solve(b);
  const auto found = solve(Domain<double, 2>(box, points), std::vector<double>(box.rows()), stop_at(1e-9));
  ASSERT_TRUE(found.report.converged());
  double off = 0;
  for (Index p = 0; p < box.rows(); ++p) off = std::max(off, std::abs(found.x[p] - right(p)));
  EXPECT_LT(off, 1e-7);
}

DomainPoints<double> disc_in(const Grid<double, 2>& grid, bool insulated) {
  DomainPoints<double> points;
  points.insulated = insulated;
  walk(grid, [&](Index, const PerDirection<Index, 2>& at) {
    const double x = grid.coordinate(0, at[0]) - 0.5, y = grid.coordinate(1, at[1]) - 0.5;
    points.kinds.push_back(x * x + y * y < 0.16 ? PointKind::unknown : PointKind::outside);
  });
  return points;
}

TEST(Domain, AutoTakesFewCyclesOnADisc) {
  for (const bool insulated : {false, true})
    for (const Index n : {127, 511}) {
      const Stencil<double, 2> box = poisson<double, 2>({n, n});
      const Domain<double, 2> domain(box, disc_in(box.grid(), insulated));
      std::vector<double> b;
      for (Index p = 0; p < box.rows(); ++p) b.push_back(static_cast<double>(p % n) - (n - 1) / 2.0);
      const auto found = solve(domain, b, stop_at(1e-8));
      EXPECT_TRUE(found.report.converged());
      EXPECT_LE(found.report.cycles, 12) << n << insulated;
      EXPECT_EQ(found.report.unknowns, domain.unknowns());
      EXPECT_NE(found.report.notes.front().text.find("W-cycles"), std::string::npos);
    }
}

/// What flows out of a point flows into others, to rounding.
TEST(Domain, InsulatedCutsConserve) {
  const Stencil<double, 2> box = poisson<double, 2>({60, 50});
  const Domain<double, 2> domain(box, disc_in(box.grid(), true));
  ASSERT_EQ(domain.pockets().size(), 1u);
  EXPECT_EQ(domain.pockets()[0].points, domain.unknowns());
  std::vector<double> x = Random(3).vector<double>(box.rows());
  domain.start(x);
  const std::vector<double> flows = multiply(domain.a(), x);
  double sum = 0, size = 0;
  for (const double flow : flows) {
    sum += flow;
    size += std::abs(flow);
  }
  EXPECT_LT(std::abs(sum), 1e-13 * size);
}

TEST(Domain, IsTheBoxWhereNothingIsCutOut) {
  const Stencil<double, 2> box = poisson<double, 2>({20, 30});
  const Domain<double, 2> domain(box, {});
  EXPECT_EQ(domain.unknowns(), box.rows());
  for (Index p = 0; p < box.rows(); ++p) {
    EXPECT_EQ(domain.a().center(p), box.center(0));
    for (int k = 0; k < 4; ++k) EXPECT_EQ(domain.a().off(k, p), box.off(k, 0));
  }
}

TEST(Domain, RefusesWhatHasNoSolution) {
  const Stencil<double, 2> box = poisson<double, 2>({30, 30});
  const Domain<double, 2> domain(box, disc_in(box.grid(), true));
  std::vector<double> b(box.rows(), 1.0);
  try {
    domain.fold(b, b);
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_NE(what.find(std::to_string(domain.unknowns()) + " points"), std::string::npos) << what;
    EXPECT_NE(what.find("subtract 1,"), std::string::npos) << what;
  }
  const std::vector<Note> notes = domain.fold(b, b, true);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, Note::Kind::mean_removed);
  for (Index p = 0; p < box.rows(); ++p) EXPECT_NEAR(b[p], 0, 1e-12);
}

TEST(Domain, RefusesBadPoints) {
  const Stencil<double, 1> box = poisson<double, 1>({5});
  const auto make = [&](DomainPoints<double> points) { Domain<double, 1>(box, std::move(points)); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(make({std::vector<PointKind>(5, PointKind::outside), {}, false, {}, {}}), InputError);
  EXPECT_THROW(make({std::vector<PointKind>(4), {}, false, {}, {}}), UsageError);
  EXPECT_THROW(make({{}, {1}, false, {}, {}}), UsageError);
  std::vector<PointKind> one(5);
  one[2] = PointKind::fixed;
  EXPECT_THROW(make({one, {0, 0, nan, 0, 0}, false, {}, {}}), InputError);
  EXPECT_NO_THROW(make({one, {nan, 0, 0, 0, 0}, false, {}, {}}));
  EXPECT_THROW(make({{}, {}, false, {0, -1, 0, 0, 0}, {}}), InputError);
  EXPECT_THROW(make({{}, {}, false, {}, {0, 0, nan, 0, 0}}), InputError);
  DomainPoints<double> points;
  const double alpha = 1, beta = 0;
  EXPECT_THROW(add_robin(box, 0, std::span(&alpha, 1), std::span(&beta, 1), points), UsageError);
}

}  // namespace
}  // namespace jacobi::test
