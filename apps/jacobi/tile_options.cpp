#include "tile_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "box.hpp"
#include "core/instantiate.hpp"
#include "jacobi/error.hpp"
#include "numbers.hpp"

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

}  // namespace

void TileOptions::add_to(CLI::App& app) {
  app.add_option("--tile", tile, "sweep in cycles of tiles that update so many unknowns per direction: 32x32")
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
  make(dimensions);
}

template <class T, int D>
std::string TileOptions::choose(const Stencil<T, D>& one, Index copies, Plan& plan) const {
  if (!given()) return {};
  const Tiling tiling = make(D);
  plan.by = copies > 1 ? batch(tiling) : tiling;
  if (tiling.exact(1, one.grid().unknowns)) return {};
  return fmt::format(
      "a cycle of {} sweeps is exact from an overlap of {} on: with less, iterates and counts, also "
      "predicted "
      "ones, are not those of plain sweeps{}",
      tiling.subiterations, tiling.subiterations - 1,
      plan.method.growth > 1
          ? "; a schedule's weights above 1 may diverge on such tiles: take that overlap, or one weight"
          : "");
}

#define JACOBI_INSTANTIATE(T, D) \
  template std::string TileOptions::choose<T, D>(const Stencil<T, D>&, Index, Plan&) const;
JACOBI_FOR_EACH_GRID(JACOBI_INSTANTIATE)
#undef JACOBI_INSTANTIATE

}  // namespace jacobi::cli
