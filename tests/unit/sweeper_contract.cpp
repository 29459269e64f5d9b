/// What every sweeper refuses, whatever it sweeps.
#include <gtest/gtest.h>

#include "unit/accelerated.hpp"
#include "unit/io_temporary.hpp"

namespace jacobi {
namespace {

using io_test::message_of;

struct Kind {
  std::string name;
  Operator<double> a;
  Plan plan;
};

std::vector<Kind> kinds() {
  const auto grid = poisson<double, 2>({12, 10});
  const Csr<double> rows = test::rows_of(grid);
  const Dense<double> dense = test::dense_of<double>(rows);
  std::vector<Kind> all = {{"grid", grid, Plan(plain())},          {"tiles", grid, Plan(plain())},
                           {"red-black", grid, Plan(red_black())}, {"multigrid", grid, Plan(weighted(0.8))},
                           {"sparse", rows, Plan(plain())},        {"cg", rows, Plan(cg())},
                           {"dense", dense, Plan(plain())},        {"narrow", dense, Plan(plain())}};
  all[1].plan.by = OnRung{"tiled"};
  all[3].plan.by = Multigrid{};
  all[4].plan.recognise_grids = false;
  all[7].plan.matrix_precision = MatrixPrecision::bf16;
  return all;
}

TEST(Sweeper, RefusesVectorsOfOtherLengths) {
  const std::vector<double> right(120), longer(121);
  std::vector<double> shorter(119);
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const auto sweeper = backend("serial")->bind(kind.a, kind.plan);
    ASSERT_EQ(sweeper->rows(), 120);
    EXPECT_EQ(message_of<UsageError>([&] { sweeper->load(longer, right); }),
              "b has 121 entries for 120 unknowns");
    EXPECT_EQ(message_of<UsageError>([&] { sweeper->load(right, shorter); }),
              "x has 119 entries for 120 unknowns");
    sweeper->load(right, right);
    EXPECT_EQ(message_of<UsageError>([&] { sweeper->store(shorter); }), "x has 119 entries for 120 unknowns");
  }
}

TEST(Sweeper, ReturnsOnlyToWhatWasKept) {
  const std::vector<double> b(120, 1.0);
  std::vector<double> kept(120), back(120);
  const std::vector<Step> steps(6);
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const auto sweeper = backend("serial")->bind(kind.a, kind.plan);
    sweeper->load(b, kept);
    EXPECT_EQ(message_of<UsageError>([&] { sweeper->restore(); }),
              "restore() without save(): there is no iterate to return to");
    sweeper->advance(steps, Want::nothing);
    sweeper->save();
    sweeper->store(kept);
    sweeper->advance(steps, Want::nothing);
    sweeper->store(back);
    EXPECT_NE(back, kept);
    sweeper->restore();
    sweeper->store(back);
    EXPECT_EQ(back, kept);
  }
}

}  // namespace
}  // namespace jacobi
