#include "tiles.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cache.hpp"
#include "core/clock.hpp"
#include "core/instantiate.hpp"
#include "core/loop.hpp"
#include "core/teams.hpp"
#include "jacobi/error.hpp"
#include "jacobi/predict.hpp"
#include "jacobi/simd.hpp"
#include "jacobi/tune.hpp"
#include "machine.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "outputs.hpp"
#include "sweep/stencil/layout/coefficients.hpp"

namespace jacobi::cli {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t most_tiles = 200;  // kept: the newest

ordered_json as_json(const Blocking& b, int dimensions) {
  return {{"tile", std::vector<Index>(b.tile.begin(), b.tile.begin() + dimensions)}, {"sweeps", b.sweeps}};
}

/// Throws: std::exception for anything else than a blocking that can be.
Blocking blocking_from(const ordered_json& json, std::size_t dimensions) {
  const auto tile = json.at("tile").get<std::vector<Index>>();
  Blocking b;
  b.sweeps = json.at("sweeps").get<Index>();
  if (tile.size() != dimensions || dimensions < 1 || dimensions > 3)
    throw std::runtime_error("as many sizes as dimensions");
  for (std::size_t d = 0; d < dimensions; ++d) {
    b.tile[d] = tile[d];
    if (tile[d] < 1 || tile[d] > 1'000'000'000) throw std::runtime_error("a size is out of range");
  }
  if (b.sweeps < 1 || b.sweeps > most_sweeps_at_once) throw std::runtime_error("sweeps are out of range");
  return b;
}

KnownTile tile_from(const ordered_json& json) {
  KnownTile tile;
  tile.shape = json.at("shape");
  const std::size_t dimensions = tile.shape.at("unknowns").get<std::vector<Index>>().size();
  for (const char* key : {"processor", "simd", "precision", "coefficients"})
    tile.shape.at(key).get<std::string>();
  tile.shape.at("threads").get<int>();
  blocking_from(tile.shape.at("default"), dimensions);
  tile.best = blocking_from(json.at("best"), dimensions);
  tile.gain = json.at("gain").get<double>();
  if (!(tile.gain >= 1)) throw std::runtime_error("a gain is below 1");
  tile.date = json.at("date").get<std::string>();
  return tile;
}

template <class T, int D>
const char* coefficients(const Stencil<T, D>& a) {
  const sweep::Kind kind = sweep::coefficients_of(a).kind;
  return kind == sweep::Kind::variable ? "variable" : kind == sweep::Kind::equal ? "equal" : "constant";
}

/// All that the fastest blocking depends on; the default is part of it, so that another version's tiles,
/// found beside another default, are not taken.
template <class T, int D>
ordered_json shape_of(const Stencil<T, D>& a, int threads, const Blocking& by_default) {
  return {{"processor", processor_name()},    {"simd", simd::chosen()},
          {"unknowns", a.grid().unknowns},    {"precision", sizeof(T) == sizeof(double) ? "double" : "float"},
          {"coefficients", coefficients(a)},  {"threads", threads},
          {"default", as_json(by_default, D)}};
}

/// A line per tile.
void write(const std::vector<KnownTile>& tiles) {
  write_cached(tiles_path(), [&](std::ostream& out) {
    out << "{\"schema\": 1, \"tiles\": [";
    for (const KnownTile& tile : tiles)
      out << (&tile == &tiles.front() ? "\n" : ",\n") << json_text(to_json(tile), -1);
    out << "\n]}\n";
  });
}

/// Returns why it could not be kept, or "".
std::string keep(KnownTile tile) {
  if (tiles_path().empty()) return {};
  std::vector<KnownTile> tiles = read_tiles().tiles;
  std::erase_if(tiles, [&](const KnownTile& old) { return old.shape == tile.shape; });
  tiles.push_back(std::move(tile));
  if (tiles.size() > most_tiles) tiles.erase(tiles.begin(), tiles.end() - most_tiles);
  try {
    write(tiles);
    return {};
  } catch (const InputError& error) {
    return fmt::format("the tiles measured are not kept: {}; --no-tune measures none", error.what());
  }
}

bool use(Blocking& best, const std::vector<KnownTile>& tiles, const ordered_json& shape) {
  for (const KnownTile& tile : tiles)
    if (tile.shape == shape) return best = tile.best, true;
  return false;
}

/// What the solve will surely take, were the machine as fast as the best one known: at most the limits say.
template <class T, int D>
double least_seconds(const ToSolve<T, D>& what) {
  constexpr double updates = 5e9;  // per second and thread
  const double rows = static_cast<double>(what.a.rows());
  const auto seconds = [&](double sweeps) {
    return std::min(what.stop.max_seconds, sweeps * rows / (updates * what.on->threads()));
  };
  const double limit = seconds(static_cast<double>(what.stop.max_sweeps));
  if (limit < std::max(worth_tuning, 3e-5 * rows)) return 0;  // a prediction takes up to 1 us per unknown
  const Prediction p = predict<T>(what.a, what.plan, what.b, what.x, what.stop);
  return p.sweeps ? std::min(limit, seconds(*p.sweeps)) : limit;
}

template <class T, int D>
std::string find_or_measure(Sweeper<T>& sweeper, const ToSolve<T, D>& what,
                            const std::function<bool()>& interrupted) {
  const Blocking by_default = sweeper.blocking();
  if (by_default.sweeps == 0) return {};
  const KnownTiles known = read_tiles();
  const int team = std::min(what.on->threads(), free_cores());  // with which the sweeps will begin
  KnownTile tile{shape_of(what.a, team, by_default), by_default, 1, date_now()};
  if (use(tile.best, known.tiles, tile.shape)) {
    sweeper.reblock(tile.best);
    return {};
  }
  const bool measures = known.note.empty() && team == what.on->threads();
  const double seconds = measures ? least_seconds(what) : 0;
  if (seconds < worth_tuning) return known.note;
  const Tuned tuned =
      tune(sweeper, what.b, what.x, std::min(2.0, 0.03 * seconds), [&] { return !interrupted(); });
  if (!tuned.measured) return {};
  tile.best = tuned.blocking;
  tile.gain = std::round(tuned.gain * 1000) / 1000;
  return keep(std::move(tile));
}

}  // namespace

std::string tiles_path() { return cache_path("tiles.json"); }

KnownTiles read_tiles() {
  KnownTiles known;
  known.note = read_cached(tiles_path(), "tiles", [&](const ordered_json& json) -> std::string {
    if (json.at("schema") != 1) return "another version of jacobi made it";
    for (const ordered_json& tile : json.at("tiles")) known.tiles.push_back(tile_from(tile));
    return {};
  });
  if (!known.note.empty()) {
    known.tiles.clear();
    known.note += "; delete it, and tiles are measured again";
  }
  return known;
}

std::vector<KnownTile> tiles_of_this_machine(std::vector<KnownTile> tiles) {
  std::erase_if(tiles, [&](const KnownTile& tile) {
    return tile.shape["processor"] != processor_name() || tile.shape["simd"] != simd::chosen();
  });
  return tiles;
}

template <class T, int D>
std::string use_known_tile(Sweeper<T>& sweeper, const Stencil<T, D>& a, int threads) {
  Blocking best = sweeper.blocking();
  if (best.sweeps == 0) return {};
  const KnownTiles known = read_tiles();
  if (use(best, known.tiles, shape_of(a, threads, best))) sweeper.reblock(best);
  return known.note;
}

template <class T, int D>
FoundTile find_tile(Sweeper<T>& sweeper, const ToSolve<T, D>& what,
                    const std::function<bool()>& interrupted) {
  const Clock::time_point begin = Clock::now();
  const std::string note = find_or_measure(sweeper, what, interrupted);
  return {note, seconds_since(begin)};
}

ordered_json to_json(const KnownTile& tile) {
  ordered_json json;
  json["shape"] = tile.shape;
  json["best"] = as_json(tile.best, static_cast<int>(tile.shape["unknowns"].size()));
  json["gain"] = tile.gain;
  json["date"] = tile.date;
  return json;
}

std::string to_text(const KnownTile& tile) {
  const auto unknowns = tile.shape["unknowns"].get<std::vector<Index>>();
  const int threads = tile.shape["threads"];
  std::vector<Index> sizes(tile.best.tile.begin(),
                           tile.best.tile.begin() + static_cast<std::ptrdiff_t>(unknowns.size()));
  return fmt::format("{} unknowns, {}, {} coefficients, {}: {} sweeps per visit to a tile of {}, {}",
                     fmt::join(unknowns, " x "), tile.shape["precision"].get<std::string>(),
                     tile.shape["coefficients"].get<std::string>(), counted(threads, "thread"),
                     tile.best.sweeps, fmt::join(sizes, " x "),
                     tile.gain > 1 ? fmt::format("{:.2f} times as fast as the default", tile.gain)
                                   : std::string("the default"));
}

#define JACOBI_INSTANTIATE(T, D)                                                     \
  template std::string use_known_tile<T, D>(Sweeper<T>&, const Stencil<T, D>&, int); \
  template FoundTile find_tile<T, D>(Sweeper<T>&, const ToSolve<T, D>&, const std::function<bool()>&);
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
