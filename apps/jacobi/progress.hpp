/// A running solve on the terminal, and Ctrl-C.
#pragma once
#include "jacobi/stop.hpp"

namespace jacobi::cli {

/// From now on SIGTERM, SIGHUP, SIGQUIT, SIGUSR1 and SIGXCPU end the program with the exit code of an
/// interrupted one, while a Watch lives as it says. SIGHUP, SIGQUIT, SIGUSR1 and SIGXCPU that are ignored
/// stay so.
void take_signals();

/// From now on SIGINT removes what is not finished before it ends the program.
void take_interrupts();

/// From construction to destruction, Ctrl-C (SIGINT) and the signals above ask the solve to end with its
/// iterate kept; a second SIGINT, SIGTERM or SIGQUIT ends the program, unless it comes within a second of the
/// first: then both are one wish, sent to the process and to its group. To live until the files are written.
/// Shows sweeps, norm, contraction and time left on stderr if it is a terminal.
class Watch {
 public:
  explicit Watch(bool shows);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// For Stop::progress.
  bool operator()(const Progress& progress);
  static bool interrupted();
  /// Takes the line on the terminal away.
  void clear();

 private:
  void show(const Progress& progress);

  bool shows_;
  bool shown_ = false;
  double last_ = 0;
};

}  // namespace jacobi::cli
