/// A running solve on the terminal, and Ctrl-C.
#pragma once
#include <functional>
#include <stop_token>
#include <string>

#include "jacobi/stop.hpp"

namespace jacobi::cli {

/// From now on SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGXCPU end the program with the exit code of an
/// interrupted one, while a Watch lives as it says. SIGHUP, SIGQUIT, SIGUSR1 and SIGXCPU that are ignored
/// stay so.
void take_signals();

/// From now on SIGINT removes what is not finished before it ends the program.
void take_interrupts();

/// What is shown of a running solve.
struct ShownProgress {
  enum Kind {
    nothing,
    line,
    lines
  } kind = nothing;    ///< line: one, on a terminal; lines: one after the other
  double every = 0.1;  ///< seconds
};

/// "auto": a line on a terminal, else nothing; "plain": a line every 10 s, "plain:S" every S seconds,
/// wherever stderr leads to; "none". Throws: UsageError for another word.
ShownProgress shown_progress(const std::string& word, bool quiet);

/// A line on a terminal, for programs that have no option for more.
inline ShownProgress shown_on_terminal() { return shown_progress("auto", false); }

/// What cannot stop halfway and leaves nothing, as reading a file: while it lives, a signal ends the program
/// at once with this line and the exit code of an interrupted solve. The inner one of two holds; a Watch
/// begins where it ends.
class Stage {
 public:
  explicit Stage(const std::string& line);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  std::string line_;
  const std::string* outer_;
};

/// As much of "12 sweeps  norm 1e-3 -> 1e-8  contraction 1 - 2e-4  3.0 s left" as so many columns hold.
std::string progress_line(const Progress& progress, std::size_t columns);

/// From construction to destruction, Ctrl-C (SIGINT) and the signals above ask the solve to end with its
/// iterate kept; a second SIGINT, SIGTERM or SIGQUIT ends the program, unless it comes within a second of the
/// first: then both are one wish, sent to the process and to its group. To live until the files are written.
/// Shows sweeps, norm, contraction and time left on stderr: on a terminal as one line that is renewed.
class Watch {
 public:
  explicit Watch(const ShownProgress& shown);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// For Stop::progress.
  bool operator()(const Progress& progress);
  /// Of another run, seconds after it began; line: as much as so many columns hold.
  bool look(double seconds, const std::function<std::string(std::size_t columns)>& line);
  static bool interrupted();
  /// Throws: Interrupted, with the words, where it was.
  static void throw_if_interrupted(const char* words);
  /// For Stop::cancel and for bindings.
  std::stop_token token() const { return wish_.get_token(); }
  /// What is done now; on a terminal it is shown, where no solve tells its progress.
  void says(const std::string& text);
  /// What was said last before the interruption, and so has not come to its end; nothing: none was, or
  /// nothing was said.
  static std::string unfinished();
  /// Takes the line on the terminal away.
  void clear();

 private:
  void show(double seconds, const std::function<std::string(std::size_t columns)>& line);

  std::stop_source wish_;
  ShownProgress shown_progress_;
  bool shown_ = false;  ///< a line that is to be taken away
  double last_ = 0;
};

}  // namespace jacobi::cli
