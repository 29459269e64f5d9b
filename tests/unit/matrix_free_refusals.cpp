/// Operators known by their products: what is refused, what breaks, and what a diagnosis does not claim.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"
#include "unit/products_of.hpp"

namespace jacobi {
namespace {

using io_test::contains;
using io_test::message_of;
using test::Line;
using test::notes_of;
using test::products_of;
using test::solved;
using test::without_diagonal;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

MatrixFree<double> of(Index n, MatrixFree<double>::Apply apply, std::vector<double> diagonal = {},
                      std::optional<Range> bounds = {}) {
  return MatrixFree<double>(n, std::move(apply), std::move(diagonal), bounds);
}

void copy(std::span<const double> x, std::span<double> y) { std::ranges::copy(x, y.begin()); }

TEST(MatrixFreeRefusals, MethodsThatNeedEntriesAreRefusedInOneLine) {
  const auto text = [](const Plan& plan) {
    return message_of<UsageError>([&] { Solver<double>(MatrixFree<double>{Line{9}}, plan); });
  };
  const std::string ending =
      " needs: take method plain, weighted, chebyshev, scheduled, cg, bicgstab or anderson, and no rung";
  const std::string start = "a matrix-free operator gives products and no entries, which ";
  EXPECT_EQ(text(red_black()), start + "method red-black" + ending);
  EXPECT_EQ(text(cyclic_chebyshev(0.5)), start + "method cyclic-chebyshev" + ending);
  EXPECT_EQ(text(l1()), start + "method l1" + ending);
  EXPECT_EQ(text({plain(), "blocked"}), start + "rung blocked" + ending);
  EXPECT_EQ(text({plain(), "", {{8}, 2}}), start + "cutting rows into tiles" + ending);
  EXPECT_EQ(text(cg_with_multigrid()), start + "multigrid" + ending);
  Plan narrow;
  narrow.matrix_precision = MatrixPrecision::single;
  EXPECT_EQ(text(narrow), start + "a narrower matrix" + ending);
  for (const Plan& plan : {Plan(red_black()), Plan(l1())}) {
    const std::string bound = message_of<UsageError>(
        [&] { backend("serial")->bind(Operator<double>(MatrixFree<double>{Line{9}}), plan); });
    EXPECT_TRUE(contains(bound, "products and no entries")) << bound;
  }
}

TEST(MatrixFreeRefusals, ALargeOperatorWithoutADiagonalIsNotSwept) {
  const auto text = message_of<UsageError>([] { Solver<double>(of(1001, copy), plain()); });
  EXPECT_EQ(text,
            "sweeps and anderson divide by the diagonal, which is not given and costs a product for each of "
            "1001 rows (up to 1000 are made): give it, or take cg or bicgstab, which do without");
  EXPECT_THROW(Solver<double>(of(1001, copy), anderson()), UsageError);
  EXPECT_NO_THROW(Solver<double>(of(1000, copy), plain()));
}

TEST(MatrixFreeRefusals, NormsOverADiagonalThatIsNotKnownAreRefused) {
  Solver<double> solver(of(2000, copy), cg());
  std::vector<double> x(2000);
  const auto text = message_of<UsageError>(
      [&] { solver.solve(std::vector<double>(2000, 1.0), x, {.norm = Norm::scaled_residual}); });
  EXPECT_EQ(text, "norm scaled-residual divides by the diagonal of the operator, which is not given");
}

TEST(MatrixFreeRefusals, WhatCannotBeAnOperatorIsRefused) {
  EXPECT_THROW(of(3, copy, {1, 1}), UsageError);
  EXPECT_THROW(of(3, nullptr), UsageError);
  EXPECT_THROW(of(-1, copy), UsageError);
  EXPECT_EQ(message_of<InputError>([] {
              of(2, copy, {1, nan});
            }),
            "entry 1 of the diagonal is nan: every entry must be finite");
  EXPECT_EQ(message_of<UsageError>([] {
              of(2, copy, {1, 1}, Range{2, 1});
            }),
            "bounds of the eigenvalues of D^-1 A, 2 to 1: 0 < low <= high < infinity is needed");
  for (const Range& wrong : {Range{0, 1}, Range{-1, 1}, Range{nan, 1}, Range{1, HUGE_VAL}})
    EXPECT_THROW(of(2, copy, {1, 1}, wrong), UsageError);
  std::vector<double> x(3), y(2);
  EXPECT_THROW(of(3, copy).apply(x, y), UsageError);
  EXPECT_THROW(multiply(of(3, copy), y), UsageError);
  EXPECT_THROW(Solver<double>(of(3, copy), cg()).solve(y, x), UsageError);
}

TEST(MatrixFreeRefusals, NoRowsAreRefusedAndOneRowIsSolved) {
  EXPECT_EQ(message_of<InputError>([] { Solver<double>(of(0, copy), plain()); }), "the operator has no rows");
  const auto twice = [](auto in, auto out) { out[0] = 2 * in[0]; };
  for (const Method& method : {plain(), weighted(0.5), cg(), bicgstab(), anderson(), chebyshev({1, 1})}) {
    std::vector<double> x(1);
    const Report r = Solver<double>(of(1, twice), method).solve(std::vector<double>{6}, x);
    EXPECT_TRUE(r.converged()) << method.name;
    EXPECT_NEAR(x[0], 3, 1e-7) << method.name;
  }
}

TEST(MatrixFreeRefusals, AZeroOnTheDiagonalStopsSweepsAndNotProducts) {
  const std::vector<Entry<double>> entries{{0, 0, 2}, {0, 1, 1}, {1, 0, 1}};  // (2 1; 1 0)
  const auto a = products_of(Csr<double>::from_entries(2, entries));
  EXPECT_TRUE(contains(message_of<ZeroDiagonal>([&] { Solver<double>(a, plain()); }), "entry (1, 1)"));
  std::vector<double> x;
  const Report r = solved<double>(a, bicgstab(), {3, 1}, x);
  EXPECT_TRUE(r.converged()) << notes_of(r);
  EXPECT_NEAR(x[1], 1, 1e-6);
  EXPECT_TRUE(contains(notes_of(r), "1 diagonal entry is zero")) << notes_of(r);
  const Diagnosis d = diagnose<double>(a, std::vector<double>{3, 1}, std::vector<double>(2));
  EXPECT_EQ(d.verdict, Verdict::unusable);
  EXPECT_EQ(d.zero_diagonal, std::vector<Index>{1});
  EXPECT_FALSE(contains(to_text(d), "no order of the rows")) << to_text(d);
  EXPECT_EQ(choose(d).plan.method.name, "bicgstab");
}

TEST(MatrixFreeRefusals, ConjugateGradientsRefuseWhatTwoProductsShowNotToBeSymmetric) {
  const auto text =
      message_of<InputError>([] { Solver<double>(products_of(test::skew_matrix(50, 0.3)), cg()); });
  EXPECT_TRUE(contains(text, "method cg is for symmetric operators: (u, A v) and (v, A u) differ by"))
      << text;
  EXPECT_NO_THROW(Solver<double>(products_of(test::symmetric_matrix(500, 1)), cg()));
  EXPECT_NO_THROW(Solver<float>(products_of(test::in_float(test::symmetric_matrix(500, 1))), cg()));
}

TEST(MatrixFreeRefusals, WhatTheProductThrowsComesThrough) {
  int left = 0;
  const auto failing = [&](auto in, auto out) {
    if (left-- == 0) throw std::out_of_range("the caller's own");
    Line{in.size(), {}, 3}.apply(in, out);
  };
  for (const Method& method : {plain(), cg(), bicgstab(), anderson()})
    for (const int good : {0, 3, 7}) {
      left = 1000;
      Solver<double> solver(of(2000, failing, std::vector<double>(2000, 3.0)), method, backend("threads:2"));
      std::vector<double> x(2000);
      left = good;
      EXPECT_THROW(solver.solve(std::vector<double>(2000, 1.0), x, {.relative = 1e-14}), std::out_of_range)
          << method.name << ", " << good;
      left = 1000;  // the same solver goes on
      EXPECT_TRUE(solver.solve(std::vector<double>(2000, 1.0), x).converged()) << method.name;
    }
  left = 0;
  const std::vector<double> b(5, 1.0), zero(5);
  EXPECT_THROW(diagnose<double>(of(5, failing), b, zero), std::out_of_range);
  left = 4;
  EXPECT_THROW(solve(of(5, failing, std::vector<double>(5, 3.0)), b), std::out_of_range);
}

TEST(MatrixFreeRefusals, AProductOfNaNIsNotFiniteInWords) {
  const auto broken = [](auto in, auto out) {
    copy(in, out);
    out[1] = nan;
  };
  for (const Method& method : {plain(), cg(), bicgstab(), anderson()}) {
    std::vector<double> x(3);
    const Report r = Solver<double>(of(3, broken, {1, 1, 1}), method).solve(std::vector<double>(3, 1.0), x);
    EXPECT_EQ(r.status, Status::not_finite) << method.name;
    EXPECT_TRUE(contains(notes_of(r), "the operator's product is not finite: entry 1 of A x is nan"))
        << notes_of(r);
    EXPECT_EQ(x, std::vector<double>(3));
  }
  EXPECT_EQ(message_of<InputError>([&] { Solver<double>(of(3, broken), plain()); }),
            "entry 1 of the diagonal, asked for by a product, is nan: every entry must be finite");
  const Diagnosis d =
      diagnose<double>(of(3, broken, {1, 1, 1}), std::vector<double>(3, 1.0), std::vector<double>(3, 1.0));
  EXPECT_TRUE(contains(to_text(d), "the residual of the start is not finite")) << to_text(d);
}

/// NaN from some product on: what is given away as a solution is one.
TEST(MatrixFreeRefusals, ALateNaNNeverEndsAsConvergedFalsely) {
  const Csr<double> line = to_csr(tridiagonal<double>(8, -1, 2, -1));
  for (const Method& method : {plain(), weighted(0.5), cg(), bicgstab(), anderson()})
    for (int good = 1; good < 12; ++good) {
      int left = good;
      const auto broken = [&](auto in, auto out) {
        Line{8}.apply(in, out);
        if (--left < 0) out[0] = nan;
      };
      MatrixFree<double> a = of(8, broken, std::vector<double>(8, 2.0));
      left = 100;
      Solver<double> solver(a, method, backend("serial"));
      left = good;
      std::vector<double> x(8);
      const Report r = solver.solve(std::vector<double>(8, 1.0), x, {.relative = 1e-13, .max_sweeps = 1000});
      for (const double value : x) EXPECT_TRUE(std::isfinite(value)) << method.name << ", " << good;
      if (!r.converged()) continue;  // some end before
      EXPECT_LE(products_of(line).residual_norms(std::vector<double>(8, 1.0), x).l2, r.tolerance) << good;
    }
}

TEST(MatrixFreeRefusals, ASolveThatIsAskedToEndEnds) {
  const auto source = std::make_unique<std::stop_source>();
  const auto asking = [&](auto in, auto out) {
    Line{50}.apply(in, out);
    source->request_stop();
  };
  std::vector<double> x(50);
  Stop stop;
  stop.cancel = source->get_token();
  Solver<double> solver(of(50, asking, std::vector<double>(50, 2.0)), plain());
  EXPECT_EQ(solver.solve(std::vector<double>(50, 1.0), x, stop).status, Status::interrupted);
  DiagnoseOptions options;
  options.stop.cancel = source->get_token();
  EXPECT_THROW(diagnose<double>(of(50, asking), std::vector<double>(50, 1.0), x, options), Interrupted);
}

TEST(MatrixFreeRefusals, OneValueAndUnitsOfRowsCannotHideInATolerance) {
  const Csr<double> a = test::symmetric_matrix(200, 8);
  const std::vector<double> b(200, 1.0);
  std::vector<double> x;
  const Report r = solved<double>(products_of(a), cg(), b, x, {.relative = 1e-18, .max_sweeps = 2000});
  EXPECT_FALSE(r.converged());  // below what rounding of the products leaves
}

TEST(MatrixFreeDiagnosis, ProvesNothingAndSaysSo) {
  const std::vector<double> b(100, 1.0), zero(100);
  const Diagnosis d = diagnose<double>(MatrixFree<double>{Line{100}}, b, zero);
  EXPECT_TRUE(d.matrix_free);
  EXPECT_TRUE(d.symmetric);
  EXPECT_TRUE(d.proofs.empty());
  EXPECT_FALSE(d.bound || d.positive_definite || d.m_matrix || d.singular);
  EXPECT_EQ(d.radius_lower, 0);
  EXPECT_TRUE(std::isinf(d.radius_upper));
  EXPECT_NE(d.verdict, Verdict::converges);
  ASSERT_TRUE(d.eigenvalues && d.spectral_radius);
  const double least = 1 - std::cos(std::acos(-1.0) / 101);
  EXPECT_GE(d.eigenvalues->low, least - 1e-12);
  EXPECT_LE(d.eigenvalues->high, 2 - least + 1e-12);
  EXPECT_FALSE(proved_to_converge(d, plain()));
  const std::string text = to_text(d);
  EXPECT_TRUE(contains(text, "unproved: only products are known")) << text;
  EXPECT_TRUE(contains(to_json(d), "\"matrix_free\": true"));
}

/// As many products as a small system has rows find all of its eigenvalues.
TEST(MatrixFreeDiagnosis, EstimatesThoseEigenvaluesThatRowsHave) {
  const std::vector<double> b{1, 2, 3, 4, 5}, zero(5);
  const Diagnosis d = diagnose<double>(MatrixFree<double>{Line{5}}, b, zero);
  const double least = 1 - std::cos(std::acos(-1.0) / 6);
  EXPECT_NEAR(d.eigenvalues->low, least, 1e-10);
  EXPECT_NEAR(d.eigenvalues->high, 2 - least, 1e-10);
  EXPECT_EQ(d.verdict, Verdict::estimated_to_converge);
  ASSERT_TRUE(d.predicted_sweeps);
  std::vector<double> x;
  const Report r = solved<double>(MatrixFree<double>{Line{5}}, plain(), b, x, {.check_every = 1});
  EXPECT_NEAR(*d.predicted_sweeps, static_cast<double>(r.sweeps), 2);
}

TEST(MatrixFreeDiagnosis, EstimatesWithoutSymmetry) {
  const std::vector<double> b(40, 1.0), zero(40);
  const Diagnosis slow = diagnose<double>(products_of(test::skew_matrix(40, 0.45)), b, zero);
  EXPECT_FALSE(slow.symmetric);
  EXPECT_FALSE(slow.eigenvalues);
  EXPECT_EQ(slow.verdict, Verdict::estimated_to_converge);
  const Diagnosis wild = diagnose<double>(products_of(test::skew_matrix(40, 2)), b, zero);
  EXPECT_EQ(wild.verdict, Verdict::estimated_to_diverge);
  EXPECT_FALSE(contains(wild.advice, "l1")) << wild.advice;
}

TEST(MatrixFreeDiagnosis, NamesBoundsAsTheCallersAndSaysWhereTheyAreWrong) {
  const std::vector<double> b(200, 1.0), zero(200);
  const auto told = [&](Range claimed) {
    return to_text(diagnose<double>(MatrixFree<double>{Line{200, claimed}}, b, zero));
  };
  const std::string right = told({1e-4, 2});
  EXPECT_TRUE(contains(right, "claimed by the caller: eigenvalues of D^-1 A from 0.0001 to 2")) << right;
  EXPECT_FALSE(contains(right, "are wrong")) << right;
  EXPECT_TRUE(
      contains(told({1e-4, 1.5}), "the bounds given are wrong: products show an eigenvalue of D^-1 A"));
  EXPECT_TRUE(contains(told({0.5, 2}), "the bounds given are wrong"));
  const Diagnosis d = diagnose<double>(MatrixFree<double>{Line{200, Range{1e-4, 2}}}, b, zero);
  EXPECT_EQ(safe_spectrum(d).low, 1e-4);
  EXPECT_EQ(safe_spectrum(d).high, 2);
}

/// Bounds that leave out the largest eigenvalue: the sweeps diverge, and no norm is said to be met.
TEST(MatrixFreeDiagnosis, WrongBoundsMakeChebyshevDivergeAndNotConvergeFalsely) {
  const MatrixFree<double> a{Line{100, Range{1e-3, 1.2}}};
  std::vector<double> x;
  const Report r = solved<double>(a, chebyshev(*a.bounds()), std::vector<double>(100, 1.0), x);
  EXPECT_EQ(r.status, Status::diverged);
  const MatrixFree<double> slow{Line{100, Range{0.01, 2}}};  // beyond the least eigenvalue, 4.8e-4
  const Report late = solved<double>(slow, chebyshev(*slow.bounds()), std::vector<double>(100, 1.0), x);
  EXPECT_TRUE(late.converged());
}

TEST(MatrixFreeDiagnosis, WithoutADiagonalSaysWhatGoesWithout) {
  const std::vector<double> b(1200, 1.0), zero(1200);
  const Diagnosis d =
      diagnose<double>(without_diagonal(test::symmetric_matrix(1200, 3)), b, zero, DiagnoseOptions());
  EXPECT_EQ(d.verdict, Verdict::undecided);
  EXPECT_EQ(d.method, Advised::none);
  EXPECT_TRUE(contains(d.advice, "cg goes without")) << d.advice;
  EXPECT_LE(d.products, 3);
  EXPECT_EQ(choose(d).plan.method.name, "cg");
  const Diagnosis small = diagnose<double>(without_diagonal(test::symmetric_matrix(60, 3)),
                                           std::vector<double>(60, 1.0), std::vector<double>(60));
  EXPECT_TRUE(small.spectral_radius);
  EXPECT_GT(small.products, 60);
}

TEST(MatrixFreeDiagnosis, FloatIsDiagnosedAsDoubleIs) {
  const Csr<double> a = test::symmetric_matrix(80, 6);
  const Diagnosis in_double =
      diagnose<double>(products_of(a), std::vector<double>(80, 1.0), std::vector<double>(80));
  const Diagnosis in_float =
      diagnose<float>(products_of(test::in_float(a)), std::vector<float>(80, 1.0F), std::vector<float>(80));
  EXPECT_NEAR(*in_float.spectral_radius, *in_double.spectral_radius, 1e-3);
  EXPECT_EQ(in_float.symmetric, in_double.symmetric);
}

}  // namespace
}  // namespace jacobi
