/// The device's sweeps over dense matrices keep to rung 0: its bits in rung ordered, else its bound; every
/// rung has the same bits in every order of threads, and wrong ones are caught.
#include "backend/cuda/dense_rows.hpp"
#include "backend/cuda/row_sweeper.hpp"

#include "cuda/matrices.hpp"
#include "jacobi/error.hpp"
#include "ladder/dense_cases.hpp"

namespace jacobi::test {
namespace {

constexpr std::initializer_list<Index> dense_sizes = {1, 2, 3, 31, 33, 64, 100, 257};

class CudaDense : public OnDevice {
 protected:
  template <class T>
  static std::string fault(const DenseCase<T>& c, const std::string& rung, bool bitwise,
                           const Method& method = plain()) {
    const auto right = matrix_on_host<T>(c.a, method), other = matrix_on_device<T>(c.a, {method, rung});
    return first_fault<T>(*right, *other, c.b, c.x, {0, 1, 4}, bitwise,
                          [&](const auto& x, int sweeps) { return bound(c, x, sweeps); });
  }
  template <class T>
  static void expect_ordered_bits() {
    for (const Index n : dense_sizes)
      EXPECT_EQ(fault(DenseCase<T>(n, by_columns, n % 3), "ordered", true), "") << n;
  }
  template <class T>
  static void expect_bounds() {
    for (const Index n : dense_sizes)
      for (const Layout layout : {by_rows, by_columns})
        for (const std::string rung : {"fused", "on-chip"})
          EXPECT_EQ(
              fault(DenseCase<T>(n, layout, n % 3), rung, layout == by_columns && rung == "fused" && n <= 64),
              "")
              << rung << (layout == by_rows ? " rows " : " columns ") << n;
  }
};

TEST_F(CudaDense, OrderedHasTheBitsOfRung0) {
  expect_ordered_bits<double>();
  expect_ordered_bits<float>();
}
TEST_F(CudaDense, KeepsToTheBoundOfRung0InDouble) { expect_bounds<double>(); }
TEST_F(CudaDense, KeepsToTheBoundOfRung0InFloat) { expect_bounds<float>(); }

TEST_F(CudaDense, ColumnsSplitOverBlocksKeepToTheBound) {
  const DenseCase<double> c(1100, by_columns, 1);  // three blocks per panel
  const auto right = matrix_on_host<double>(c.a), other = matrix_on_device<double>(c.a, {plain(), "fused"});
  EXPECT_EQ(first_fault<double>(*right, *other, c.b, c.x, {2}, false,
                                [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
            "");
  expect_one_norm(*other, c.b, c.x);
}

TEST_F(CudaDense, DividesByL1) {
  for (const Layout layout : {by_rows, by_columns})
    EXPECT_EQ(fault(DenseCase<double>(33, layout, 0), "graph", layout == by_columns, l1()), "");
}

TEST_F(CudaDense, AGraphHasTheBitsOfSingleLaunches) {
  for (const Layout layout : {by_rows, by_columns}) {
    const DenseCase<double> c(33, layout, 2);
    const auto one = matrix_on_device<double>(c.a, {plain(), "fused"});
    const auto many = matrix_on_device<double>(c.a, {plain(), "graph"});
    EXPECT_EQ(first_difference(*one, *many, c.b, c.x, {1, 131}), "");
    EXPECT_EQ(many->executed().rung, "graph");
  }
}

TEST_F(CudaDense, OnChipHasTheBitsOfSingleLaunches) {
  for (const Index n : {3, 31, 150, 300}) {  // the last one in several blocks
    const DenseCase<float> c(n, by_rows, 1);
    const auto one = matrix_on_device<float>(c.a, {plain(), "fused"});
    const auto chip = matrix_on_device<float>(c.a, {plain(), "on-chip"});
    EXPECT_EQ(first_difference(*one, *chip, c.b, c.x, {1, 9}), "") << n;
    EXPECT_EQ(chip->executed().rung, "on-chip");
  }
}

TEST_F(CudaDense, OneSweepShortIsCaught) {
  const DenseCase<double> c(33, by_columns, 0);
  const auto right = matrix_on_host<double>(c.a);
  Spoiled<double> lazy(matrix_on_device<double>(c.a, {plain(), "fused"}), 1);
  EXPECT_NE(first_fault<double>(*right, lazy, c.b, c.x, {7}, false,
                                [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
            "");
}

TEST_F(CudaDense, AnotherOrderThanRung0sIsCaught) {
  EXPECT_NE(fault(DenseCase<double>(257, by_rows, 0), "fused", true), "");
}

TEST_F(CudaDense, NormsAreThoseOfRung0) {
  for (const Layout layout : {by_rows, by_columns})
    for (const char* rung : {"fused", "graph", "on-chip"}) {
      const DenseCase<double> c(100, layout, 1);
      const auto sweeper = matrix_on_device<double>(c.a, {plain(), rung});
      expect_norms(*matrix_on_host<double>(c.a), *sweeper, c.b, c.x, 1e-11);
      expect_one_norm(*sweeper, c.b, c.x);
    }
}

TEST_F(CudaDense, ANormOfNotANumberIsNotANumber) {
  for (const Layout layout : {by_rows, by_columns}) {
    DenseCase<double> c(64, layout, 0);
    c.x[17] = std::nan("");
    const auto sweeper = matrix_on_device<double>(c.a);
    sweeper->load(c.b, c.x);
    EXPECT_TRUE(std::isnan(sweeper->advance(make_steps(0, 1), Want::update).max));
  }
}

/// Every right-hand side has the bits that it has alone.
template <class T>
void expect_copies_as_alone(const DenseCase<T>& c, Sweeper<T>& one, Sweeper<T>& several, Index copies) {
  const Index n = c.a.order();
  const auto together = random_values<T>(n * copies, -1, 1, 3),
             start = random_values<T>(n * copies, -1, 1, 4);
  const auto found = swept(several, together, start, 2, 3);
  std::vector<T> b(n), x(n);
  for (Index k = 0; k < copies; ++k) {
    for (Index i = 0; i < n; ++i) b[i] = together[k + copies * i], x[i] = start[k + copies * i];
    const auto alone = swept(one, b, x, 2, 3);
    for (Index i = 0; i < n; ++i)
      ASSERT_EQ(found[k + copies * i], alone[i]) << n << " " << copies << " " << k;
  }
}
template <class T>
void expect_copies_as_alone(Index n, Layout layout, Index copies) {
  const DenseCase<T> c(n, layout, 2);
  expect_copies_as_alone<T>(c, *matrix_on_device<T>(c.a, {plain(), "fused"}),
                            *matrix_on_device<T>(batch(c.a, copies)), copies);
}
TEST_F(CudaDense, RightHandSidesTogetherHaveTheBitsThatTheyHaveAlone) {
  for (const Layout layout : {by_rows, by_columns}) {
    for (const Index copies : {2, 4, 5, 8}) expect_copies_as_alone<double>(70, layout, copies);
    for (const Index copies : {3, 8, 16}) expect_copies_as_alone<float>(70, layout, copies);
  }
}

/// As a matrix that is large enough for it.
template <class T>
std::unique_ptr<Sweeper<T>> with_shared_rows(const DenseCase<T>& c, int copies) {
  const Index n = c.a.order(), leading = cuda::leading_of<T>(n);
  std::vector<T> rows(static_cast<std::size_t>(n * leading)), scale;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) rows[i * leading + j] = c.a.at(i, j);
    scale.push_back(1 / c.a.at(i, i));
  }
  return std::make_unique<cuda::RowSweeper<T>>(
      cuda::RowSystem<T>{n, leading, copies, scale, "fused",
                         [=](const cuda::Stream& stream) -> std::unique_ptr<cuda::RowKernels<T>> {
                           return std::make_unique<cuda::DenseByRows<T>>(
                               stream, cuda::Buffer<T>(stream, std::span<const T>(rows)), n, copies, true);
                         }},
      0);
}
template <class T>
void expect_shared_rows_to_do(Index n, std::initializer_list<int> copies) {
  const DenseCase<T> c(n, by_rows, 1);
  const auto right = matrix_on_host<T>(c.a), other = with_shared_rows(c, 1);
  EXPECT_EQ(first_fault<T>(*right, *other, c.b, c.x, {2}, false,
                           [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
            "");
  expect_one_norm(*other, c.b, c.x);
  for (const int k : copies) expect_copies_as_alone<T>(c, *other, *with_shared_rows(c, k), k);
}
TEST_F(CudaDense, RowsSharedByTheWarpsOfABlockKeepToTheBound) {
  EXPECT_TRUE(cuda::rows_are_shared(8192));
  EXPECT_FALSE(cuda::rows_are_shared(4096));
  expect_shared_rows_to_do<double>(520, {});  // some threads have two words of a row
  for (const Index n : {1, 67}) {
    expect_shared_rows_to_do<double>(n, {2, 5});
    expect_shared_rows_to_do<float>(n, {3, 16});
  }
}
TEST_F(CudaDense, NormsOfSeveralRightHandSidesAreThoseOfRung0) {
  for (const Layout layout : {by_rows, by_columns}) {
    const DenseCase<double> c(40, layout, 0);
    const auto a = batch(c.a, 3);
    expect_norms(*matrix_on_host<double>(a), *matrix_on_device<double>(a),
                 random_values<double>(120, -1, 1, 3), random_values<double>(120, -1, 1, 4), 1e-11);
  }
}

TEST_F(CudaDense, GoesBackToWhatWasSaved) {
  for (const char* rung : {"fused", "graph", "on-chip"}) {
    const DenseCase<double> c(33, by_rows, 0);
    expect_going_back(*matrix_on_device<double>(c.a, {plain(), rung}), c.b, c.x);
  }
}

TEST_F(CudaDense, SaysWhatTransfersAndSweepsTook) {
  const DenseCase<double> c(33, by_columns, 0);
  expect_times(*matrix_on_device<double>(c.a), c.b, c.x);
}

TEST_F(CudaDense, ASolveEndsAsOnTheHost) {
  const DenseCase<double> c(100, by_columns, 0);
  std::vector<double> x(100), y(100);
  const Stop stop{.relative = 1e-10, .max_sweeps = 5000};
  Solver<double> host(c.a, {plain(), "textbook"}, backend("serial")), there(c.a, {}, device());
  const Report right = host.solve(c.b, x, stop), report = there.solve(c.b, y, stop);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(static_cast<double>(report.sweeps), static_cast<double>(right.sweeps), 300);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-9);
}

}  // namespace
}  // namespace jacobi::test
