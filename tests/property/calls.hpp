/// Calls of two sweepers that must give the same bits: all that reads or moves what many sweeps at once have
/// left elsewhere than in the arrays of single sweeps.
#pragma once
#include <gtest/gtest.h>

#include <cstring>

#include "ladder/cases.hpp"
#include "random.hpp"

namespace jacobi::test {

template <class T>
struct Pair {
  std::unique_ptr<Sweeper<T>> right, tiled;

  template <class Do>
  void both(Do&& act) {
    act(*right);
    act(*tiled);
  }
};

template <class T>
void expect_same(const Pair<T>& p, std::size_t rows, const std::string& after) {
  std::vector<T> expected(rows), found(rows);
  p.right->store(expected);
  p.tiled->store(found);
  EXPECT_EQ(std::memcmp(expected.data(), found.data(), rows * sizeof(T)), 0) << "after " << after;
}

/// One call.
template <class T>
std::string act(Pair<T>& p, Random& draw, std::size_t rows) {
  std::vector<Step> steps(
      static_cast<std::size_t>(draw.integer(0, 2) == 0 ? draw.integer(1, 12) : draw.integer(8, 50)));
  switch (draw.integer(0, 7)) {
    case 0: {  // begins with the iterate before
      for (Step& s : steps) s.omega = 0.9, s.rho = 1.1;
      steps.resize(std::min<std::size_t>(steps.size(), 3));
      p.both([&](Sweeper<T>& s) { s.advance(steps, Want::nothing); });
      return "three-term steps";
    }
    case 1: {
      const Norms a = p.right->advance(steps, Want::update), b = p.tiled->advance(steps, Want::update);
      EXPECT_NEAR(b.l2, a.l2, 1e-12 * a.l2);
      EXPECT_EQ(b.max, a.max);
      return "steps with an update norm";
    }
    case 2: {
      const Norms a = p.right->advance(steps, Want::correction),
                  b = p.tiled->advance(steps, Want::correction);
      EXPECT_NEAR(b.l2, a.l2, 1e-12 * a.l2);
      return "steps with a correction norm";
    }
    case 5: {
      p.both([&](Sweeper<T>& s) { s.advance(steps, Want::nothing); });
      const Norms a = p.right->norms(Want::update), b = p.tiled->norms(Want::update);
      EXPECT_NEAR(b.l2, a.l2, 1e-12 * a.l2);
      EXPECT_EQ(b.max, a.max);
      return std::to_string(steps.size()) + " plain steps, then their update norm";
    }
    case 3: {
      p.both([&](Sweeper<T>& s) {
        s.save();
        s.advance(steps, Want::nothing);
        s.restore();
        s.advance(std::vector<Step>(1), Want::nothing);
      });
      return "a step back";
    }
    case 4: {
      const std::vector<T> b(rows, T(0.25)), x = random_values<T>(static_cast<Index>(rows), -1, 1, 5);
      p.both([&](Sweeper<T>& s) {
        s.load(b, x);
        s.advance(std::vector<Step>(1), Want::nothing);
      });
      return "another b, constant";
    }
    default:
      p.both([&](Sweeper<T>& s) { s.advance(steps, Want::nothing); });
      return std::to_string(steps.size()) + " plain steps";
  }
}

/// Calls of all kinds.
template <class T>
void expect_same_after_calls(Pair<T>& p, Random& draw, std::size_t rows) {
  std::string calls;
  for (int call = 0; call < 8; ++call) {
    calls += (call > 0 ? ", " : "") + act(p, draw, rows);
    if (draw.integer(0, 2) == 0 || call == 7) expect_same(p, rows, calls);
  }
}

}  // namespace jacobi::test
