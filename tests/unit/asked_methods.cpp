/// Methods by their names: one table that every front end reads.
#include <gtest/gtest.h>

#include <set>

#include "core/asked.hpp"
#include "jacobi/error.hpp"

namespace jacobi {
namespace {

AskedMethod method_asked(std::string_view name) {
  AskedMethod asked;
  asked.method = name;
  return asked;
}

TEST(AskedMethods, HaveOneNameEachAndAreMadeUnderIt) {
  std::set<std::string_view> names;
  for (const NamedMethod& m : named_methods()) {
    EXPECT_TRUE(names.insert(m.name).second) << m.name;
    EXPECT_TRUE(m.suits & (on_grids | on_matrices)) << m.name;
    const auto made = named_method(method_asked(m.name), [] { return Range{0.5, 1.5}; });
    ASSERT_EQ(made.has_value(), m.make != nullptr) << m.name;
    if (made) EXPECT_EQ(made->name, m.name);
  }
  EXPECT_FALSE(named_method(method_asked("jacobi"), [] { return Range{1, 1}; }));
}

TEST(AskedMethods, RefuseWhatDoesNotGoWithThemInTheWordsOfTheirFrontEnd) {
  const auto refusal = [](AskedMethod asked) -> std::string {
    try {
      require_fitting(asked);
    } catch (const UsageError& e) {
      return e.what();
    }
    return {};
  };
  AskedMethod asked = method_asked("chebyshev");
  EXPECT_EQ(refusal(asked), "");
  asked.omega = 0.5;
  EXPECT_EQ(refusal(asked), "omega goes with method weighted or anderson, not chebyshev");
  asked.mark = "--";
  EXPECT_EQ(refusal(asked), "--omega goes with --method weighted or anderson, not chebyshev");
  asked = method_asked("cg");
  asked.period = 4;
  EXPECT_EQ(refusal(asked), "period goes with method scheduled or anderson, not cg");
  asked = method_asked("bicgstab");
  asked.cycle = Multigrid{};
  EXPECT_EQ(refusal(asked), "multigrid preconditions method cg, not bicgstab");
  asked = method_asked("weighted");
  asked.amg = Amg{};
  EXPECT_EQ(refusal(asked), "algebraic multigrid preconditions method cg or bicgstab, not weighted");
  EXPECT_NE(refusal(method_asked("sor")).find("there is no method 'sor': take one of auto, plain"),
            std::string::npos);
}

TEST(AskedMethods, OfAMatrixWithARungAreSweepsWithoutAFallback) {
  std::vector<Entry<double>> entries;
  for (Index i = 0; i < 400; ++i) {
    entries.push_back({i, i, 2});
    if (i > 0) entries.insert(entries.end(), {{i, i - 1, -1}, {i - 1, i, -1}});
  }
  const auto a = Csr<double>::from_entries(400, entries);
  const std::vector<double> b(400, 1.0), x(400);
  const Diagnosis d = diagnose<double>(a, b, x, DiagnoseOptions::before({}, true));
  const auto on = backend("serial");
  EXPECT_TRUE(choose_asked<double>({}, &a, d, {}, 1, *on).plan.multigrid());
  AskedMethod asked;
  asked.rung = "threads";
  const Choice bound = choose_asked<double>(asked, &a, d, {}, 1, *on);
  EXPECT_FALSE(accelerated(bound.plan.method));
  EXPECT_EQ(bound.plan.rung(), "threads");
  EXPECT_FALSE(bound.fallback);
  EXPECT_NE(bound.reason.find("without rung threads method"), std::string::npos) << bound.reason;
  asked = method_asked("multigrid");
  EXPECT_TRUE(choose_asked<double>(asked, &a, d, {}, 1, *on).plan.multigrid());
  EXPECT_THROW(choose_asked<double>(asked, nullptr, d, {}, 1, *on), InputError);
}

}  // namespace
}  // namespace jacobi
