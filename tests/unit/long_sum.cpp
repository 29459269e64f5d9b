/// Sums without rounding errors.
#include "core/long_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "random.hpp"

namespace jacobi {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<double>::max();
constexpr double least = std::numeric_limits<double>::denorm_min();

double long_sum_of(const std::vector<double>& values) {
  LongSum sum;
  for (const double value : values) sum.add(value);
  const double once = sum_rounded_once(static_cast<Index>(values.size()), [&](Index i) { return values[i]; });
  EXPECT_TRUE(once == sum.value() || (std::isnan(once) && std::isnan(sum.value()))) << once;
  return sum.value();
}

/// By doubles that do not overlap: Shewchuk, "Adaptive precision floating-point arithmetic", 1997, as in
/// Python's math.fsum.
double expansion_sum_of(const std::vector<double>& values) {
  std::vector<double> parts;
  for (double value : values) {
    std::vector<double> kept;
    for (double part : parts) {
      if (std::abs(value) < std::abs(part)) std::swap(value, part);
      const double high = value + part, low = part - (high - value);
      if (low != 0) kept.push_back(low);
      value = high;
    }
    kept.push_back(value);
    parts = kept;
  }
  double high = 0, low = 0;
  while (!parts.empty() && low == 0) {
    const double before = high, part = parts.back();
    parts.pop_back();
    high = before + part;
    low = part - (high - before);
  }
  const bool is_half = !parts.empty() && ((low < 0 && parts.back() < 0) || (low > 0 && parts.back() > 0));
  const double twice = 2 * low, up = high + twice;
  return is_half && twice == up - high ? up : high;
}

std::vector<double> numbers_of_all_sizes(test::Random& random, Index count, Index low, Index high) {
  std::vector<double> values;
  for (Index i = 0; i < count; ++i)
    values.push_back(std::ldexp(random.real(-1, 1), static_cast<int>(random.integer(low, high))));
  return values;
}

TEST(LongSum, HasTheBitsOfAnotherExactMethod) {
  test::Random random(1);
  for (int k = 0; k < 2000; ++k) {
    const Index low = random.integer(-1080, 900), count = random.integer(0, 60);
    const Index high = std::min<Index>(low + random.integer(0, k % 2 == 0 ? 80 : 2100), 1010);
    std::vector<double> values = numbers_of_all_sizes(random, count, low, high);
    for (Index i = 0; i < count; i += 3) values.push_back(-values[static_cast<std::size_t>(i)]);
    std::ranges::shuffle(values, random.engine());
    ASSERT_EQ(long_sum_of(values), expansion_sum_of(values)) << k;
  }
}

TEST(LongSum, DependsNeitherOnOrderNorOnParts) {
  test::Random random(2);
  std::vector<double> values = numbers_of_all_sizes(random, 5000, -60, 60);
  const double expected = expansion_sum_of(values);
  double plain = 0;
  for (const double value : values) plain += value;
  EXPECT_NE(plain, expected);  // else this would say nothing
  for (int k = 0; k < 20; ++k) {
    std::ranges::shuffle(values, random.engine());
    std::vector<LongSum> parts(static_cast<std::size_t>(k + 1));
    for (const double value : values) parts[static_cast<std::size_t>(random.integer(0, k))].add(value);
    LongSum sum;
    for (const LongSum& part : parts) sum.add(part);
    ASSERT_EQ(sum.value(), expected) << k;
    ASSERT_EQ(sum.value(), expected) << "read once more";
  }
}

TEST(LongSum, RoundsToTheNearestAndTiesToEven) {
  EXPECT_EQ(long_sum_of({1, 0x1p-53}), 1);
  EXPECT_EQ(long_sum_of({1, 0x1p-53, least}), 1 + 0x1p-52);
  EXPECT_EQ(long_sum_of({1, 0x1p-53, -least}), 1);
  EXPECT_EQ(long_sum_of({1 + 0x1p-52, 0x1p-53}), 1 + 0x1p-51);
  EXPECT_EQ(long_sum_of({-1, -0x1p-53, -least}), -1 - 0x1p-52);
  EXPECT_EQ(long_sum_of({0x1p100, 1, -0x1p100}), 1);
  EXPECT_EQ(long_sum_of({least, least, least}), 3 * least);
  EXPECT_EQ(long_sum_of({0x1p-1022, -least}), 0x1p-1022 - least);
  EXPECT_EQ(long_sum_of({0x1p-1000, least}), 0x1p-1000);
  EXPECT_EQ(long_sum_of({}), 0);
  EXPECT_EQ(long_sum_of({-0.0}), 0);
}

TEST(LongSum, CarriesAsFarAsItHasTo) {
  LongSum sum, twice;
  const double ones = std::ldexp(std::ldexp(1, 53) - 1, -19);  // the most that a term adds to a word
  for (int i = 0; i < 100000; ++i) sum.add(-ones);
  EXPECT_EQ(sum.value(),
            -expansion_sum_of({ones * 65536, ones * 32768, ones * 1024, ones * 512, ones * 128, ones * 32}));
  for (int i = 0; i < 20; ++i) {  // 2^20 times the sum
    twice = sum;
    sum.add(twice);
  }
  EXPECT_EQ(sum.value(), -std::ldexp(expansion_sum_of({ones * 65536, ones * 32768, ones * 1024, ones * 512,
                                                       ones * 128, ones * 32}),
                                     20));
}

TEST(LongSum, CarriesAfterSumsWereAdded) {
  const double ones = std::ldexp(std::ldexp(1, 53) - 1, -19);
  LongSum sum, more;
  for (int i = 0; i < 999; ++i) {
    sum.add(ones);
    more.add(ones);
  }
  sum.add(more);
  for (int i = 0; i < 8192 - 2 * 999; ++i) sum.add(ones);
  EXPECT_EQ(sum.value(), 8192 * ones);
}

TEST(LongSum, OverflowsOnlyWhereTheSumDoes) {
  EXPECT_EQ(long_sum_of({largest, largest, -largest}), largest);
  EXPECT_EQ(long_sum_of({largest, largest}), infinity);
  EXPECT_EQ(long_sum_of({-largest, -largest}), -infinity);
  EXPECT_EQ(long_sum_of({largest, 0x1p970}), infinity);
  EXPECT_EQ(long_sum_of({largest, 0x1p970, -least}), largest);
  EXPECT_EQ(long_sum_of(std::vector<double>(70000, largest)), infinity);
  EXPECT_EQ(long_sum_of(std::vector<double>(70000, -largest)), -infinity);
}

TEST(LongSum, KnowsInfinitiesAndNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(long_sum_of({1, infinity, -largest}), infinity);
  EXPECT_EQ(long_sum_of({1, -infinity, largest}), -infinity);
  EXPECT_TRUE(std::isnan(long_sum_of({infinity, 1, -infinity})));
  EXPECT_TRUE(std::isnan(long_sum_of({nan, 1})));
  EXPECT_TRUE(std::isnan(long_sum_of({-nan, infinity})));
  LongSum one, other;
  one.add(infinity);
  other.add(-infinity);
  EXPECT_EQ(one.value(), infinity);
  one.add(other);
  EXPECT_TRUE(std::isnan(one.value()));
}

}  // namespace
}  // namespace jacobi
