/// Which tiling is worth taking, by a model fed with short measurements.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "jacobi/backend.hpp"
#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/tiling.hpp"

namespace jacobi {

/// One tiling and what the model says of it.
struct TilingCost {
  Tiling tiling;
  bool exact = false;
  double redundant_work = 0;    ///< updates of overlapping tiles over those needed, minus 1
  double bytes_per_update = 0;  ///< between memory and tiles
  /// What a sweep inside a cycle is worth in plain sweeps: ln(contraction per cycle) over k times that of a
  /// plain sweep, both measured on a small instance; 1 where the tiling is exact.
  double worth = 1;
  double seconds_per_update = 0;  ///< measured there, redundant ones in it
  /// Per unknown, for the progress of one plain sweep: (seconds + bytes / bandwidth) / worth.
  double cost = 0;
};

struct TilingAdvice {
  std::optional<Tiling> tiling;  ///< none: exact sweeps by rung tiled are predicted to be faster
  std::string why;               ///< one line
  std::vector<TilingCost> tried;
  double tiled_cost = 0;  ///< of rung tiled, in the same measure
};

/// Tries some twenty tilings on a small instance: the operator's mean coefficients on a box of a few tiles
/// with Dirichlet sides, from its slowest mode. A tolerance counts alike for all, as they converge at steady
/// rates. bytes_per_second: of the memory that holds the operator's arrays; infinity where a cache does.
/// Throws: UsageError for three-term methods. Cost: about 1 s.
template <class T, int D>
JACOBI_API TilingAdvice advise_tiling(const Stencil<T, D>& a, const Method& method, const Backend& on,
                                      double bytes_per_second);

}  // namespace jacobi
