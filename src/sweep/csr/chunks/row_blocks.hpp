/// The shape of several sweeps per pass over a matrix.
#pragma once
#include <fmt/format.h>

#include <algorithm>

#include "core/loop.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"
#include "jacobi/plan.hpp"
#include "machine/caches.hpp"
#include "sweep/csr/chunks/layout.hpp"

namespace jacobi::sweep {

/// How the blocked rung goes over rows: so many pieces at once, so many sweeps, so many blocks apart.
struct RowBlocks {
  Index block = 1, skew = 1, depth = 1;
};

/// Bytes that a pass may keep: most of the L2 of the cores that the threads have, or a good part of L3 where
/// that is more.
inline double cache_room(int threads) {
  return std::max(0.75 * std::min(threads, cores_of_affinity()) * machine::assumed_cache_bytes(2),
                  0.4 * machine::cache_bytes(3));
}

/// Blocks of a quarter of the reach keep the sweeps close together; those of a whole front stay in cache.
/// Deeper than eight sweeps has not paid (docs/lab/2026-11-26-sparse.md).
inline RowBlocks choose_row_blocks(Index rows, Index reach, double bytes_per_row, const Blocking& wanted,
                                   int threads) {
  const auto pieces = [](Index n) { return (n + piece_rows - 1) / piece_rows; };
  if (wanted.tile[0] < 0 || wanted.sweeps < 0)
    throw UsageError(
        fmt::format("a blocking of {} rows and {} sweeps: at least 1 of both, or 0 to have them chosen",
                    wanted.tile[0], wanted.sweeps));
  RowBlocks w;
  w.block = std::max<Index>(threads, pieces(wanted.tile[0] > 0 ? std::min(wanted.tile[0], rows) : reach / 4));
  w.block = std::min(w.block, pieces(rows));
  w.skew = (reach + w.block * piece_rows - 1) / (w.block * piece_rows) + 1;
  const double level = static_cast<double>(w.skew * w.block * piece_rows) * bytes_per_row;
  const Index fitting = static_cast<Index>(cache_room(threads) / level);
  w.depth = wanted.sweeps > 0 ? std::min(wanted.sweeps, most_sweeps_at_once) : std::min<Index>(8, fitting);
  return w;
}

}  // namespace jacobi::sweep
