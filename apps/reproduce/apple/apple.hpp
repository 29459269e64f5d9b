/// The second source's experiment: dense Jacobi in every layout, precision, unrolling and number of threads,
/// as published and as run here.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "apps/reproduce/claim.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/types.hpp"

namespace jacobi::cli {

/// What is timed: the source's name ("NEON 8 4": unrolled 8 times, 4 threads) and our counterpart.
struct Variant {
  std::string source;  ///< "" for ours
  std::string rung;    ///< "" where nothing here corresponds to it
  int threads = 1;
  std::string name() const {
    return source.empty() ? "ours: " + rung + ", " + std::to_string(threads) : source;
  }
};

/// Milliseconds for ten sweeps as published, by machine.
struct Published {
  double ms = 0;
  double rms = 0;  ///< against the source's baseline
  /// Its right rows are within 4e-9, others from 9e-7 up to nan.
  bool wrong() const { return !(rms < 1e-7); }
};

struct AppleRow {
  std::string type, layout;
  Index n = 0;
  Variant variant;
  std::map<std::string, Published> published;              ///< by machine
  std::vector<double> ms = {};                             ///< of each trial here, ten sweeps; empty: not run
  int threads = 0;                                         ///< that ran here
  std::optional<double> rms = {};                          ///< against rung 0 after ten sweeps
  std::string why = {};                                    ///< not run
  std::string device = {};                                 ///< that ran it, in words; none: the processor
  std::optional<double> upload_ms = {}, download_ms = {};  ///< of b and x, by a device's events
  int disturbed = 0;  ///< trials kept although other work took cores from them

  double mean() const;
  double spread() const;  ///< standard deviation
};

inline constexpr int apple_sweeps = 10, apple_trials = 10;

/// Every row to n = max_n, published figures filled in: the source's variants in its order, then ours. On a
/// device its GPU variants are run, by the rungs that submit once for all sweeps or once for each.
std::vector<AppleRow> apple_rows(Index max_n, const Backend& on);

/// Runs all rows of one type, layout and n on one random matrix, symmetric, dominant, positive definite, of
/// condition about 10; rows too large for the memory, or not for this device, say so. Ctrl-C ends it; rows
/// without all their trials are then not run.
void run_apple(std::vector<AppleRow*> rows, const Backend& on);

/// What the source concludes.
std::vector<Claim> apple_claims(const std::vector<AppleRow>& rows);

/// The source's charts as NAME.svg in a folder: overviews in logarithmic scales, the effects of unrolling and
/// of threads. Returns their paths.
std::vector<std::string> draw_apple(const std::vector<AppleRow>& rows, const std::string& folder);

}  // namespace jacobi::cli
