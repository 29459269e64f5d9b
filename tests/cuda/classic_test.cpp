/// The device's classic sweeps have the bits of rung 0 and its norms; spoiled ones are caught.
#include "backend/cuda/classic.hpp"
#include "backend/cuda/steps.hpp"
#include "cuda/cases.hpp"
#include "cuda/on_device.hpp"

namespace jacobi::test {
namespace {

class CudaClassic : public OnDevice {
 protected:
  template <class T, int D>
  static void expect_rung_0() {
    std::vector<std::vector<T>> keep;
    const Make<T, Stencil<T, D>> right = [](const Stencil<T, D>& a) { return rung_0(a); };
    expect_equal(device_cases<T, D>(keep), right, {{"classic", [](const Stencil<T, D>& a) {
                                                      return on_device(a, {plain(), "classic"});
                                                    }}});
  }
};

TEST_F(CudaClassic, HasTheBitsOfRung0In1DDouble) { expect_rung_0<double, 1>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In2DDouble) { expect_rung_0<double, 2>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In3DDouble) { expect_rung_0<double, 3>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In1DFloat) { expect_rung_0<float, 1>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In2DFloat) { expect_rung_0<float, 2>(); }
TEST_F(CudaClassic, HasTheBitsOfRung0In3DFloat) { expect_rung_0<float, 3>(); }

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

/// Rows that end anywhere in a thread's 16 bytes and in a block, one line or two to a thread, every kind of
/// sides and coefficients.
template <class T>
void expect_rows_of_every_length() {
  for (const Index n : {1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 66, 127, 128, 129, 131})
    for (int kind = 0; kind < 4; ++kind) {
      const auto plane = case_operator<T, 2>({n, 2 * kind + 1}, kind, kind);
      EXPECT_EQ(differences(plane, *on_device(plane, {plain(), "classic"}), {1, 3}), 0) << n << " " << kind;
      const auto line = case_operator<T, 1>({n}, kind, kind);
      EXPECT_EQ(differences(line, *on_device(line, {plain(), "classic"}), {3}), 0) << n << " " << kind;
    }
  const auto high =
      case_operator<T, 2>({70, 195}, 0, 2);  // two lines to a thread where 4 multiprocessors are
  EXPECT_EQ(differences(high, *on_device(high, {plain(), "classic"}), {3}), 0);
}
TEST_F(CudaClassic, RowsOfEveryLengthHaveTheBitsOfRung0Double) { expect_rows_of_every_length<double>(); }
TEST_F(CudaClassic, RowsOfEveryLengthHaveTheBitsOfRung0Float) { expect_rows_of_every_length<float>(); }

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
  using Strips = cuda::Strips<D>;
  cuda::Launch how{{pieces(w.n[0], Strips::wide * cuda::Sixteen<T>::size)},
                   {Strips::wide, Strips::high},
                   cuda::bytes_of_sum};
  how.blocks.y = pieces(w.n[1], D == 2 ? Strips::high * lines : Strips::high);
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

TEST_F(CudaClassic, OneSweepShortIsCaught) {
  std::vector<std::vector<double>> keep;
  const double caught = share_caught<double, Stencil<double, 2>>(
      device_cases<double, 2>(keep), [](const auto& a) { return rung_0(a); },
      [](const auto& a) { return std::make_unique<Spoiled<double>>(on_device(a), 1); });
  EXPECT_GT(caught, 0.5);
}

template <class T, int D>
void expect_norms_of_rung_0() {
  std::vector<std::vector<T>> keep;
  for (const auto& c : device_cases<T, D>(keep))
    for (const Want want : {Want::update, Want::residual, Want::correction}) {
      const auto right = rung_0(c.a), sweeper = on_device(c.a);
      right->load(c.b, c.x);
      sweeper->load(c.b, c.x);
      const Norms expected = right->advance(make_steps(0, 3), want);
      const Norms fused = sweeper->advance(make_steps(0, 3), want), alone = sweeper->norms(want);
      EXPECT_NEAR(fused.l2, expected.l2, 1e-13 * expected.l2) << c.name;
      EXPECT_NEAR(alone.l2, expected.l2, 1e-13 * expected.l2) << c.name;
      EXPECT_EQ(fused.max, expected.max) << c.name;
      EXPECT_EQ(alone.max, expected.max) << c.name;
    }
}

TEST_F(CudaClassic, NormsAreThoseOfRung0) {
  expect_norms_of_rung_0<double, 1>();
  expect_norms_of_rung_0<float, 2>();
  expect_norms_of_rung_0<double, 3>();
}

TEST_F(CudaClassic, NormsDoNotDependOnTheOrderOfBlocks) {
  const auto a = poisson<double, 2>({200, 100});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  double first = 0;
  for (const unsigned seed : {1U, 2U, 77U}) {
    order_threads(seed);
    const auto sweeper = on_device(a);
    sweeper->load(b, x);
    const double norm = sweeper->advance(make_steps(0, 3), Want::update).l2;
    if (seed == 1) first = norm;
    EXPECT_EQ(norm, first) << seed;
  }
}

TEST_F(CudaClassic, ANormOfNotANumberIsNotANumber) {
  const auto a = poisson<double, 2>({70, 40});
  std::vector<double> b(a.rows(), 1.0), x(a.rows());
  x[1234] = std::nan("");
  const auto sweeper = on_device(a);
  sweeper->load(b, x);
  const Norms norm = sweeper->advance(make_steps(0, 1), Want::update);
  EXPECT_TRUE(std::isnan(norm.l2));
  EXPECT_TRUE(std::isnan(norm.max));
}

TEST_F(CudaClassic, GoesBackToWhatWasSavedAndTakesAnotherProblem) {
  const auto a = poisson<double, 3>({9, 8, 7});
  const auto b = random_values<double>(a.rows(), -1, 1, 1), x = random_values<double>(a.rows(), -1, 1, 2);
  const auto sweeper = on_device(a);
  const auto first = swept(*sweeper, b, x, 1, 6);
  EXPECT_EQ(sweeper->executed().sweeps, 6);
  sweeper->save();
  sweeper->advance(make_steps(1, 4), Want::nothing);
  sweeper->restore();
  EXPECT_EQ(sweeper->executed().sweeps, 6);
  std::vector<double> back(first.size());
  sweeper->store(back);
  EXPECT_TRUE(same_bits(first, back));
  EXPECT_TRUE(same_bits(swept(*rung_0(a), x, b, 0, 5), swept(*sweeper, x, b, 0, 5)));
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
