/// What the command line says about multigrid.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <utility>

#include "jacobi/plan.hpp"

namespace jacobi::cli {

/// "PRE,POST" as two numbers. Throws: UsageError naming --smoothing.
std::pair<Index, Index> read_smoothing(const std::string& text);

/// --cycle, --smoothing, --smoother, --preconditioner; empty where not given.
struct MultigridOptions {
  std::string cycle, smoothing, smoother, preconditioner;

  void add_to(CLI::App& app);
  bool smooths_by_one_weight() const { return smoother == "weighted"; }
  /// Throws: UsageError for options that say nothing with this method, or a cycle that cannot be.
  void check(const std::string& method) const;
  /// Its cycles precondition another method.
  bool preconditions() const { return preconditioner == "multigrid"; }
  Multigrid make() const;
};

}  // namespace jacobi::cli
