/// One random system solved, by one thread and by two, and its reports held against extended precision.
#pragma once
#include <cstring>
#include <map>
#include <memory>

#include "honest_asks.hpp"
#include "honest_checks.hpp"
#include "honest_tally.hpp"
#include "jacobi/solver.hpp"
#include "share.hpp"

namespace jacobi::honest {

/// Bit by bit, NaN included.
template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

struct Counts {
  std::map<std::string, long> of;
};

template <class T>
void solve_and_check(const Problem<T>& p, const Ask& ask, bool twice, Tally& tally, Counts& counts,
                     unsigned seed) {
  const auto found = [&](const Fault& fault, const std::string& report = {}) {
    tally.add(fault, p.rows(),
              fmt::format("JACOBI_SEED={} {}\n{}\n{}{}", seed, sizeof(T) == 8 ? "double" : "float", ask.words,
                          report, in_full(p)));
  };
  try {
    std::vector<T> x = p.x;
    const Report r = Solver<T>(*p.a, ask.plan, backend("serial")).solve(p.b, x, ask.stop);
    ++counts.of[name(r.status)];
    for (const Fault& fault : Checks<T>(p, ask.plan.method.divisor, ask.stop, r, x).run())
      found(fault, in_words(r));
    if (r.sweeps > 60 || !twice) return;
    std::vector<T> y = p.x;
    const Report two = Solver<T>(*p.a, ask.plan, backend("threads:2")).solve(p.b, y, ask.stop);
    if (!same(x, y) || r.status != two.status || r.sweeps != two.sweeps)
      found({"two threads give other bits", in_words(two)}, in_words(r));
  } catch (const Error& e) {
    ++counts.of["refused"];
    const std::string words = e.what();
    const bool zero =
        std::any_of(p.system.centre.begin(), p.system.centre.end(), [](Quad v) { return v == 0; });
    if (!zero && words.find("ZeroDiagonal") != std::string::npos)
      found({"ZeroDiagonal of a diagonal without zeros", words});
    if (asked_for("JACOBI_REFUSALS", 0) > 0) found({"refused: " + words.substr(0, 40), words});
  } catch (const std::exception& e) {
    found({"an exception of another kind", e.what()});
  }
}

template <class T>
void draw_solve(unsigned seed, Random& random, Tally& tally, Counts& counts) {
  try {
    const Problem<T> p = draw_problem<T>(random);
    if (p.finite) return solve_and_check(p, draw_ask(random, p), one_in(random, 4), tally, counts, seed);
  } catch (const Error&) {  // an operator that T cannot hold
  }
  ++counts.of["beyond range"];
}

/// `count` draws of shard number `shard`, or JACOBI_DRAWS of them.
inline void draw_solves(unsigned shard, unsigned count) {
  const unsigned draws = test::drawn(static_cast<unsigned>(asked_for("JACOBI_DRAWS", count)));
  Counts counts;
  draw_all(shard * 1'000'000, draws, [&](unsigned seed, Tally& tally) {
    Random random(seed);
    one_in(random, 3) ? draw_solve<float>(seed, random, tally, counts)
                      : draw_solve<double>(seed, random, tally, counts);
  });
  for (const auto& [what, times] : counts.of) testing::Test::RecordProperty(what, static_cast<int>(times));
  if (asked_for("JACOBI_SEED", -1) >= 0) return;
  // else this would not have looked where it matters
  EXPECT_GT(counts.of["converged"], draws / 6);
  EXPECT_GT(counts.of["stagnated"], draws / 50);
  EXPECT_GT(counts.of["diverged"], draws / 50);
  EXPECT_LT(counts.of["refused"], draws / 3);
}

}  // namespace jacobi::honest
