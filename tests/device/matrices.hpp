/// Comparing sweeps over matrices on the device with those of rung 0 on the host.
#pragma once
#include <cmath>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "device/on_device.hpp"

namespace jacobi::test {

inline constexpr Layout by_rows = Layout::row_major, by_columns = Layout::column_major;

template <class T, class A>
std::unique_ptr<Sweeper<T>> matrix_on_device(const A& a, const Plan& plan = {}) {
  return device()->bind(Operator<T>(a), plan);
}
template <class T, class A>
std::unique_ptr<Sweeper<T>> matrix_on_host(const A& a, const Method& method = plain()) {
  return backend("serial")->bind(Operator<T>(a), {method, "textbook"});
}

/// Where a sweeper first leaves its bound of the right one, or its bits where `bitwise`, over all kinds of
/// steps and some seeds. bound(iterate, sweeps).
template <class T>
std::string first_fault(Sweeper<T>& right, Sweeper<T>& other, const std::vector<T>& b,
                        const std::vector<T>& x, std::initializer_list<int> sweeps, bool bitwise,
                        const std::function<double(const std::vector<T>&, int)>& bound) {
  unsigned turn = 0;
  for (int kind = 0; kind < 3; ++kind)
    for (const int n : sweeps) {
      order_threads(std::array{1U, 20U, 300U}[turn++ % 3]);
      const auto expected = swept(right, b, x, kind, n), found = swept(other, b, x, kind, n);
      const double most = bitwise ? 0 : std::max(bound(expected, n), bound(x, n));
      for (std::size_t i = 0; i < found.size(); ++i)
        if (!(std::abs(static_cast<double>(expected[i]) - static_cast<double>(found[i])) <= most))
          return "steps " + std::to_string(kind) + " sweeps " + std::to_string(n) + " entry " +
                 std::to_string(i);
      if (bitwise && !same_bits(expected, found))
        return "signs of zeros, steps " + std::to_string(kind) + " sweeps " + std::to_string(n);
    }
  return "";
}

template <class T>
std::string first_difference(Sweeper<T>& right, Sweeper<T>& other, const std::vector<T>& b,
                             const std::vector<T>& x, std::initializer_list<int> sweeps) {
  return first_fault<T>(right, other, b, x, sweeps, true, {});
}

/// The norms of the device are those of the host within `tolerance`, measured in passing and alone.
template <class T>
void expect_norms(Sweeper<T>& right, Sweeper<T>& other, const std::vector<T>& b, const std::vector<T>& x,
                  double tolerance) {
  for (const Want want : {Want::update, Want::residual, Want::correction}) {
    right.load(b, x);
    other.load(b, x);
    const Norms expected = right.advance(make_steps(1, 3), want);
    const Norms passing = other.advance(make_steps(1, 3), want), alone = other.norms(want);
    for (const Norms& norms : {passing, alone}) {
      EXPECT_NEAR(norms.l2, expected.l2, tolerance * expected.l2) << static_cast<int>(want);
      EXPECT_NEAR(norms.max, expected.max, tolerance * expected.max) << static_cast<int>(want);
    }
    EXPECT_EQ(passing.max, alone.max);
  }
}

/// The same norm for every order in which threads run.
template <class T>
void expect_one_norm(Sweeper<T>& sweeper, const std::vector<T>& b, const std::vector<T>& x) {
  double first = 0;
  for (const unsigned seed : {1U, 2U, 77U}) {
    order_threads(seed);
    sweeper.load(b, x);
    const double norm = sweeper.advance(make_steps(0, 3), Want::update).l2;
    if (seed == 1) first = norm;
    EXPECT_EQ(norm, first) << seed;
  }
}

/// The sweeper's clock tells what its calls took.
template <class T>
void expect_times(Sweeper<T>& sweeper, const std::vector<T>& b, const std::vector<T>& x) {
  EXPECT_EQ(sweeper.executed().upload_seconds, 0);
  EXPECT_EQ(sweeper.executed().sweep_seconds, 0);
  swept(sweeper, b, x, 0, 3);
  EXPECT_GT(sweeper.executed().upload_seconds, 0);
  EXPECT_GT(sweeper.executed().sweep_seconds, 0);
  EXPECT_GT(sweeper.executed().download_seconds, 0);
}

template <class T>
void expect_going_back(Sweeper<T>& sweeper, const std::vector<T>& b, const std::vector<T>& x) {
  const auto first = swept(sweeper, b, x, 1, 5);
  EXPECT_EQ(sweeper.executed().sweeps, 5);
  sweeper.save();
  sweeper.advance(make_steps(1, 4), Want::nothing);
  std::vector<T> back(first.size());
  sweeper.store(back);
  EXPECT_FALSE(same_bits(first, back));
  sweeper.restore();
  EXPECT_EQ(sweeper.executed().sweeps, 5);
  sweeper.store(back);
  EXPECT_TRUE(same_bits(first, back));
}

}  // namespace jacobi::test
