/// Levels of algebraic multigrid: the same bits by any number of threads, and what they are made of.
#include <gtest/gtest.h>

#include "amg/matrices.hpp"
#include "share.hpp"
#include "sweep/amg/aggregate.hpp"
#include "sweep/amg/coarsest.hpp"
#include "sweep/amg/hierarchy.hpp"
#include "sweep/amg/spectrum.hpp"

namespace jacobi {
namespace {

using sweep::amg::AmgLevel;
using sweep::amg::Hierarchy;
using sweep::amg::Id;
using sweep::amg::Sparse;
using test::Full;
using test::Random;

/// Teams for matrices as small as these.
struct SmallTeams {
  ~SmallTeams() { sweep::amg::worth_of_a_thread = before; }
  Index before = std::exchange(sweep::amg::worth_of_a_thread, 1);
};

template <class T>
bool same(const Sparse<T>& a, const Sparse<T>& b) {
  return a.rows == b.rows && a.columns == b.columns && a.offsets == b.offsets && a.column == b.column &&
         a.value == b.value;
}

template <class T>
bool same(const Hierarchy<T>& a, const Hierarchy<T>& b) {
  if (a.levels().size() != b.levels().size()) return false;
  for (std::size_t l = 0; l < a.levels().size(); ++l) {
    const AmgLevel<T>&one = a.levels()[l], &other = b.levels()[l];
    if (one.rho != other.rho || one.aggregates.of != other.aggregates.of || !same(one.p, other.p) ||
        !same(one.r, other.r) || !same(one.own, other.own))
      return false;
  }
  return true;
}

Full full(const Sparse<double>& a) {
  Full f(a.rows, a.columns);
  for (Index i = 0; i < a.rows; ++i)
    for (Id k = a.offsets[i]; k < a.offsets[i + 1]; ++k) f.at(i, a.column[k]) = a.value[k];
  return f;
}

Full magnitudes(Full f) {
  for (double& value : f.value) value = std::abs(value);
  return f;
}

TEST(AmgHierarchyThreads, MakeTheSameBits) {
  const SmallTeams teams;
  for (unsigned seed = 0; seed < test::drawn(500); ++seed) {
    Random random(seed);
    const Index nodes = seed % 50 == 0 ? random.integer(4000, 9000) : random.integer(1, 1500);
    const auto a = test::random_graph(random, nodes, seed % 3 == 0 ? 0 : 0.01).matrix();
    Amg options;
    options.coarsest = 20;
    options.block = seed % 7 == 0 ? 2 : 1;
    const Hierarchy<double> one(a, options, true, 1);
    const int threads = seed % 25 == 0 ? static_cast<int>(random.integer(3, 16)) : 2;
    ASSERT_TRUE(same(one, Hierarchy<double>(a, options, true, threads))) << seed << ", threads " << threads;
  }
}

TEST(AmgHierarchyThreads, MakeTheSameBitsOfNonsymmetricMatricesAndInFloat) {
  const SmallTeams teams;
  for (unsigned seed = 0; seed < test::drawn(40); ++seed) {
    Random random(seed);
    test::Edges graph = test::random_graph(random, 1200, 0.1);
    for (Index i = 0; i + 1 < 1200; ++i) graph.entries.push_back({i, i + 1, -random.real(0, 0.1)});
    for (Index i = 0; i < 1200; ++i) graph.shift(i, 0.1);
    const Csr<double> a = graph.matrix();
    Amg options;
    options.coarsest = 20;
    EXPECT_TRUE(same(Hierarchy<double>(a, options, false, 1), Hierarchy<double>(a, options, false, 5)));
    std::vector<Entry<float>> entries;
    for (const auto& e : graph.entries) entries.push_back({e.row, e.column, static_cast<float>(e.value)});
    const auto b = Csr<float>::from_entries(1200, entries);
    EXPECT_TRUE(same(Hierarchy<float>(b, options, true, 1), Hierarchy<float>(b, options, true, 7)));
  }
}

/// Distance 1: joined; 2: by way of a third node.
TEST(AmgAggregates, RootsLieMoreThanTwoEdgesApartAndNoneCanBeAdded) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto a = test::random_graph(random, random.integer(1, 400), 0.1).matrix();
    Sparse<double> room;
    const auto strong = sweep::amg::strong_couplings(sweep::amg::rows_of(a, room), 1, 0.05, 1);
    std::vector<char> may(static_cast<std::size_t>(a.rows()));
    for (char& one : may) one = random.integer(0, 4) > 0;
    const std::vector<char> in = independent_set(strong.graph, may, 1);
    const auto near = [&](Index i, auto&& visit) {  // within two edges, over nodes that may be taken
      const auto& g = strong.graph;
      for (Id k = g.offsets[i]; k < g.offsets[i + 1]; ++k) {
        const Id j = g.column[k];
        if (!may[j]) continue;
        visit(j);
        for (Id l = g.offsets[j]; l < g.offsets[j + 1]; ++l)
          if (may[g.column[l]] && g.column[l] != i) visit(g.column[l]);
      }
    };
    for (Index i = 0; i < a.rows(); ++i) {
      bool beside = false;
      near(i, [&](Id j) { beside |= in[j] != 0; });
      if (in[i]) EXPECT_TRUE(may[i] && !beside) << seed << ' ' << i;
      if (!in[i] && may[i]) EXPECT_TRUE(beside) << seed << ' ' << i;
    }
  }
}

