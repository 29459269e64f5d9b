/// A running solve on the terminal, and Ctrl-C.
#pragma once
#include "jacobi/stop.hpp"

namespace jacobi::cli {

/// From construction to destruction, Ctrl-C (SIGINT, SIGTERM) asks the solve to end with its iterate kept; a
/// second one ends the program. Shows sweeps, norm, contraction and time left on stderr if it is a terminal.
class Watch {
 public:
  explicit Watch(bool shows);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  /// For Stop::progress.
  bool operator()(const Progress& progress);
  static bool interrupted();

 private:
  bool shows_;
  bool shown_ = false;
  double last_ = 0;
};

}  // namespace jacobi::cli
