/// A right-hand side that is one number is neither uploaded nor read; the bits are those of rung 0, also
/// after another one was loaded in between.
#include "cuda/on_device.hpp"
#include "device/cases.hpp"

namespace jacobi::test {
namespace {

using CudaOneG = OnDevice;

/// Of every right-hand side in turn, by sweeps of kind 0 (plain), 1 and 2 (three-term).
template <class T, int D>
int differences_in_turn(const Stencil<T, D>& a, Sweeper<T>& sweeper, int kinds, int sweeps = 9) {
  const auto general = random_values<T>(a.rows(), -1, 1, 7), x = random_values<T>(a.rows(), -1, 1, 8);
  const std::vector<T> one(general.size(), T(0.3)), other(general.size(), T(-7)), zero(general.size());
  auto all_but_last = one;
  all_but_last.back() = T(0.5);
  const auto right = rung_0(a);
  int different = 0;
  for (const auto& b : {general, one, general, one, other, all_but_last, zero})
    for (int kind = 0; kind < kinds; ++kind)
      if (!same_bits(swept(*right, b, x, kind, sweeps), swept(sweeper, b, x, kind, sweeps))) ++different;
  return different;
}

template <class T, int D>
void expect_bits_of_rung_0(const std::array<Index, D>& n, std::initializer_list<const char*> rungs,
                           int kinds_of_coefficients = 2, int sweeps = 9) {
  for (const char* rung : rungs)
    for (int coefficients = 0; coefficients < kinds_of_coefficients; ++coefficients) {
      const auto a = case_operator<T, D>(n, coefficients);
      const auto sweeper = on_device(a, {plain(), rung});
      EXPECT_EQ(differences_in_turn(a, *sweeper, 2, sweeps), 0) << rung << " " << coefficients;
      EXPECT_EQ(sweeper->executed().rung, rung);
    }
}

TEST_F(CudaOneG, HasTheBitsOfRung0In1D) { expect_bits_of_rung_0<double, 1>({300}, {"classic", "on-chip"}); }
TEST_F(CudaOneG, HasTheBitsOfRung0In2D) {
  expect_bits_of_rung_0<double, 2>({33, 18}, {"classic", "graph"}, 3, 66);
  expect_bits_of_rung_0<double, 2>({130, 97}, {"tiled"});
  expect_bits_of_rung_0<float, 2>({130, 97}, {"tiled"}, 1);
}
TEST_F(CudaOneG, HasTheBitsOfRung0OnChip) {
  if (!has_multiprocessors(4)) GTEST_SKIP() << "fewer than 4 multiprocessors";
  expect_bits_of_rung_0<double, 2>({130, 97}, {"on-chip"});
}
TEST_F(CudaOneG, HasTheBitsOfRung0In3D) {
  expect_bits_of_rung_0<double, 3>({61, 28, 7}, {"classic", "tiled"});
  expect_bits_of_rung_0<float, 3>({61, 28, 7}, {"tiled"}, 1);
}
TEST_F(CudaOneG, HasTheBitsOfRung0InABatch) {
  const auto a = case_operator<double, 2>({7, 300}, 3);
  EXPECT_EQ(differences_in_turn(a, *on_device(a, {plain(), "on-chip"}), 2), 0);
}
TEST_F(CudaOneG, ThreeTermStepsHaveTheBitsOfRung0) {
  const Method method = chebyshev({0.1, 1.9});
  const auto plane = case_operator<double, 2>({130, 97}, 0);
  EXPECT_EQ(differences_in_turn(plane, *on_device(plane, {method, "tiled"}), 3), 0);
  const auto space = case_operator<double, 3>({61, 28, 7}, 0);
  EXPECT_EQ(differences_in_turn(space, *on_device(space, {method, "tiled"}), 3), 0);
}

/// With sides that add to b, or with coefficients that vary, g is not one number though b is.
TEST_F(CudaOneG, IsSeenThroughSidesAndCoefficients) {
  for (int coefficients = 0; coefficients < 4; ++coefficients)
    for (int sides = 0; sides < 4; ++sides) {
      const auto a = case_operator<double, 2>({33, 18}, coefficients, sides);
      EXPECT_EQ(differences_in_turn(a, *on_device(a), 3), 0) << coefficients << " " << sides;
    }
}

/// Ghosts that copy, and no flux: g is one number.
TEST_F(CudaOneG, HasTheBitsOfRung0WithPeriodicAndNeumannSides) {
  using enum BoundaryKind;
  const std::array<std::array<BoundaryKind, 2>, 2> cases[] = {{{{periodic, periodic}, {periodic, periodic}}},
                                                              {{{neumann, dirichlet}, {neumann, neumann}}},
                                                              {{{periodic, periodic}, {dirichlet, neumann}}}};
  for (const auto& kinds : cases) {
    Grid<double, 2> grid = unit_grid<double, 2>({33, 18});
    for (int d = 0; d < 2; ++d)
      for (int e = 0; e < 2; ++e) grid.sides[d][e].kind = kinds[d][e];
    const auto a = Stencil<double, 2>::constant(grid, 4.125, {-1, -1, -1, -1});
    for (const Blocking& block : {Blocking{}, Blocking{{2, 16}}}) {
      const auto sweeper = on_device(a, {plain(), "classic", block});
      EXPECT_EQ(differences_in_turn(a, *sweeper, 3), 0);
      EXPECT_EQ(sweeper->bytes_per_update(), 16) << "g is read";
    }
  }
}

TEST_F(CudaOneG, IsNotCountedAsRead) {
  const auto a = poisson<double, 2>({200, 200});
  const std::vector<double> one(a.rows(), 1.0), x = random_values<double>(a.rows(), -1, 1, 8);
  for (const char* rung : {"classic", "graph", "tiled"}) {
    const auto sweeper = on_device(a, {plain(), rung});
    sweeper->load(x, x);
    const double general = sweeper->bytes_per_update();
    sweeper->load(one, x);
    const double read = std::string(rung) == "tiled" ? 8 * (128.0 * 96) / (104 * 72) / 12 : 8;
    EXPECT_NEAR(general - sweeper->bytes_per_update(), read, 1e-12) << rung;
  }
}

TEST_F(CudaOneG, NormsAreThoseOfRung0) {
  const auto a = poisson<double, 2>({70, 35});
  const std::vector<double> b(a.rows(), 1.0), x = random_values<double>(a.rows(), -1, 1, 8);
  for (const Want want : {Want::update, Want::residual, Want::correction}) {
    const auto right = rung_0(a), sweeper = on_device(a);
    right->load(b, x);
    sweeper->load(b, x);
    const Norms expected = right->advance(make_steps(0, 3), want);
    const Norms found = sweeper->advance(make_steps(0, 3), want);
    EXPECT_EQ(found.max, expected.max);
    EXPECT_NEAR(found.l2, expected.l2, 1e-13 * expected.l2);
  }
}

}  // namespace
}  // namespace jacobi::test