TEST(AmgAggregates, HoldEveryNodeThatASweepAloneDoesNotSolve) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    const auto a = test::random_graph(random, random.integer(1, 600), random.integer(0, 1) * 3.0).matrix();
    Sparse<double> room;
    const auto strong = sweep::amg::strong_couplings(sweep::amg::rows_of(a, room), 1, 0.05, 1);
    const auto found = sweep::amg::aggregate(strong, 1);
    std::vector<Index> size(static_cast<std::size_t>(found.count));
    for (Index i = 0; i < a.rows(); ++i) {
      EXPECT_EQ(found.of[i] < 0, strong.alone[i] != 0) << seed << ' ' << i;
      if (found.of[i] >= 0) ++size[found.of[i]];
    }
    for (const Index members : size) EXPECT_GT(members, 0);
  }
}

TEST(AmgHierarchy, CoarserMatricesAreDenseTripleProducts) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Random random(seed);
    const auto a = test::random_graph(random, random.integer(30, 150), 0.05).matrix();
    Amg options;
    options.coarsest = 8;
    const bool symmetric = seed % 4 != 0;
    const Hierarchy<double> h(a, options, symmetric, 2);
    for (std::size_t l = 0; l + 1 < h.levels().size(); ++l) {
      const Full fine = l == 0 ? test::full_of(a) : full(h.levels()[l].own), p = full(h.levels()[l].p),
                 expected = test::transposed(p) * fine * p, made = full(h.levels()[l + 1].own);
      double size = 0;  // of what is added up
      for (const double value : (magnitudes(test::transposed(p)) * magnitudes(fine) * magnitudes(p)).value)
        size = std::max(size, value);
      for (std::size_t k = 0; k < expected.value.size(); ++k)
        ASSERT_NEAR(made.value[k], expected.value[k], 1e-14 * size) << seed;
    }
  }
}

TEST(AmgHierarchy, HoldsTheVectorsGivenOnEveryLevel) {
  const Index n = 40;
  const Csr<double> a = test::grid_rows(n, n);
  const Hierarchy<double> h(a, {}, true, 1);
  ASSERT_GT(h.levels().size(), 1U);
  const AmgLevel<double>& finest = h.levels()[0];
  for (Index y = 3; y + 3 < n; ++y)  // where no boundary is near, smoothing leaves a constant as it is
    for (Index x = 3; x + 3 < n; ++x) {
      double sum = 0;
      for (Id k = finest.p.offsets[y * n + x]; k < finest.p.offsets[y * n + x + 1]; ++k) {
        double squares = 0;
        for (Index i = 0; i < a.rows(); ++i) squares += finest.aggregates.of[i] == finest.p.column[k];
        sum += finest.p.value[k] * std::sqrt(squares);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
    }
}

TEST(AmgHierarchy, NewValuesMakeTheHierarchyThatTheyMakeAnew) {
  Random random(3);
  const auto graph = test::random_graph(random, 900, 0.05);
  const Csr<double> a = graph.matrix();
  std::vector<Entry<double>> twice = graph.entries;
  for (auto& e : twice) e.value *= 4;  // a power of two: aggregates stay, bits scale
  Hierarchy<double> h(a, {}, true, 2);
  const auto b = Csr<double>::from_entries(900, twice);
  h.take_values(b);
  EXPECT_TRUE(same(h, Hierarchy<double>(b, {}, true, 2)));
  h.take_values(a);
  EXPECT_TRUE(same(h, Hierarchy<double>(a, {}, true, 2)));
}

TEST(AmgHierarchy, StaysWithinItsComplexity) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    Random random(seed);
    const auto a = test::random_graph(random, 3000, 0.01).matrix();
    Amg options;
    options.complexity = 1.1 + 0.1 * (seed % 5);
    EXPECT_LE(Hierarchy<double>(a, options, true, 2).extents().operator_complexity(), options.complexity + 1);
    EXPECT_LE(Hierarchy<double>(test::grid_rows(60, 60), {}, true, 2).extents().operator_complexity(), 1.5);
    EXPECT_LE(Hierarchy<double>(test::grid_rows(20, 20, 20), {}, true, 2).extents().operator_complexity(),
              1.6);
  }
}

TEST(AmgSpectrum, BoundsTheLargestEigenvalue) {
  for (const Index n : {5, 17, 40}) {
    const Csr<double> a = test::grid_rows(n, n);
    Sparse<double> room;
    const auto rows = sweep::amg::rows_of(a, room);
    const auto d = sweep::amg::diagonal_of(rows, 1);
    const double exact = 1 + std::cos(M_PI / static_cast<double>(n + 1));
    const double found = sweep::amg::largest_eigenvalue<double>(rows, d, true, 2);
    EXPECT_GE(found, 0.99 * exact) << n;
    EXPECT_LE(found, 2) << n;
  }
}

TEST(AmgCoarsest, SolvesSingularSystemsThatHaveSolutions) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    Random random(seed);
    test::Edges graph{60};  // three parts without a boundary, and a row of zeros
    for (Index i = 0; i < 59; ++i)
      if (i % 20 != 19 && i != 58) graph.join(i, i + 1, random.real(0.1, 10));
    graph.shift(59, 0);
    const auto a = graph.matrix();
    const auto x = random.vector<double>(60);
    std::vector<double> b(60), again(60), found(60);
    const Full f = test::full_of(a);
    const auto times = [&](const std::vector<double>& v, std::vector<double>& to) {
      for (Index i = 0; i < 60; ++i) {
        to[i] = 0;
        for (Index j = 0; j < 60; ++j) to[i] += f.at(i, j) * v[j];
      }
    };
    times(x, b);
    Sparse<double> room;
    for (const bool symmetric : {true, false}) {
      sweep::amg::Factored factored(sweep::amg::rows_of(a, room), symmetric);
      EXPECT_GE(factored.dropped(), 3);
      factored.solve(b.data(), found.data());
      times(found, again);
      for (Index i = 0; i < 60; ++i) EXPECT_NEAR(again[i], b[i], 1e-10) << seed;
    }
  }
}

}  // namespace
}  // namespace jacobi
