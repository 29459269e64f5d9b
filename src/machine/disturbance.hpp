/// Whether other work on the machine took part in a measurement.
#pragma once
#include <optional>

namespace jacobi::machine {

/// What a stretch of time gave to this process and took from it.
struct Stretch {
  double seconds = 0;    ///< by the clock
  double processor = 0;  ///< seconds of processors that all threads of the process had
  long switches = 0;     ///< times that a thread lost its core to another
  double stolen = 0;     ///< seconds that a host took from all cores of a virtual machine

  /// The share of the time of so many busy threads in which they did not run.
  double lost(int threads) const;
  /// Whether so many busy threads lost cores: they were put off them, and ran less than they were there, or
  /// the host took cores away. Threads that sleep while they wait run less, too, but are not put off.
  bool disturbs(int threads) const;
};

/// Measures from its construction on.
class Stopwatch {
 public:
  Stopwatch();
  Stretch stretch() const;

 private:
  Stretch begin_;
};

/// Cores that processes other than this one keep busy, seen over so many seconds in which this thread sleeps;
/// none where the system does not tell.
std::optional<double> cores_of_others(double seconds);

}  // namespace jacobi::machine
