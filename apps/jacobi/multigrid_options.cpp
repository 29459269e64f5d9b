#include "multigrid_options.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "core/multigrid.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

namespace {

Index sweeps(const std::string& text) {
  Index value = 0;
  const std::string wrong = read_whole(text, value);
  if (!wrong.empty()) throw UsageError("--smoothing: " + wrong);
  return value;
}

}  // namespace

std::pair<Index, Index> read_smoothing(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == text.npos)
    throw UsageError(fmt::format("--smoothing {}: two numbers of sweeps with a comma, as 2,1", text));
  return {sweeps(text.substr(0, comma)), sweeps(text.substr(comma + 1))};
}

void MultigridOptions::add_to(CLI::App& app) {
  app.add_option(
         "--cycle", cycle,
         "of method multigrid: v, w, or full (default): the first cycle starts from the coarser grids' "
         "solution")
      ->check(one_of({"v", "w", "full"}));
  app.add_option("--smoothing", smoothing,
                 "of method multigrid: sweeps before and after the coarse grid's correction (default 2,1)")
      ->type_name("PRE,POST");
  app.add_option(
         "--smoother", smoother,
         "of method multigrid: chebyshev (default), a weight for each sweep of a cycle, or weighted, --omega "
         "for all (default 2 D / (2 D + 1))")
      ->check(one_of({"chebyshev", "weighted"}));
  app.add_option(
         "--preconditioner", preconditioner,
         "of method cg: diagonal (default), or multigrid, a V(2,2) cycle unless --cycle or --smoothing "
         "say otherwise")
      ->check(one_of({"diagonal", "multigrid"}));
}

void MultigridOptions::check(const std::string& method) const {
  for (const auto& [option, text] :
       {std::pair{"--cycle", &cycle}, {"--smoothing", &smoothing}, {"--smoother", &smoother}}) {
    const bool shapes = text == &cycle || text == &smoothing;  // a preconditioner's cycle too
    if (text->empty() || method == "multigrid" || (shapes && preconditions())) continue;
    throw UsageError(fmt::format("{} goes with --method multigrid{}, not {}", option,
                                 shapes ? " or --method cg --preconditioner multigrid" : "", method));
  }
  if (!preconditioner.empty() && method != "cg")
    throw UsageError(fmt::format("--preconditioner goes with --method cg, not {}", method));
  if (preconditions() && cycle == "full")
    throw UsageError("--cycle full solves by itself: as a preconditioner take v or w");
  require_sensible(make());
}

Multigrid MultigridOptions::make() const {
  Multigrid m;
  if (preconditions()) m = *cg_with_multigrid().preconditioner();
  if (!smoothing.empty()) std::tie(m.pre, m.post) = read_smoothing(smoothing);
  m.visits = cycle == "w" ? 2 : 1;
  m.full = !preconditions() && (cycle.empty() || cycle == "full");
  return m;
}

}  // namespace jacobi::cli
