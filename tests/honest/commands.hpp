/// What the command line adds to a solve: a method of its own choice, and a proved bound of the largest
/// error.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/diagnose.hpp"
#include "cli/solve_plan.hpp"
#include "honest/proofs.hpp"
#include "honest/solves.hpp"

namespace jacobi::honest {

template <class T>
std::string in_full(unsigned seed, const Problem<T>& p) {
  return fmt::format("JACOBI_SEED={} {}\n{}", seed, sizeof(T) == 8 ? "double" : "float", in_full(p));
}

/// error_bound of this x, by whatever means it was come by.
template <class T>
void check_bound(const Problem<T>& p, const Diagnosis& d, const std::vector<T>& x, const Quads& exact,
                 Counts& seen, const std::function<void(const Fault&)>& found) {
  const std::optional<double> bound = cli::error_bound<T>(*p.sparse(), d, p.b, x);
  ++seen[bound ? "bounds" : "no bound"];
  if (!bound) return;
  Quad error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, size_of(exact[i] - static_cast<Quad>(x[i])));
    size = std::max(size, size_of(exact[i]));
  }
  const std::string words = fmt::format("{} is said, the error is {}, factor {} in norm {}", *bound,
                                        in_double(error), d.bound->factor, d.bound->norm);
  const Quad doubt = size * 1e-30 / (1 - static_cast<Quad>(d.bound->factor));  // of elimination in quad
  if (error > static_cast<Quad>(*bound) * (1 + 1e-12) + doubt)
    found({"an error beyond its proved bound", words});
  if (*bound == 0 && error > doubt) found({"a bound of 0 of an error that is not", words});
  if (std::isnan(*bound) || *bound < 0) found({"a bound that is none", words});
}

/// The solution as T holds it, nearly that, and anything.
template <class T>
void draw_bound(unsigned seed, Random& random, Tally& tally, Counts& seen) {
  const Problem<T> p = draw_matrix<T>(random);
  if (!p.finite || p.copies > 1) return;
  const std::optional<Quads> exact = solve(p.system);
  if (!exact) return;
  const Diagnosis d = diagnose<T>(*p.sparse(), p.b, p.x);
  const auto found = [&](const Fault& fault) { tally.add(fault, p.rows(), in_full(seed, p)); };
  ++seen[d.bound ? "contractions" : "no contraction"];
  if (!d.bound) return;
  for (const double near : {0.0, power_of_ten(random, -16, -8), power_of_ten(random, -8, 0), 1.0}) {
    std::vector<T> x(p.rows());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[i] = static_cast<T>(in_double((*exact)[i]) * (1 + near * random.real(-1, 1)));
    if (all_finite(x)) check_bound(p, d, x, *exact, seen, found);
  }
}

/// As `jacobi solve` does: a diagnosis, a choice by it, and the fallback that it may name.
template <class T>
void draw_auto(unsigned seed, Random& random, Tally& tally, Counts& seen) {
  const Problem<T> p = draw_matrix<T>(random);
  if (!p.finite || p.copies > 1) return;
  cli::SolveOptions o;
  Stop stop = draw_stop(random, 2000);
  o.stop.rtol = stop.relative;
  o.stop.atol = stop.absolute;
  o.stop.norm = name(stop.norm);
  o.stop.reference = name(stop.reference);
  o.stop.max_sweeps = stop.max_sweeps;
  o.stop.check_every = stop.check_every;
  stop = o.stop.make();
  DiagnoseOptions questions;
  questions.stop = stop;
  const std::string words = in_words(stop) + "\n" + in_full(seed, p);
  const auto found = [&](const Fault& fault) { tally.add(fault, p.rows(), words); };
  try {
    const Diagnosis d = diagnose<T>(*p.sparse(), p.b, p.x, questions);
    const Dense<T>* dense = std::get_if<Dense<T>>(&*p.a);
    const cli::System<T> system{*p.sparse(), dense ? std::optional(*dense) : std::nullopt, {p.b}, {p.x}, {},
                                {}};
    const Choice choice = cli::choose_plan(o, system, d);
    std::vector<T> x = p.x;
    Divisor first = choice.plan.method.divisor, last = first;
    const Report r = solve<T>(choice, x, stop, [&](const Plan& plan, const Stop& until) {
      last = plan.method.divisor;
      return Solver<T>(*p.a, plan, backend("serial")).solve(p.b, x, until);
    });
    ++seen[name(r.status)];
    for (Fault fault : Checks<T>(p, last, stop, r, x, first).run()) {
      fault.words += "\n" + in_words(r);
      found(fault);
    }
    if (const std::optional<Quads> exact = solve(p.system); exact && d.bound && all_finite(x))
      check_bound(p, d, x, *exact, seen, found);
    if (r.status == Status::converged && !d.no_solution.empty())
      found({"converged where no solution exists", d.no_solution});
  } catch (const Error& e) {
    ++seen["refused"];
    for (const Quad centre : p.system.centre)
      if (centre == 0) return;
    found({"auto refuses", e.what()});
  }
}

inline void draw_bounds(unsigned shard, unsigned count) {
  const long draws = draws_of(count);
  Counts counts;
  draw_all(shard * 1'000'000, draws, [&](unsigned seed, Random& random, Tally& tally) {
    one_in(random, 4) ? draw_bound<float>(seed, random, tally, counts)
                      : draw_bound<double>(seed, random, tally, counts);
  });
  tell(counts);
  if (!one_seed()) EXPECT_GT(counts["bounds"], draws / 4);
}

inline void draw_autos(unsigned shard, unsigned count) {
  const long draws = draws_of(count);
  Counts counts;
  draw_all(shard * 1'000'000, draws, [&](unsigned seed, Random& random, Tally& tally) {
    one_in(random, 4) ? draw_auto<float>(seed, random, tally, counts)
                      : draw_auto<double>(seed, random, tally, counts);
  });
  tell(counts);
  if (!one_seed()) EXPECT_GT(counts["converged"], draws / 4);
}

}  // namespace jacobi::honest
