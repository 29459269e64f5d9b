/// Sweeps as a preconditioner: linear, symmetric, and of use.
#include "jacobi/preconditioner.hpp"

#include <gtest/gtest.h>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;

TEST(Preconditioner, OfOneSweepIsTheDiagonal) {
  const Csr<double> a = test::symmetric_matrix(50, 1);
  const auto sweeper = backend("serial")->bind(Operator<double>(a), Plan(plain()));
  Preconditioner<double> m(*sweeper, plain(), 1);
  const auto r = test::random_values<double>(50, -1, 1, 3);
  std::vector<double> z(50);
  m.apply(r, z);
  for (Index i = 0; i < 50; ++i) EXPECT_NEAR(z[i], r[i] / a.diagonal(i), 1e-15);
}

/// (M^-1 r, s) = (r, M^-1 s) and (M^-1 r, r) > 0, for grids, sparse and dense matrices and every kind of
/// step.
TEST(Preconditioner, IsSymmetricAndPositive) {
  const auto grid = poisson<double, 2>({12, 9});
  const Csr<double> rows = test::rows_of(grid);
  for (const Operator<double>& a :
       {Operator<double>(grid), Operator<double>(rows), Operator<double>(test::dense_of<double>(rows))})
    for (const Method& method :
         {plain(), weighted(0.7), chebyshev(bounds(grid)), scheduled({0.6, 1.5, 0.9})}) {
      const auto sweeper = backend("threads:2")->bind(a, Plan(method));
      for (const Index sweeps : {1, 3, 4}) {
        Preconditioner<double> m(*sweeper, method, sweeps);
        const auto r = test::random_values<double>(108, -1, 1, 5),
                   s = test::random_values<double>(108, -1, 1, 6);
        std::vector<double> x(108), y(108);
        m.apply(r, x);
        m.apply(s, y);
        EXPECT_NEAR(test::inner(x, s), test::inner(r, y), 1e-13) << method.name << sweeps;
        EXPECT_GT(test::inner(x, r), 0) << method.name << sweeps;
      }
    }
}

/// x_(n+1) = x_n + M^-1 (b - A x_n) goes through every k-th iterate of the sweeps.
TEST(Preconditioner, MakesTheSweepsItIsMadeOf) {
  const auto a = poisson<double, 2>({10, 10});
  const auto sweeper = backend("serial")->bind(Operator<double>(a), Plan(weighted(0.8)));
  Preconditioner<double> m(*sweeper, weighted(0.8), 5);
  const std::vector<double> b(100, 1.0);
  std::vector<double> x(100), z(100), swept(100);
  const Csr<double> rows = test::rows_of(a);
  for (int n = 0; n < 4; ++n) {
    std::vector<double> r = test::times(rows, x);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
    m.apply(r, z);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += z[i];
  }
  sweeper->load(b, swept);
  sweeper->advance(std::vector<Step>(20, Step{0.8, 1}), Want::nothing);
  sweeper->store(swept);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], swept[i], 1e-13);
}

TEST(Preconditioner, RefusesWhatIsNoLinearMap) {
  const auto refused = [](const Operator<double>& a, const Method& method, Index sweeps) {
    const auto sweeper = backend("serial")->bind(a, Plan(method));
    return message_of<UsageError>([&] { Preconditioner<double>(*sweeper, method, sweeps); });
  };
  const Operator<double> grid = poisson<double, 2>({9, 8});
  for (const Method& method : {cg(), bicgstab(), anderson()})
    EXPECT_PRED2(contains, refused(grid, method, 2), "fixed linear map");
  EXPECT_PRED2(contains, refused(grid, plain(), 0), "a preconditioner of 0 sweeps: 1 to");
  Sides<double, 1> sides;
  sides[0][0].values = {2.0};
  EXPECT_PRED2(contains, refused(poisson(make_grid<double, 1>({9}, {0}, {1}, sides)), plain(), 2),
               "boundary values");
  const auto sweeper = backend("serial")->bind(grid, Plan(plain()));
  EXPECT_THROW(Preconditioner<double>(*sweeper, std::vector<Step>{}), UsageError);
  Preconditioner<double> m(*sweeper, plain(), 2);
  std::vector<double> right(72), wrong(71);
  EXPECT_THROW(m.apply(wrong, right), UsageError);
  EXPECT_THROW(m.apply(right, wrong), UsageError);
}

}  // namespace
}  // namespace jacobi
