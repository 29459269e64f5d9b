/// What a sweeper says of its sweeps.
#pragma once
#include <string>

#include "jacobi/report.hpp"
#include "jacobi/sweeper.hpp"

namespace jacobi {

/// What really ran, written by the code that ran it.
struct Executed {
  std::string rung;
  std::string simd;
  int threads = 0;
  Index sweeps = 0;      ///< since the sweeper was made; those that restore() took back do not count
  std::string blocking;  ///< in words: of tiles, of a BLAS, the way through a dense matrix
  bool settled = true;   ///< false while ways of the same bits are still tried out
  Index cycles = 0;      ///< of a plan with a tiling; counted like sweeps
  /// Updates made by all tiles over those needed, minus 1.
  double redundant_work = 0;
  /// Of multigrid: sweeps and residuals on all grids, in sweeps of the finest one. Red-black: half the
  /// sweeps.
  double work = 0;
  /// Of a device: seconds of the last load(), store() and advance() by its own clock, and threads resident on
  /// a multiprocessor over those that it holds; 0: unknown.
  double upload_seconds = 0, download_seconds = 0, sweep_seconds = 0, occupancy = 0;
  std::string algorithm = {};  ///< by which a rung that has several was run

  /// Counts as they were.
  void rewind(const Executed& before) {
    sweeps = before.sweeps;
    cycles = before.cycles;
    work = before.work;
  }
};

/// Why a sweeper makes no more sweeps until the next load(): stagnated or breakdown, and a sentence.
struct Halt {
  Status status = Status::breakdown;
  std::string why;
  Index unmade = 0;  ///< steps of the last advance() that were not made
};

}  // namespace jacobi
