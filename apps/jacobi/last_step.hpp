/// The end of a run: its files and what it prints, of which none keeps another from being tried.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "jacobi/report.hpp"
#include "options.hpp"

namespace jacobi::cli {

/// Tries what a run ends with, part after part.
class LastStep {
 public:
  LastStep();
  /// Calls `part` (which does not throw on, whatever happens); what goes wrong is said on stderr.
  void attempt(const std::string& what, const std::function<void()>& part);
  /// Of the first part that went wrong, else `code`.
  int code_or(int code) const { return code_ != 0 ? code_ : code; }
  const std::vector<std::string>& failures() const { return failures_; }
  void fail(int code, const std::string& message);

 private:
  int code_ = 0;
  std::vector<std::string> failures_;
};

/// A file that a solve leaves: the option and the path that name it, and what writes it. No path: none.
struct LastFile {
  std::string option, path;
  std::function<void()> write;
};

/// "  wrote a, b": those in their places, none of a device or a stream, and none that a failure names.
std::string written_in_words(std::vector<std::string> paths, const std::vector<std::string>& failures);

/// What a run tells: how it ended, notes that get what goes wrong, and words for people.
struct Told {
  Status status;
  std::vector<Note>& notes;
  std::function<std::string()> text;
};

/// All files are written beside their places, then put there, the report's last, so that where there is a new
/// report the other files are new as well, but for those that its notes name. Then the report is printed.
/// json makes it of what is told; facts_of_run() are added. more: lines to print below the report, where the
/// files written are named too. Returns the exit code.
int finish(const std::vector<LastFile>& files, const Told& told, const RunOptions& run,
           const std::function<std::string()>& json, const std::string& more = "");
int finish(const std::vector<LastFile>& files, Report& report, const RunOptions& run,
           const std::function<std::string()>& json, const std::string& more = "");

}  // namespace jacobi::cli
