#include "last_step.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <new>
#include <optional>

#include "io/atomic_file.hpp"
#include "jacobi/error.hpp"
#include "outputs.hpp"
#include "process.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "terminal.hpp"

namespace jacobi::cli {

LastStep::LastStep() { take_interrupts(); }

void LastStep::fail(int code, const std::string& message) {
  if (code_ == 0) code_ = code;
  complain(message);
  failures_.push_back(message);
}

void LastStep::attempt(const std::string& what, const std::function<void()>& part) {
  try {
    part();
  } catch (const io::Unread& error) {
    fail(Exit::interrupted, error.what());
  } catch (const InputError& error) {
    fail(Exit::input, error.what());
  } catch (const Error& error) {
    fail(Exit::backend_failed, error.what());
  } catch (const std::bad_alloc&) {
    fail(Exit::backend_failed, what + ": out of memory");
  }
}

namespace {

/// The report as JSON, to be put to its place when all else has been; of a device or a stream, to be written
/// then.
class LastReport {
 public:
  LastReport(const RunOptions& run, const std::function<std::string()>& json, LastStep& step)
      : path_(run.json), late_(path_ == "-" || io::is_special(path_)), json_(json), step_(step) {}

  void write_beside() {
    if (path_.empty() || late_) return;
    beside_.reset();
    beside_.emplace();
    write();
  }
  void place() {
    if (!path_.empty() && late_) write();
    if (!beside_) return;
    for (const std::string& failure : beside_->place()) step_.fail(Exit::input, failure);
  }

 private:
  void write() {
    step_.attempt("--json " + path_, [&] { write_text(path_, json_()); });
  }

  const std::string& path_;
  bool late_;
  const std::function<std::string()>& json_;
  LastStep& step_;
  std::optional<io::FileBatch> beside_;
};

}  // namespace

std::string written_in_words(std::vector<std::string> paths, const std::vector<std::string>& failures) {
  std::erase_if(paths, [&](const std::string& path) {
    const auto names_it = [&](const std::string& failure) { return failure.find(path) != failure.npos; };
    return path.empty() || path == "-" || io::is_special(path) || std::ranges::any_of(failures, names_it);
  });
  return paths.empty() ? "" : fmt::format("  wrote {}\n", fmt::join(paths, ", "));
}

int finish(const std::vector<LastFile>& files, Report& report, const RunOptions& run,
           const std::function<std::string()>& json, const std::string& more) {
  return finish(files, {report.status, report.notes, [&] { return to_text(report); }}, run, json, more);
}

int finish(const std::vector<LastFile>& files, const Told& told, const RunOptions& run,
           const std::function<std::string()>& json, const std::string& more) {
  LastStep step;
  io::FileBatch batch;
  std::vector<std::string> paths;
  for (const LastFile& file : files) {
    const std::size_t failed = step.failures().size();
    if (!file.path.empty()) step.attempt(file.option + " " + file.path, file.write);
    if (step.failures().size() == failed) paths.push_back(file.path);
  }
  for (const std::string& failure : step.failures()) told.notes.emplace_back(failure);
  const std::function<std::string()> whole = [&] { return with(json(), facts_of_run(), "notes"); };
  LastReport last(run, whole, step);
  last.write_beside();
  const std::vector<std::string> unplaced = batch.place();
  for (const std::string& failure : unplaced) {
    step.fail(Exit::input, failure);
    told.notes.emplace_back(failure);
  }
  if (!unplaced.empty()) last.write_beside();
  last.place();
  paths.push_back(run.json);
  if (run.talks())
    fmt::print("{}", painted(told.text() + more + written_in_words(paths, step.failures()),
                             told.status == Status::converged));
  return step.code_or(exit_code(told.status));
}

}  // namespace jacobi::cli
