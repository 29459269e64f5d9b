/// Grids in 3D that are swept in one array: whatever the size, the boundary, the coefficients, b, the
/// weights, the threads and the calls that follow each other, the tiled rung gives the bits of rung 1, and so
/// the iterate before.
#include <gtest/gtest.h>

#include "core/executed.hpp"
#include "jacobi/simd.hpp"
#include "machine/caches.hpp"
#include "property/calls.hpp"
#include "share.hpp"

namespace jacobi::test {
namespace {

template <class T>
void expect_one_array_equals_two(unsigned seed) {
  Random draw(seed);
  const bool is_narrow = simd::chosen() == "avx2";  // boxes of 32 lines by 4 planes, else 16 by 6
  const Index lines = is_narrow ? (32 + 3) * (4 + 3) : (16 + 3) * (6 + 3);
  const Index long_enough = static_cast<Index>(machine::assumed_cache_bytes(2) / 4 /
                                               static_cast<double>(lines * 3 * Index{sizeof(T)})) +
                            1;
  const std::array<Index, 3> n = {long_enough + draw.integer(-1, 40), draw.integer(47, 80),
                                  draw.integer(47, 70)};
  const int threads =
      static_cast<int>(std::array<Index, 4>{1, 2, 3, 7}[static_cast<std::size_t>(draw.integer(0, 3))]);
  const Grid<T, 3> grid = make_case_grid<T, 3>(n, 0);
  std::array<T, 6> off;
  off.fill(T(-1));
  if (draw.integer(0, 2) == 0) off[2] = off[3] = T(-1.5);
  const Operator<T> a =
      Stencil<T, 3>::constant(grid, T(7) + T(0.125) * static_cast<T>(draw.integer(0, 1)), off);
  const auto rows = static_cast<std::size_t>(grid.rows());
  const auto b = random_values<T>(grid.rows(), -1, 1, seed),
             x = random_values<T>(grid.rows(), -1, 1, seed + 1);
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(n[0]) + " x " + std::to_string(n[1]) +
               " x " + std::to_string(n[2]) + " on " + std::to_string(threads) + " threads");
  Pair<T> p{backend("serial")->bind(a, {plain(), "no-copy"}),
            backend("threads:" + std::to_string(threads))->bind(a, {plain(), "tiled"})};
  p.both([&](Sweeper<T>& s) { s.load(b, x); });
  const bool suits =
      n[0] >= long_enough && n[1] >= 48 && n[2] >= 48 && (is_narrow || simd::chosen() == "avx512");
  EXPECT_EQ(p.tiled->executed().blocking.find("in one array") != std::string::npos, suits);
  std::vector<Step> weighted(static_cast<std::size_t>(draw.integer(8, 60)));
  for (Step& step : weighted) step.omega = 0.5 + 0.125 * static_cast<double>(draw.integer(0, 3));
  p.both([&](Sweeper<T>& s) { s.advance(weighted, Want::nothing); });
  expect_same(p, rows, "weighted steps");
  expect_same_after_calls(p, draw, rows);
}

template <class T>
void expect_one_array_equals_two_often() {
  for (unsigned seed = 1; seed <= 12 / JACOBI_TEST_SHARE + 1 && !testing::Test::HasFailure(); ++seed)
    expect_one_array_equals_two<T>(seed);
}

TEST(TiledInPlace, EqualsRungOneDouble) { expect_one_array_equals_two_often<double>(); }
TEST(TiledInPlace, EqualsRungOneFloat) { expect_one_array_equals_two_often<float>(); }

}  // namespace
}  // namespace jacobi::test
