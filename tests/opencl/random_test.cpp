/// Random grids in random groups, and cycles of random tiles: the bits of the host. Fewer where a driver
/// takes long to compile each.
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClRandom = OnDevice;

/// 0 ... n - 1.
int below(Random& random, Index n) { return static_cast<int>(random.integer(0, n - 1)); }

/// Of the largest number of items, along x and y; on other devices than the emulated one of a short list.
std::array<Index, 3> random_group(Random& random) {
  if (!is_emulated()) return {1, 1, 1};  // others: groups_test.cpp
  const Index wide = 1 + below(random, 256);
  return {wide, 1 + below(random, 256 / wide), 1};
}

template <class T, int D>
std::array<Index, D> random_size(Random& random) {
  std::array<Index, D> n;
  for (int d = 0; d < D; ++d) n[d] = 1 + below(random, D == 1 ? 300 : D == 2 ? 40 : 12);
  return n;
}

/// A tiling that a device's 32 KiB hold; not always exact.
template <class T, int D>
Tiling random_tiling(Random& random) {
  Tiling tiling;
  for (int d = 0; d < D; ++d) {
    tiling.extent[d] = 1 + below(random, D == 1 ? 200 : D == 2 ? 16 : 5);
    tiling.overlap[d] = below(random, (tiling.extent[d] - 1) / 2 + 1);
  }
  tiling.subiterations = 1 + below(random, 6);
  return tiling;
}

/// Empty where bits are those of the host.
template <class T, int D>
std::string random_fault(Random& random) {
  const auto n = random_size<T, D>(random);
  const int sides = below(random, kind_variants), coefficients = below(random, coefficient_kinds<D>);
  const auto a = case_operator<T, D>(n, coefficients, sides);
  Plan plan = in_groups(random_group(random), "classic");
  bool periodic = false;
  for (const auto& side : a.grid().sides) periodic |= side[0].kind == BoundaryKind::periodic;
  if (!periodic && below(random, 2) == 0) plan.by = random_tiling<T, D>(random);
  Plan right = plan;
  if (!plan.tiling()) right.by = OnRung{"textbook"};
  const auto b = random_values<T>(a.rows(), -1, 1, 1), x = random_values<T>(a.rows(), -1, 1, 2);
  const auto host = backend("serial")->bind(Operator<T>(a), right), sweeper = on_device(a, plan);
  order_threads(static_cast<unsigned>(below(random, 1000)));
  const int kind = below(random, plan.tiling() ? 2 : 3), sweeps = below(random, 9);
  if (same_bits(swept(*host, b, x, kind, sweeps), swept(*sweeper, b, x, kind, sweeps))) return {};
  return std::to_string(D) + "D sides " + std::to_string(sides) + " coefficients " +
         std::to_string(coefficients) + " steps " + std::to_string(kind) + " sweeps " +
         std::to_string(sweeps) + " " + sweeper->executed().blocking;
}

template <class T>
std::string random_fault_of(int dimensions, Random& random) {
  return dimensions == 1   ? random_fault<T, 1>(random)
         : dimensions == 2 ? random_fault<T, 2>(random)
                           : random_fault<T, 3>(random);
}

TEST_F(OpenClRandom, GridsHaveTheBitsOfTheHost) {
  Random random(7);
  for (int turn = 0; turn < (is_emulated() ? 300 : 40); ++turn) {
    const int dimensions = 1 + turn % 3;
    EXPECT_EQ(turn % 2 == 0 || !compiles_at_once() ? random_fault_of<double>(dimensions, random)
                                                   : random_fault_of<float>(dimensions, random),
              "")
        << turn;
  }
}

}  // namespace
}  // namespace jacobi::test
