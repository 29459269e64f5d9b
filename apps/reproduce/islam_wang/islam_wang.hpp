/// The third source's experiment: cycles and time over subiterations and overlap, in 1D and 2D, as published
/// and as run here.
#pragma once
#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/reproduce/claim.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/types.hpp"

namespace jacobi::cli {

inline constexpr Index source_tile = 32;
inline constexpr std::array<Index, 6> source_subiterations{4, 8, 16, 32, 64, 128};

/// One tiling: tiles of 32 (x 32), k subiterations, `overlap` unknowns shared by neighbours (the source's
/// number).
struct CycleRun {
  Index k = 0, overlap = 0;
  Index cycles = 0;              ///< counted, on one copy
  double seconds_per_cycle = 0;  ///< measured, all copies
  double redundant_work = 0;
  double bytes_per_update = 0;
  bool disturbed = false;  ///< other work took cores from its best run
  double seconds() const { return static_cast<double>(cycles) * seconds_per_cycle; }
};

/// Classic launches with so many threads per block, or so many rows of 32.
struct ClassicRun {
  Index threads = 0;
  double seconds = 0;
};

/// All that is run in one number of dimensions.
struct CycleTable {
  int dimensions = 1;
  Index interior = 0, copies = 1;
  Index plain_sweeps = 0;
  double classic_seconds = 0;  ///< plain sweeps one by one (classic_rung), as the source's classic approach
  std::vector<ClassicRun> classic = {};  ///< of a device, in the source's blocks; classic_seconds: the least
  double tiled_seconds = 0;              ///< the same sweeps, exact, by tiled_rung
  std::string device = {};               ///< that ran it, in words; none: this machine's processor
  std::string classic_rung = {}, tiled_rung = {};  ///< as they ran
  std::optional<double> upload_seconds = {},
                        download_seconds = {};              ///< of a device, all copies, by its events
  std::vector<CycleRun> runs = {};                          ///< k after k, overlaps rising
  bool classic_disturbed = false, tiled_disturbed = false;  ///< as of a run

  const CycleRun* find(Index k, Index overlap) const;
  /// The fastest of one k; none where nothing was run.
  const CycleRun* fastest(Index k) const;
  /// Rows that were timed, and those of them that were disturbed.
  std::size_t timed() const { return runs.size() + 2; }
  std::size_t disturbed() const;
  double speedup(const CycleRun& run) const { return classic_seconds / run.seconds(); }
};

/// Published figures of one number of dimensions; seconds are those of the classic approach over the
/// speed-ups.
struct PublishedCycles {
  double classic_seconds = 0;
  std::vector<double> speedup, best_speedup;  ///< per k: without overlap, with the best one
  std::vector<Index> best_overlap;
};
PublishedCycles published_cycles(int dimensions);

struct CycleOptions {
  bool shortened = false;
  Index max_overlap = 0;
  std::shared_ptr<const Backend> on;
  std::function<bool()> interrupted;
  std::function<void(const CycleTable&, Index k)> done;  ///< after each k
};

/// Counts cycles on one copy, checking after each (on a device, there); then times some on all copies. An
/// interruption leaves what was run.
CycleTable run_cycles(int dimensions, const CycleOptions& options);

/// What the source concludes, and what these tables say of it.
std::vector<Claim> cycle_claims(const std::vector<CycleTable>& tables);

/// Figures 7, 9a, 9b, 12, 13a, 13b as far as their tables were run; returns the paths.
std::vector<std::string> draw_cycles(const std::vector<CycleTable>& tables, const std::string& folder);

}  // namespace jacobi::cli
