/// Grids wide enough for lines in strips: whatever the size, the boundary, b, the threads and the calls that
/// follow each other, the tiled rung gives the bits of rung 1, and so the iterate before.
#include <gtest/gtest.h>

#include "core/executed.hpp"
#include "jacobi/simd.hpp"
#include "property/calls.hpp"
#include "share.hpp"

namespace jacobi::test {
namespace {

template <class T>
void expect_strips_equal_textbook(unsigned seed) {
  constexpr Index longest = 8192 / static_cast<Index>(sizeof(T)), least = 31;
  const Index lanes = (simd::chosen() == "avx2" ? 32 : 64) / static_cast<Index>(sizeof(T));
  Random draw(seed);
  const bool in_segments = draw.integer(0, 3) == 0;
  const int threads =
      static_cast<int>(std::array<Index, 4>{1, 2, 3, 5}[static_cast<std::size_t>(draw.integer(0, 3))]);
  const Index follow = 128 * threads;  // lines, from which threads follow each other through them
  const std::array<Index, 2> n = {
      in_segments ? draw.integer(longest * 4 / 3, longest * 5 / 2)
                  : draw.integer((least - 2) * lanes, (least + 30) * longest / 128),
      in_segments ? draw.integer(64, 90)
                  : draw.integer(threads == 1 ? 60 : follow - 8, threads == 1 ? 400 : follow + 60)};
  const Grid<T, 2> grid = make_case_grid<T, 2>(n, 0);
  std::array<T, 4> off;
  off.fill(T(-1));
  const Operator<T> a =
      Stencil<T, 2>::constant(grid, T(4) + T(0.125) * static_cast<T>(draw.integer(0, 1)), off);
  const auto rows = static_cast<std::size_t>(grid.rows());
  auto b = random_values<T>(grid.rows(), -1, 1, seed), x = random_values<T>(grid.rows(), -1, 1, seed + 1);
  if (draw.integer(0, 1) == 0) {  // a front, beyond which what comes from far off shows in every bit
    const std::size_t width = static_cast<std::size_t>(n[0]),
                      at = static_cast<std::size_t>(draw.integer(0, n[0]));
    for (std::size_t i = 0; i < rows; ++i) b[i] = 0, x[i] = i % width < at ? T(0) : T(1);
  }
  SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(n[0]) + " x " + std::to_string(n[1]) +
               " on " + std::to_string(threads) + " threads");
  Pair<T> p{backend("serial")->bind(a, {plain(), "no-copy"}),
            backend("threads:" + std::to_string(threads))->bind(a, {plain(), "tiled"})};
  p.both([&](Sweeper<T>& s) { s.load(b, x); });
  p.both([&](Sweeper<T>& s) { s.advance(std::vector<Step>(8), Want::nothing); });
  const Index cuts = (n[0] + longest * threads - 1) / (longest * threads) * threads;  // if in segments
  if (in_segments ? n[0] >= cuts * 52 * lanes
                  : n[0] >= least * lanes && n[1] >= (threads == 1 ? 64 : follow)) {
    EXPECT_EQ(p.tiled->executed().blocking.find("strips") != std::string::npos,
              simd::chosen() == "avx512" || simd::chosen() == "avx2");
  }
  expect_same_after_calls(p, draw, rows);
}

template <class T>
void expect_strips_equal_textbook_often() {
  for (unsigned seed = 1; seed <= 40 / JACOBI_TEST_SHARE && !testing::Test::HasFailure(); ++seed)
    expect_strips_equal_textbook<T>(seed);
}

TEST(TiledLifted, UpdateNormsDoNotTellWhetherLinesLayInStrips) {  // eight threads are too many for 500 lines
  const auto a = poisson<double, 2>({500, 500});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  std::vector<Norms> norms;
  for (const int threads : {1, 2, 8}) {
    const auto sweeper = backend("threads:" + std::to_string(threads))->bind(a, {plain(), "tiled"});
    sweeper->load(b, x);
    norms.push_back(sweeper->advance(std::vector<Step>(20), Want::update));
    norms.push_back(sweeper->norms(Want::update));
    sweeper->save();
    norms.push_back(sweeper->norms(Want::update));
  }
  for (const Norms& n : norms) {
    EXPECT_EQ(n.l2, norms[0].l2);
    EXPECT_EQ(n.max, norms[0].max);
  }
}

TEST(TiledLifted, EqualsRungOneDouble) { expect_strips_equal_textbook_often<double>(); }
TEST(TiledLifted, EqualsRungOneFloat) { expect_strips_equal_textbook_often<float>(); }

}  // namespace
}  // namespace jacobi::test
