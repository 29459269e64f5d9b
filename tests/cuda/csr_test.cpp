/// The device's sweeps over sparse matrices: chunks have the bits of rung 0, rows by several lanes its bound.
#include "cuda/matrices.hpp"
#include "jacobi/error.hpp"
#include "ladder/sparse_cases.hpp"

namespace jacobi::test {
namespace {

using CudaCsr = OnDevice;

/// The same matrix with a diagonal that sweeps contract with, offsets and columns of type I.
template <class I, class T>
Csr<T> dominant(const Csr<T>& a) {
  return a.visit([&](auto offsets, auto columns, auto values) {
    std::vector<I> to_offsets(offsets.begin(), offsets.end()), to_columns(columns.begin(), columns.end());
    std::vector<T> to_values(values.begin(), values.end());
    for (Index i = 0; i < a.rows(); ++i) {
      double sum = 0.5;
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) sum += std::abs(static_cast<double>(values[k]));
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        if (static_cast<Index>(columns[k]) == i) to_values[k] = static_cast<T>(i % 2 == 0 ? sum : -sum);
    }
    return Csr<T>::template own<I>(to_offsets, to_columns, to_values);
  });
}

template <class T>
std::vector<SparseCase<T>> device_sparse_cases() {
  SparseMaker make(5);
  std::vector<SparseCase<T>> cases;
  const auto add = [&](std::string name, Csr<T> a) {
    const Index n = a.rows();
    cases.push_back({std::move(name), std::move(a), make.template vector<T>(n), make.template vector<T>(n)});
  };
  for (const Index n : {1, 2, 3, 31, 33, 64, 100, 257}) {
    add("random " + std::to_string(n), dominant<std::int64_t>(make.matrix<T>(n, 5, n, 5)));
    add("hubs " + std::to_string(n), dominant<std::int32_t>(make.matrix<T>(n, 2, n, n / 2)));
    add("full " + std::to_string(n), dominant<std::int32_t>(make.matrix<T>(n, n / 4, n, n)));
  }
  add("band", dominant<std::int64_t>(make.matrix<T>(1031, 3, 40, 3)));
  add("grid", dominant<std::int32_t>(grid_matrix<T>({41, 30})));
  return cases;
}

/// As of a dense matrix: errors of one sweep, twice, times sweeps, times what three-term steps may add.
template <class T>
double bound(const SparseCase<T>& c, const std::vector<T>& x, int sweeps) {
  double most = 0, longest = 0;
  c.a.visit([&](auto offsets, auto columns, auto values) {
    for (Index i = 0; i < c.a.rows(); ++i) {
      double sum = std::abs(static_cast<double>(c.b[i]));
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k)
        sum += std::abs(static_cast<double>(values[k]) * static_cast<double>(x[columns[k]]));
      most = std::max(most, sum / std::abs(static_cast<double>(c.a.diagonal(i))) + std::abs(x[i]));
      longest = std::max(longest, static_cast<double>(offsets[i + 1] - offsets[i]));
    }
  });
  return 4 * sweeps * 2 * (longest + 2) * std::numeric_limits<T>::epsilon() * most;
}

