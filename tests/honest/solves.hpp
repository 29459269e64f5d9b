/// One random system solved, by one thread and by two, and its reports held against extended precision.
#pragma once
#include <cstring>
#include <memory>

#include "honest/asks.hpp"
#include "honest/checks.hpp"
#include "honest/tally.hpp"
#include "jacobi/solver.hpp"

namespace jacobi::honest {

/// Bit by bit, NaN included.
template <class T>
bool same(const std::vector<T>& x, const std::vector<T>& y) {
  return std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// The size of the last step, by which the same method went from the iterate before, which a solve of one
/// sweep less ends with: in T a difference is off by what its two numbers were rounded by.
template <class T>
std::vector<Fault> check_update(const Problem<T>& p, const Ask& ask, const Report& r,
                                const std::vector<T>& x) {
  const Method& method = ask.plan.method;
  const bool returns_last = r.status == Status::converged || r.status == Status::sweep_limit;
  if (!r.update_norm || !returns_last || r.sweeps == 0 || accelerated(method) || method.red_black ||
      ask.plan.multigrid() || ask.plan.tiling() || ask.plan.matrix_precision != MatrixPrecision::as_given ||
      p.singular_grid)
    return {};
  std::vector<T> before = p.x;
  Stop stop = ask.stop;
  stop.relative = stop.absolute = 0;
  stop.growth = std::numeric_limits<double>::infinity();
  stop.max_sweeps = r.sweeps - 1;
  const Report less = Solver<T>(*p.a, ask.plan, backend("serial")).solve(p.b, before, stop);
  if (less.status != Status::sweep_limit || less.sweeps != stop.max_sweeps) return {};
  Quads step(x.size()), doubt(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    step[i] = static_cast<Quad>(x[i]) - static_cast<Quad>(before[i]);
    doubt[i] = 4 * static_cast<Quad>(std::numeric_limits<T>::epsilon()) *
               (size_of(static_cast<Quad>(x[i])) + size_of(static_cast<Quad>(before[i])) + size_of(step[i]));
  }
  const Sizes right = sizes_of(step), off = sizes_of(doubt);
  std::vector<Fault> faults;
  const auto compare = [&](const char* what, double said, Quad size, Quad within) {
    if (!(size_of(static_cast<Quad>(said) - size) <= within + 0x1p-1060))
      faults.push_back(
          {fmt::format("{} differs", what),
           fmt::format("{} is said, {} is right within {}", said, in_double(size), in_double(within))});
  };
  compare("update_norm", *r.update_norm, right.l2, off.l2);
  if (r.update_max) compare("update_max", *r.update_max, right.max, off.max);
  return faults;
}

/// By one thread, again by the same Solver, and by two threads: the same bits. Of some the last update too.
template <class T>
void solve_and_check(const Problem<T>& p, const Ask& ask, Index also, Tally& tally, Counts& counts,
                     unsigned seed) {
  const auto found = [&](const Fault& fault, const std::string& report = {}) {
    tally.add(fault, p.rows(),
              fmt::format("JACOBI_SEED={} {}\n{}\n{}{}", seed, sizeof(T) == 8 ? "double" : "float", ask.words,
                          report, in_full(p)));
  };
  try {
    std::vector<T> x = p.x;
    Solver<T> solver(*p.a, ask.plan, backend("serial"));
    const Report r = solver.solve(p.b, x, ask.stop);
    ++counts[name(r.status)];
    for (const Fault& fault : Checks<T>(p, ask.stop, r, x).run()) found(fault, in_words(r));
    const auto same_again = [&](const char* who, Solver<T>&& other) {
      std::vector<T> y = p.x;
      const Report again = other.solve(p.b, y, ask.stop);
      if (!same(x, y) || r.status != again.status || r.sweeps != again.sweeps)
        found({fmt::format("{}: other bits", who), in_words(again)}, in_words(r));
    };
    if (also == 1) same_again("solving again", std::move(solver));
    if (also == 2 && r.sweeps <= 60)
      same_again("two threads", Solver<T>(*p.a, ask.plan, backend("threads:2")));
    if (also == 3)
      for (const Fault& fault : check_update(p, ask, r, x)) found(fault, in_words(r));
  } catch (const Error& e) {
    ++counts["refused"];
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
    if (p.finite) return solve_and_check(p, draw_ask(random, p), random.integer(0, 8), tally, counts, seed);
  } catch (const Error&) {  // an operator that T cannot hold
  }
  ++counts["beyond range"];
}

/// `count` draws from the seed `first` on.
inline void draw_solves_from(unsigned first, long count, Counts& counts) {
  draw_all(first, count, [&](unsigned seed, Random& random, Tally& tally) {
    one_in(random, 3) ? draw_solve<float>(seed, random, tally, counts)
                      : draw_solve<double>(seed, random, tally, counts);
  });
}

/// `count` draws of shard number `shard`, or JACOBI_DRAWS of them.
inline void draw_solves(unsigned shard, unsigned count) {
  const long draws = draws_of(count);
  Counts counts;
  draw_solves_from(shard * 1'000'000, draws, counts);
  tell(counts);
  if (one_seed() || draws < many) return;
  EXPECT_GT(counts["converged"], draws / 6);
  EXPECT_GT(counts["stagnated"], draws / 50);
  EXPECT_GT(counts["diverged"], draws / 50);
  EXPECT_LT(counts["refused"], draws / 3);
}

}  // namespace jacobi::honest
