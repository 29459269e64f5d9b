/// The device's sweeps over dense matrices keep to rung 0: its bits in rung ordered, else its bound; every
/// rung has the same bits in every order of threads, and wrong ones are caught.
#include "device/dense.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using DeviceDense = OnDevice;

template <class T>
void expect_ordered_bits() {
  for (const Index n : dense_device_sizes)
    EXPECT_EQ(dense_fault(DenseCase<T>(n, by_columns, n % 3), "ordered", true), "") << n;
}
template <class T>
void expect_fused_within_bounds() {
  for (const Index n : dense_device_sizes)
    for (const Layout layout : {by_rows, by_columns})
      EXPECT_EQ(dense_fault(DenseCase<T>(n, layout, n % 3), "fused", layout == by_columns && n <= 64), "")
          << (layout == by_rows ? " rows " : " columns ") << n;
}

TEST_F(DeviceDense, OrderedHasTheBitsOfRung0) {
  expect_ordered_bits<double>();
  expect_ordered_bits<float>();
}
TEST_F(DeviceDense, KeepsToTheBoundOfRung0InDouble) { expect_fused_within_bounds<double>(); }
TEST_F(DeviceDense, KeepsToTheBoundOfRung0InFloat) { expect_fused_within_bounds<float>(); }

TEST_F(DeviceDense, ColumnsSplitOverBlocksKeepToTheBound) {
  const DenseCase<double> c(1100, by_columns, 1);  // several groups per panel
  const auto right = matrix_on_host<double>(c.a), other = matrix_on_device<double>(c.a, {plain(), "fused"});
  EXPECT_EQ(first_fault<double>(*right, *other, c.b, c.x, {2}, false,
                                [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
            "");
  expect_one_norm(*other, c.b, c.x);
}

TEST_F(DeviceDense, DividesByL1) {
  for (const Layout layout : {by_rows, by_columns})
    EXPECT_EQ(dense_fault(DenseCase<double>(33, layout, 0), "fused", layout == by_columns, l1()), "");
}

TEST_F(DeviceDense, OneSweepShortIsCaught) {
  const DenseCase<double> c(33, by_columns, 0);
  const auto right = matrix_on_host<double>(c.a);
  Spoiled<double> lazy(matrix_on_device<double>(c.a, {plain(), "fused"}), 1);
  EXPECT_NE(first_fault<double>(*right, lazy, c.b, c.x, {7}, false,
                                [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
            "");
}

TEST_F(DeviceDense, AnotherOrderThanRung0sIsCaught) {
  EXPECT_NE(dense_fault(DenseCase<double>(257, by_rows, 0), "fused", true), "");
}

TEST_F(DeviceDense, NormsAreThoseOfRung0) {
  for (const Layout layout : {by_rows, by_columns}) {
    const DenseCase<double> c(100, layout, 1);
    const auto sweeper = matrix_on_device<double>(c.a, {plain(), "fused"});
    expect_norms(*matrix_on_host<double>(c.a), *sweeper, c.b, c.x, 1e-11);
    expect_one_norm(*sweeper, c.b, c.x);
  }
}

TEST_F(DeviceDense, ANormOfNotANumberIsNotANumber) {
  for (const Layout layout : {by_rows, by_columns}) {
    DenseCase<double> c(64, layout, 0);
    c.x[17] = std::nan("");
    const auto sweeper = matrix_on_device<double>(c.a);
    sweeper->load(c.b, c.x);
    EXPECT_TRUE(std::isnan(sweeper->advance(make_steps(0, 1), Want::update).max));
  }
}

template <class T>
void expect_copies_as_alone(Index n, Layout layout, Index copies) {
  const DenseCase<T> c(n, layout, 2);
  expect_copies_as_alone<T>(c, *matrix_on_device<T>(c.a, {plain(), "fused"}),
                            *matrix_on_device<T>(batch(c.a, copies)), copies);
}
TEST_F(DeviceDense, RightHandSidesTogetherHaveTheBitsThatTheyHaveAlone) {
  for (const Layout layout : {by_rows, by_columns}) {
    expect_copies_as_alone<double>(70, layout, 3);
    if (!compiles_at_once()) continue;
    for (const Index copies : {2, 4, 5, 8}) expect_copies_as_alone<double>(70, layout, copies);
    for (const Index copies : {3, 8, 16}) expect_copies_as_alone<float>(70, layout, copies);
  }
}

TEST_F(DeviceDense, NormsOfSeveralRightHandSidesAreThoseOfRung0) {
  for (const Layout layout : {by_rows, by_columns}) {
    const DenseCase<double> c(40, layout, 0);
    const auto a = batch(c.a, 3);
    expect_norms(*matrix_on_host<double>(a), *matrix_on_device<double>(a),
                 random_values<double>(120, -1, 1, 3), random_values<double>(120, -1, 1, 4), 1e-11);
  }
}

TEST_F(DeviceDense, GoesBackToWhatWasSaved) {
  const DenseCase<double> c(33, by_rows, 0);
  expect_going_back(*matrix_on_device<double>(c.a, {plain(), "fused"}), c.b, c.x);
}

TEST_F(DeviceDense, SaysWhatTransfersAndSweepsTook) {
  const DenseCase<double> c(33, by_columns, 0);
  expect_times(*matrix_on_device<double>(c.a), c.b, c.x);
}

TEST_F(DeviceDense, ASolveEndsAsOnTheHost) {
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
