/// Forecasts: the numbers of a dry run, against closed forms and against the solve itself.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "jacobi/jacobi.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi::forecast_test {
namespace {

using io_test::contains;
using nlohmann::json;
using std::numbers::pi;

constexpr Index n = 30;

/// f = sin(pi x) sin(pi y), the slowest mode.
std::vector<double> slowest(const Stencil<double, 2>& a) {
  std::vector<double> b(a.rows());
  for (Index p = 0; p < a.rows(); ++p)
    b[p] = std::sin(pi * a.grid().coordinate(0, p % n)) * std::sin(pi * a.grid().coordinate(1, p / n));
  return b;
}

TEST(Forecast, OfAGridIsThePredictionWithWhatItCosts) {
  const auto a = poisson<double, 2>({n, n});
  const std::vector<double> b = slowest(a), x(a.rows());
  const Stop stop{.relative = 1e-5, .norm = Norm::residual, .check_every = 1};
  const auto on = backend("serial");
  const Forecast f = forecast<double, 2>(a, Choice{Plan(plain(), "fused")}, b, x, stop, *on);
  const double radius = std::cos(pi / (n + 1));
  EXPECT_NEAR(f.prediction.spectral_radius, radius, 1e-12);
  EXPECT_NEAR(f.prediction.sweeps.value(), std::ceil(std::log(1e-5) / std::log(radius)), 1);
  std::vector<double> found(a.rows());
  Solver<double> solver(a, Plan(plain(), "fused"), on);
  const Report r = solver.solve(b, found, stop);
  EXPECT_NEAR(f.prediction.sweeps.value(), static_cast<double>(r.sweeps), 2);
  EXPECT_EQ(f.rung, r.rung);
  EXPECT_EQ(f.algorithm, r.algorithm);
  EXPECT_EQ(f.threads, 1);
  EXPECT_EQ(f.unknowns, n * n);
  EXPECT_NEAR(f.bytes_per_sweep, n * n * solver.sweeper().bytes_per_update(), 1e-9);
  EXPECT_GT(f.memory, 3.0 * n * n * sizeof(double));
  EXPECT_GT(f.seconds_per_sweep, 0);
  EXPECT_LT(f.seconds_per_sweep, 1e-2);
  EXPECT_FALSE(f.one_mode);
  EXPECT_TRUE(f.notes.empty());
}

/// u = f / (lambda D) with D = 4 / h^2 and the slowest eigenvalue of D^-1 A, 1 - cos(pi h): rounding leaves
/// epsilon / 4 of D u + f.
TEST(Forecast, KnowsTheRoundingOfTheSlowestMode) {
  const auto a = poisson<double, 2>({n, n});
  const std::vector<double> b = slowest(a), x(a.rows());
  const auto on = backend("serial");
  const Forecast f = forecast<double, 2>(a, Choice{plain()}, b, x, {.norm = Norm::residual}, *on);
  const double size = (n + 1) / 2.0, eigenvalue = 1 - std::cos(pi / (n + 1));
  EXPECT_NEAR(f.rounding_floor, 0x1p-54 * size * (1 / eigenvalue + 1), 1e-9 * f.rounding_floor);
  const Forecast beyond =
      forecast<double, 2>(a, Choice{plain()}, b, x, {.relative = 1e-17, .norm = Norm::residual}, *on);
  ASSERT_EQ(beyond.notes.size(), 1u);
  EXPECT_EQ(beyond.notes[0].kind, Note::Kind::rounding);
  EXPECT_NEAR(beyond.notes[0].numbers.at(1), f.rounding_floor, 1e-9 * f.rounding_floor);
}

TEST(Forecast, SaysWhichLimitComesFirst) {
  const auto a = poisson<double, 2>({n, n});
  const std::vector<double> b = slowest(a), x(a.rows());
  const auto on = backend("serial");
  const Forecast f = forecast<double, 2>(a, Choice{plain()}, b, x, {.max_sweeps = 10, .max_seconds = 0}, *on);
  ASSERT_EQ(f.notes.size(), 2u);
  for (const Note& note : f.notes) EXPECT_EQ(note.kind, Note::Kind::limit_first);
  EXPECT_PRED2(contains, f.notes[0].text, "the limit of 10 sweeps comes first");
}

TEST(Forecast, OfAMatrixIsThatOfItsDiagnosis) {
  const Csr<double> a = to_csr(tridiagonal<double>(n, -1, 2, -1));
  const std::vector<double> b(n, 1.0), x(n);
  const Diagnosis d = diagnose<double>(a, b, x);
  const auto on = backend("serial");
  const Forecast f = forecast<double>(a, d, Choice{weighted(0.8)}, b, x, {}, on);
  EXPECT_NEAR(f.prediction.spectral_radius, 1 - 0.8 * (1 - std::cos(pi / (n + 1))), 1e-9);
  EXPECT_EQ(f.prediction.sweeps, predicted_sweeps(d, Choice{weighted(0.8)}));
  EXPECT_EQ(f.unknowns, n);
  EXPECT_GT(f.memory, 0);
  const Forecast several = forecast<double>(a, d, choose(d, {}, 3), b, x, {}, on, 3);
  ASSERT_EQ(several.notes.size(), 2u);
  EXPECT_EQ(several.notes[0].kind, Note::Kind::choice);
  EXPECT_EQ(several.notes[1].kind, Note::Kind::first_column);
}

TEST(PredictedSweeps, AreThoseOfTheSlowestModeForOneWeight) {
  Diagnosis d;
  d.eigenvalues = Range{0.1, 1.5};
  d.norm_initial = 1;
  d.tolerance = 1e-6;
  d.predicted_sweeps = 77;
  d.method = Advised::weighted;
  d.method_sweeps = 55;
  d.l1_radius = 0.95;
  EXPECT_NEAR(predicted_radius(d, weighted(0.5)).value(), 0.95, 1e-15);
  EXPECT_NEAR(predicted_radius(d, weighted(1.5)).value(), 1.25, 1e-15);
  EXPECT_EQ(predicted_radius(d, l1()), 0.95);
  EXPECT_FALSE(predicted_radius(d, chebyshev({0.1, 1.5})));
  EXPECT_EQ(predicted_sweeps(d, {plain()}), 77);
  EXPECT_EQ(predicted_sweeps(d, {weighted(0.5)}), std::ceil(std::log(1e-6) / std::log(0.95)));
  EXPECT_EQ(predicted_sweeps(d, {weighted(0.5)}, Norm::update),
            std::ceil(std::log(1e-6 / 0.5) / std::log(0.95)));
  EXPECT_EQ(predicted_sweeps(d, {weighted(0.5), "as advised"}), 55);
  EXPECT_FALSE(predicted_sweeps(d, {weighted(1.5)})) << "diverges";
  EXPECT_FALSE(predicted_sweeps(d, {cg()})) << "not known to be symmetric";
}

TEST(PredictedSweeps, OfProductsAreABoundOrAGuess) {
  Diagnosis d;
  d.symmetric = true;
  d.eigenvalues = Range{0.01, 1};
  d.norm_initial = 1;
  d.tolerance = 1e-6;
  d.products_sweeps = 88;
  EXPECT_EQ(predicted_sweeps(d, {cg()}), std::ceil(std::log(0.5e-6) / std::log(9.0 / 11)));
  EXPECT_EQ(predicted_sweeps(d, {bicgstab()}), 88);
  EXPECT_FALSE(predicted_sweeps(d, {anderson()}));
  d.eigenvalues->low = -0.01;
  EXPECT_FALSE(predicted_sweeps(d, {cg()})) << "not definite";
}

TEST(ForecastWords, HaveTheKeysOfADryRun) {
  const auto a = poisson<double, 2>({n, n});
  const std::vector<double> b = slowest(a), x(a.rows());
  const Forecast of_grid = forecast<double, 2>(a, Choice{plain()}, b, x, {}, *backend("serial"));
  const json grid = json::parse(to_json(of_grid));
  for (const char* key :
       {"schema", "dry_run", "unknowns", "memory_bytes", "rung", "algorithm", "bytes_per_sweep",
        "spectral_radius", "spectral_radius_exact", "tolerance", "rounding_floor", "predicted_sweeps",
        "seconds_per_sweep", "predicted_seconds", "notes"})
    EXPECT_TRUE(grid.contains(key)) << key;
  EXPECT_EQ(grid.size(), 15u);
  EXPECT_EQ(grid["predicted_sweeps"], *of_grid.prediction.sweeps);
  EXPECT_PRED2(contains, to_text(of_grid),
               "  spectral radius of the plain iteration: 1 - 5.1307e-03 (closed form)");
  EXPECT_PRED2(contains, to_text(of_grid), "the slowest mode (the usual worst case)");

  const Csr<double> matrix = to_csr(tridiagonal<double>(n, -1, 2, -1));
  const std::vector<double> ones(n, 1.0), zeros(n);
  const Diagnosis d = diagnose<double>(matrix, ones, zeros);
  const Forecast of_matrix = forecast<double>(matrix, d, Choice{cg()}, ones, zeros, {}, backend("serial"));
  const json one = json::parse(to_json(of_matrix)), alone = json::parse(to_json(d));
  for (const auto& [key, value] : alone.items()) EXPECT_TRUE(one.contains(key)) << key;
  for (const char* key : {"method_taken", "dry_run", "memory_bytes", "bytes_per_sweep", "rung", "notes"})
    EXPECT_TRUE(one.contains(key) && !alone.contains(key)) << key;
  EXPECT_EQ(one["method_taken"], "cg");
  std::vector<double> solved(n);
  EXPECT_GE(one["predicted_sweeps"].get<double>(),
            static_cast<double>(Solver<double>(matrix, cg()).solve(ones, solved).sweeps));
  EXPECT_PRED2(contains, to_text(of_matrix), "  method cg as asked for: about ");
  EXPECT_PRED2(contains, to_text(of_matrix), " sweeps at most, by Chebyshev's bound, ");
  const Forecast unknown =
      forecast<double>(matrix, d, Choice{anderson()}, ones, zeros, {}, backend("serial"));
  EXPECT_TRUE(json::parse(to_json(unknown))["predicted_sweeps"].is_null());
  EXPECT_PRED2(contains, to_text(unknown), "  method anderson as asked for: its sweeps are not predicted\n");
  EXPECT_PRED2(contains, to_text(of_matrix), to_text(d));
}

}  // namespace
}  // namespace jacobi::forecast_test
