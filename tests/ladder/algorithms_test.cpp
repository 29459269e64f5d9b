/// Each algorithm of the tiled rung, on sizes that it suits, really runs, and gives the bits of rung 0.
#include <gtest/gtest.h>

#include "jacobi/simd.hpp"
#include "ladder/cases.hpp"
#include "ladder/run.hpp"

namespace jacobi::test {
namespace {

template <int D>
struct Suited {
  const char* says;  ///< how the algorithm tells that it ran
  std::array<Index, D> n;
  int threads;
  int coefficients;  ///< of make_case_operator
};

bool has_wide_vectors() { return simd::chosen() == "avx2" || simd::chosen() == "avx512"; }

/// The algorithm ran, with the bits of rung 0 after calls of several lengths, for each kind of step in
/// `kinds`.
template <class T, int D>
void expect_runs_as_textbook(const Suited<D>& suited, std::initializer_list<int> kinds) {
  SCOPED_TRACE(suited.says + (" on " + std::to_string(suited.threads)));
  std::vector<std::vector<T>> keep;
  keep.reserve(16);
  const Grid<T, D> grid = make_case_grid<T, D>(suited.n, 0);
  const Operator<T> a = make_case_operator(grid, suited.coefficients, keep);
  const auto b = random_values<T>(grid.rows(), -1, 1, 7), x = random_values<T>(grid.rows(), -1, 1, 8);
  const auto expected = backend("serial")->bind(a, {plain(), "textbook"});
  const auto tiled = backend("threads:" + std::to_string(suited.threads))->bind(a, {plain(), "tiled"});
  for (const int kind : kinds)
    for (const int sweeps : {8, 9, 21})
      EXPECT_TRUE(same_bits(swept(*expected, b, x, kind, sweeps), swept(*tiled, b, x, kind, sweeps)))
          << "steps " << kind << ", sweeps " << sweeps;
  EXPECT_NE(tiled->executed().blocking.find(suited.says), std::string::npos) << tiled->executed().blocking;
  EXPECT_EQ(tiled->executed().threads, suited.threads);
}

template <class T>
void expect_strips() {
  if (!has_wide_vectors())
    GTEST_SKIP() << "lines are put in strips for AVX2 and AVX-512, not " << simd::chosen();
  const Index vectors = (simd::chosen() == "avx2" ? 32 : 64) / static_cast<Index>(sizeof(T));
  const Index cut = 3 * 8192 / static_cast<Index>(sizeof(T)) / 2 + 5;
  for (const Suited<2>& suited : {Suited<2>{"strips", {31 * vectors, 64}, 1, 0},
                                  {"strips", {40 * vectors + 3, 261}, 2, 0},
                                  {"in 2 segments", {cut, 67}, 2, 0},
                                  {"in 3 segments", {cut, 64}, 3, 0}})
    expect_runs_as_textbook<T, 2>(suited, {0});
}

TEST(LadderAlgorithms, LinesInStripsRunInDouble) { expect_strips<double>(); }
TEST(LadderAlgorithms, LinesInStripsRunInFloat) { expect_strips<float>(); }

template <class T>
void expect_wavefront() {
  if (!has_wide_vectors()) GTEST_SKIP() << "one array is swept by AVX2 and AVX-512, not " << simd::chosen();
  const auto suits = [](Index width) {
    const auto tiled = backend("serial")->bind(poisson<T, 3>({width, 48, 48}), {plain(), "tiled"});
    return tiled->executed().blocking.find("in one array") != std::string::npos;
  };
  Index width = 16;
  while (width < 4096 && !suits(width)) width *= 2;
  ASSERT_LT(width, 4096) << "of a width that fills a quarter of L2";
  for (const int threads : {1, 2, 3})
    expect_runs_as_textbook<T, 3>({"in one array", {width, 48, 49}, threads, threads % 2}, {0, 1});
}

TEST(LadderAlgorithms, AGridInOneArrayRunsInDouble) { expect_wavefront<double>(); }
TEST(LadderAlgorithms, AGridInOneArrayRunsInFloat) { expect_wavefront<float>(); }

template <class T>
void expect_batch() {
  for (const Suited<2>& suited : {Suited<2>{"column of a batch", {70, 18}, 1, 3},
                                  {"column of a batch", {131, 97}, 2, 3},
                                  {"column of a batch", {200, 33}, 3, 3}})
    expect_runs_as_textbook<T, 2>(suited, {0, 1});
}

TEST(LadderAlgorithms, ABatchRunsByColumnsInDouble) { expect_batch<double>(); }
TEST(LadderAlgorithms, ABatchRunsByColumnsInFloat) { expect_batch<float>(); }

TEST(LadderAlgorithms, TilesRunWhereNothingElseSuits) {
  const char* const tiles = "visit to a tile of";
  expect_runs_as_textbook<double, 1>({tiles, {16411}, 2, 0}, {0, 1, 2});
  expect_runs_as_textbook<double, 2>({tiles, {600, 150}, 2, 1}, {0, 1, 2});
  expect_runs_as_textbook<float, 2>({tiles, {600, 150}, 3, 2}, {0, 1, 2});
  expect_runs_as_textbook<double, 3>({tiles, {40, 33, 47}, 2, 0}, {0, 1, 2});
}

}  // namespace
}  // namespace jacobi::test
