/// The real matrices of ../shared/data/matrices: what must be said of each, and that predictions hold.
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>

#include "apps/jacobi/system.hpp"
#include "cli/cli_process.hpp"
#include "jacobi/diagnosis.hpp"
#include "jacobi/solver.hpp"
#include "shared_folder.hpp"

namespace jacobi::cli_test {
namespace {

using test::shared_matrix;

struct Known {
  const char* file;
  Verdict verdict;
  double radius, tolerance;  ///< of plain Jacobi, and how far the estimate may be off
  const char* method;        ///< advised
  bool predicts =
      false;  ///< plain converges, in the number of sweeps predicted or up to twice as many or few
};

void PrintTo(const Known& known, std::ostream* out) { *out << known.file; }

using Matrices = test::OnSharedData<testing::TestWithParam<Known>>;
using SharedMatrices = test::OnSharedData<>;

TEST_P(Matrices, AreDiagnosedAsTheirReadmeAsks) {
  const Known& known = GetParam();
  const auto system = cli::read_system<double>(shared_matrix(known.file), "", "");
  const Diagnosis d = diagnose<double>(system.a, system.b[0], system.x[0]);
  EXPECT_EQ(name(d.verdict), std::string(name(known.verdict)));
  ASSERT_TRUE(d.spectral_radius);
  EXPECT_NEAR(*d.spectral_radius, known.radius, known.tolerance);
  EXPECT_EQ(name(d.method), std::string(known.method));
  EXPECT_FALSE(d.advice.empty());
  if (known.verdict == Verdict::converges || known.verdict == Verdict::diverges)
    EXPECT_FALSE(d.proofs.empty());
  if (!known.predicts) return;
  std::vector<double> x = system.x[0];
  Solver<double> solver(system.a, plain());
  const Report r = solver.solve(system.b[0], x, {.check_every = d.predicted_sweeps > 1e5 ? 100 : 1});
  EXPECT_EQ(r.status, Status::converged);
  ASSERT_TRUE(d.predicted_sweeps);
  EXPECT_LT(std::abs(std::log(*d.predicted_sweeps / double(r.sweeps))), std::log(2))
      << *d.predicted_sweeps << " predicted, " << r.sweeps << " needed";
}

constexpr auto yes = Verdict::converges, no = Verdict::diverges;
INSTANTIATE_TEST_SUITE_P(Shared, Matrices,
                         testing::Values(Known{"lap2D_5pt_n100", yes, 0.999513, 5e-5, "plain", true},
                                         Known{"lap3D_7pt_n20", yes, 0.98883, 1e-5, "plain", true},
                                         Known{"lap2D_5pt_n32", yes, 0, 1e-6, "plain", true},
                                         Known{"7pt_10x10x10", yes, 0.8224, 1e-4, "plain", true},
                                         Known{"5pt_10x10", yes, 0.95949, 1e-4, "plain", true},
                                         Known{"1138_bus", yes, 1 - 4.1e-6, 1e-7, "plain", true},
                                         Known{"ani1", no, 1.228, 1e-3, "weighted"},
                                         Known{"isai_spd", no, 2.79, 5e-3, "weighted"},
                                         Known{"cage5", no, 1.055, 1e-3, "weighted"},
                                         Known{"bcsstk13", no, 3.43, 5e-3, "weighted"},
                                         Known{"temp", no, 18.2, 5e-2, "l1"}),
                         [](const auto& test) {
                           std::string word = test.param.file;
                           return word.front() >= '0' && word.front() <= '9' ? "n" + word : word;
                         });

/// Spectral radius of l1-Jacobi, 1 - this.
TEST_F(SharedMatrices, ContractUnderL1AsTheirReadmeSays) {
  const auto l1_of = [](const char* file) {
    const auto system = cli::read_system<double>(shared_matrix(file), "", "");
    return diagnose<double>(system.a, system.b[0], system.x[0]).l1_radius.value_or(0);
  };
  EXPECT_NEAR(l1_of("temp"), 0.990, 5e-4);
  EXPECT_NEAR(1 - l1_of("isai_spd"), 8e-8, 1e-8);
  EXPECT_NEAR(1 - l1_of("bcsstk13"), 2.1e-6, 1e-7);
}

struct Unusable {
  const char* file;
  const char* says;
};

TEST_F(SharedMatrices, AreRefusedByPlainSweepsWhereTheyHaveZeros) {
  const TemporaryFolder here;
  for (const auto& [file, says] : {Unusable{"west0479", "ZeroDiagonal: the diagonal of row 1 of 479 is 0"},
                                   {"b1_ss", "ZeroDiagonal: the diagonal of row 1 of"},
                                   {"karate", "ZeroDiagonal: the diagonal of row 1 of"},
                                   {"west0067_jumbled", "ZeroDiagonal"},
                                   {"west0067_noheader", "ZeroDiagonal"}}) {
    const Result solved = jacobi_in(here, {"solve", shared_matrix(file), "--method", "plain"});
    EXPECT_EQ(solved.code, 3) << file;
    EXPECT_PRED2(contains, solved.err, says);
    const Result diagnosed = jacobi_in(here, {"diagnose", shared_matrix(file)});
    EXPECT_EQ(diagnosed.code, 1) << file;
    EXPECT_PRED2(contains, diagnosed.out, "plain Jacobi: unusable");
  }
  EXPECT_PRED2(contains, jacobi_in(here, {"diagnose", shared_matrix("west0479")}).out,
               "471 zero diagonal entries");
}

TEST_F(SharedMatrices, AreReadWithBothTheirTriangles) {
  const auto a = cli::read_matrix<double>(shared_matrix("LFAT5")).a;
  EXPECT_EQ(a.rows(), 14);
  EXPECT_EQ(a.entries(), 46);
}

}  // namespace
}  // namespace jacobi::cli_test
