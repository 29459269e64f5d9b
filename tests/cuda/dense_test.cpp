/// Rungs of dense matrices that only a device of CUDA's has, beside single launches and rung 0.
#include "device/dense.hpp"
#include "backend/cuda/dense_rows.hpp"
#include "backend/cuda/row_sweeper.hpp"
#include "cuda/on_device.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaDense = OnDevice;

TEST_F(CudaDense, OnChipKeepsToTheBoundOfRung0) {
  for (const Index n : dense_device_sizes)
    for (const Layout layout : {by_rows, by_columns}) {
      EXPECT_EQ(dense_fault(DenseCase<double>(n, layout, n % 3), "on-chip", false), "") << n;
      EXPECT_EQ(dense_fault(DenseCase<float>(n, layout, n % 3), "on-chip", false), "") << n;
    }
}

TEST_F(CudaDense, DividesByL1) {
  for (const Layout layout : {by_rows, by_columns})
    EXPECT_EQ(dense_fault(DenseCase<double>(33, layout, 0), "graph", layout == by_columns, l1()), "");
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

TEST_F(CudaDense, NormsAreThoseOfRung0) {
  for (const Layout layout : {by_rows, by_columns})
    for (const char* rung : {"graph", "on-chip"}) {
      const DenseCase<double> c(100, layout, 1);
      const auto sweeper = matrix_on_device<double>(c.a, {plain(), rung});
      expect_norms(*matrix_on_host<double>(c.a), *sweeper, c.b, c.x, 1e-11);
      expect_one_norm(*sweeper, c.b, c.x);
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

TEST_F(CudaDense, GoesBackToWhatWasSaved) {
  for (const char* rung : {"graph", "on-chip"}) {
    const DenseCase<double> c(33, by_rows, 0);
    expect_going_back(*matrix_on_device<double>(c.a, {plain(), rung}), c.b, c.x);
  }
}

}  // namespace
}  // namespace jacobi::test
