/// What the command line says about algebraic multigrid.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "jacobi/amg.hpp"

namespace jacobi::cli {

/// --preconditioner, --cycle, --smoothing, --smoother, --strength, --block, --setup-seconds; empty where not
/// given.
struct AmgOptions {
  std::string preconditioner, cycle, smoothing, smoother;
  std::optional<double> strength, setup_seconds;
  std::optional<Index> block;

  void add_to(CLI::App& app);
  /// Of method amg, or of what preconditions; none where neither is asked for. Throws: UsageError for options
  /// that say nothing with this method, or a cycle that cannot be.
  std::optional<Amg> make(const std::string& method) const;
};

}  // namespace jacobi::cli
