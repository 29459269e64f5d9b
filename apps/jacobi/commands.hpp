/// One function per subcommand: it adds its options to the app, and says how to run.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>

namespace jacobi::cli {

/// Filled by the subcommand that was named; returns the exit code.
using Action = std::function<int()>;

void add_poisson(CLI::App& app, Action& action);
void add_heat(CLI::App& app, Action& action);
void add_solve(CLI::App& app, Action& action);
void add_diagnose(CLI::App& app, Action& action);
void add_reproduce(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);

}  // namespace jacobi::cli
