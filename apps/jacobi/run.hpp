#pragma once

namespace jacobi::cli {

/// Exit codes of the command line.
enum Exit { converged = 0, not_converged = 1, usage = 2, input = 3, backend_failed = 4, interrupted = 130 };

/// The whole program: parses, runs the subcommand, turns errors into one line on stderr and an exit code.
int run(int argc, const char* const* argv);

}  // namespace jacobi::cli
