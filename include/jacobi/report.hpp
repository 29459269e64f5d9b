/// What a solve did and reached.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "jacobi/export.hpp"
#include "jacobi/note.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

/// How a solve ended. diverged: the norm grew by 1e6 over its smallest value, or stopped being finite;
/// stagnated: it stands still above the tolerance, at its rounding floor or, as a note says, far above;
/// not_finite: it was not finite at the start; breakdown: the method cannot go on with this matrix, a note
/// says why.
enum class Status {
  converged,
  sweep_limit,
  time_limit,
  diverged,
  stagnated,
  not_finite,
  interrupted,
  breakdown
};

JACOBI_API const char* name(Status status);  ///< "converged", "sweep_limit", ...

/// The norm tested after so many sweeps; after 0 sweeps norm_initial, which for update norms is the first
/// plain update and comes again after 1.
struct HistoryEntry {
  Index sweeps = 0;
  double norm = 0;
};

/// Distance of x to a known solution, entry by entry.
struct ErrorNorms {
  double l2 = 0;
  double max = 0;
  double relative = 0;  ///< l2 over the 2-norm of the known solution; not finite where that is 0
};

/// What was reached for one of several right-hand sides, in the norm of the report.
struct ColumnReport {
  Status status = Status::interrupted;
  Index sweeps = 0;
  double tolerance = 0, norm_initial = 0, norm_final = 0;
};

/// Filled by Solver::solve; every norm is said with its kind, its reference and the tolerance it had to meet.
struct Report {
  Status status = Status::not_finite;
  std::string method;     ///< of the plan: "plain", "weighted"
  std::string plan;       ///< one line: method, rung, cadence
  std::string backend;    ///< "serial", "threads:2", with the threads that swept
  std::string rung;       ///< the rung that executed, as counted by the rung itself
  std::string algorithm;  ///< by which a rung that has several was run; else the rung
  std::string simd;       ///< the instruction set that it ran with
  int threads = 1;        ///< threads that swept
  std::string precision;
  Index unknowns = 0;
  Index sweeps = 0;             ///< of the iterate returned; of one colour each where red-black
  std::optional<Index> cycles;  ///< made for them, of a plan with a tiling or multigrid
  /// Of multigrid cycles and products: on all grids, in sweeps of the finest one. Red-black: in sweeps of all
  /// unknowns.
  std::optional<double> work;
  std::optional<double> redundant_work;  ///< updates made by overlapping tiles over those needed, minus 1
  Index checks = 0;
  Index check_every = 0;  ///< sweeps, also where they are made in cycles
  Norm norm = Norm::residual;
  Reference reference = Reference::rhs;
  double reference_norm = 0;
  double tolerance = 0;  ///< max(absolute, relative * reference_norm)
  double norm_initial = 0;
  double norm_final = 0;
  /// 2-norm of the last update; none after 0 sweeps, and where its squares vanish or overflow.
  std::optional<double> update_norm;
  std::optional<double> update_max;  ///< largest entry of the last update; none after 0 sweeps
  /// 2-norm of b - A x, from scratch; none where it is beyond double's range.
  std::optional<double> residual_norm;
  /// max_i |b - A x|_i / (|A| |x| + |b|)_i, from scratch: the least relative change of entries of A and b
  /// that x solves exactly (Oettli and Prager 1964), whatever the units of rows and unknowns. Rows of 0/0
  /// count as 0.
  std::optional<double> backward_error;
  /// Largest error of any unknown, where proved: 1 / (1 - q) times the size of D^-1 (b - A x) in the norm of
  /// a proved contraction q < 1 (Diagnosis::bound), of the system as it is in this precision. Filled by
  /// solve(A, b).
  std::optional<double> error_bound;
  std::optional<double> contraction;        ///< observed per sweep, over the second half of the history
  double seconds = 0;                       ///< sweeps and checks; also of a method that failed before
  double seconds_setup = 0;                 ///< binding (first solve only), loading, initial norms
  double lups = 0;                          ///< lattice (row) updates per second of these
  double bytes_per_update = 0;              ///< that the rung should move, write-allocate not counted
  std::optional<double> fraction_of_limit;  ///< of the machine's measured limit; none while it is unmeasured
  std::string limit_by;                     ///< what sets it: "L2", "DRAM", "floating point", ...
  std::optional<double> seconds_upload;     ///< of a device: its copy of b and x, within seconds_setup
  std::optional<double> seconds_download;   ///< of a device: the copy of the solution
  std::optional<double> occupancy;          ///< of a device: threads resident over those possible
  std::vector<HistoryEntry> history;        ///< thinned evenly to at most 1000 entries (of two methods, each)
  std::vector<Note> notes;                  ///< what a careful user should know
  std::optional<ErrorNorms> error;          ///< filled by whoever knows the solution
  std::vector<ColumnReport> columns;        ///< of several right-hand sides; else empty

  bool converged() const { return status == Status::converged; }
};

/// The report in a few lines: what was reached, in which norm, how fast, and the notes.
/// Each line ends with a newline. Cost: none to speak of.
JACOBI_API std::string to_text(const Report& report);

/// The report as a JSON object, schema 1: every key, in the order of docs/guide/command-line.md, indented by
/// 2. A key without a value, or whose number is not finite, is null; "columns" is there for several
/// right-hand sides only. Bytes that are not UTF-8 become U+FFFD.
JACOBI_API std::string to_json(const Report& report);

}  // namespace jacobi
