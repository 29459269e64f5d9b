/// Running rungs for comparison, and spoiling one.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/executed.hpp"
#include "ladder/steps.hpp"
#include "share.hpp"

namespace jacobi::test {

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

template <class T>
std::vector<T> swept(Sweeper<T>& sweeper, const std::vector<T>& b, const std::vector<T>& x, int kind, int n) {
  sweeper.load(b, x);
  sweeper.advance(make_steps(kind, n), Want::nothing);
  std::vector<T> result(x.size());
  sweeper.store(result);
  return result;
}

/// Binds a rung to an operator A.
template <class T, class A>
using Make = std::function<std::unique_ptr<Sweeper<T>>(const A&)>;

/// One rung under test, and where it first differed from what is expected.
template <class T, class A>
struct Candidate {
  std::string name;
  Make<T, A> make;
  int differences = 0;
  std::string first = {};
};

/// Which runs of a case are made: every `share`-th; what one case leaves out another one makes.
class Turns {
 public:
  explicit Turns(int share = JACOBI_TEST_SHARE) : share_(share) {}
  void next_case() { turn_ = cases_++; }
  bool leaves_out() { return turn_++ % share_ != 0; }

 private:
  int share_, cases_ = 0, turn_ = 0;
};

/// Runs all on every case with 0, 1, 2 and 7 sweeps of every kind of step, and counts the differences; the
/// number of runs. Where all takes longest, every fourth candidate is bound to a case, which takes as long as
/// the runs: what one case leaves out another one makes.
template <class T, class A, class Case>
int compare(const std::vector<Case>& cases, const Make<T, A>& expected,
            std::vector<Candidate<T, A>>& candidates) {
  const std::size_t every = JACOBI_TEST_SHARE > 5 && candidates.size() > 1 && cases.size() >= 4 ? 4 : 1;
  Turns turns(JACOBI_TEST_SHARE / static_cast<int>(every));
  int runs = 0;
  for (std::size_t number = 0; number < cases.size(); ++number) {
    const Case& c = cases[number];
    turns.next_case();
    const auto right = expected(c.a);
    std::vector<std::pair<Candidate<T, A>*, std::unique_ptr<Sweeper<T>>>> bound;
    for (std::size_t j = number % every; j < candidates.size(); j += every)
      bound.emplace_back(&candidates[j], candidates[j].make(c.a));
    for (int kind = 0; kind < 3; ++kind)
      for (const int n : {0, 1, 2, 7}) {
        if (turns.leaves_out()) continue;
        ++runs;
        const auto bits = swept(*right, c.b, c.x, kind, n);
        for (auto& [candidate, sweeper] : bound)
          if (!same_bits(bits, swept(*sweeper, c.b, c.x, kind, n)) && candidate->differences++ == 0)
            candidate->first = c.name + " steps " + std::to_string(kind) + " sweeps " + std::to_string(n);
      }
  }
  return runs;
}

template <class T, class A, class Case>
void expect_equal(const std::vector<Case>& cases, const Make<T, A>& expected,
                  std::vector<Candidate<T, A>> candidates) {
  compare(cases, expected, candidates);
  for (const auto& c : candidates) EXPECT_EQ(c.differences, 0) << c.name << ", first at " << c.first;
}

/// What lies in memory beside the unknowns keeps no infinity or NaN that sweeps before left: after another
/// start, bits and norms are those of a fresh sweeper. Every `share`-th run is made.
template <class T, class A, class Case>
void expect_overflow_is_forgotten(const std::vector<Case>& cases,
                                  const std::vector<Candidate<T, A>>& candidates, int share = 1) {
  Turns turns(share * JACOBI_TEST_SHARE);
  for (const Case& c : cases) {
    turns.next_case();
    for (const auto& candidate : candidates) {
      if (turns.leaves_out()) continue;
      const auto sweeper = candidate.make(c.a), fresh = candidate.make(c.a);
      const std::vector<T> infinite(c.x.size(), std::numeric_limits<T>::infinity());
      const std::vector<T> lost = swept(*sweeper, c.b, infinite, 2, 7);
      EXPECT_FALSE(std::isfinite(lost[0])) << candidate.name << " " << c.name;
      EXPECT_TRUE(same_bits(swept(*sweeper, c.b, c.x, 2, 7), swept(*fresh, c.b, c.x, 2, 7)))
          << candidate.name << " " << c.name;
      for (const Want want : {Want::update, Want::residual, Want::correction})
        EXPECT_EQ(sweeper->norms(want).l2, fresh->norms(want).l2) << candidate.name << " " << c.name;
      const Norms after = sweeper->advance(make_steps(0, 3), Want::update);
      EXPECT_EQ(after.l2, fresh->advance(make_steps(0, 3), Want::update).l2)
          << candidate.name << " " << c.name;
      EXPECT_TRUE(std::isfinite(after.l2)) << candidate.name << " " << c.name;
    }
  }
}

/// In which share of the runs a rung that must not pass is caught.
template <class T, class A, class Case>
double share_caught(const std::vector<Case>& cases, const Make<T, A>& expected, const Make<T, A>& wrong) {
  std::vector<Candidate<T, A>> one = {{"control", wrong}};
  const int runs = compare(cases, expected, one);
  return static_cast<double>(one.front().differences) / runs;
}

/// A rung that must not pass: wraps a right one and spoils it.
template <class T>
class Spoiled : public Sweeper<T> {
 public:
  Spoiled(std::unique_ptr<Sweeper<T>> right, std::size_t dropped)
      : right_(std::move(right)), dropped_(dropped) {}
  Index rows() const override { return right_->rows(); }
  Executed executed() const override { return right_->executed(); }
  double bytes_per_update() const override { return right_->bytes_per_update(); }
  double check_cost(Want want) const override { return right_->check_cost(want); }

 private:
  void do_load(std::span<const T> b, std::span<const T> x) override { right_->load(b, x); }
  Norms do_advance(std::span<const Step> steps, Want want) override {
    return right_->advance(steps.first(steps.size() - std::min(dropped_, steps.size())), want);
  }
  Norms do_norms(Want want) override { return right_->norms(want); }
  void do_store(std::span<T> x) const override { right_->store(x); }
  void do_save() override { right_->save(); }
  void do_restore() override { right_->restore(); }

  std::unique_ptr<Sweeper<T>> right_;
  std::size_t dropped_;
};

}  // namespace jacobi::test
