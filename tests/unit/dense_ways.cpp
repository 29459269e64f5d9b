/// Ways through a dense matrix: all have the same bits, and the fastest is found.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "instruction_sets.hpp"
#include "jacobi/backend.hpp"
#include "ladder/dense_cases.hpp"
#include "ladder/run.hpp"
#include "sweep/dense/fused/fused.hpp"
#include "sweep/dense/paired/paired.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::test {
namespace {

using sweep::DenseWay;
using sweep::WayTrial;

template <class T>
sweep::DenseView<T> view_of(const DenseCase<T>& c, int threads) {
  return {c.a.data(), c.a.rows(), c.a.leading(), c.a.layout() == Layout::row_major, threads};
}
template <class T, class B>
void load(B& bound, const DenseCase<T>& c) {
  std::ranges::copy(c.b, bound.b.get());
  std::ranges::copy(c.x, bound.w.u);
  for (Index i = 0; i < c.a.rows(); ++i) bound.scale[i] = 1 / c.a.diagonal(i);
}

/// What rung fused sees of a case, no more ways than these to go.
template <class T>
struct Ground : sweep::FusedBound<T> {
  Ground(const DenseCase<T>& c, int level, std::span<const DenseWay> to_go, int threads)
      : sweep::FusedBound<T>(view_of(c, threads)), more(this->new_vector()) {
    load(*this, c);
    this->w.level = level;
    this->w.rest = more.get();
    this->w.ways = to_go;
    this->w.trial = WayTrial(to_go.size());
  }
  Norms advance(const std::vector<Step>& steps) {
    return sweep::fused_kernels<T>().advance(this->w, steps, Want::update);
  }
  AlignedArray<T> more;
};

template <class T>
std::vector<T> swept_by(const DenseCase<T>& c, int level, const DenseWay& way, int threads, double& update) {
  std::vector<DenseWay> ways{way};
  if (way.order == DenseWay::small)  // which is left out where vectors do not allow it
    ways.push_back(sweep::ways_through(c.a.layout() == Layout::row_major, level, false, sizeof(T))[0]);
  Ground<T> ground(c, level, ways, threads);
  update = ground.advance(make_steps(2, 7)).l2;
  return {ground.w.u, ground.w.u + c.a.rows()};
}

/// On any threads, alone, by columns crossed, two sweeps per visit, and that of small matrices.
std::vector<DenseWay> all_ways(bool by_rows, int level, bool asks_ahead, std::size_t size, Index rows) {
  std::vector<DenseWay> ways = sweep::ways_through(by_rows, level, asks_ahead, size),
                        all = sweep::alone_too(ways);
  if (level == 1 && rows <= sweep::dense_piece) all.push_back({DenseWay::small, 8});
  if (!by_rows && level > 1 && rows >= sweep::dense_piece) all.push_back(sweep::two_sweeps());
  for (DenseWay& way : ways) {
    if (way.order != DenseWay::columns) continue;
    way.crossed = true;
    all.push_back(way);
  }
  return all;
}

template <class T>
void expect_equal_bits_by_every_way() {
  for (const Index n : {1, 5, 9, 16, 31, 33, 40, 45, 58, 64, 65, 257, 331, 467})
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      if (n * JACOBI_TEST_SHARE > 4000) continue;  // the largest take too long there
      const DenseCase<T> c(n, layout, n % 3);
      const bool by_rows = layout == Layout::row_major;
      std::vector<T> first[2];  // by rows level 1 adds in another order
      double first_update[2];
      for (const int level : {1, 2, 3, 4})
        for (const bool asks_ahead : {false, true})
          for (const DenseWay& way : all_ways(by_rows, level, asks_ahead, sizeof(T), n))
            for (const int threads : {1, 2, 5}) {
              if (way.one_thread && threads != 2) continue;
              double update = 0;
              const std::vector<T> found = swept_by(c, level, way, threads, update);
              const int kind = by_rows && level == 1;
              if (first[kind].empty()) first[kind] = found, first_update[kind] = update;
              EXPECT_TRUE(same_bits(found, first[kind]))
                  << c.name << " " << way.in_words() << " on " << threads;
              EXPECT_EQ(update, first_update[kind]) << c.name << " " << way.in_words() << " on " << threads;
            }
    }
}

