#include "last_step.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <optional>

#include "io/atomic_file.hpp"
#include "jacobi/error.hpp"
#include "outputs.hpp"
#include "process.hpp"
#include "progress.hpp"
#include "report.hpp"

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

int finish(const std::vector<LastFile>& files, Report& report, const RunOptions& run,
           const std::function<std::string()>& json) {
  LastStep step;
  io::FileBatch batch;
  for (const LastFile& file : files)
    if (!file.path.empty()) step.attempt(file.option + " " + file.path, file.write);
  for (const std::string& failure : step.failures()) report.notes.emplace_back(failure);
  LastReport last(run, json, step);
  last.write_beside();
  const std::vector<std::string> unplaced = batch.place();
  for (const std::string& failure : unplaced) {
    step.fail(Exit::input, failure);
    report.notes.emplace_back(failure);
  }
  if (!unplaced.empty()) last.write_beside();
  last.place();
  if (run.talks()) fmt::print("{}", to_text(report));
  return step.code_or(exit_code(report.status));
}

}  // namespace jacobi::cli
