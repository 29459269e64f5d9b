/// Sweeps of grids: exact rungs against classic launches and the source's kernel.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/memory.hpp"
#include "gpu/case.hpp"
#include "jacobi/error.hpp"
#include "jacobi/solver.hpp"

namespace jacobi::bench {

namespace {

constexpr Index verified_sweeps = 53;     ///< three meetings of the deepest tile, and a launch
constexpr Index host_unknowns = 1 << 21;  ///< beyond, classic launches stand in for the host's rung 0

struct Against {
  std::string rung;
  double least = 0, stretch = 0;
};

struct Detail {
  bool classic_is_measured = false;               ///< against copies, with a target
  bool with_b = true;                             ///< else the right-hand side is one number
  std::vector<std::array<Index, 3>> blocks = {};  ///< of classic launches, beside the one chosen
};

/// The best rung and those named, all with the same bits.
template <class T, int D>
Case grid_case(const Bench& bench, const Stencil<T, D>& a, const std::vector<Against>& targets,
               const Detail& detail = {}) {
  const Index between_norms = bench.options().tiny ? 16 : 256;
  require_memory(4.0 * static_cast<double>(a.rows()) * sizeof(T), "vectors of the case");
  Case one;
  one.precision = sizeof(T) == 8 ? "double" : "float";
  one.unknowns = a.rows();
  const Values<T> b =
      detail.with_b ? general_rhs<T>(a.rows()) : Values<T>(static_cast<std::size_t>(a.rows()), T(1));
  const auto bind = [&](const std::string& rung, const Blocking& blocking = {}) {
    return std::shared_ptr<Sweeper<T>>(bench.device().bind(Operator<T>(a), {plain(), rung, blocking}));
  };
  const std::shared_ptr<Sweeper<T>> classic = bind("classic"), best = bind("");
  const bool on_host = a.rows() <= host_unknowns;
  const auto right =
      on_host ? swept(*backend("serial")->bind(Operator<T>(a), {plain(), "textbook"}), b, verified_sweeps)
      : detail.with_b ? swept(*classic, b, verified_sweeps)
                      : swept(*bench.device().bind(Operator<T>(a), {chebyshev({0.1, 1.9}), "classic"}), b,
                              verified_sweeps);  // sweepers of this method read g
  const auto differs = [&](Sweeper<T>& sweeper) {
    const auto found = swept(sweeper, b, verified_sweeps);
    return std::memcmp(found.data(), right.data(), right.size() * sizeof(T)) != 0;
  };
  std::string wrong;
  if ((on_host || !detail.with_b) && differs(*classic)) wrong += " classic";
  if (classic->bytes_per_update() != (detail.with_b ? 3 : 2) * sizeof(T)) wrong += " bytes of classic";
  const bool best_differs = differs(*best);
  const std::string name = best->executed().rung;
  if (best_differs) wrong += " " + name;
  one.contenders = {contender("classic", classic), contender(name, best)};
  if (name != "graph" && on_host) {
    const auto graph = bind("graph");
    if (differs(*graph)) wrong += " graph";
    one.contenders.push_back(contender("graph", graph));
  }
  for (const std::array<Index, 3>& block : detail.blocks) {
    const auto sweeper = bind("classic", {block});
    const std::string words = fmt::format("classic, blocks of {} x {}", block[0], block[1]);
    if (differs(*sweeper)) wrong += " " + words;
    one.contenders.push_back(contender(words, sweeper));
  }
  one.contenders.push_back(
      {fmt::format("{}, a norm every {}", name, between_norms), [best, between_norms](Index sweeps) {
         double seconds = 0;
         Index made = 0;
         for (; made < sweeps; made += between_norms) {
           best->advance(std::vector<Step>(between_norms), Want::update);
           seconds += best->executed().sweep_seconds;
         }
         return seconds / static_cast<double>(made);
       }});
  one.verified = wrong.empty()
                     ? fmt::format("bits of {} after {} sweeps",
                                   on_host ? "the host's rung 0" : "classic launches", verified_sweeps)
                     : "WRONG:" + wrong;
  race(one, bench.options());
  for (const Against& target : targets) one.compare(name, target.rung, target.least, target.stretch);
  if (one.at(name).sweeps >= between_norms)  // else calls would be compared that differ in length
    one.compare(one.contenders.back().name, name, 0.98, 0.99);
  for (const Contender& other : one.contenders)
    if (other.name.starts_with("classic, ")) one.compare("classic", other.name);
  const double of_copies = detail.classic_is_measured ? 0.93 : 0;
  one.compare_with_copies("classic", bench.bandwidth(), of_copies, of_copies);
  return one;
}

/// Sweeps to 1e-4 of the initial residual, from 1 with b = 1; 0 where they are not enough.
template <int D>
Index sweeps_needed(const Bench& bench, const Stencil<double, D>& a, const Plan& plan) {
  std::vector<double> b(static_cast<std::size_t>(a.rows()), 1.0), x = b;
  Stop stop;
  stop.relative = 1e-4;
  stop.reference = Reference::initial;
  stop.max_sweeps = 20'000'000;
  stop.max_seconds = 5;
  const Report r = Solver<double>(a, plan, std::shared_ptr<const Backend>(&bench.device(), [](auto*) {}))
                       .solve(b, x, stop);
  return r.converged() ? r.sweeps : 0;
}

template <int D>
double seconds_of_sweep(const Bench& bench, const Stencil<double, D>& a, const Plan& plan) {
  const std::shared_ptr<Sweeper<double>> sweeper = bench.device().bind(Operator<double>(a), plan);
  const Values<double> b = general_rhs<double>(a.rows());  // one number would not be read by all
  sweeper->load(b, b);
  Case alone;
  alone.contenders = {contender("", sweeper)};
  Options options = bench.options();
  options.seconds /= 4;
  options.runs = 3;
  race(alone, options);
  return alone.contenders[0].median_seconds();
}

/// A way to 1e-4: sweeps needed on one grid times the seconds of one on another.
struct Way {
  Plan counted, timed;
  std::string in_words;
  double seconds_of_sweep = 0;
  Index sweeps = 0;
  double seconds() const {
    return sweeps == 0 ? std::numeric_limits<double>::infinity()
                       : static_cast<double>(sweeps) * seconds_of_sweep;
  }
  std::string sweeps_in_words() const {
    return fmt::format("{} sweeps of {:.4g} us", sweeps, 1e6 * seconds_of_sweep);
  }
};

/// The source's kernel at its best k and overlap against the best exact rung, by time to 1e-4. All are timed;
/// sweeps are counted of the three whose number on `small`, a grid of a quarter of the points per direction,
/// promises most.
template <int D, int E>
Case source_case(const Bench& bench, const Stencil<double, D>& small, const Stencil<double, D>& counted,
                 const Stencil<double, E>& timed, double least, double stretch) {
  Case one;
  one.unknowns = timed.rows();
  Way exact{{}, {}, "", seconds_of_sweep(bench, timed, {})};
  exact.sweeps = sweeps_needed(bench, counted, exact.counted);
  std::vector<Way> ways;
  for (const Index k : {4, 8, 16, 32, 64, 128})
    for (const Index overlap : {0, 1, 2, 4}) {
      if (bench.options().tiny && (k != 16 || overlap != 2)) continue;
      Way way;
      const Tiling tiling{{32, D == 1 ? 1 : 32, 1}, k, {overlap, D == 1 ? 0 : overlap, 0}};
      way.counted.by = tiling;
      way.timed.by = D == E ? tiling : batch(tiling);
      way.in_words = fmt::format("k = {}, {} shared", k, 2 * overlap);
      way.seconds_of_sweep = seconds_of_sweep(bench, timed, way.timed);
      way.sweeps = sweeps_needed(bench, small, way.counted);
      ways.push_back(way);
    }
  const auto sooner = [](const Way& a, const Way& b) { return a.seconds() < b.seconds(); };
  std::sort(ways.begin(), ways.end(), sooner);
  ways.resize(std::min<std::size_t>(ways.size(), 3));
  for (Way& way : ways) way.sweeps = sweeps_needed(bench, counted, way.counted);
  const Way& source = *std::min_element(ways.begin(), ways.end(), sooner);
  one.verified = std::max(exact.seconds(), source.seconds()) < std::numeric_limits<double>::infinity()
                     ? "both to 1e-4; " + exact.sweeps_in_words() + "; " + source.in_words + ": " +
                           source.sweeps_in_words()
                     : "WRONG: not converged";
  one.quotients = {{"time to 1e-4 against the source's kernel (times of the whole)", exact.seconds(),
                    source.seconds(), source.seconds() / exact.seconds(), least, stretch}};
  return one;
}

}  // namespace

void run_grids(Bench& bench) {
  const bool tiny = bench.options().tiny;
  const auto size = [&](Index full, Index small) { return tiny ? small : full; };
  const auto square = [&](Index full) {
    return std::array<Index, 2>{size(full, full / 16 + 3), size(full, full / 16 + 3)};
  };
  const Index n = size(1024, 70), copies = size(1024, 3);
  bench.run("1d_1024x1024_double", [&] {
    Detail detail;
    for (const Index threads : {32, 64, 128, 256, 512}) detail.blocks.push_back({threads, 1, 1});
    return grid_case(bench, batch(poisson<double, 1>({n}), copies), {{"classic", 25, 35}, {"graph", 20, 28}},
                     detail);
  });
  bench.run("1d_1024x1024_to_1e-4", [&] {
    const auto a = poisson<double, 1>({n});
    return source_case(bench, poisson<double, 1>({n / 4}), a, batch(a, copies), 5, 8);
  });
  for (const Index small : {64, 128, 256})
    bench.run(fmt::format("2d_{}_double", small), [&] {
      return grid_case(bench, poisson<double, 2>(square(small)), {{"classic", 5, 8}, {"graph", 3, 4}});
    });
  bench.run("2d_1024_double", [&] {
    Detail detail;
    for (const Index high : {4, 8, 16, 32}) detail.blocks.push_back({32, high, 1});
    return grid_case(bench, poisson<double, 2>(square(1024)), {{"classic", 6, 9}, {"graph", 5, 7}}, detail);
  });
  bench.run("2d_1024_to_1e-4", [&] {
    const auto a = poisson<double, 2>(square(size(1024, 256)));
    return source_case(bench, poisson<double, 2>(square(size(256, 64))), a, a, 2, 3);
  });
  for (const Index middle : {4096, 16384}) {
    if (tiny) break;
    const double least = middle == 16384 ? 4.5 : 0, stretch = middle == 16384 ? 6 : 0;
    bench.run(fmt::format("2d_{}_double", middle), [&] {
      return grid_case(bench, poisson<double, 2>(square(middle)), {{"classic", least, stretch}},
                       {.classic_is_measured = middle == 16384});
    });
  }
  for (const Index n_without_b : {1024, 16384})
    bench.run(fmt::format("2d_{}_double_without_b", n_without_b), [&] {
      const double least = n_without_b == 16384 ? 3.5 : 0, stretch = n_without_b == 16384 ? 5 : 0;
      return grid_case(bench, poisson<double, 2>(square(size(n_without_b, 1024))),
                       {{"classic", least, stretch}}, {.with_b = false});
    });
  bench.run("2d_16384_float", [&] {
    return grid_case(bench, poisson<float, 2>(square(size(16384, 1024))), {{"classic", 3.5, 5}},
                     {.classic_is_measured = !tiny});
  });
  const Index side = size(1024, 20);
  bench.run("3d_1024_double", [&] {
    return grid_case(bench, poisson<double, 3>({side, side, side}), {{"classic", 1.8, 2.2}});
  });
  bench.run("3d_1024_float", [&] {
    return grid_case(bench, poisson<float, 3>({side, side, side}), {{"classic", 2, 2.4}});
  });
}

}  // namespace jacobi::bench
