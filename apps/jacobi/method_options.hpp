/// Options of methods that several subcommands share.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "jacobi/method.hpp"

namespace jacobi::cli {

/// Of method weighted, where none is given: the classic of smoothers.
inline constexpr double default_omega = 2.0 / 3.0;

/// --method and what goes with it, as given.
struct MethodOptions {
  std::string method = "auto", rung;
  std::optional<double> omega;
  std::optional<Index> depth, period;

  void add_method_to(CLI::App& app, const std::string& help, const std::vector<std::string>& names);
  void add_omega_to(CLI::App& app);
  void add_depth_to(CLI::App& app);
  void add_period_to(CLI::App& app, const std::string& help);
  /// Throws: UsageError for an omega that is none, or with a method that has none, as --depth.
  /// plain: what to add of that method.
  void check(const char* plain = "") const;
  /// cg, bicgstab or anderson; none for another one. Throws: UsageError for options out of bounds, or --depth
  /// without anderson.
  std::optional<Method> accelerated() const;
  /// A method that was asked for by its name or its omega; none for auto, multigrid and scheduled. spectrum:
  /// of D^-1 A, asked for where the method needs it.
  std::optional<Method> named(const std::function<Range()>& spectrum) const;
};

}  // namespace jacobi::cli
