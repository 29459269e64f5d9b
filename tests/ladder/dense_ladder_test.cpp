/// Every dense rung gives the values of rung 0 within its bound, by columns its bits, the same bits for every
/// number of threads, and wrong rungs are caught.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "instruction_sets.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "jacobi/simd.hpp"
#include "jacobi/solver.hpp"
#include "ladder/dense_cases.hpp"
#include "ladder/run.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::test {
namespace {

template <class T>
Make<T, Dense<T>> made(const std::string& name, int threads, Method method = plain()) {
  const auto on = backend("threads:" + std::to_string(threads));
  return [=](const Dense<T>& a) { return on->bind(Operator<T>(a), {method, name}); };
}

/// A case, and what rung 0 makes of it, which all others are held against.
template <class T>
class Expected {
 public:
  struct Made {
    std::vector<T> x;
    double bound = 0;  ///< by how much others may differ
  };
  explicit Expected(const DenseCase<T>& c) : c_(c), right_(made<T>("textbook", 1)(c.a)) {}

  /// After n sweeps of steps of this kind.
  const Made& after(int kind, int n) {
    Made& made = made_[{kind, n}];
    if (made.x.empty()) {
      made.x = swept(*right_, c_.b, c_.x, kind, n);
      made.bound = std::max(bound(c_, made.x, n), bound(c_, c_.x, n));
    }
    return made;
  }
  const DenseCase<T>& of() const { return c_; }

 private:
  const DenseCase<T>& c_;
  std::unique_ptr<Sweeper<T>> right_;
  std::map<std::pair<int, int>, Made> made_;
};

/// Where a rung first leaves its bound of rung 0, or its bits where `bitwise`; looks at every `share`-th run.
template <class T>
std::string first_fault(Expected<T>& expected, const Make<T, Dense<T>>& make, bool bitwise,
                        int share = JACOBI_TEST_SHARE) {
  const DenseCase<T>& c = expected.of();
  const auto other = make(c.a);
  static int turn = 0;
  for (int kind = 0; kind < 3; ++kind)
    for (const int n : {0, 1, 2, 7}) {
      if (turn++ % share != 0) continue;
      const auto found = swept(*other, c.b, c.x, kind, n);
      const auto& [right, most] = expected.after(kind, n);
      for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(static_cast<double>(right[i]) - static_cast<double>(found[i])) <= most) ||
            (bitwise && std::memcmp(&right[i], &found[i], sizeof(T)) != 0))
          return c.name + " steps " + std::to_string(kind) + " sweeps " + std::to_string(n) + " entry " +
                 std::to_string(i);
    }
  return "";
}

template <class T>
void for_cases(const std::function<void(const DenseCase<T>&)>& visit) {
  // up to 64 rows are one piece, hence one thread; from 331 on one thread's L2 does not hold the matrix; 129
  // are a block of rung paired and a row
  for (const Index n : {1, 2, 3, 5, 7, 31, 64, 100, 129, 257, 331, 467, 1000})
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      if (n * n * JACOBI_TEST_SHARE > 1'000'000) continue;  // the largest takes too long there
      visit(DenseCase<T>(n, layout, n % 3));
    }
}

/// Whether the rung adds one entry of a row after the other, as rung 0 does.
template <class T>
bool keeps_bits(const DenseCase<T>& c, const std::string& rung) {
  return c.a.layout() == Layout::column_major && dense_rung(rung).in_order;
}

bool usable(const Rung& rung) { return rung.compiled && rung.number > 0; }

template <class T>
void expect_rungs_agree() {
  for_cases<T>([](const DenseCase<T>& c) {
    Expected<T> expected(c);
    for (const Rung& r : dense_rungs())
      for (const int threads : {1, 2, 3, 4, 8}) {
        if (!usable(r) || (threads > 1 && !r.parallel)) continue;
        EXPECT_EQ(first_fault(expected, made<T>(r.name, threads), keeps_bits(c, r.name)), "")
            << r.name << " on " << threads;
      }
  });
}

TEST(DenseLadder, EveryRungAgreesWithTextbookInDouble) { expect_rungs_agree<double>(); }
TEST(DenseLadder, EveryRungAgreesWithTextbookInFloat) { expect_rungs_agree<float>(); }

