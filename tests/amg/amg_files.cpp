/// Algebraic multigrid on real matrices. A file of its own: tests of threads alone are built without file
/// formats.
#include <gtest/gtest.h>

#include "io/matrix_market.hpp"
#include "jacobi/jacobi.hpp"
#include "shared_folder.hpp"

namespace jacobi {
namespace {

class AmgOnSharedMatrices : public test::OnSharedData<testing::TestWithParam<const char*>> {};
TEST_P(AmgOnSharedMatrices, SolvesThoseThatAreDefinite) {
  const auto file = io::read_matrix_market<double>(test::shared_matrix(GetParam()));
  const auto& s = std::get<io::SparseArrays<double, std::int32_t>>(file.content);
  const auto a = Csr<double>::own<std::int32_t>(s.offsets, s.columns, s.values);
  const std::vector<double> ones(static_cast<std::size_t>(a.rows()), 1.0);
  std::vector<double> b(ones.size()), x(ones.size());
  a.visit([&](auto offsets, auto, auto values) {
    for (Index i = 0; i < a.rows(); ++i)
      for (auto k = offsets[i]; k < offsets[i + 1]; ++k) b[i] += values[k];
  });
  Stop stop;
  stop.max_sweeps = 5000;
  const Report r = Solver<double>(a, cg_with_amg(), backend("serial"), {}).solve(b, x, stop);
  EXPECT_TRUE(r.converged()) << name(r.status) << ' ' << r.plan;
}
INSTANTIATE_TEST_SUITE_P(Shared, AmgOnSharedMatrices,
                         testing::Values("1138_bus", "5pt_10x10", "7pt_10x10x10", "LFAT5", "ani1", "isai_spd",
                                         "lap2D_5pt_n100", "lap3D_7pt_n20", "bcsstk13"));

}  // namespace
}  // namespace jacobi
