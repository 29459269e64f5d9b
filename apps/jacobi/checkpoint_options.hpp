/// Solves that survive the process that makes them.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "jacobi/note.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"

namespace jacobi::cli {

/// --checkpoint, --checkpoint-every, --resume.
class CheckpointOptions {
 public:
  void add_to(CLI::App& app);
  /// Throws: UsageError for options that do not go together.
  void check() const;
  /// What keeps the solve, and what it goes on from. Throws: InputError for a checkpoint that cannot be read.
  void apply(Stop& stop);
  /// That there was nothing to go on from, and what could not be written, which ends no solve.
  void tell(Status status, std::vector<Note>& notes) const;

 private:
  std::string folder_, resume_;
  double every_ = 0;
  bool begins_anew_ = false;
  std::shared_ptr<std::string> fault_ = std::make_shared<std::string>();
};

}  // namespace jacobi::cli
