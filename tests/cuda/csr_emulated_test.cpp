/// Sparse matrices on a device with little memory.
#include "cuda/emulated.hpp"
#include "device/matrices.hpp"
#include "jacobi/error.hpp"
#include "ladder/sparse_cases.hpp"

namespace jacobi::test {
namespace {

using CudaCsrEmulated = Emulated;

TEST_F(CudaCsrEmulated, NamesNeededAndFreeBytesWhereMemoryLacks) {
  const auto a = grid_matrix<double>({100, 50});
  settings().device.memory = counts().allocated + (100 << 10);
  for (const char* rung : {"fused", "sell"}) {
    const auto words = words_of<BackendError>([&] { matrix_on_device<double>(a, {plain(), rung}); });
    EXPECT_TRUE(says(words, "the matrix and the sweeps need ")) << words;
    EXPECT_TRUE(says(words, "100.0 KiB are free")) << words;
  }
}

}  // namespace
}  // namespace jacobi::test
