/// Counts of accelerated methods, in closed form: 512 points per side, b = 1, to the error that plain Jacobi
/// has when its update falls below 1e-8.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "jacobi/jacobi.hpp"

namespace jacobi {
namespace {

constexpr double reached = 5.291272e-4;  // 2-norm of the error

struct Problem {
  Stencil<double, 2> a = poisson<double, 2>({510, 510});
  std::vector<double> b = std::vector<double>(510 * 510, 1.0);
  std::vector<double> exact = std::vector<double>(b.size());

  Problem() {
    const Report r =
        Solver<double>(a, chebyshev(bounds(a))).solve(b, exact, {.relative = 1e-13, .max_sweeps = 8000});
    EXPECT_LT(r.norm_final, 1e-8 * r.norm_initial) << "the solution to compare with";
  }

  /// Sweeps until the error is below `reached`, looked at from `from` on after every `every` sweeps. Of a
  /// method that sweeps one colour at a time, the error of the colour that sweep n made, times sqrt 2: x and
  /// 511 - x have different colours and by symmetry the same error, so it is that of x_n as a whole.
  Index count(const Method& method, Index from, Index every) const {
    const auto sweeper = backend()->bind(Operator<double>(a), method);
    std::vector<double> x(b.size());
    sweeper->load(b, x);
    Step step;
    for (Index done = 0; done < 20'000;) {
      std::vector<Step> steps;
      const Index next = done < from ? from : done + every;
      for (; done < next; ++done) steps.push_back(step = method.step(done, step));
      sweeper->advance(steps, Want::nothing);
      sweeper->store(x);
      double squares = 0;
      for (std::size_t p = 0; p < x.size(); ++p)
        if (const bool black = (p % 510 + p / 510) % 2 == 1; !method.red_black || black == (done % 2 == 1))
          squares += (method.red_black ? 2 : 1) * (x[p] - exact[p]) * (x[p] - exact[p]);
      if (std::sqrt(squares) <= reached) return done;
    }
    return -1;
  }
};

TEST(PublishedAccelerated, ChebyshevTakesTheCountsOfItsClosedForm) {
  const Problem problem;
  const Range spectrum = bounds(problem.a);
  for (const auto& [factor, sweeps] :
       {std::pair<double, Index>{1, 1836}, {0.75, 2115}, {1.25, 2787}, {4, 6428}}) {
    const Range assumed{factor * spectrum.low, 2 - factor * spectrum.low};  // of 1 - radius
    EXPECT_EQ(problem.count(chebyshev(assumed), sweeps - 20, 1), sweeps) << factor;
  }
}

TEST(PublishedAccelerated, CyclicChebyshevTakesTheCountsOfChebyshev) {
  const Problem problem;
  const double low = bounds(problem.a).low;
  for (const auto& [factor, sweeps] :
       {std::pair<double, Index>{1, 1836}, {0.75, 2115}, {1.25, 2787}, {4, 6428}})
    EXPECT_EQ(problem.count(cyclic_chebyshev(factor * low), sweeps - 20, 1), sweeps) << factor;
}

TEST(PublishedAccelerated, SchedulesTakeTheCountsOfTheirClosedForm) {
  const Problem problem;
  for (const auto& [period, sweeps] : {std::pair<Index, Index>{32, 17632},
                                       {64, 9024},
                                       {128, 4864},
                                       {256, 3072},
                                       {512, 2560},
                                       {1024, 2048},
                                       {2048, 2048}})
    EXPECT_EQ(problem.count(scheduled(bounds(problem.a), period), period, period), sweeps) << period;
}

}  // namespace
}  // namespace jacobi