template <class T>
void expect_same_bits_for_every_team() {
  for_cases<T>([](const DenseCase<T>& c) {
    for (const char* name : {"threads", "fused", "paired"}) {
      const auto alone = made<T>(name, 1)(c.a);
      for (const int threads : {2, 3, 4, 8}) {
        const auto team = made<T>(name, threads)(c.a);
        EXPECT_TRUE(same_bits(swept(*alone, c.b, c.x, 2, 7), swept(*team, c.b, c.x, 2, 7))) << c.name << name;
        for (const Want want : {Want::update, Want::residual, Want::correction}) {
          const Norms p = alone->norms(want), q = team->norms(want);
          EXPECT_EQ(p.l2, q.l2) << c.name << name << threads;
          EXPECT_EQ(p.max, q.max) << c.name << name << threads;
        }
      }
    }
  });
}

TEST(DenseLadder, EveryNumberOfThreadsGivesTheSameBitsInDouble) { expect_same_bits_for_every_team<double>(); }
TEST(DenseLadder, EveryNumberOfThreadsGivesTheSameBitsInFloat) { expect_same_bits_for_every_team<float>(); }

TEST(DenseLadder, EveryInstructionSetKeepsTheBound) {
  for (const std::string& set : sets_to_try()) {
    const Forced forced(set);
    for_cases<float>([&](const DenseCase<float>& c) {
      if (c.a.rows() > 257) return;
      Expected<float> expected(c);
      for (const char* name : {"simd-1", "simd-4", "simd-8", "fused", "paired"})
        EXPECT_EQ(first_fault(expected, made<float>(name, 2), keeps_bits(c, name)), "") << set << name;
      const auto sweeper = made<float>("fused", 2)(c.a);
      swept(*sweeper, c.b, c.x, 0, 1);
      EXPECT_EQ(sweeper->executed().simd, set);
    });
  }
}

TEST(DenseLadder, AYoungProcessorGetsNoOldKernelsOfTheBlas) {
  if (!dense_rung("blas").compiled) GTEST_SKIP() << "no BLAS was found when this was built";
  if (std::getenv("OPENBLAS_CORETYPE")) GTEST_SKIP() << "OPENBLAS_CORETYPE chooses its kernels";
  const std::vector<std::string> sets = simd::usable();
  if (std::find(sets.begin(), sets.end(), "avx2") == sets.end()) GTEST_SKIP() << "this processor has no AVX2";
  const DenseCase<double> c(3, Layout::row_major, 0);
  const auto sweeper = made<double>("blas", 1)(c.a);
  EXPECT_EQ(sweeper->executed().blocking.find("Prescott"), std::string::npos);
  EXPECT_EQ(std::getenv("OPENBLAS_CORETYPE"), nullptr) << "not to be left to other libraries";
}

TEST(DenseLadder, TheBlasIsAmongThem) {
  if (!dense_rung("blas").compiled) GTEST_SKIP() << "no BLAS was found when this was built";
  const DenseCase<double> c(31, Layout::row_major, 0);
  Expected<double> expected(c);
  EXPECT_EQ(first_fault(expected, made<double>("blas", 2), false), "");
}

/// Columns of a batch have the bits that rung 0 gives each alone; those of gemm lie within the bound.
template <class T>
void expect_columns_as_alone() {
  const Index most = most_copies<T>;
  for (const Index n : {1, 3, 8, 31, 65, 331})
    for (const Layout layout : {Layout::row_major, Layout::column_major}) {
      if (n * JACOBI_TEST_SHARE > 600) continue;  // the largest takes too long there
      for (const Index copies : {Index(2), Index(3), most}) {
        const DenseCase<T> c(n, layout, n % 3);
        std::vector<T> b(static_cast<std::size_t>(n * copies)), x(b.size());
        for (std::size_t p = 0; p < b.size(); ++p) {
          b[p] = c.b[p / static_cast<std::size_t>(copies)] + static_cast<T>(p % 7);
          x[p] = c.x[p / static_cast<std::size_t>(copies)] - static_cast<T>(p % 5);
        }
        const auto alone = made<T>("textbook", 1)(c.a);
        for (const Rung& rung : dense_rungs())
          for (const int threads : {1, 3}) {
            if (!rung.several || !rung.compiled) continue;
            const auto together = made<T>(rung.name, threads)(batch(c.a, copies));
            for (int kind = 0; kind < 3; ++kind) {
              const auto found = swept(*together, b, x, kind, 5);
              for (Index k = 0; k < copies; ++k) {
                std::vector<T> own_b(c.b.size()), own_x(c.b.size());
                for (Index i = 0; i < n; ++i) {
                  own_b[i] = b[i * copies + k];
                  own_x[i] = x[i * copies + k];
                }
                const auto expected = swept(*alone, own_b, own_x, kind, 5);
                const double most_off = rung.name == std::string("blas") ? 16 * bound(c, expected, 5) : 0;
                for (Index i = 0; i < n; ++i)
                  ASSERT_LE(std::abs(static_cast<double>(expected[i]) - found[i * copies + k]), most_off)
                      << c.name << ", rung " << rung.name << ", column " << k << " of " << copies;
              }
            }
          }
      }
    }
}

