/// Every sparse rung gives the bits of rung 0, rung 0 those of a naive reference, and wrong rungs are caught.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "instruction_sets.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"
#include "ladder/naive.hpp"
#include "ladder/run.hpp"
#include "ladder/sparse_cases.hpp"
#include "machine/caches.hpp"
#include "sweep/csr/chunks/layout.hpp"
#include "sweep/csr/popularity.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::test {
namespace {

template <class T>
using MakeSparse = Make<T, Csr<T>>;

template <class T>
MakeSparse<T> rung(const std::string& name, int threads, Method method = plain(), Blocking blocking = {}) {
  const auto on = backend("threads:" + std::to_string(threads));
  return [=](const Csr<T>& a) { return on->bind(Operator<T>(a), {method, name, blocking}); };
}

template <class T>
std::vector<Candidate<T, Csr<T>>> rungs(const Method& method, std::initializer_list<int> teams) {
  std::vector<Candidate<T, Csr<T>>> candidates;
  for (const Rung& r : sparse_rungs())
    for (const int threads : teams) {
      if (r.number == 0 || (threads > 1 && !r.parallel)) continue;
      const Blocking blocking = r.number == 5 ? Blocking{{512 * threads}, 3} : Blocking{};
      candidates.push_back(
          {r.name + (" on " + std::to_string(threads)), rung<T>(r.name, threads, method, blocking)});
    }
  return candidates;
}

template <class T>
void expect_rungs_equal_textbook(const Method& method, std::initializer_list<int> teams = {1, 2, 3, 4}) {
  expect_equal(sparse_cases<T>(), rung<T>("textbook", 1, method), rungs<T>(method, teams));
}

TEST(SparseLadder, AnOverflowIsForgottenAtTheNextStart) {
  expect_overflow_is_forgotten(sparse_cases<double>(), rungs<double>(plain(), {1, 2}));
}

TEST(SparseLadder, EveryRungEqualsTextbookInDouble) { expect_rungs_equal_textbook<double>(plain()); }
TEST(SparseLadder, EveryRungEqualsTextbookInFloat) { expect_rungs_equal_textbook<float>(plain()); }
TEST(SparseLadder, EveryRungEqualsTextbookWithTheL1Divisor) {
  expect_rungs_equal_textbook<double>(l1(), {1, 3});
}

/// The update of a row written down once more, by search and in the documented order.
template <class T>
std::vector<T> naive(const SparseCase<T>& c, int kind, int n) {
  const bool fused = fuses(simd::chosen());
  const auto fma = [&](T p, T q, T r) { return fused ? std::fma(p, q, r) : p * q + r; };
  std::vector<T> x = c.x, before = c.x;
  for (const Step& step : make_steps(kind, n)) {
    std::vector<T> next(x.size());
    c.a.visit([&](auto offsets, auto columns, auto values) {
      for (Index i = 0; i < c.a.rows(); ++i) {
        T r = c.b[i];
        for (auto k = offsets[i]; k < offsets[i + 1]; ++k) r = fma(-values[k], x[columns[k]], r);
        const T update = r * (T(1) / c.a.diagonal(i));
        T value =
            step.omega == 1 && step.rho == 1 ? x[i] + update : fma(static_cast<T>(step.omega), update, x[i]);
        if (step.rho != 1) value = fma(static_cast<T>(step.rho), value - before[i], before[i]);
        next[i] = value;
      }
    });
    before = std::exchange(x, next);
  }
  return x;
}

TEST(SparseLadder, EveryRungEqualsTheNaiveReferenceUnderEveryInstructionSet) {
  for (const std::string& set : sets_to_try()) {
    const Forced forced(set);
    Turns turns;
    for (const auto& c : sparse_cases<double>()) {
      turns.next_case();
      for (const char* name : {"textbook", "fused", "simd", "threads"})
        for (int kind = 0; kind < 3; ++kind)
          if (!turns.leaves_out())
            EXPECT_TRUE(same_bits(naive(c, kind, 3), swept(*rung<double>(name, 2)(c.a), c.b, c.x, kind, 3)))
                << set << ' ' << name << ' ' << c.name << " steps " << kind;
    }
  }
}

/// An int64 copy of the pattern gives the same bits, in every rung.
TEST(SparseLadder, WideIndicesGiveTheBitsOfNarrowOnes) {
  for (const auto& c : sparse_cases<double>()) {
    const Csr<double> wide = c.a.visit([](auto offsets, auto columns, auto values) {
      return Csr<double>::own<std::int64_t>({offsets.begin(), offsets.end()},
                                            {columns.begin(), columns.end()}, {values.begin(), values.end()});
    });
    for (const char* name : {"textbook", "fused", "simd", "threads"})
      EXPECT_TRUE(same_bits(swept(*rung<double>(name, 2)(c.a), c.b, c.x, 1, 4),
                            swept(*rung<double>(name, 2)(wide), c.b, c.x, 1, 4)))
          << name << ' ' << c.name;
  }
}

TEST(SparseLadder, NormsAgreeWithTheYardstickAndForEveryNumberOfThreads) {
  Turns turns(std::min(JACOBI_TEST_SHARE, 5));
  for (const auto& c : sparse_cases<double>()) {
    turns.next_case();
    for (const Rung& r : sparse_rungs()) {
      if (turns.leaves_out()) continue;
      const Blocking blocking = r.number == 5 ? Blocking{{512}, 3} : Blocking{};
      Norms first[3];
      for (const int threads : {1, 2, 4}) {
        const auto sweeper = rung<double>(r.name, threads, plain(), blocking)(c.a);
        sweeper->load(c.b, c.x);
        const Norms update = sweeper->advance(make_steps(1, 3), Want::update);
        std::vector<double> x(c.x.size());
        sweeper->store(x);
        const Norms residual = sweeper->norms(Want::residual), correction = sweeper->norms(Want::correction);
        EXPECT_NEAR(residual.l2, c.a.residual_norms(c.b, x).l2, 1e-13 * (1 + residual.l2))
            << r.name << c.name;
        EXPECT_NEAR(correction.max, c.a.residual_norms(c.b, x, Divisor::diagonal).max,
                    1e-13 * (1 + correction.max));
        EXPECT_NEAR(update.l2, sweeper->norms(Want::update).l2, 1e-13 * update.l2) << r.name << c.name;
        if (threads == 1) first[0] = update, first[1] = residual, first[2] = correction;
        EXPECT_EQ(update.l2, first[0].l2) << r.name << ' ' << c.name;
        EXPECT_EQ(residual.l2, first[1].l2) << r.name << ' ' << c.name;
        EXPECT_EQ(correction.max, first[2].max) << r.name << ' ' << c.name;
      }
    }
  }
}

TEST(SparseLadderControl, WrongRungsAreCaught) {
  const auto cases = sparse_cases<double>();
  const auto right = rung<double>("textbook", 1);
  for (const std::size_t dropped : {1, 1000}) {
    const MakeSparse<double> lazy = [dropped](const Csr<double>& a) {
      return std::make_unique<Spoiled<double>>(rung<double>("simd", 1)(a), dropped);
    };
    EXPECT_GT(share_caught(cases, right, lazy), 0.5);
  }
  const MakeSparse<double> other_matrix = [](const Csr<double>& a) {
    std::vector<double> values(a.values().begin(), a.values().end());
    values.back() *= 1 + 1e-15;
    return a.visit([&](auto offsets, auto columns, auto) {
      using I = typename decltype(columns)::value_type;
      return rung<double>("simd", 1)(
          Csr<double>::own<I>({offsets.begin(), offsets.end()}, {columns.begin(), columns.end()}, values));
    });
  };
  EXPECT_GT(share_caught(cases, right, other_matrix), 0.5);
}

TEST(SparseLadder, TheReportNamesTheRungThatRan) {
  SparseMaker make(3);
  const Csr<double> a = make.matrix<double>(3000, 3, 20, 3);
  for (const Rung& r : sparse_rungs()) {
    Solver<double> solver(a, {plain(), r.name, r.number == 5 ? Blocking{{512}, 2} : Blocking{}},
                          backend("threads:2"));
    std::vector<double> b(3000, 1.0), x(3000);
    const Report report = solver.solve(b, x, {.max_sweeps = 50});
    EXPECT_EQ(report.rung, r.name);
    EXPECT_EQ(report.sweeps, 50);
    EXPECT_EQ(report.threads, r.parallel ? 2 : 1);
  }
}

/// Share of the chunks that are of a kind.
template <class T>
double share_of(sweep::Entries kind, const Csr<T>& a) {
  const auto found = sweep::lay_out(a, {}, true, 1).kind;
  return static_cast<double>(std::count(found.begin(), found.end(), kind)) /
         static_cast<double>(found.size());
}

TEST(SparseLadder, RunsAreFoundWhereThereAreSome) {
  SparseMaker make(8);
  using enum sweep::Entries;
  const auto plane = grid_matrix<double>({640, 48});  // 60 whole pieces; 2 of 80 chunks meet an end of a line
  EXPECT_EQ(share_of(equal, plane), 78 / 80.0);
  EXPECT_EQ(share_of(runs, make.refilled(plane)), 78 / 80.0);
  EXPECT_EQ(share_of(equal, grid_matrix<float>({64, 16, 8})), 0.5);
  EXPECT_EQ(share_of(plain, grid_matrix<double>({7, 512})), 1);
  EXPECT_GT(share_of(plain, make.matrix<double>(5000, 6, 30, 6)), 0.8);  // all but rows of one entry
  EXPECT_FALSE(sweep::lay_out(plane, {}, false, 1).squeezed);
}

TEST(SparseLadder, BlocksFindTheOrderThatAShuffledBandHadBefore) {
  SparseMaker make(6);
  const Csr<double> a = make.shuffled(make.matrix<double>(40000, 3, 20, 3));
  const std::vector<double> b = make.vector<double>(a.rows()), x = make.vector<double>(a.rows());
  const auto blocked = rung<double>("blocked", 2)(a);
  EXPECT_NE(blocked->executed().blocking.find("breadth-first"), std::string::npos)
      << blocked->executed().blocking;
  EXPECT_GT(blocked->sweeps_at_once(), 1);
  EXPECT_TRUE(same_bits(swept(*rung<double>("textbook", 1)(a), b, x, 1, 9), swept(*blocked, b, x, 1, 9)));
}

/// Half of all entries lie in a few columns, each on a cache line of its own, far from the diagonal.
template <class T>
Csr<T> with_popular_columns(Index n, Index popular) {
  Random random(9);
  std::vector<Entry<T>> entries;
  for (Index i = 0; i < n; ++i) {
    entries.push_back({i, i, T(3)});
    for (int k = 0; k < 2; ++k) entries.push_back({i, random.integer(0, n - 1), T(-0.25)});
    for (int k = 0; k < 3; ++k)
      entries.push_back(
          {i, n / popular * random.integer(0, popular - 1), static_cast<T>(random.real(-1, 1))});
  }
  return Csr<T>::from_entries(n, entries);
}

TEST(SparseLadder, PopularUnknownsAreFoundWhereTheyAreScattered) {
  constexpr double near = 4096, held = 1 << 16;
  const auto order = sweep::by_popularity(with_popular_columns<double>(20000, 400), near, held);
  ASSERT_EQ(order.size(), 20000U);
  EXPECT_TRUE(std::ranges::all_of(order.begin(), order.begin() + 400, [](auto i) { return i % 50 == 0; }));
  const std::set<std::int32_t> all(order.begin(), order.end());
  EXPECT_EQ(all.size(), order.size());
  EXPECT_TRUE(sweep::by_popularity(with_popular_columns<double>(20000, 400), near, 1 << 18).empty())
      << "all lie in cache anyway";
  EXPECT_TRUE(sweep::by_popularity(with_popular_columns<double>(20000, 10000), near, held).empty())
      << "too many to keep";
  EXPECT_TRUE(sweep::by_popularity(with_popular_columns<double>(20000, 40), near, held).empty())
      << "so few that their lines stay";
  EXPECT_TRUE(sweep::by_popularity(grid_matrix<double>({200, 100}), near, held).empty());
  SparseMaker make(8);
  EXPECT_TRUE(sweep::by_popularity(make.matrix<float>(50000, 3, 50000, 3), near, held).empty());
}

TEST(SparseLadder, PopularUnknownsFirstHaveTheBitsOfTextbook) {
  const double l2 = machine::assumed_cache_bytes(2);
  const double l1 = machine::assumed_cache_bytes(1);
  const auto a = with_popular_columns<double>(static_cast<Index>(l2 / 6), static_cast<Index>(l1 / 16));
  SparseMaker make(8);
  const std::vector<double> b = make.vector<double>(a.rows()), x = make.vector<double>(a.rows());
  const auto right = rung<double>("textbook", 1)(a);
  const auto plain_bits = swept(*right, b, x, 0, 5), three_term_bits = swept(*right, b, x, 2, 5);
  for (const int threads : {1, 3}) {
    const auto sweeper = rung<double>("threads", threads)(a);
    EXPECT_TRUE(same_bits(plain_bits, swept(*sweeper, b, x, 0, 5))) << threads;
    EXPECT_TRUE(same_bits(three_term_bits, swept(*sweeper, b, x, 2, 5))) << threads;
    EXPECT_EQ(sweeper->executed().blocking, "the most used unknowns first");
  }
}

TEST(SparseLadder, RungsThatDoNotSuitTheMatrixSayWhy) {
  SparseMaker make(4);
  const Csr<double> far = make.matrix<double>(100000, 3, 100000, 3);
  for (const auto& [name, words] : {std::pair{"compressed", "16 bits"}, {"blocked", "breadth-first"}}) try {
      rung<double>(name, 1)(far);
      FAIL() << name;
    } catch (const UsageError& e) {
      EXPECT_NE(std::string(e.what()).find(words), std::string::npos) << e.what();
    }
  EXPECT_THROW(rung<double>("tiled", 1)(far), UsageError);
}

TEST(SparseLadder, AZeroDiagonalIsNamed) {
  const std::vector<Entry<double>> entries = {{0, 0, 1.0}, {1, 0, 1.0}, {2, 2, 1.0}};
  try {
    rung<double>("simd", 1)(Csr<double>::from_entries(3, entries));
    FAIL();
  } catch (const ZeroDiagonal& e) {
    EXPECT_NE(std::string(e.what()).find("ZeroDiagonal: entry (1, 1), counted from 0, is 0"),
              std::string::npos)
        << e.what();
    EXPECT_EQ(e.row, 1);
    EXPECT_EQ(e.rows, 3);
  }
}

}  // namespace
}  // namespace jacobi::test
