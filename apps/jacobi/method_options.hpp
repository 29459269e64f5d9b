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
  MethodOptions() { mark = "--"; }
  /// suits: on what a method must be of use to be offered.
  void add_method_to(CLI::App& app, const std::string& help, Suits suits);
  void add_omega_to(CLI::App& app);
  void add_depth_to(CLI::App& app);
  void add_period_to(CLI::App& app, const std::string& help);
  /// cg, bicgstab or anderson; none for another one. Throws: UsageError for options out of bounds.
  std::optional<Method> accelerated() const;
};

}  // namespace jacobi::cli
