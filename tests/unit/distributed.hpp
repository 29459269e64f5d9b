/// Solves by emulated ranks, and what they are held against.
#pragma once
#include <gtest/gtest.h>

#include <vector>

#include "jacobi/distributed.hpp"
#include "jacobi/jacobi.hpp"
#include "ladder/run.hpp"
#include "random.hpp"
#include "random_laplacian.hpp"
#include "sweep/distributed/solve.hpp"

namespace jacobi::test {

/// What ranks have made together: the whole iterate, and the report of the last one.
template <class T>
struct Together {
  std::vector<T> x;
  std::vector<Report> reports;
  Traffic sent;
};

template <class T, int D>
Together<T> solve_together(const Emulation& how, const Stencil<T, D>& a, const Plan& plan,
                           std::span<const T> b, std::span<const T> x, const Stop& stop, Index halo,
                           const sweep::Exchanging& wrong = {}) {
  Together<T> all{{x.begin(), x.end()}, {}, {}};
  all.reports.resize(static_cast<std::size_t>(how.ranks));
  const auto on = backend("serial");
  all.sent = emulate(how, [&](const std::shared_ptr<Ranks>& ranks) {
    const Distributed<T, D> mine(ranks, a, halo);
    const auto first = static_cast<std::size_t>(mine.first_row()),
               rows = static_cast<std::size_t>(mine.rows());
    all.reports[static_cast<std::size_t>(ranks->number())] = sweep::solve_over<T, D>(
        mine, plan, b.subspan(first, rows), std::span(all.x).subspan(first, rows), stop, *on, wrong);
  });
  return all;
}

inline void expect_same_report(const Report& found, const Report& expected) {
  EXPECT_EQ(found.status, expected.status);
  EXPECT_EQ(found.sweeps, expected.sweeps);
  EXPECT_EQ(found.checks, expected.checks);
  EXPECT_EQ(found.norm_initial, expected.norm_initial);
  EXPECT_EQ(found.norm_final, expected.norm_final);
  EXPECT_EQ(found.reference_norm, expected.reference_norm);
  EXPECT_EQ(found.tolerance, expected.tolerance);
  EXPECT_EQ(found.residual_norm, expected.residual_norm);
  EXPECT_EQ(found.update_norm, expected.update_norm);
  EXPECT_EQ(found.update_max, expected.update_max);
  ASSERT_EQ(found.history.size(), expected.history.size());
  for (std::size_t k = 0; k < found.history.size(); ++k) {
    EXPECT_EQ(found.history[k].sweeps, expected.history[k].sweeps);
    EXPECT_EQ(found.history[k].norm, expected.history[k].norm);
  }
}

}  // namespace jacobi::test