TEST(DenseWays, AllGiveTheSameBitsOnAnyThreadsInDouble) { expect_equal_bits_by_every_way<double>(); }
TEST(DenseWays, AllGiveTheSameBitsOnAnyThreadsInFloat) { expect_equal_bits_by_every_way<float>(); }

template <class T>
std::vector<T> swept_paired(const DenseCase<T>& c, std::span<const bool> ways, int threads, double& update) {
  sweep::PairedBound<T> bound(view_of(c, threads));
  load(bound, c);
  bound.w.ways = ways;
  bound.w.trial = WayTrial(ways.size());
  update = sweep::paired_kernels<T>().advance(bound.w, make_steps(2, 7), Want::update).l2;
  return {bound.w.u, bound.w.u + c.a.rows()};
}

template <class T>
void expect_equal_bits_of_triangles() {
  const std::span<const bool> ways = sweep::asks_ahead_or_not;
  ASSERT_EQ(ways.size(), 2);
  for (const Index n : {3, 64, 129, 257, 331, 467})
    for (const Layout layout : {Layout::row_major, Layout::column_major})
      for (const int threads : {1, 2, 3, 5}) {
        if (n * JACOBI_TEST_SHARE > 4000) continue;  // the largest take too long there
        const DenseCase<T> c(n, layout, n % 3);
        double update[3];
        const auto asked = swept_paired(c, ways.first(1), threads, update[0]),
                   plain = swept_paired(c, ways.last(1), threads, update[1]),
                   both = swept_paired(c, ways, threads, update[2]);  // as while the faster is sought
        EXPECT_TRUE(same_bits(asked, plain) && same_bits(asked, both)) << c.name << " on " << threads;
        EXPECT_TRUE(update[0] == update[1] && update[0] == update[2]) << c.name << " on " << threads;
      }
}

TEST(DenseWays, TrianglesAskedForAheadHaveTheSameBitsInDouble) { expect_equal_bits_of_triangles<double>(); }
TEST(DenseWays, TrianglesAskedForAheadHaveTheSameBitsInFloat) { expect_equal_bits_of_triangles<float>(); }

/// Sweeps until the trial is made, those of way k taking seconds[k] each, no more than `at_once` in a call;
/// how many sweeps of each.
std::vector<std::size_t> choose(WayTrial& trial, const std::vector<double>& seconds, std::size_t at_once) {
  std::vector<std::size_t> sweeps(seconds.size());
  for (int calls = 0; !trial.made() && calls < 100000; ++calls) {
    const std::size_t way = trial.way(), many = trial.sweeps(at_once);
    EXPECT_LE(many, at_once);
    sweeps[way] += many;
    trial.took(many, static_cast<double>(many) * seconds[way]);
  }
  EXPECT_TRUE(trial.made());
  EXPECT_EQ(trial.sweeps(77), 77U);
  return sweeps;
}

TEST(DenseWays, TheFastestIsChosen) {
  for (const double scale : {1.0, 1e-3, 1e-7})
    for (const std::size_t at_once : {1, 3, 1000}) {
      WayTrial trial(4);
      choose(trial, {scale, 1.1 * scale, 0.9 * scale, scale}, at_once);
      EXPECT_EQ(trial.way(), 2);
    }
}

TEST(DenseWays, TheFirstStaysWhereTheGainIsSmall) {
  WayTrial trial(3);
  choose(trial, {1, 0.985, 1.1}, 10);
  EXPECT_EQ(trial.way(), 0);
}

