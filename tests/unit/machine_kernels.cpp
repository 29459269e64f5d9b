/// The loops that ceilings are measured with do all of the work that they are paid for.
#include "machine/kernels.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>

#include "core/aligned.hpp"

namespace jacobi::machine {
namespace {

/// Entries as integers, sixteen after each other alike, so that every lane of a vector sums up the same.
TEST(Read, MeetsEveryEntryOnceInOrderAndInQuarters) {
  for (const std::size_t blocks : {1, 2, 5, 300}) {  // 300: beyond most L2
    const std::size_t count = blocks * read_block, groups = count / 16;
    const auto data = aligned_array<double>(count, 4096);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t word = i / 16 + 1;
      std::memcpy(&data[i], &word, sizeof word);
    }
    const double once = static_cast<double>(groups * (groups + 1) / 2), in_order = read(data.get(), count, 1);
    double vectors = 1;  // of sixteen entries
    while (vectors < 16 && vectors * once != in_order) vectors *= 2;
    EXPECT_EQ(in_order, vectors * once) << blocks << " blocks";
    EXPECT_EQ(read(data.get(), count, 1, true), in_order) << blocks << " blocks";
    EXPECT_EQ(read(data.get(), count, 3, true), 3 * in_order) << blocks << " blocks";
    EXPECT_EQ(read(data.get(), count, 3), 3 * in_order) << blocks << " blocks";
  }
}

}  // namespace
}  // namespace jacobi::machine
