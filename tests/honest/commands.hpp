/// What the command line adds to a solve: a method of its own choice, and a proved bound of the largest
/// error.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/asked.hpp"
#include "honest/proofs.hpp"
#include "honest/solves.hpp"
#include "jacobi/error_bound.hpp"

namespace jacobi::honest {

template <class T>
std::string in_full(unsigned seed, const Problem<T>& p) {
  return fmt::format("JACOBI_SEED={} {}\n{}", seed, sizeof(T) == 8 ? "double" : "float", in_full(p));
}

/// error_bound of this x, by whatever means it was come by.
template <class T>
void check_bound(const Problem<T>& p, const Diagnosis& d, const std::vector<T>& x, const Quads& exact,
                 Counts& seen, const std::function<void(const Fault&)>& found) {
  const std::optional<double> bound = error_bound<T>(*p.sparse(), d, p.b, x);
  ++seen[bound ? "bounds" : "no bound"];
  if (!bound) return;
  Quad error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, size_of(exact[i] - static_cast<Quad>(x[i])));
    size = std::max(size, size_of(exact[i]));
  }
  const std::string words = fmt::format("{} is said, the error is {}, factor {} in norm {}", *bound,
                                        in_double(error), d.bound->factor, name(d.bound->norm));
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

/// "in about 12 sweeps or fewer" is a bound where it is said; what is said with three digits, and checked
/// every so many sweeps.
inline std::optional<double> most_sweeps(const Report& r) {
  for (const std::string& note : r.notes) {
    if (note.find("went on from") != std::string::npos) return {};
    const std::size_t end = note.find(" sweeps or fewer"), begin = note.find_last_of(' ', end - 1);
    if (end == std::string::npos || begin == std::string::npos) continue;
    return 1.05 * std::strtod(note.c_str() + begin, nullptr) + 1 + static_cast<double>(r.check_every);
  }
  return {};
}

/// Full multigrid and its like, as `jacobi poisson` chooses.
template <class T>
Choice choice_of_grid(const Problem<T>& p, const Stop& stop) {
  return std::visit(
      [&]<class A>(const A& a) -> Choice {
        if constexpr (!OnGrid<A>)
          return {};
        else
          return choose(a, stop);
      },
      *p.a);
}

/// As `jacobi solve` chooses, by a diagnosis.
template <class T>
Choice choice_of_matrix(const Problem<T>& p, const Stop& stop, const Diagnosis& d) {
  const std::optional<Csr<T>> entries = p.sparse();
  const bool dense = std::holds_alternative<Dense<T>>(*p.a);
  return choose_asked<T>({}, dense ? nullptr : &*entries, d, stop, 1, *backend("serial"));
}

/// Columns sum to 0: below this, no x brings the norm tested, since residuals sum to what b sums to.
inline double least_norm(const System& s, Norm norm) {
  Quad sum = 0, weights = 0;
  for (std::size_t i = 0; i < s.n; ++i) {
    sum += s.b[i];
    weights += by_rows(norm) ? size_of(s.centre[i]) : 1;
  }
  return in_double(size_of(sum) / weights);
}

/// The method chosen, and the fallback that the choice may name.
template <class T>
void run_choice(const Problem<T>& p, const Choice& choice, const Stop& stop,
                const std::optional<Diagnosis>& d, Counts& seen,
                const std::function<void(const Fault&)>& found) {
  std::vector<T> x = p.x;
  const Report r = solve<T>(choice, x, stop, [&](const Plan& plan, const Stop& until) {
    return Solver<T>(*p.a, plan, backend("serial")).solve(p.b, x, until);
  });
  ++seen[name(r.status)];
  const auto told = [&](Fault fault) {
    fault.words += "\n" + in_words(r);
    found(fault);
  };
  for (const Fault& fault : Checks<T>(p, stop, r, x, true).run()) told(fault);
  if (const auto most = most_sweeps(r); most && r.converged() && static_cast<double>(r.sweeps) > *most)
    told({"more sweeps than `or fewer`", ""});
  if (!d) return;
  if (const std::optional<Quads> exact = solve(p.system); exact && d->bound && all_finite(x))
    check_bound(p, *d, x, *exact, seen, told);
  if (r.converged() && !d->no_solution.empty() && r.tolerance < 0.99 * least_norm(p.system, r.norm))
    told({"converged where no solution exists", d->no_solution});
}

template <class T>
void draw_auto(unsigned seed, Random& random, Tally& tally, Counts& seen) {
  try {
    const Problem<T> p = draw_problem<T>(random);
    if (!p.finite || p.copies > 1) return;
    const Stop stop = draw_stop(random, 2000);
    const std::string words = in_words(stop) + "\n" + in_full(seed, p);
    const auto found = [&](const Fault& fault) { tally.add(fault, p.rows(), words); };
    try {
      std::optional<Diagnosis> d;
      DiagnoseOptions questions;
      questions.stop = stop;
      if (!p.grid) d = diagnose<T>(*p.sparse(), p.b, p.x, questions);
      run_choice(p, p.grid ? choice_of_grid(p, stop) : choice_of_matrix(p, stop, *d), stop, d, seen, found);
    } catch (const Error& e) {
      ++seen["refused"];
      const bool zero = std::ranges::find(p.system.centre, Quad(0)) != p.system.centre.end();
      if (!zero && !p.grid) found({"auto refuses", e.what()});
    }
  } catch (const Error&) {  // an operator that T cannot hold
    ++seen["beyond range"];
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
  if (!one_seed() && draws >= many) EXPECT_GT(counts["bounds"], draws / 4);
}

/// `count` draws from the seed `first` on.
inline void draw_autos_from(unsigned first, long count, Counts& counts) {
  draw_all(first, count, [&](unsigned seed, Random& random, Tally& tally) {
    one_in(random, 4) ? draw_auto<float>(seed, random, tally, counts)
                      : draw_auto<double>(seed, random, tally, counts);
  });
}

inline void draw_autos(unsigned shard, unsigned count) {
  const long draws = draws_of(count);
  Counts counts;
  draw_autos_from(shard * 1'000'000, draws, counts);
  tell(counts);
  if (!one_seed() && draws >= many) EXPECT_GT(counts["converged"], draws / 4);
}

}  // namespace jacobi::honest