TEST(DenseWays, SlowOnesRunOnce) {
  for (const double scale : {1.0, 5e-4, 1e-4}) {
    WayTrial trial(3);
    const std::size_t runs = 3, each = scale < 1 ? 2 : 1;
    const std::vector<std::size_t> sweeps = choose(trial, {2 * scale, 3 * scale, scale}, 10);
    EXPECT_EQ(trial.way(), 2);
    EXPECT_EQ(sweeps[0], 2 * each) << "the first run, and one in turn";
    EXPECT_EQ(sweeps[1], each);
    EXPECT_EQ(sweeps[2], runs * each);
  }
}

TEST(DenseWays, SweepsThatDifferByTurnsAreTimedTogether) {
  for (const double scale : {1.0, 2e-3}) {
    WayTrial trial(2, 2);
    int sweeps = 0;  // every other one takes three times as long, by either way
    for (; !trial.made() && sweeps < 100; ++sweeps) trial.took(1, sweeps % 2 == 0 ? 3 * scale : scale);
    EXPECT_EQ(sweeps, 2 + 2 * 3 * 2);
    EXPECT_EQ(trial.way(), 0);
  }
}

TEST(DenseWays, AnUndisturbedRunDecides) {
  WayTrial trial(2);
  for (const double ms : {9.0, 1.0, 0.9, 1.0, 5.0, 1.0, 5.0}) trial.took(2, 2e-4 * ms);
  EXPECT_TRUE(trial.made());
  EXPECT_EQ(trial.way(), 1);
}

TEST(DenseWays, CallsWithoutASweepTellNothing) {
  WayTrial trial(3);
  for (int call = 0; call < 20; ++call) trial.took(0, 1e-7);
  EXPECT_FALSE(trial.made());
  for (int call = 0; call < 100 && !trial.made(); ++call) {
    trial.took(2, trial.way() == 2 ? 1e-3 : 2e-3);
    trial.took(0, 1e-7);
  }
  EXPECT_EQ(trial.way(), 2U);
}

TEST(DenseWays, OneOrNoneNeedsNoChoice) {
  EXPECT_TRUE(WayTrial().made());
  EXPECT_TRUE(WayTrial(1).made());
  EXPECT_EQ(WayTrial(1).way(), 0);
}

TEST(DenseWays, ASweepGoesTheWayInTurnOnOneAndTwoThreads) {
  const DenseCase<double> c(257, Layout::column_major, 0);
  for (const int threads : {1, 2}) {
    const DenseWay ways[] = {{DenseWay::columns, 8}, {DenseWay::held, 8}, {DenseWay::columns, 4}};
    Ground<double> ground(c, 3, ways, threads);
    std::set<std::pair<int, int>> gone;
    for (int sweeps = 0; sweeps < 10000 && !ground.w.trial.made(); ++sweeps) {
      gone.insert({ground.w.way().order, ground.w.way().at_once});
      ground.advance(make_steps(0, 1));
    }
    EXPECT_EQ(gone.size(), 3U);
    EXPECT_EQ(ground.w.way().in_words(), ways[ground.w.trial.way()].in_words());
  }
}

/// What norms have read lies in cache: the pass after them tells nothing of a way.
TEST(DenseWays, PassesOfTrianglesAfterNormsAreNotTimed) {
  const DenseCase<double> c(300, Layout::row_major, 0);
  const auto sweeper = backend("threads:1")->bind(Operator<double>(c.a), {plain(), "paired"});
  sweeper->load(c.b, c.x);
  for (int sweeps = 0; sweeps < 1000; ++sweeps) {
    sweeper->advance(make_steps(0, 1), Want::nothing);
    sweeper->norms(Want::residual);
  }
  EXPECT_FALSE(sweeper->executed().settled);
  sweeper->advance(make_steps(0, 1000), Want::nothing);
  EXPECT_TRUE(sweeper->executed().settled);
}

/// A sweeper says which way it goes, in the end one of those that there are.
TEST(DenseWays, ASweeperSaysWhichOneItTakes) {
  const DenseCase<double> c(331, Layout::column_major, 0);
  const auto sweeper = backend("threads:1")->bind(Operator<double>(c.a), {plain(), "fused"});
  EXPECT_FALSE(sweeper->executed().settled);
  swept(*sweeper, c.b, c.x, 0, 1000);
  EXPECT_TRUE(sweeper->executed().settled);
  std::set<std::string> possible{sweep::two_sweeps().in_words()};
  for (const int level : {1, 2, 3, 4})
    for (const DenseWay& way : sweep::ways_through(false, level, false, sizeof(double)))
      possible.insert(way.in_words());
  EXPECT_EQ(possible.count(sweeper->executed().blocking), 1) << sweeper->executed().blocking;
}

