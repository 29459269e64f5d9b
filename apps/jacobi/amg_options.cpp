#include "amg_options.hpp"

#include <fmt/format.h>

#include <tuple>
#include <utility>

#include "core/amg.hpp"
#include "jacobi/error.hpp"
#include "multigrid_options.hpp"
#include "numbers.hpp"

namespace jacobi::cli {

void AmgOptions::add_to(CLI::App& app) {
  app.add_option("--preconditioner", preconditioner,
                 "of methods cg and bicgstab: diagonal (default), or amg, a cycle of algebraic multigrid")
      ->check(one_of({"diagonal", "amg"}));
  app.add_option("--cycle", cycle, "of algebraic multigrid: v (default), w or k")
      ->check(one_of({"v", "w", "k"}));
  app.add_option(
         "--smoothing", smoothing,
         fmt::format(
             "of algebraic multigrid: sweeps before and after the coarser level's correction (default "
             "{},{})",
             Amg{}.pre, Amg{}.post))
      ->type_name("PRE,POST");
  app.add_option("--smoother", smoother,
                 "of algebraic multigrid: chebyshev (default), of the fourth kind, or l1")
      ->check(one_of({"chebyshev", "l1"}));
  app.add_option(
         "--strength", strength,
         fmt::format("of algebraic multigrid: a coupling is strong above so much of the diagonal's, in "
                     "[0, 1) (default {})",
                     Amg{}.strength))
      ->check(finite())
      ->type_name("S");
  app.add_option("--block", block, "of algebraic multigrid: unknowns that belong together (default 1)")
      ->transform(whole())
      ->type_name("N");
  app.add_option("--setup-seconds", setup_seconds, "of algebraic multigrid: limit of its setup's time")
      ->transform(finite_above_0())
      ->type_name("X");
}

std::optional<Amg> AmgOptions::make(const std::string& method) const {
  const bool preconditions = preconditioner == "amg";
  if (!preconditioner.empty() && method != "cg" && method != "bicgstab")
    throw UsageError(fmt::format("--preconditioner goes with --method cg or bicgstab, not {}", method));
  if (method != "amg" && !preconditions) {
    for (const auto& [option, given] : {std::pair{"--cycle", !cycle.empty()},
                                        {"--smoothing", !smoothing.empty()},
                                        {"--smoother", !smoother.empty()},
                                        {"--strength", strength.has_value()},
                                        {"--block", block.has_value()},
                                        {"--setup-seconds", setup_seconds.has_value()}})
      if (given)
        throw UsageError(
            fmt::format("{} goes with --method amg or --preconditioner amg, not {}", option, method));
    return {};
  }
  Amg options;
  if (!smoothing.empty()) std::tie(options.pre, options.post) = read_smoothing(smoothing);
  if (!cycle.empty()) options.cycle = cycle_of(cycle);
  if (smoother == "l1") options.smoother = AmgSmoother::l1;
  options.strength = strength.value_or(options.strength);
  options.block = block.value_or(options.block);
  options.max_setup_seconds = setup_seconds.value_or(options.max_setup_seconds);
  require_sensible(options);
  return options;
}

}  // namespace jacobi::cli
