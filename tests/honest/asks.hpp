/// What is asked of a random system: any method with any weights, any stopping test.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <limits>
#include <string>
#include <variant>

#include "honest/systems.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stop.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::honest {

struct Ask {
  Plan plan;
  Stop stop;
  std::string words;
};

/// Tolerances from loose to below all rounding; limits that some solves meet and others do not.
inline Stop draw_stop(Random& random, Index most_sweeps) {
  constexpr Norm norms[] = {Norm::automatic,    Norm::residual,   Norm::update,
                            Norm::max_residual, Norm::max_update, Norm::scaled_residual};
  constexpr Reference references[] = {Reference::rhs, Reference::rhs, Reference::initial, Reference::none};
  constexpr Index limits[] = {0, 1, 5, 40, 300, 2000};
  constexpr Index cadences[] = {0, 1, 3};
  Stop stop;
  stop.relative = one_in(random, 10) ? 0 : power_of_ten(random, -16, -2);
  stop.norm = norms[random.integer(0, 5)];
  stop.reference = references[random.integer(0, 3)];
  stop.absolute = stop.reference == Reference::none || one_in(random, 10) ? power_of_ten(random, -18, 0) : 0;
  if (one_in(random, 20)) stop.relative = stop.absolute = 0;
  stop.max_sweeps =
      std::min(most_sweeps, limits[std::max<Index>(random.integer(-4, 5), one_in(random, 3) ? 0 : 4)]);
  stop.check_every = cadences[random.integer(0, 2)];
  if (one_in(random, 10)) stop.growth = std::numeric_limits<double>::infinity();
  return stop;
}

inline std::string in_words(const Stop& s) {
  return fmt::format(
      "{{.relative = {}, .absolute = {}, .norm = {}, .reference = {}, .max_sweeps = {}, .growth = {}, "
      ".check_every = {}}}",
      s.relative, s.absolute, name(s.norm), name(s.reference), s.max_sweeps, s.growth, s.check_every);
}

inline Range draw_range(Random& random) {
  const double high = random.real(0.5, 2.5);
  return {high * power_of_ten(random, -4, -0.1), high};
}

/// A method for sparse and dense matrices; grids have more.
inline Plan draw_method(Random& random, bool grid, std::string& words) {
  const Index pick = random.integer(0, grid ? 10 : 9);
  if (pick == 0) return words = "plain()", Plan(plain());
  if (pick == 1) {
    const double omega = one_in(random, 2) ? 2.0 / 3.0 : random.real(0.05, 1.95);
    words = fmt::format("weighted({})", omega);
    return Plan(weighted(omega));
  }
  if (pick == 2 && !grid) return words = "l1()", Plan(l1());
  if (pick == 2 || pick == 10) {
    if (one_in(random, 2)) return words = "red_black()", Plan(red_black());
    const double low = power_of_ten(random, -3, 0);
    words = fmt::format("cyclic_chebyshev({})", low);
    return Plan(cyclic_chebyshev(low));
  }
  if (pick == 3) {
    const Range range = draw_range(random);
    words = fmt::format("chebyshev({{{}, {}}})", range.low, range.high);
    return Plan(chebyshev(range));
  }
  if (pick == 4) {
    if (one_in(random, 2)) {
      const Range range = draw_range(random);
      const Index period = Index(1) << random.integer(0, 5);
      words = fmt::format("scheduled({{{}, {}}}, {})", range.low, range.high, period);
      return Plan(scheduled(range, period));
    }
    const std::vector<double> omegas = random.vector<double>(random.integer(1, 6), 0.05, 3);
    words = fmt::format("scheduled({{{}}})", fmt::join(omegas, ", "));
    return Plan(scheduled(omegas));
  }
  if (pick == 5) {
    const AndersonOptions options{random.integer(1, 12), random.integer(1, 4), random.real(0.1, 1.5)};
    words = fmt::format("anderson({{{}, {}, {}}})", options.depth, options.period, options.omega);
    return Plan(anderson(options));
  }
  if (pick <= 7) return words = "cg()", Plan(cg());
  return words = "bicgstab()", Plan(bicgstab());
}

/// One of those for this operator that this build has, or none: the best.
inline std::string draw_rung(Random& random, bool grid, bool dense) {
  const std::span<const Rung> rungs = grid ? stencil_rungs() : dense ? dense_rungs() : sparse_rungs();
  const Rung& rung = rungs[static_cast<std::size_t>(random.integer(0, std::ssize(rungs) - 1))];
  return rung.compiled && one_in(random, 4) ? rung.name : "";
}

/// Tiles that overlap enough to be exact, or do not.
template <class T, int D>
Tiling draw_tiling(Random& random, const Grid<T, D>& grid) {
  Tiling tiling;
  for (int d = 0; d < D; ++d) {
    tiling.extent[d] = random.integer(1, grid.unknowns[d] + 1);
    tiling.overlap[d] = random.integer(0, (tiling.extent[d] - 1) / 2);
  }
  tiling.subiterations = random.integer(1, 4);
  return tiling;
}

template <class T>
Plan draw_plan(Random& random, const Problem<T>& p, std::string& words) {
  if (p.grid && one_in(random, 3)) {
    const Multigrid cycle{random.integer(0, 3), random.integer(1, 3), random.integer(1, 2),
                          one_in(random, 2)};
    const bool preconditioner = one_in(random, 3);
    words = fmt::format("{}({{{}, {}, {}, {}}})", preconditioner ? "cg_with_multigrid" : "multigrid",
                        cycle.pre, cycle.post, cycle.visits, cycle.full && !preconditioner);
    return std::visit(
        [&]<class A>(const A& a) -> Plan {
          if constexpr (!OnGrid<A>)
            return {};
          else
            return preconditioner ? cg_with_multigrid({cycle.pre, cycle.post, cycle.visits, false})
                                  : multigrid(a, cycle);
        },
        *p.a);
  }
  Plan plan = draw_method(random, p.grid, words);
  const bool dense = std::holds_alternative<Dense<T>>(*p.a);
  if (dense && sizeof(T) == 8 && p.copies == 1 && !accelerated(plan.method) && one_in(random, 4)) {
    plan.matrix_precision = one_in(random, 2) ? MatrixPrecision::single : MatrixPrecision::bf16;
    words += plan.matrix_precision == MatrixPrecision::single ? ", entries as float" : ", entries as bf16";
  }
  if (!accelerated(plan.method) && plan.matrix_precision == MatrixPrecision::as_given)
    plan.by = OnRung{draw_rung(random, p.grid, dense)};
  if (p.grid && one_in(random, 5)) {
    std::visit(
        [&]<class A>(const A& a) {
          if constexpr (OnGrid<A>) plan.by = draw_tiling(random, a.grid());
        },
        *p.a);
    const Tiling& t = *plan.tiling();
    words += fmt::format(", tiles of {}, {} sweeps, overlap {}", fmt::join(t.extent, " x "), t.subiterations,
                         fmt::join(t.overlap, ", "));
  }
  if (!plan.rung().empty()) words += ", rung " + plan.rung();
  if (one_in(random, 4)) {
    plan.recognise_grids = false;
    words += ", no grid looked for";
  }
  return plan;
}

template <class T>
Ask draw_ask(Random& random, const Problem<T>& p) {
  Ask ask;
  ask.plan = draw_plan(random, p, ask.words);
  ask.stop = draw_stop(random, p.rows() > 20 ? 300 : 2000);
  ask.words += ", " + in_words(ask.stop);
  return ask;
}

}  // namespace jacobi::honest
