#include "tile_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "box.hpp"
#include "ceilings.hpp"
#include "core/instantiate.hpp"
#include "core/teams.hpp"
#include "jacobi/advise_tiling.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"
#include "options.hpp"

namespace jacobi::cli {

namespace {

constexpr Index default_subiterations = 16, default_overlap = 2;  // the source's best in 1D, 2 x 2 shared

/// One size for every direction, or one for each. Throws: UsageError for another number of them.
std::array<Index, 3> per_direction(const char* option, const std::string& text, int dimensions) {
  const std::vector<Index> sizes = read_sizes(option, text);
  if (sizes.size() != 1 && sizes.size() != static_cast<std::size_t>(dimensions))
    throw UsageError(fmt::format("{} {} has {} sizes for {}: write one for all, or one for each", option,
                                 text, sizes.size(), counted(dimensions, "dimension")));
  std::array<Index, 3> all{1, 1, 1};
  for (int d = 0; d < dimensions; ++d) all[d] = sizes[sizes.size() == 1 ? 0 : d];
  return all;
}

/// Bytes per second out of where arrays of so many bytes lie, as far as it was measured.
double bandwidth_for(double bytes, int threads) {
  constexpr double cautious = 10e9;
  const auto known = read_ceilings().ceilings;
  if (!known) return cautious;
  const machine::Ceiling ceiling = machine::ceiling_of(*known, threads);
  for (int level = 0; level < machine::caches; ++level)
    if (bytes <= known->cache_bytes[level] && ceiling.read[level] > 0) return ceiling.read[level];
  return ceiling.read[machine::levels - 1] > 0 ? ceiling.read[machine::levels - 1] : cautious;
}

}  // namespace

void TileOptions::add_to(CLI::App& app) {
  app.add_option("--tile", tile,
                 "sweep in cycles of tiles that update so many unknowns per direction: 32x32, or 'auto'")
      ->type_name("N");
  app.add_option("--subiterations", subiterations, "sweeps that a tile makes per cycle (default 16)")
      ->transform(whole_from(1))
      ->type_name("K");
  app.add_option(
         "--overlap", overlap,
         "unknowns per side that a tile updates and its neighbour owns (default 2): the source counts both "
         "sides, its number is twice this one; exact from K - 1 on")
      ->type_name("N");
}

Tiling TileOptions::make(int dimensions) const {
  Tiling t;
  const auto extent = per_direction("--tile", tile, dimensions);
  t.subiterations = subiterations.value_or(default_subiterations);
  std::array<Index, 3> shared{};
  if (!overlap.empty()) shared = per_direction("--overlap", overlap, dimensions);
  for (int d = 0; d < dimensions; ++d) {
    if (extent[d] < 1) throw UsageError(fmt::format("--tile {}: at least 1 unknown per direction", tile));
    t.extent[d] = extent[d];
    t.overlap[d] = overlap.empty() ? std::min(default_overlap, (extent[d] - 1) / 2) : shared[d];
    if (t.overlap[d] < 0) throw UsageError(fmt::format("--overlap {}: at least 0", overlap));
    if (t.overlap[d] > (t.extent[d] - 1) / 2)
      throw UsageError(
          fmt::format("--overlap {} per side leaves a tile of {} nothing that it alone updates: at most {}",
                      t.overlap[d], t.extent[d], (t.extent[d] - 1) / 2));
  }
  return t;
}

void TileOptions::check(const std::string& rung, int dimensions) const {
  if (!given() && (subiterations || !overlap.empty()))
    throw UsageError(fmt::format("{} goes with --tile: say how many unknowns a tile updates",
                                 subiterations ? "--subiterations" : "--overlap"));
  if (!given()) return;
  if (!rung.empty())
    throw UsageError(fmt::format("--rung {} and --tile: a tiling says how to sweep, give one of them", rung));
  if (!automatic())
    make(dimensions);
  else if (subiterations || !overlap.empty())
    throw UsageError("--tile auto chooses --subiterations and --overlap too: give sizes, or leave these out");
}

template <class T, int D>
std::string TileOptions::choose(const Stencil<T, D>& one, Index copies, const Backend& on, Plan& plan) const {
  if (!given()) return {};
  std::optional<Tiling> tiling;
  std::string why;
  if (automatic()) {
    const double bytes = 3.0 * static_cast<double>(one.rows() * copies) * sizeof(T);
    const TilingAdvice advice = advise_tiling(one, plan.method, on, bandwidth_for(bytes, threads_of(on)));
    tiling = advice.tiling;
    why = "tile auto: " + advice.why;
  } else {
    tiling = make(D);
    if (!tiling->exact(1, one.grid().unknowns))
      why = fmt::format(
          "a cycle of {0} sweeps is exact from an overlap of {1} on: with less, iterates and counts, also "
          "predicted "
          "ones, are not those of plain sweeps",
          tiling->subiterations, tiling->subiterations - 1);
    if (!why.empty() && plan.method.growth > 1)
      why += "; a schedule's weights above 1 may diverge on such tiles: take that overlap, or one weight";
  }
  if (tiling) plan.tiling = copies > 1 ? batch(*tiling) : *tiling;
  return why;
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::string TileOptions::choose<T, D>(const Stencil<T, D>&, Index, const Backend&, Plan&) const;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
