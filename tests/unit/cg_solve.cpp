/// Conjugate gradients: counts, bits, and what unsuitable systems are told.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using test::solved;

TEST(ConjugateGradients, TakeAsManySweepsAsTheirPlainestForm) {
  const auto grid = poisson<double, 2>({40, 31});
  const Csr<double> rows = test::rows_of(grid), random = test::symmetric_matrix(700, 3);
  const std::vector<double> ones(grid.rows(), 1.0);
  const auto b = test::random_values<double>(700, -1, 1, 5);
  std::vector<double> x;
  for (const double tolerance : {1e-3, 1e-8, 1e-11}) {
    const Index on_grid = test::naive_cg(rows, ones, tolerance),
                on_rows = test::naive_cg(random, b, tolerance);
    ASSERT_GT(on_grid, 20);
    const Stop stop{.relative = tolerance};
    for (const Operator<double>& a : {Operator<double>(grid), Operator<double>(rows)}) {
      const Report r = solved<double>(a, cg(), ones, x, stop);
      EXPECT_EQ(r.status, Status::converged);
      EXPECT_NEAR(r.sweeps, on_grid, 1) << tolerance;
      EXPECT_LE(grid.residual_norms(ones, x).l2, r.tolerance);
    }
    for (const Operator<double>& a :
         {Operator<double>(random), Operator<double>(test::dense_of<double>(random)),
          Operator<double>(test::dense_of<double>(random, Layout::column_major))}) {
      const Report r = solved<double>(a, cg(), b, x, stop);
      EXPECT_EQ(r.status, Status::converged);
      EXPECT_NEAR(r.sweeps, on_rows, 1) << tolerance;
      EXPECT_LE(random.residual_norms(b, x).l2, r.tolerance);
    }
  }
}

/// Stopped early, its residual is above that of the start, and its error below.
TEST(ConjugateGradients, SayThatResidualsRiseBeforeTheyFall) {
  const auto a = poisson<double, 2>({300, 300});
  const std::vector<double> b(a.rows(), 1.0);
  std::vector<double> x;
  const Report r = solved<double>(a, cg(), b, x, {.relative = 1e-10, .max_sweeps = 20});
  EXPECT_EQ(r.status, Status::sweep_limit);
  EXPECT_GT(r.norm_final, r.norm_initial);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_PRED2(contains, r.notes[0], "less error in the energy norm");
}

/// n distinct eigenvalues of D^-1 A: as many sweeps, up to rounding.
TEST(ConjugateGradients, EndAfterAsManySweepsAsThereAreEigenvalues) {
  const Csr<double> a = test::rows_of(poisson<double, 2>({2, 2}));  // 1/2, 1, 1, 3/2
  std::vector<double> x;
  const Report r = solved<double>(a, cg(), {1, 0, 0, 0}, x, {.relative = 1e-13});
  EXPECT_TRUE(r.converged());
  EXPECT_EQ(r.sweeps, 3);
}

/// With Neumann sides A is symmetric only in their weights: without them, cg would not end so soon.
TEST(ConjugateGradients, WeighNeumannSides) {
  Sides<double, 2> sides;
  sides[0] = {Side<double>{BoundaryKind::neumann, {1.0}}, Side<double>{}};
  sides[1] = {Side<double>{BoundaryKind::neumann}, Side<double>{BoundaryKind::neumann, {-2.0}}};
  const auto grid = make_grid<double, 2>({33, 25}, {0, 0}, {1, 1}, sides);
  std::vector<double> k(33 * 25);
  for (std::size_t p = 0; p < k.size(); ++p) k[p] = 1 + static_cast<double>(p % 7);
  for (const auto& a : {poisson(grid), diffusion<double, 2>(grid, k)}) {
    const std::vector<double> b(a.rows(), 1.0);
    std::vector<double> x;
    const Report r = solved<double>(a, cg(), b, x, {.relative = 1e-10});
    EXPECT_TRUE(r.converged());
    EXPECT_LT(r.sweeps, 250);
    EXPECT_LE(a.residual_norms(b, x).l2, r.tolerance);
  }
}

TEST(ConjugateGradients, SolveANegativeDefiniteSystem) {
  const Csr<double> a = test::symmetric_matrix(200, 4);
  std::vector<double> values(a.values().begin(), a.values().end()), x;
  for (double& value : values) value = -value;
  const Csr<double> negative = a.visit([&](auto offsets, auto columns, auto) {
    using I = typename decltype(columns)::value_type;
    return Csr<double>::own<I>({offsets.begin(), offsets.end()}, {columns.begin(), columns.end()}, values);
  });
  const std::vector<double> b(200, 1.0);
  const Report r = solved<double>(negative, cg(), b, x);
  EXPECT_TRUE(r.converged());
  EXPECT_LE(negative.residual_norms(b, x).l2, r.tolerance);
}