TEST(DenseWays, ASmallMatrixIsSweptInRegistersWhereVectorsAllow) {
  for (const std::string& set : sets_to_try())
    for (const Index n : {2, 8, 31, 33, 48, 65}) {
      const Forced forced(set);
      const DenseCase<double> c(n, Layout::column_major, 0);
      const auto sweeper = backend("threads:1")->bind(Operator<double>(c.a), {plain(), "fused"});
      swept(*sweeper, c.b, c.x, 0,
            1);  // the first way that is tried, and however long it takes, not the last time
      const bool small = sweeper->executed().blocking.find("sweep after sweep") != std::string::npos;
      const Index lanes = set == "avx512" ? 8 : set == "avx2" ? 4 : 2;
      EXPECT_EQ(small, n <= 64 && (lanes > 2 || n % 2 == 0)) << set << " " << n;
    }
}

TEST(DenseWays, SeveralRightHandSidesAreSharedOut) {
  const DenseCase<double> c(131, Layout::row_major, 0);
  const auto sweeper = backend("threads:2")->bind(Operator<double>(batch(c.a, 8)), {plain(), "fused"});
  const std::vector<double> b(static_cast<std::size_t>(sweeper->rows()), 1.0);
  swept(*sweeper, b, b, 0, 3);
  EXPECT_EQ(sweeper->executed().threads, 2);
}

TEST(DenseWays, AloneIsOnOneThread) {
  const DenseCase<double> c(131, Layout::row_major, 0);
  for (const DenseWay& way : sweep::alone_too({{DenseWay::bands, 4}})) {
    Ground<double> ground(c, 2, {&way, 1}, 2);
    ground.advance(make_steps(0, 1));
    EXPECT_EQ(ground.w.ran.threads, way.one_thread ? 1 : 2);
  }
  EXPECT_EQ(sweep::alone_too({{DenseWay::bands, 4}}).size(), 2U);
}

TEST(DenseWays, AtMostSixAreTried) {
  for (const Layout layout : {Layout::row_major, Layout::column_major})
    for (const Index n : {5, 60, 100, 128, 160, 256, 400, 512, 1024})
      for (const int threads : {1, 2, 8}) {
        const std::vector<double> none(1);  // nothing is read
        const sweep::FusedBound<double> bound({none.data(), n, n, layout == Layout::row_major, threads});
        EXPECT_LE(bound.w.ways.size(), 6U) << n << " on " << threads;
      }
}

/// Columns as long as pages: each of two threads would read into half of its L2.
TEST(DenseWays, SharesOfWholePagesAreCrossed) {
  EXPECT_EQ(sweep::crossed_columns().in_words(), "8 columns at once, crossed");
  constexpr double l2 = 1 << 20;
  constexpr Index page = 4096;
  EXPECT_TRUE(sweep::some_sets_only(2 * l2, page, 2, l2));
  EXPECT_TRUE(sweep::some_sets_only(2 * l2, 3 * page, 2, l2));
  EXPECT_TRUE(sweep::some_sets_only(2 * l2, page / 2, 2, l2));
  EXPECT_FALSE(sweep::some_sets_only(2 * l2, page + 64, 2, l2));
  EXPECT_FALSE(sweep::some_sets_only(2 * l2, page, 1, l2)) << "one thread has all of the rows";
  EXPECT_FALSE(sweep::some_sets_only(l2 / 2, page, 2, l2)) << "stays in half of it";
  EXPECT_FALSE(sweep::some_sets_only(4 * l2, page, 2, l2)) << "stays in no L2";
}

}  // namespace
}  // namespace jacobi::test
