/// Orders of rows without zeros on the diagonal.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "jacobi/jacobi.hpp"
#include "random.hpp"

namespace jacobi {
namespace {

using test::Random;

TEST(RowOrder, FindsTheDominantOneAmongShuffledRows) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Random random(seed);
    const Index n = random.integer(2, 40);
    std::vector<Index> place(static_cast<std::size_t>(n));
    std::iota(place.begin(), place.end(), Index(0));
    for (Index i = n - 1; i > 0; --i) std::swap(place[i], place[random.integer(0, i)]);
    std::vector<Entry<double>> entries;
    for (Index i = 0; i < n; ++i) {
      entries.push_back({place[i], i, 10});
      for (int k = 0; k < 3; ++k) {
        const Index j = random.integer(0, n - 1);
        if (j != i) entries.push_back({place[i], j, random.real(-1, 1)});
      }
    }
    const auto a = Csr<double>::from_entries(n, entries);
    const std::vector<Index> order = order_rows(a);
    const auto ordered = with_rows_in<double>(a, order);
    bool has_zero = false;
    for (Index i = 0; i < n; ++i) has_zero = has_zero || a.diagonal(i) == 0;
    for (Index i = 0; i < n; ++i) {
      if (has_zero) EXPECT_EQ(ordered.diagonal(i), 10) << seed << ", row " << i;
      EXPECT_NE(ordered.diagonal(i), 0) << seed << ", row " << i;
    }
    if (!has_zero) EXPECT_TRUE(std::ranges::is_sorted(order)) << seed;
    EXPECT_EQ(ordered.entries(), a.entries());
    std::vector<Index> sorted = order;
    std::ranges::sort(sorted);
    for (Index i = 0; i < n; ++i) EXPECT_EQ(sorted[i], i);
  }
}

std::string said_of(const std::vector<Entry<double>>& entries) {
  try {
    order_rows(Csr<double>::from_entries(2, entries));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(RowOrder, SaysWhereThereIsNone) {
  EXPECT_EQ(said_of({{0, 0, 1}, {1, 0, 1}}),
            "no order of the rows has a diagonal without zeros: A is singular, whatever the values of its "
            "nonzeros");
  EXPECT_EQ(said_of({{0, 0, 1}, {1, 1, 1e-310}}),
            "no order of the rows has a diagonal without zeros, or what is too small to be divided by");
  EXPECT_EQ(said_of({{0, 1, 1}, {1, 0, 1}}), "");
}

TEST(RowOrder, TakesOnlyOrders) {
  const auto a = Csr<double>::from_entries(2, std::vector<Entry<double>>{{0, 0, 1}, {1, 1, 2}});
  for (const std::vector<Index>& wrong : {std::vector<Index>{0}, {0, 0}, {0, 2}, {-1, 0}})
    EXPECT_THROW(with_rows_in<double>(a, wrong), InputError);
  const std::vector<Index> turned = {1, 0};
  EXPECT_EQ(with_rows_in<double>(a, turned).diagonal(0), 0);
}

}  // namespace
}  // namespace jacobi
