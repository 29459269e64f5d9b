/// Options of methods that several subcommands share.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "jacobi/method.hpp"

namespace jacobi::cli {

/// Of method weighted, where none is given: the classic of smoothers.
inline constexpr double default_omega = 2.0 / 3.0;

/// Of --method anderson, as given.
struct AndersonText {
  std::optional<Index> depth, period;
  std::optional<double> omega;
};

/// cg, bicgstab or anderson; none for the name of another method. Throws: UsageError for options out of
/// bounds, or --depth without anderson.
std::optional<Method> accelerated_method(const std::string& name, const AndersonText& text);

void add_depth(CLI::App& app, std::optional<Index>& depth);

}  // namespace jacobi::cli
