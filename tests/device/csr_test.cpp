/// The device's sweeps over sparse matrices in chunks have the bits of rung 0, and its norms.
#include "device/sparse.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using DeviceCsr = OnDevice;

TEST_F(DeviceCsr, ChunksHaveTheBitsOfRung0InDouble) { expect_csr_rung<double>("sell", true); }
TEST_F(DeviceCsr, ChunksHaveTheBitsOfRung0InFloat) { expect_csr_rung<float>("sell", true); }

TEST_F(DeviceCsr, DividesByL1) {
  for (const auto& c : device_sparse_cases<double>()) {
    if (c.a.rows() > 100) continue;
    const auto right = matrix_on_host<double>(c.a, l1()),
               other = matrix_on_device<double>(c.a, {l1(), "sell"});
    EXPECT_EQ(first_difference(*right, *other, c.b, c.x, {2}), "") << c.name;
  }
}

TEST_F(DeviceCsr, NormsAreThoseOfRung0) {
  for (const auto& c : device_sparse_cases<double>())
    for (const char* rung : {"sell"}) {
      if (c.a.rows() != 33 && c.a.rows() != 257) continue;
      const auto sweeper = matrix_on_device<double>(c.a, {plain(), rung});
      expect_norms(*matrix_on_host<double>(c.a), *sweeper, c.b, c.x, 1e-11);
      expect_one_norm(*sweeper, c.b, c.x);
    }
}

TEST_F(DeviceCsr, GoesBackToWhatWasSaved) {
  SparseMaker make(9);
  const auto a = dominant<std::int64_t>(make.matrix<float>(100, 4, 100, 30));
  const auto b = make.vector<float>(100), x = make.vector<float>(100);
  for (const char* rung : {"sell"}) expect_going_back(*matrix_on_device<float>(a, {plain(), rung}), b, x);
}

TEST_F(DeviceCsr, SaysWhatTransfersAndSweepsTook) {
  const auto a = grid_matrix<double>({20, 20});
  const std::vector<double> b(400, 1.0);
  expect_times(*matrix_on_device<double>(a), b, b);
}

TEST_F(DeviceCsr, ASolveOfAGridInDisguiseGoesToTheGridsRungs) {
  const auto a = grid_matrix<double>({20, 20});
  std::vector<double> b(400, 1.0), x(400), y(400);
  const Stop stop{.relative = 1e-6, .max_sweeps = 5000};
  Solver<double> grid(a, {}, device()), rows(a, {plain(), "sell"}, device());
  EXPECT_TRUE(grid.solve(b, x, stop).converged());
  const Report report = rows.solve(b, y, stop);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.rung, "sell");
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-4 * y[i]);
}

TEST_F(DeviceCsr, RefusesInWordsARowThatNothingDivides) {
  const std::vector<Entry<double>> entries = {{0, 0, 1}, {1, 0, 2}};
  const auto bad = Csr<double>::from_entries(2, entries);
  EXPECT_TRUE(says(words_of<InputError>([&] { matrix_on_device<double>(bad); }), "ZeroDiagonal"));
}

}  // namespace
}  // namespace jacobi::test
