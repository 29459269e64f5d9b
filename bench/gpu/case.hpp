/// Cases of the GPU's table: ways to make the same sweeps, verified, timed in turn, held against targets.
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/backend.hpp"

namespace jacobi::bench {

struct Options {
  bool tiny = false;      ///< sizes for an emulated device
  double seconds = 0.04;  ///< of one run of a contender
  double limit = 1e9;     ///< seconds after which no further case begins
  int runs = 5;           ///< of each, in turn
  std::string out;        ///< folder of the JSON files; empty: none are written
  std::string only;       ///< cases whose names hold it
};

/// One way to make sweeps.
struct Contender {
  std::string name;
  std::function<double(Index sweeps)> seconds_per_sweep;  ///< makes so many
  double bytes_per_sweep = 0;                             ///< by its own count
  Index sweeps = 0;                                       ///< of a run
  std::vector<double> seconds = {};                       ///< per sweep, of every run
  double median_seconds() const;
};

/// How often `ours` is faster than `against`, or another quotient that is to be large.
struct Quotient {
  std::string what;
  double ours_seconds = 0, against_seconds = 0;  ///< 0: none
  double value = 0;
  double least = 0, stretch = 0;  ///< targets; 0: none
};

struct Case {
  std::string name;  ///< also of its file
  std::string precision = "double";
  Index unknowns = 0;
  std::string verified;  ///< how; "WRONG: ..." where it was not
  std::vector<Contender> contenders = {};
  std::vector<Quotient> quotients = {};

  const Contender& at(const std::string& contender) const;  ///< Throws: std::out_of_range.
  /// Of their medians. Does nothing where one of them is not there.
  void compare(const std::string& ours, const std::string& against, double least = 0, double stretch = 0);
  void compare_with_copies(const std::string& ours, double bandwidth, double least = 0, double stretch = 0);
};

/// Times all contenders in turn, so that what changes with time meets all of them.
void race(Case& one, const Options& options);

/// Sweeps of a sweeper, from where it stands.
template <class T>
Contender contender(const std::string& name, std::shared_ptr<Sweeper<T>> sweeper) {
  return {name,
          [sweeper](Index sweeps) {
            sweeper->advance(std::vector<Step>(static_cast<std::size_t>(sweeps)), Want::nothing);
            return sweeper->executed().sweep_seconds / static_cast<double>(sweeps);
          },
          sweeper->bytes_per_update() * static_cast<double>(sweeper->rows())};
}

/// Zeros that all cores wrote: vectors of gigabytes are there several times sooner.
template <class T>
struct TouchedByAll {
  using value_type = T;
  T* allocate(std::size_t n) {
    T* const values = static_cast<T*>(::operator new(n * sizeof(T)));
#pragma omp parallel for
    for (std::size_t p = 0; p < n; ++p) values[p] = T(0);
    return values;
  }
  void deallocate(T* values, std::size_t) { ::operator delete(values); }
  void construct(T*) {}  // they are there
  template <class... From>
  void construct(T* at, From&&... from) {
    ::new (static_cast<void*>(at)) T(std::forward<From>(from)...);
  }
  bool operator==(const TouchedByAll&) const { return true; }
};
template <class T>
using Values = std::vector<T, TouchedByAll<T>>;

/// In [1, 2), from its index.
template <class T>
Values<T> general_rhs(Index rows) {
  Values<T> b(static_cast<std::size_t>(rows));
#pragma omp parallel for
  for (std::size_t p = 0; p < b.size(); ++p)
    b[p] = static_cast<T>(1 + static_cast<double>(p * 2654435761u % 1000) / 1000);
  return b;
}

/// The iterate after so many plain sweeps from 0.
template <class T>
Values<T> swept(Sweeper<T>& sweeper, const Values<T>& b, Index sweeps) {
  Values<T> x(b.size());
  sweeper.load(b, x);
  sweeper.advance(std::vector<Step>(static_cast<std::size_t>(sweeps)), Want::nothing);
  sweeper.store(x);
  return x;
}

/// Runs, prints and writes cases; counts those that were not verified.
class Bench {
 public:
  explicit Bench(Options options);
  const Options& options() const { return options_; }
  const Backend& device() const { return *device_; }
  double bandwidth() const { return bandwidth_; }
  /// make() gives a case, raced. What it throws is told, and the next case runs.
  void run(const std::string& name, const std::function<Case()>& make);
  /// The table, and how many cases were wrong or failed.
  int finish() const;

 private:
  void write(const Case& one) const;
  Options options_;
  std::shared_ptr<const Backend> device_;
  std::string device_name_;
  double bandwidth_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int bad_ = 0;
  std::vector<Case> done_;
  std::vector<std::string> notes_;
};

void run_grids(Bench& bench);
void run_matrices(Bench& bench);

}  // namespace jacobi::bench
