/// Matrices packed as the passes of rung paired read them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "random.hpp"
#include "sweep/dense/triangles.hpp"
#include "sweep/dense/workspace.hpp"

namespace jacobi::sweep {
namespace {

/// Calls visit(i, j, place) for every entry of a pass down or up, and returns the places there are.
template <class Visit>
Index each_place(Index n, bool down, Visit&& visit) {
  Index at = 0;
  each_block(down, 0, n, [&](const Block& block) {
    const Packed packed(block);
    for (Index i = block.first; i < block.last; ++i)
      for (Index j = block.from; j < block.to; ++j)
        visit(i, j, at + packed.place(i - block.first, j - block.from));
    at += packed.size;
  });
  return at;
}

TEST(DensePacked, EitherPassMeetsItsTriangleAndBothMeetTheDiagonalsBlocks) {
  for (const Index n : {1, 3, 64, 128, 129, 300, 515}) {
    std::map<std::pair<Index, Index>, int> met;
    for (const bool down : {true, false}) {
      std::vector<char> taken(static_cast<std::size_t>(packed_entries(n, down)));
      const Index all = each_place(n, down, [&](Index i, Index j, Index place) {
        ASSERT_TRUE(place >= 0 && place < packed_entries(n, down) && !taken[place]++) << n;
        const Index row = i / paired_block, column = j / paired_block;
        EXPECT_TRUE(down ? column <= row : column >= row);
        met[{i, j}] += row == column ? 1 : 2;
      });
      EXPECT_EQ(all, packed_entries(n, down));
    }
    EXPECT_EQ(met.size(), static_cast<std::size_t>(n * n));
    for (const auto& [entry, times] : met) EXPECT_EQ(times, 2) << entry.first << ", " << entry.second;
  }
}

/// A pass ends a sweep in a block before another one asks for what it has become.
TEST(DensePacked, BlocksComeWhenTheirUnknownsAreKnown) {
  for (const Index n : {100, 129, 700, 1025})
    for (const bool down : {true, false}) {
      std::vector<char> known(static_cast<std::size_t>(n));
      each_block(down, 0, n, [&](const Block& block) {
        for (Index j = block.from; j < block.to; ++j) EXPECT_EQ(known[j], !block.on_diagonal());
        for (Index i = block.first; i < block.last; ++i) EXPECT_FALSE(known[i]);
        if (block.on_diagonal()) std::fill_n(known.begin() + block.first, block.last - block.first, 1);
      });
      EXPECT_EQ(std::count(known.begin(), known.end(), 1), n);
    }
}

/// A workspace with its memory.
struct Paired {
  Paired(const std::vector<float>& a, Index n, int threads, Index up)
      : pieces((n + dense_piece - 1) / dense_piece),
        vectors(11, std::vector<float>(static_cast<std::size_t>(pieces * dense_piece))),
        partials(static_cast<std::size_t>(pieces)) {
    float** const all[] = {&w.r,      &w.u,      &w.v,        &w.half,    &w.rest,
                           &w.now[0], &w.now[1], &w.ahead[0], &w.ahead[1]};
    for (std::size_t k = 0; k < std::size(all); ++k) *all[k] = vectors[k + 2].data();
    w.b = vectors[0].data();
    w.scale = vectors[1].data();
    w.a = a.data();
    w.rows = w.leading = n;
    w.up = up;
    w.pieces = pieces;
    w.partials = partials.data();
    w.threads = threads;
    w.ways = ways;
  }
  Index pieces;
  std::vector<std::vector<float>> vectors;
  std::vector<Partial> partials;
  std::vector<DenseWay> ways = ways_through_triangles();
  DenseWorkspace<float> w;
};

/// The matrix packed, as a pass down reads it, then as a pass up does.
std::vector<float> packed_of(const std::vector<float>& values, Index n) {
  const Index up = packed_entries(n, true);
  std::vector<float> packed(static_cast<std::size_t>(up + packed_entries(n, false)));
  for (const bool down : {true, false})
    each_place(n, down,
               [&](Index i, Index j, Index place) { packed[(down ? 0 : up) + place] = values[i * n + j]; });
  return packed;
}

/// Both rungs add in the same order where rows are whole vectors.
TEST(DensePacked, SweepsAsUnpackedBitForBit) {
  for (const Index n : {16, 128, 336, 640})
    for (const int threads : {1, 2, 3}) {
      auto values = test::random_values<float>(n * n, -1, 1, 3);
      for (Index i = 0; i < n; ++i) values[i * n + i] = static_cast<float>(n);
      const auto b = test::random_values<float>(n, -1, 1, 4), x = test::random_values<float>(n, -1, 1, 5);
      const std::vector<float> packed = packed_of(values, n);
      Paired given(values, n, threads, 0), stored(packed, n, threads, packed_entries(n, true));
      for (Paired* bound : {&given, &stored}) {
        std::ranges::copy(b, bound->vectors[0].begin());
        std::ranges::copy(x, bound->w.u);
        std::fill_n(bound->vectors[1].begin(), n, 1 / static_cast<float>(n));
      }
      const DenseRung<float> plain = dense_rung_functions<float>(8),
                             of_packed = narrow_rung_functions<float>(8);
      for (const int sweeps : {1, 4, 2}) {
        const std::vector<Step> steps(static_cast<std::size_t>(sweeps), Step{0.9, 1});
        const Norms expected = plain.advance(given.w, steps, Want::update);
        EXPECT_EQ(of_packed.advance(stored.w, steps, Want::update).l2, expected.l2);
        EXPECT_EQ(of_packed.norms(stored.w, Want::residual).max, plain.norms(given.w, Want::residual).max);
        EXPECT_TRUE(std::equal(given.w.u, given.w.u + n, stored.w.u)) << n << " on " << threads;
      }
    }
}

/// Rows that fill no panel: an iterate beyond all bounds leaves nothing behind the last one.
TEST(DensePacked, NothingIsLeftBehindTheLastRow) {
  constexpr Index n = 198;
  auto values = test::random_values<float>(n * n, -1, 1, 3);
  for (Index i = 0; i < n; ++i) values[i * n + i] = static_cast<float>(n);
  const auto b = test::random_values<float>(n, -1, 1, 4);
  const std::vector<float> packed = packed_of(values, n);
  const auto run = narrow_rung_functions<float>(8);
  const auto load = [&](Paired& bound, float x) {
    std::ranges::copy(b, bound.vectors[0].begin());
    std::fill_n(bound.vectors[1].begin(), n, 1 / static_cast<float>(n));
    std::fill_n(bound.w.u, n, x);
    bound.w.begun = false;
  };
  const std::vector<Step> steps(3);
  Paired used(packed, n, 1, packed_entries(n, true)), fresh(packed, n, 1, packed_entries(n, true));
  load(used, std::numeric_limits<float>::infinity());
  run.advance(used.w, steps, Want::update);
  EXPECT_FALSE(std::isfinite(used.w.u[0]));
  for (Paired* bound : {&used, &fresh}) load(*bound, 1);
  const Norms expected = run.advance(fresh.w, steps, Want::update);
  EXPECT_TRUE(std::isfinite(expected.l2));
  EXPECT_EQ(run.advance(used.w, steps, Want::update).l2, expected.l2);
  EXPECT_TRUE(std::equal(used.w.u, used.w.u + n, fresh.w.u));
}

}  // namespace
}  // namespace jacobi::sweep
