/// Rungs of sparse matrices that only a device of CUDA's has: rows by several lanes keep to rung 0's bound.
#include "cuda/on_device.hpp"
#include "device/sparse.hpp"
#include "jacobi/error.hpp"

namespace jacobi::test {
namespace {

using CudaCsr = OnDevice;

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
    for (const char* rung : {"fused"}) {
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
  for (const char* rung : {"fused", "graph"})
    expect_going_back(*matrix_on_device<float>(a, {plain(), rung}), b, x);
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
