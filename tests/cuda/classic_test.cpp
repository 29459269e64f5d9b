/// Blocks of classic sweeps: every shape has the bits of rung 0, and others are refused.
#include "backend/cuda/classic.hpp"
#include "backend/cuda/steps.hpp"
#include "cuda/on_device.hpp"
#include "device/cases.hpp"

namespace jacobi::test {
namespace {

using CudaClassic = OnDevice;

/// The source's, and others; a last block that is cut off in every direction.
TEST_F(CudaClassic, BlocksOfEveryShapeHaveTheBitsOfRung0) {
  const auto line = case_operator<double, 1>({700}, 0);
  const auto plane = case_operator<double, 2>({70, 35}, 2, 2);
  const auto space = case_operator<float, 3>({66, 9, 4}, 1);
  const auto expect = []<class T, int D>(const Stencil<T, D>& a, const Blocking& block,
                                         const std::string& rung, const std::string& words) {
    const auto sweeper = on_device(a, {plain(), rung, block});
    EXPECT_EQ(differences(a, *sweeper, {1, 66}), 0) << words;
    const auto right = rung_0(a);
    const auto b = random_values<T>(a.rows(), -1, 1, 3);
    right->load(b, b);
    sweeper->load(b, b);
    EXPECT_EQ(right->advance(make_steps(0, 2), Want::update).max,
              sweeper->advance(make_steps(0, 2), Want::update).max)
        << words;
    const std::string blocking = sweeper->executed().blocking;
    EXPECT_EQ(blocking, rung == "graph" ? "64 sweeps per graph, " + words : words);
  };
  for (const Index wide : {32, 64, 128, 256, 512, 1024})
    expect(line, {{wide, 1, 1}}, "classic", "blocks of " + std::to_string(wide) + " x 1 threads, 1 row each");
  for (const Index high : {4, 8, 16, 32})
    for (const std::string rung : {"classic", "graph"})
      expect(plane, {{32, high, 1}}, rung, "blocks of 32 x " + std::to_string(high) + " threads, 1 row each");
  expect(space, {{16, 2, 1}}, "classic", "blocks of 16 x 2 threads, 1 row each");
}

/// Two lines to a thread where 4 multiprocessors are.
TEST_F(CudaClassic, HighGridsHaveTheBitsOfRung0) {
  const auto high = case_operator<double, 2>({70, 195}, 0, 2);
  EXPECT_EQ(differences(high, *on_device(high, {plain(), "classic"}), {3}), 0);
}

/// Bits and largest update of one sweep by threads that go along `lines` lines each; `shift` reads beside u.
template <class T, int D>
bool strips_are_right(const Stencil<T, D>& a, unsigned lines, int kind, int shift = 0) {
  const auto b = random_values<T>(a.rows(), -1, 1, 1), x = random_values<T>(a.rows(), -1, 1, 2);
  const cuda::Stream stream(0);
  cuda::BoundGrid<T, D> grid(a, stream);
  cuda::DeviceSteps steps(stream);
  grid.load(b, x);
  cuda::DeviceGrid<T, D> w = grid.w;
  w.lines = static_cast<int>(lines);
  const auto pieces = [](Index n, unsigned size) { return (static_cast<unsigned>(n) + size - 1) / size; };
  using ThreadLines = cuda::ThreadLines<D>;
  cuda::Launch how{{pieces(w.n[0], ThreadLines::wide * cuda::Sixteen<T>::size)},
                   {ThreadLines::wide, ThreadLines::high},
                   cuda::bytes_of_sum};
  how.blocks.y = pieces(w.n[1], D == 2 ? ThreadLines::high * lines : ThreadLines::high);
  if (D == 3) how.blocks.z = pieces(w.n[D - 1], lines);
  const cuda::NormSum norms(stream, how.blocks.count());
  cuda::with_kind<D>(grid.kind, [&](auto k) {
    cuda::launch(stream, how, cuda::sweep_strips<k(), T, D>, w, grid.u + shift, grid.v,
                 steps.take(make_steps(kind, 1)), norms.parts());
  });
  grid.swap();
  const double largest = norms.of(how.blocks.count()).max;
  std::vector<T> got(x.size());
  grid.store(got);
  const auto right = rung_0(a);
  const bool same = same_bits(swept(*right, b, x, kind, 1), got);
  right->load(b, x);
  return same && right->advance(make_steps(kind, 1), Want::update).max == largest;
}

TEST_F(CudaClassic, LinesPerThreadChangeNoBitAndAShiftIsCaught) {
  for (int coefficients = 0; coefficients < 3; ++coefficients) {
    const auto space = case_operator<double, 3>({67, 11, 9}, coefficients);
    const auto sides = case_operator<float, 3>({67, 11, 9}, coefficients, 2);
    for (const unsigned lines : {1, 2, 3, 8, 9, 32})
      for (int kind = 0; kind < 3; ++kind) {
        EXPECT_TRUE(strips_are_right(space, lines, kind)) << lines << " " << kind;
        EXPECT_TRUE(strips_are_right(sides, lines, kind)) << lines << " " << kind;
      }
    EXPECT_FALSE(strips_are_right(space, 4, 0, 4)) << "shifted";
    const auto plane = case_operator<double, 2>({67, 37}, coefficients);
    for (const unsigned lines : {1, 2}) EXPECT_TRUE(strips_are_right(plane, lines, 0)) << lines;
    EXPECT_FALSE(strips_are_right(plane, 2, 0, 4)) << "shifted";
  }
}

TEST_F(CudaClassic, BlocksThatCannotBeAreRefused) {
  const auto plane = poisson<double, 2>({20, 20});
  constexpr Index huge = Index{1} << 59;
  for (const std::array<Index, 3> block : {std::array<Index, 3>{33, 1, 1},
                                           {32, 33, 1},
                                           {32, 0, 1},
                                           {0, 32, 1},
                                           {-32, 8, 1},
                                           {2048, 1, 1},
                                           {huge, 32, 1},
                                           {32, huge, 1}})
    EXPECT_THROW(on_device(plane, {plain(), "classic", {block}}), UsageError) << block[0];
  EXPECT_THROW(on_device(poisson<double, 3>({9, 9, 9}), {plain(), "classic", {{32, 4, 2}}}), UsageError);
  EXPECT_NO_THROW(on_device(poisson<double, 1>({20}), {plain(), "classic", {{256}}}));
  EXPECT_EQ(words_of<BackendError>([] {
              on_device(poisson<double, 3>({1, 65536, 1}), {plain(), "classic", {{32, 1, 1}}});
            }),
            "cuda: a grid of more lines than the device numbers in blocks of 1: at most 65535 along y, 65535 "
            "along z");
  EXPECT_EQ(words_of<UsageError>([&] {
              on_device(plane, {plain(), "classic", {{33, 1, 1}}});
            }),
            "cuda: a block of 33 x 1 threads: whole warps of 32, at most 1024 in all");
}

TEST_F(CudaClassic, ASolveEndsAsOnTheHost) {
  const auto a = poisson<double, 2>({30, 20});
  std::vector<double> b(a.rows(), 1.0), x(a.rows()), y(a.rows());
  const Stop stop{.relative = 1e-6, .max_sweeps = 5000};
  Solver<double> host(a, {plain(), "textbook"}, backend("serial")), there(a, {plain(), "graph"}, device());
  const Report right = host.solve(b, x, stop), report = there.solve(b, y, stop);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.rung, "graph");
  EXPECT_NEAR(static_cast<double>(report.sweeps), static_cast<double>(right.sweeps), 200);
  EXPECT_LE(report.residual_norm, 1e-6 * 30);
}

}  // namespace
}  // namespace jacobi::test