TEST(DenseLadder, ColumnsAreSweptAsAloneInDouble) { expect_columns_as_alone<double>(); }
TEST(DenseLadder, ColumnsAreSweptAsAloneInFloat) { expect_columns_as_alone<float>(); }

TEST(DenseLadderControl, WrongRungsAreCaught) {
  for (const Layout layout : {Layout::row_major, Layout::column_major}) {
    const DenseCase<double> c(31, layout, 1);
    Expected<double> expected(c);
    const Make<double, Dense<double>> short_one = [](const Dense<double>& a) {
      return std::make_unique<Spoiled<double>>(made<double>("fused", 1)(a), 1);
    };
    EXPECT_NE(first_fault(expected, short_one, false, 1), "");
    const Make<double, Dense<double>> transposed = [&](const Dense<double>& a) {
      return made<double>("fused", 1)(Dense<double>::view(
          c.values, 31, a.layout() == Layout::row_major ? Layout::column_major : Layout::row_major, 32));
    };
    EXPECT_NE(first_fault(expected, transposed, false, 1), "");
  }
}

TEST(DenseLadder, NormsAgreeWithTheYardstick) {
  for_cases<double>([](const DenseCase<double>& c) {
    for (const Rung& r : dense_rungs()) {
      if (!r.compiled) continue;
      const auto sweeper = made<double>(r.name, 2)(c.a);
      std::vector<double> x = swept(*sweeper, c.b, c.x, 0, 2);
      for (const auto& [want, by] :
           {std::pair{Want::residual, Divisor::none}, std::pair{Want::correction, Divisor::diagonal}}) {
        const Norms found = sweeper->norms(want), expected = c.a.residual_norms(c.b, x, by);
        EXPECT_NEAR(found.l2, expected.l2, 1e-11 * (1 + expected.l2)) << r.name << " " << c.name;
        EXPECT_NEAR(found.max, expected.max, 1e-11 * (1 + expected.max)) << r.name << " " << c.name;
      }
    }
  });
}

template <class T>
void expect_rungs_forget_an_overflow() {
  std::vector<DenseCase<T>> cases;
  for (const Index n : {1, 3, 9, 20, 33, 70, 131})
    for (const Layout layout : {Layout::row_major, Layout::column_major}) cases.emplace_back(n, layout, 0);
  std::vector<Candidate<T, Dense<T>>> candidates;
  for (const Rung& r : dense_rungs())
    if (r.compiled) candidates.push_back({r.name, made<T>(r.name, 2)});
  expect_overflow_is_forgotten(cases, candidates);
}

TEST(DenseLadder, AnOverflowIsForgottenAtTheNextStartInDouble) { expect_rungs_forget_an_overflow<double>(); }
TEST(DenseLadder, AnOverflowIsForgottenAtTheNextStartInFloat) { expect_rungs_forget_an_overflow<float>(); }

TEST(DenseLadder, TheReportNamesTheRungThatRanAndItsThreads) {
  const DenseCase<double> c(257, Layout::row_major, 0);
  for (const Rung& r : dense_rungs()) {
    if (!r.compiled) continue;
    Solver<double> solver(c.a, {plain(), r.name}, backend(r.parallel ? "threads:3" : "serial"));
    std::vector<double> x = c.x;
    const Report report = solver.solve(c.b, x, {.max_sweeps = 4});
    EXPECT_EQ(report.rung, r.name);
    EXPECT_EQ(report.sweeps, 4);
    EXPECT_EQ(report.threads, r.parallel ? 3 : 1) << r.name;
  }
}

}  // namespace
}  // namespace jacobi::test
