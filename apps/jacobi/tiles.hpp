/// Blockings of the tiled rung that were measured on this machine, kept in a file of the user's cache folder.
#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/stop.hpp"

namespace jacobi::cli {

/// What was measured for one shape of problem.
struct KnownTile {
  nlohmann::ordered_json shape;  ///< processor, simd, unknowns, ..., and the blocking that was to be beaten
  Blocking best;
  double gain = 1;  ///< its speed over that; 1: that one was the best
  std::string date;
};

struct KnownTiles {
  std::vector<KnownTile> tiles;
  std::string note;  ///< one sentence on the file, if there is one that was ignored
};

/// tiles.json in the cache folder, or empty: see cache_path().
std::string tiles_path();

/// All of the file, other processors' too. Never throws for what a file holds.
KnownTiles read_tiles();

/// Those of this processor with the instruction set chosen.
std::vector<KnownTile> tiles_of_this_machine(std::vector<KnownTile> tiles);

/// Blocks the sweeper as measured before, if it was. Returns the note of read_tiles().
template <class T, int D>
std::string use_known_tile(Sweeper<T>& sweeper, const Stencil<T, D>& a, int threads);

constexpr double worth_tuning = 10;  ///< seconds that a solve must take

/// A solve to be.
template <class T, int D>
struct ToSolve {
  const Stencil<T, D>& a;
  std::span<const T> b, x;
  const Plan& plan;
  const Stop& stop;
  std::shared_ptr<const Backend> on;
};

struct FoundTile {
  std::string note;    ///< on what could not be read or written, or ""
  double seconds = 0;  ///< that it took
};

/// The same; where nothing is known and the solve will take `worth_tuning`, measures for 3 % of them, at most
/// 2 s, and keeps what it finds. interrupted: ends the measurement.
template <class T, int D>
FoundTile find_tile(Sweeper<T>& sweeper, const ToSolve<T, D>& what, const std::function<bool()>& interrupted);

nlohmann::ordered_json to_json(const KnownTile& tile);
/// "4094 x 4094 double, equal coefficients, 2 threads: 48 sweeps ..., 1.06 x the default".
std::string to_text(const KnownTile& tile);

}  // namespace jacobi::cli
