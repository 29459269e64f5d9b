/// Every algorithm that the registry lists, on sizes that it suits, really runs, and gives the bits of rung
/// 0.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "jacobi/simd.hpp"
#include "ladder/cases.hpp"
#include "ladder/run.hpp"
#include "sweep/rungs.hpp"
#include "sweep/stencil/registry.hpp"

namespace jacobi::test {
namespace {

template <int D>
struct Size {
  std::array<Index, D> n;
  int threads;
  int coefficients;  ///< of make_case_operator
};

/// The least sizes first, of those that one algorithm suits.
template <class T>
std::vector<Size<1>> sizes_to_try(std::integral_constant<int, 1>) {
  return {{{97}, 1, 1}, {{16411}, 2, 0}, {{16411}, 3, 2}};
}
template <class T>
std::vector<Size<2>> sizes_to_try(std::integral_constant<int, 2>) {
  const Index lanes = (simd::chosen() == "avx512" ? 64 : 32) / static_cast<Index>(sizeof(T));
  const Index cut = 3 * 8192 / static_cast<Index>(sizeof(T)) / 2 + 5;  // lines of strips are cut in segments
  return {{{600, 150}, 2, 1}, {{600, 150}, 3, 2}, {{31 * lanes, 64}, 1, 0}, {{40 * lanes + 3, 261}, 2, 0},
          {{cut, 67}, 2, 0},  {{cut, 64}, 3, 0},  {{70, 18}, 1, 3},         {{131, 97}, 2, 3},
          {{200, 33}, 3, 3}};
}
template <class T>
std::vector<Size<3>> sizes_to_try(std::integral_constant<int, 3>) {
  std::vector<Size<3>> all = {{{40, 33, 47}, 2, 0}, {{17, 8, 9}, 1, 2}};
  for (Index width = 64; width <= 4096; width *= 2)  // one of them fills a quarter of L2
    for (const int threads : {1, 2, 3}) all.push_back({{width, 48, 49}, threads, threads % 2});
  return all;
}

/// The algorithm ran, with the bits of rung 0 after calls of several lengths, for each kind of step.
template <class T, int D>
void expect_runs_as_textbook(const std::string& name, const Plan& plan, const Size<D>& size,
                             const Stencil<T, D>& stencil) {
  SCOPED_TRACE(name + " on " + std::to_string(size.n[0]) + " unknowns a line, threads " +
               std::to_string(size.threads));
  const Operator<T> a = stencil;
  const auto b = random_values<T>(stencil.rows(), -1, 1, 7), x = random_values<T>(stencil.rows(), -1, 1, 8);
  const auto expected = backend("serial")->bind(a, {plain(), "textbook"});
  const auto sweeper = backend("threads:" + std::to_string(size.threads))->bind(a, plan);
  for (const int kind : {1, 2, 0})
    for (const int sweeps : {8, 9, 21})
      EXPECT_TRUE(same_bits(swept(*expected, b, x, kind, sweeps), swept(*sweeper, b, x, kind, sweeps)))
          << "steps " << kind << ", sweeps " << sweeps;
  EXPECT_EQ(sweeper->executed().algorithm, name);
}

/// On four sizes at most, of those for which the registry chooses the algorithm; how many there were.
template <class T, int D>
int run_where_chosen(const sweep::Algorithm<T, D>& algorithm, std::string& why_not) {
  const Plan plan(plain(), algorithm.rung.name);
  int runs = 0;
  for (const Size<D>& size : sizes_to_try<T>(std::integral_constant<int, D>())) {
    std::vector<std::vector<T>> keep;
    keep.reserve(16);
    const auto a = make_case_operator(make_case_grid<T, D>(size.n, 0), size.coefficients, keep);
    why_not = algorithm.suits(a, plan, size.threads).why_not;
    if (&sweep::select(a, plan, size.threads) != &algorithm) continue;
    expect_runs_as_textbook(std::string(algorithm.name), plan, size, a);
    if (++runs == 4) break;
  }
  return runs;
}

/// A report names what made most of the sweeps since load(), and its words are of that algorithm.
template <class T, int D>
void expect_names_what_swept(const Stencil<T, D>& a, int threads, const std::string& chosen) {
  SCOPED_TRACE(chosen);
  const auto b = random_values<T>(a.rows(), -1, 1, 7), x = random_values<T>(a.rows(), -1, 1, 8);
  const auto sweeper =
      backend("threads:" + std::to_string(threads))->bind(Operator<T>(a), Plan(plain(), "tiled"));
  const auto after = [&](std::initializer_list<std::size_t> calls, const Step& step) {
    sweeper->load(b, x);
    for (const std::size_t count : calls) sweeper->advance(std::vector<Step>(count, step), Want::nothing);
    return sweeper->executed();
  };
  const Executed in_tiles = after({1, 1, 1}, {}), mixed = after({1, 16, 1}, {}),
                 three_term = after({16}, {1.0, 1.5});
  EXPECT_EQ(in_tiles.algorithm, "tiles");
  EXPECT_EQ(mixed.algorithm, chosen);
  EXPECT_EQ(three_term.algorithm, "tiles");
  EXPECT_EQ(in_tiles.blocking, three_term.blocking);
  EXPECT_NE(in_tiles.blocking, mixed.blocking);
}

/// Once for every algorithm that leaves short calls to tiles; their names.
template <class T, int D>
std::set<std::string> named_where_chosen() {
  std::set<std::string> names;
  for (const Size<D>& size : sizes_to_try<T>(std::integral_constant<int, D>())) {
    std::vector<std::vector<T>> keep;
    keep.reserve(16);
    const auto a = make_case_operator(make_case_grid<T, D>(size.n, 0), size.coefficients, keep);
    const std::string chosen(sweep::select(a, Plan(plain(), "tiled"), size.threads).name);
    if (chosen != "tiles" && names.insert(chosen).second) expect_names_what_swept(a, size.threads, chosen);
  }
  return names;
}

TEST(LadderAlgorithms, NameWhatMadeMostOfTheSweeps) {
  EXPECT_TRUE((named_where_chosen<double, 2>().contains("batch")));
  named_where_chosen<double, 3>();
  named_where_chosen<float, 2>();
}

bool is_rung(std::string_view name) {
  return std::ranges::any_of(stencil_rungs(),
                             [&](const Rung& rung) { return rung.name == name && rung.compiled; });
}

template <class T, int D>
void expect_all_run() {
  const bool has_wide_vectors = simd::chosen() == "avx2" || simd::chosen() == "avx512";
  std::string left_out;
  for (const auto& algorithm : sweep::algorithms<T, D>()) {
    if (!is_rung(algorithm.rung.name)) continue;
    std::string why_not;
    if (run_where_chosen(algorithm, why_not) > 0) continue;
    if (has_wide_vectors || why_not.find("AVX2") == std::string::npos)
      ADD_FAILURE() << algorithm.name << " is chosen for none of the sizes tried: " << why_not;
    else
      left_out += std::string(algorithm.name) + ": " + why_not + "; ";
  }
  if (!left_out.empty()) GTEST_SKIP() << "not for " << simd::chosen() << ": " << left_out;
}

TEST(LadderAlgorithms, AllRunIn1DDouble) { expect_all_run<double, 1>(); }
TEST(LadderAlgorithms, AllRunIn2DDouble) { expect_all_run<double, 2>(); }
TEST(LadderAlgorithms, AllRunIn3DDouble) { expect_all_run<double, 3>(); }
TEST(LadderAlgorithms, AllRunIn1DFloat) { expect_all_run<float, 1>(); }
TEST(LadderAlgorithms, AllRunIn2DFloat) { expect_all_run<float, 2>(); }
TEST(LadderAlgorithms, AllRunIn3DFloat) { expect_all_run<float, 3>(); }

TEST(LadderAlgorithms, ThoseOfNoRungAreTestedByThemselves) {  // hierarchical_property.cpp, red_black_test.cpp
  std::vector<std::string> others;
  for (const sweep::AlgorithmOnGrids& one : sweep::algorithms_on_grids())
    if (std::ranges::none_of(stencil_rungs(), [&](const Rung& rung) { return rung.name == one.rung; }))
      others.push_back(one.name);
  EXPECT_EQ(others, (std::vector<std::string>{"hierarchical", "red-black"}));
}

}  // namespace
}  // namespace jacobi::test
