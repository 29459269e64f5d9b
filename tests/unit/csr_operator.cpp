/// Sparse operators: what is accepted, what it is turned into, and what is refused, by name.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "jacobi/csr.hpp"
#include "jacobi/error.hpp"

namespace jacobi {
namespace {

using Ints = std::vector<std::int32_t>;
using Doubles = std::vector<double>;

Csr<double> view(const Ints& offsets, const Ints& columns, const Doubles& values) {
  return Csr<double>::view<std::int32_t>(offsets, columns, values);
}

TEST(Csr, ViewsCanonicalArraysWithoutACopy) {
  const Ints offsets{0, 2, 3}, columns{0, 1, 1};
  const Doubles values{2, -1, 3};
  const Csr<double> a = view(offsets, columns, values);
  EXPECT_EQ(a.values().data(), values.data());
  EXPECT_EQ(a.rows(), 2);
  EXPECT_EQ(a.entries(), 3);
  EXPECT_EQ(a.diagonal(1), 3);
}

TEST(Csr, SortsRowsAndAddsUpWhatStandsTwice) {
  const Ints offsets{0, 4, 4, 6}, columns{2, 0, 2, 0, 2, 1};
  const Doubles values{1, 5, 2, 3, 7, 9};
  const Csr<double> a = view(offsets, columns, values);
  EXPECT_EQ(a.entries(), 4);
  a.visit([](auto o, auto c, auto v) {
    EXPECT_EQ(std::vector(o.begin(), o.end()), (std::vector<typename decltype(o)::value_type>{0, 2, 2, 4}));
    EXPECT_EQ(std::vector(c.begin(), c.end()), (std::vector<typename decltype(c)::value_type>{0, 2, 1, 2}));
    EXPECT_EQ(Doubles(v.begin(), v.end()), (Doubles{8, 3, 9, 7}));
  });
}

TEST(Csr, AddsUpTheSameBitsInWhateverOrderEntriesCome) {
  std::mt19937 engine(5);
  std::vector<Entry<double>> entries;
  for (int k = 0; k < 400; ++k)
    entries.push_back(
        {Index(engine() % 7), Index(engine() % 7), std::ldexp(double(engine() % 1000) - 500, -9)});
  for (int k = 0; k < 40; ++k) entries.push_back({3, 3, 1.0 / (1 + double(engine() % 100))});
  const Csr<double> a = Csr<double>::from_entries(7, entries);
  for (int r = 0; r < 20; ++r) {
    std::shuffle(entries.begin(), entries.end(), engine);
    const Csr<double> b = Csr<double>::from_entries(7, entries);
    ASSERT_TRUE(std::equal(a.values().begin(), a.values().end(), b.values().begin(), b.values().end()));
  }
}

struct Refused {
  Ints offsets, columns;
  Doubles values;
  const char* says;
};

TEST(Csr, RefusesWhatDoesNotHoldTogetherAndNamesThePlace) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  const std::vector<Refused> cases = {
      {{}, {}, {}, "offsets of the rows are missing"},
      {{0}, {}, {}, "a matrix of 0 rows"},
      {{1, 1}, {0}, {1}, "offsets[0] is 1"},
      {{0, 2, 1}, {0, 1}, {1, 1}, "offsets[2] = 1 is less than offsets[1] = 2"},
      {{0, 1, 3}, {0, 1}, {1, 1}, "the offsets end at 3 and there are 2 values"},
      {{0, 1, 2}, {0, 1}, {1}, "2 columns are given for 1 values"},
      {{0, 1, 2}, {0, 2}, {1, 1}, "row 1: column 2 is not in 0 ... 1"},
      {{0, 1, 2}, {-1, 1}, {1, 1}, "row 0: column -1 is not in 0 ... 1"},
      {{0, 1, 2}, {0, 1}, {1, nan}, "entry (1, 1) is nan"},
      {{0, 1, 2}, {1, 1}, {inf, 1}, "entry (0, 1) is inf"},
      {{0, 2, 2}, {0, 0}, {1.5e308, 1.5e308}, "entry (0, 0) is inf"},
  };
  for (const Refused& c : cases) try {
      view(c.offsets, c.columns, c.values);
      ADD_FAILURE() << "accepted: " << c.says;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(c.says), std::string::npos) << e.what();
    }
  const std::vector<Entry<double>> outside = {{0, 0, 1.0}, {2, 0, 1.0}};
  EXPECT_THROW(Csr<double>::from_entries(2, outside), InputError);
  EXPECT_THROW(Csr<double>::from_entries(0, {}), InputError);
}

TEST(Csr, DividesByTheDiagonalOrByL1) {
  const Csr<double> a = Csr<double>::own<std::int32_t>({0, 2, 4}, {0, 1, 0, 1}, {-4, 1, 2, 3});
  EXPECT_EQ(a.divisor(0, Divisor::diagonal), -4);
  EXPECT_EQ(a.divisor(0, Divisor::l1), -5);
  EXPECT_EQ(a.divisor(1, Divisor::l1), 5);
  EXPECT_EQ(a.divisor(1, Divisor::none), 1);
}

TEST(Csr, NormsAreThoseOfADenseComputation) {
  const Csr<double> a = Csr<double>::own<std::int32_t>({0, 2, 4}, {0, 1, 0, 1}, {-4, 1, 2, 3});
  const Doubles b{1, 2}, x{1, -1};  // b - A x = (6, 3)
  EXPECT_DOUBLE_EQ(a.residual_norms(b, x).l2, std::sqrt(45.0));
  EXPECT_DOUBLE_EQ(a.residual_norms(b, x).max, 6);
  EXPECT_DOUBLE_EQ(a.residual_norms(b, x, Divisor::diagonal).max, 1.5);
  EXPECT_DOUBLE_EQ(a.residual_norms(b, x, Divisor::l1).l2, std::hypot(6.0 / 5, 3.0 / 5));
  EXPECT_DOUBLE_EQ(a.rhs_norms(b, Divisor::diagonal).l2, std::hypot(0.25, 2.0 / 3));
}

}  // namespace
}  // namespace jacobi
