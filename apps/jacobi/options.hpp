/// Options that several subcommands share.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "jacobi/backend.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"
#include "outputs.hpp"
#include "progress.hpp"

namespace jacobi::cli {

/// Where to run and what to print.
struct RunOptions {
  std::optional<int> threads;
  std::string backend;
  std::string precision = "double";
  std::string json;
  std::string progress = "auto";
  bool quiet = false;
  bool stdout_is_taken = false;  ///< by a file that was asked for

  void add_to(CLI::App& app);
  /// The backend named, or threads:N. Throws: UsageError where --backend and --threads contradict each other.
  std::shared_ptr<const Backend> make_backend() const;
  /// --progress, of what may take long.
  void add_progress_to(CLI::App& app);
  ShownProgress shown() const { return shown_progress(progress, quiet); }
  /// Text for people goes to standard output unless a file does, or --quiet.
  bool talks() const { return !quiet && json != "-" && !stdout_is_taken; }
};

/// When to stop.
struct StopOptions {
  double rtol = 1e-8;
  double atol = 0;
  std::string norm = "auto";
  std::string reference = "rhs";
  Index max_sweeps = -1;
  double max_seconds = -1;
  Index check_every = 0;
  bool project_rhs = false;

  void add_to(CLI::App& app);
  /// --project-rhs, of what solves.
  void add_projection_to(CLI::App& app);
  /// Throws: UsageError for a tolerance of 0 that no limit accompanies.
  Stop make() const;
};

/// Files that a solve leaves.
struct OutputOptions {
  std::string output, image, vti, history, report;

  void add_to(CLI::App& app);
  /// Those of the solution alone.
  void add_fields_to(CLI::App& app);
  std::vector<OutputFile> files() const;
};

}  // namespace jacobi::cli