template <class T>
void expect_csr_rung(const std::string& rung, bool bitwise) {
  for (const auto& c : device_sparse_cases<T>()) {
    const auto right = matrix_on_host<T>(c.a), other = matrix_on_device<T>(c.a, {plain(), rung});
    EXPECT_EQ(first_fault<T>(*right, *other, c.b, c.x, {0, 1, 4}, bitwise,
                             [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
              "")
        << c.name;
    EXPECT_EQ(other->executed().rung, rung);
  }
}
TEST_F(CudaCsr, ChunksHaveTheBitsOfRung0InDouble) { expect_csr_rung<double>("sell", true); }
TEST_F(CudaCsr, ChunksHaveTheBitsOfRung0InFloat) { expect_csr_rung<float>("sell", true); }
TEST_F(CudaCsr, RowsKeepToTheBoundOfRung0InDouble) { expect_csr_rung<double>("fused", false); }
TEST_F(CudaCsr, RowsKeepToTheBoundOfRung0InFloat) { expect_csr_rung<float>("fused", false); }

TEST_F(CudaCsr, AGraphHasTheBitsOfWhatItRepeats) {
  for (const auto& c : device_sparse_cases<double>()) {
    if (c.a.rows() != 33) continue;
    const auto many = matrix_on_device<double>(c.a);
    const bool chunks = says(many->executed().blocking, "chunks");
    const auto one = matrix_on_device<double>(c.a, {plain(), chunks ? "sell" : "fused"});
    EXPECT_EQ(first_difference(*one, *many, c.b, c.x, {1, 66, 131}), "") << c.name;
    EXPECT_EQ(many->executed().rung, "graph");
  }
}

TEST_F(CudaCsr, ChunksAreForRowsOfLikeLength) {
  SparseMaker make(3);
  const auto even = matrix_on_device<double>(grid_matrix<double>({70, 3}));
  EXPECT_TRUE(says(even->executed().blocking, "chunks of 32 rows")) << even->executed().blocking;
  const auto uneven =
      matrix_on_device<double>(dominant<std::int32_t>(make.matrix<double>(900, 1, 900, 3000)));
  EXPECT_TRUE(says(uneven->executed().blocking, "lanes per row")) << uneven->executed().blocking;
}

TEST_F(CudaCsr, DividesByL1) {
  for (const auto& c : device_sparse_cases<double>()) {
    if (c.a.rows() > 100) continue;
    const auto right = matrix_on_host<double>(c.a, l1()),
               other = matrix_on_device<double>(c.a, {l1(), "sell"});
    EXPECT_EQ(first_difference(*right, *other, c.b, c.x, {2}), "") << c.name;
  }
}

TEST_F(CudaCsr, WrongRungsAreCaught) {
  int caught = 0, cases = 0;
  for (const auto& c : device_sparse_cases<double>()) {
    if (c.a.rows() < 31 || c.a.rows() > 257) continue;  // few rows may have the same bits in any order
    const auto right = matrix_on_host<double>(c.a), other = matrix_on_device<double>(c.a, {plain(), "fused"});
    Spoiled<double> lazy(matrix_on_device<double>(c.a, {plain(), "fused"}), 1);
    EXPECT_NE(first_fault<double>(*right, lazy, c.b, c.x, {7}, false,
                                  [&](const auto& x, int sweeps) { return bound(c, x, sweeps); }),
              "")
        << c.name;
    ++cases;
    caught += first_difference(*right, *other, c.b, c.x, {7}) != "";
  }
  EXPECT_GT(caught, cases / 2);
}

TEST_F(CudaCsr, NormsAreThoseOfRung0) {
  for (const auto& c : device_sparse_cases<double>())
    for (const char* rung : {"fused", "sell"}) {
      if (c.a.rows() != 33 && c.a.rows() != 257) continue;
      const auto sweeper = matrix_on_device<double>(c.a, {plain(), rung});
      expect_norms(*matrix_on_host<double>(c.a), *sweeper, c.b, c.x, 1e-11);
      expect_one_norm(*sweeper, c.b, c.x);
    }
}

TEST_F(CudaCsr, GoesBackToWhatWasSaved) {
  SparseMaker make(9);
  const auto a = dominant<std::int64_t>(make.matrix<float>(100, 4, 100, 30));
  const auto b = make.vector<float>(100), x = make.vector<float>(100);
  for (const char* rung : {"fused", "sell", "graph"})
    expect_going_back(*matrix_on_device<float>(a, {plain(), rung}), b, x);
}

TEST_F(CudaCsr, SaysWhatTransfersAndSweepsTook) {
  const auto a = grid_matrix<double>({20, 20});
  const std::vector<double> b(400, 1.0);
  expect_times(*matrix_on_device<double>(a), b, b);
}

TEST_F(CudaCsr, ASolveOfAGridInDisguiseGoesToTheGridsRungs) {
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

TEST_F(CudaCsr, RefusesInWordsWhatItCannotSweep) {
  const auto a = grid_matrix<double>({100, 50});
  const auto unknown = words_of<UsageError>([&] { matrix_on_device<double>(a, {plain(), "blocked"}); });
  EXPECT_TRUE(says(unknown, "choose one of fused, sell, graph")) << unknown;
  EXPECT_TRUE(says(words_of<UsageError>([&] { matrix_on_device<double>(a, {bicgstab()}); }), "bicgstab"));
  const std::vector<Entry<double>> entries = {{0, 0, 1}, {1, 0, 2}};
  const auto bad = Csr<double>::from_entries(2, entries);
  EXPECT_TRUE(says(words_of<InputError>([&] { matrix_on_device<double>(bad); }), "ZeroDiagonal"));
  const MatrixFree<double> products(2, [](auto x, auto y) { std::ranges::copy(x, y.begin()); }, {1, 1});
  EXPECT_TRUE(says(words_of<BackendError>([&] { matrix_on_device<double>(products); }), "on the processor"));
}

}  // namespace
}  // namespace jacobi::test
