/// Matrices packed as the passes of rung paired read them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "random.hpp"
#include "sweep/dense/paired/paired.hpp"

namespace jacobi::sweep {
namespace {

/// Calls visit(i, j, place) for every entry of a pass down or up, and returns the places there are.
template <class Visit>
Index each_place(Index n, bool down, Visit&& visit) {
  Index at = 0;
  each_block(down, 0, n, [&](const MatrixBlock& block) {
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
      each_block(down, 0, n, [&](const MatrixBlock& block) {
        for (Index j = block.from; j < block.to; ++j) EXPECT_EQ(known[j], !block.on_diagonal());
        for (Index i = block.first; i < block.last; ++i) EXPECT_FALSE(known[i]);
        if (block.on_diagonal()) std::fill_n(known.begin() + block.first, block.last - block.first, 1);
      });
      EXPECT_EQ(std::count(known.begin(), known.end(), 1), n);
    }
}

/// Bound, all of its rows divided by n.
PairedBound<float> bound_to(const std::vector<float>& a, Index n, int threads, Index up) {
  return PairedBound<float>({a.data(), n, n, true, threads}, up);
}
void load(PairedBound<float>& bound, const std::vector<float>& b, std::span<const float> x) {
  std::ranges::copy(b, bound.b.get());
  std::fill_n(bound.scale.get(), b.size(), 1 / static_cast<float>(b.size()));
  std::ranges::copy(x, bound.w.u);
  bound.w.forget();
}

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
      PairedBound<float> given = bound_to(values, n, threads, 0),
                         stored = bound_to(packed, n, threads, packed_entries(n, true));
      for (PairedBound<float>* bound : {&given, &stored}) load(*bound, b, x);
      const PairedKernels<float, float> plain = paired_kernels<float>(), of_packed = packed_kernels<float>();
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
  const auto run = packed_kernels<float>();
  const std::vector<Step> steps(3);
  PairedBound<float> used = bound_to(packed, n, 1, packed_entries(n, true)),
                     fresh = bound_to(packed, n, 1, packed_entries(n, true));
  load(used, b, std::vector<float>(n, std::numeric_limits<float>::infinity()));
  run.advance(used.w, steps, Want::update);
  EXPECT_FALSE(std::isfinite(used.w.u[0]));
  for (PairedBound<float>* bound : {&used, &fresh}) load(*bound, b, std::vector<float>(n, 1));
  const Norms expected = run.advance(fresh.w, steps, Want::update);
  EXPECT_TRUE(std::isfinite(expected.l2));
  EXPECT_EQ(run.advance(used.w, steps, Want::update).l2, expected.l2);
  EXPECT_TRUE(std::equal(used.w.u, used.w.u + n, fresh.w.u));
}

}  // namespace
}  // namespace jacobi::sweep