TEST(ConjugateGradients, RefuseAMatrixThatIsNotSymmetric) {
  const Csr<double> skew = test::skew_matrix(9, 0.3);
  const auto text = [](const Operator<double>& a) {
    Plan plan{cg()};
    plan.recognise_grids = false;
    return message_of<InputError>([&] { Solver<double>(a, plan, backend("serial")); });
  };
  EXPECT_PRED2(contains, text(skew), "entry (0, 1) is 0.3, entry (1, 0) is -0.3; take bicgstab");
  EXPECT_PRED2(contains, text(test::dense_of<double>(skew)), "entry (1, 0) is -0.3, entry (0, 1) is 0.3");
  EXPECT_PRED2(contains, text(tridiagonal<double>(9, -1, 2.5, -0.5)), "symmetric");
  std::vector<double> center(4, 4.0), off(4, -1.0), other{-1, -1, -1.5, -1};
  const Grid<double, 1> line = unit_grid<double, 1>({4});
  EXPECT_PRED2(contains, text(Stencil<double, 1>::variable(line, center, {off, other})),
               "the entry of (2) for (3) is -1.5");
}

/// n x n, full, symmetric up to the last bit, times `unit`; entry (n - 1, p) besides times `spoilt`.
std::vector<double> nearly_symmetric(Index n, Index p, double spoilt, double unit) {
  test::Random random(static_cast<unsigned>(n));
  std::vector<double> values(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < i; ++j) {
      values[i * n + j] = random.real(0.5, 1);
      values[j * n + i] = std::nextafter(values[i * n + j], 2);
    }
  for (Index i = 0; i < n; ++i) values[i * n + i] = 2.0 * static_cast<double>(n);
  values[(n - 1) * n + p] *= spoilt;
  for (double& value : values) value *= unit;
  return values;
}
Csr<double> rows_of(const Dense<double>& a) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < a.rows(); ++i)
    for (Index j = 0; j < a.rows(); ++j) entries.push_back({i, j, a.at(i, j)});
  return Csr<double>::from_entries(a.rows(), entries);
}

TEST(ConjugateGradients, NameAPairThatDiffersInAnyUnits) {
  const auto bind = [](const Operator<double>& a) { backend("threads:2")->bind(a, cg()); };
  for (const Index n : {2, 8, 9, 17, 65, 300})
    for (const double unit : {1.0, 0x1p-600, 0x1p505, 0x1p900})
      for (const Layout layout : {Layout::row_major, Layout::column_major}) {
        const Index p = (n - 1) / 2;
        const auto sound = Dense<double>::own(nearly_symmetric(n, p, 1, unit), n);
        EXPECT_NO_THROW(bind(sound)) << n << " " << unit;
        EXPECT_NO_THROW(bind(rows_of(sound))) << n << " " << unit;
        const auto spoilt = Dense<double>::own(nearly_symmetric(n, p, 3, unit), n, layout);
        const auto named = [](Index i, Index j) { return fmt::format("entry ({}, {}) is", i, j); };
        EXPECT_PRED2(contains, message_of<InputError>([&] { bind(spoilt); }), named(n - 1, p)) << unit;
        EXPECT_PRED2(contains, message_of<InputError>([&] { bind(rows_of(spoilt)); }), named(p, n - 1))
            << unit;
      }
}

/// A power of two in b or in A changes no step, however small products of small numbers become.
TEST(ConjugateGradients, TakeAsManySweepsInAnyUnits) {
  constexpr Index n = 100;
  const std::vector<double> b = test::random_values<double>(n, -1, 1, 5);
  const auto sweeps = [&](double unit_of_a, double unit_of_b) {
    const auto a = Dense<double>::own(nearly_symmetric(n, 50, 1, unit_of_a), n);
    std::vector<double> scaled = b, x;
    for (double& value : scaled) value *= unit_of_b;
    const Report r = solved<double>(a, cg(), scaled, x, {.relative = 1e-12});
    EXPECT_EQ(r.status, Status::converged) << unit_of_a << " " << unit_of_b;
    return r.sweeps;
  };
  const Index expected = sweeps(1, 1);
  EXPECT_GT(expected, 5);
  for (const double unit : {0x1p-230, 0x1p-270, 0x1p-330, 0x1p-400}) EXPECT_EQ(sweeps(1, unit), expected);
  for (const double unit : {0x1p465, 0x1p540, 0x1p900}) EXPECT_EQ(sweeps(unit, 1), expected) << unit;
}

TEST(ConjugateGradients, SayThatAMatrixIsNotDefinite) {
  const auto from = [](std::vector<Entry<double>> entries, Index n) {
    return Csr<double>::from_entries(n, entries);
  };
  // eigenvalues 3 and -1
  const Csr<double> indefinite = from({{0, 0, 1.}, {0, 1, 2.}, {1, 0, 2.}, {1, 1, 1.}}, 2);
  std::vector<double> x;
  Report r = solved<double>(indefinite, cg(), {1, -1}, x);
  EXPECT_EQ(r.status, Status::breakdown);
  EXPECT_EQ(r.sweeps, 0);
  EXPECT_PRED2(contains, test::notes_of(r), "A is not definite");
  r = solved<double>(from({{0, 0, 2.}, {1, 1, -3.}}, 2), cg(), {1, 1}, x);
  EXPECT_EQ(r.status, Status::breakdown);
  EXPECT_PRED2(contains, test::notes_of(r), "the diagonal has entries of both signs");
  for (const Method& other : {bicgstab(), anderson()})  // which is what the note advises
    EXPECT_TRUE(solved<double>(indefinite, other, {1, 2}, x).converged()) << other.name;
}

}  // namespace
}  // namespace jacobi
