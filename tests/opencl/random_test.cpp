/// Random grids, cycles of random tiles and random matrices, in random groups and both precisions: the bits
/// of the host, or within the bound. Fewer where a driver takes long to compile each.
#include "device/sparse.hpp"
#include "opencl/on_opencl.hpp"

namespace jacobi::test {
namespace {

using OpenClRandom = OnDevice;

/// 0 ... n - 1.
int below(Random& random, Index n) { return static_cast<int>(random.integer(0, n - 1)); }

/// Up to the largest number of items, along x and y; on other devices than the emulated one the first `few`
/// of a short list, since kernels are compiled for each anew, those of grids for a second or two.
std::array<Index, 3> random_group(Random& random, Index few) {
  constexpr std::array<std::array<Index, 3>, 3> list = {{{1, 1, 1}, {3, 5, 1}, {64, 1, 1}}};
  if (!is_emulated()) return list[below(random, few)];
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
  Plan plan = in_groups(random_group(random, D == 2 ? 2 : 1), "classic");
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

/// The same of a matrix on a rung.
template <class T, class Case>
std::string fault_of_matrix(const Case& c, const std::string& rung, bool bitwise, Random& random) {
  const auto [wide, high, deep] = random_group(random, 3);
  const auto right = matrix_on_host<T>(c.a),
             other = matrix_on_device<T>(c.a, in_groups({wide * high * deep, 1, 1}, rung));
  const int sweeps = 1 + below(random, 5);
  const std::string fault = first_fault<T>(*right, *other, c.b, c.x, {sweeps}, bitwise,
                                           [&](const auto& x, int made) { return bound(c, x, made); });
  return fault.empty() ? fault : rung + " " + c.name + " " + other->executed().blocking + ": " + fault;
}

template <class T>
std::string random_dense_fault(Layout layout, Random& random) {
  const DenseCase<T> c(1 + below(random, 70), layout, below(random, 3));
  const bool ordered = layout == by_columns && below(random, 2) == 0;
  return fault_of_matrix<T>(c, ordered ? "ordered" : "fused", ordered, random);
}

template <class T>
std::string random_csr_fault(Random& random) {
  const Index n = 1 + below(random, 200);
  SparseMaker make(static_cast<unsigned>(below(random, 1000)));
  Csr<T> a = dominant<std::int32_t>(make.matrix<T>(n, below(random, 6), n, 1 + below(random, 5)));
  const SparseCase<T> c{std::to_string(n) + " sparse rows", std::move(a), make.vector<T>(n),
                        make.vector<T>(n)};
  return fault_of_matrix<T>(c, "sell", true, random);
}

/// Of grids, whose kernels take longest to compile, and of more matrices.
constexpr int random_kinds = 10;
template <class T>
std::string random_fault_of(int kind, Random& random) {
  if (kind == 0) return random_fault<T, 1>(random);
  if (kind == 1) return random_fault<T, 2>(random);
  if (kind == 2) return random_fault<T, 3>(random);
  if (kind < 8) return random_dense_fault<T>(kind % 2 == 0 ? by_rows : by_columns, random);
  return random_csr_fault<T>(random);
}

TEST_F(OpenClRandom, ProblemsHaveTheBitsOfTheHostOrKeepToTheBound) {
  Random random(7);
  for (int turn = 0; turn < (is_emulated() ? 300 : 40); ++turn) {
    const int kind = turn % random_kinds;
    EXPECT_EQ(turn / random_kinds % 2 == 0 ? random_fault_of<double>(kind, random)
                                           : random_fault_of<float>(kind, random),
              "")
        << turn;
  }
}

}  // namespace
}  // namespace jacobi::test
