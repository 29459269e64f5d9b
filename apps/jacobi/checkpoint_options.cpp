#include "checkpoint_options.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "jacobi/checkpoint.hpp"
#include "jacobi/error.hpp"

namespace jacobi::cli {

void CheckpointOptions::add_to(CLI::App& app) {
  app.add_option("--checkpoint", folder_,
                 "keep the solve in this folder now and then, and when a limit, Ctrl-C or SIGTERM ends it")
      ->type_name("FOLDER");
  app.add_option("--checkpoint-every", every_,
                 "time between two, as 30s, 10m, 2h (default 10m, or 100 times what the last one took)")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"m", 60}, {"h", 3600}},
                                        CLI::AsNumberWithUnit::UNIT_OPTIONAL, "TIME")
                      .description(""))
      ->check(CLI::Validator(
          [](const std::string& text) {
            return std::stod(text) > 0 ? std::string() : "'" + text + "': more than 0 is needed";
          },
          ""))
      ->type_name("TIME");
  app.add_option("--resume", resume_,
                 "go on from the checkpoint in this folder, to the bits of a solve without a break; none "
                 "there: begin")
      ->type_name("FOLDER");
}

void CheckpointOptions::check() const {
  if (every_ > 0 && folder_.empty() && resume_.empty())
    throw UsageError("--checkpoint-every goes with --checkpoint FOLDER");
}

void CheckpointOptions::apply(Stop& stop) {
  if (!resume_.empty()) {
    if (std::optional<Snapshot> kept = Checkpoints(resume_).read())
      stop.resume = std::make_shared<const Snapshot>(std::move(*kept));
    else
      begins_anew_ = true;
  }
  const std::string to = folder_.empty() ? resume_ : folder_;
  if (to.empty()) return;
  Checkpoints(to).prepare();  // an error now, not after hours
  stop.keep_every = every_;
  stop.keep = [checkpoints = Checkpoints(to), fault = fault_](const Snapshot& snapshot) mutable {
    try {
      checkpoints.write(snapshot);
      fault->clear();
    } catch (const InputError& error) {
      *fault = error.what();
    }
  };
}

void CheckpointOptions::tell(Status status, std::vector<Note>& notes) const {
  if (begins_anew_)
    notes.emplace_back(fmt::format("--resume: there is no checkpoint in {}: begun anew", resume_));
  if (!fault_->empty())
    notes.emplace_back(fmt::format("the last checkpoint could not be written: {}", *fault_));
  const std::string& to = folder_.empty() ? resume_ : folder_;
  const bool may_go_on =
      status == Status::sweep_limit || status == Status::time_limit || status == Status::interrupted;
  if (!to.empty() && fault_->empty() && may_go_on)
    notes.emplace_back(fmt::format("kept in {0}: --resume {0} goes on", to));
}

}  // namespace jacobi::cli
