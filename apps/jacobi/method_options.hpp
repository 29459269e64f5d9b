/// Options of methods that several subcommands share.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/asked.hpp"

namespace jacobi::cli {

/// --method and what goes with it.
struct MethodOptions : AskedMethod {
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
};

}  // namespace jacobi::cli
