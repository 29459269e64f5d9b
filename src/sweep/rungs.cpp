#include "sweep/rungs.hpp"

#include <fmt/format.h>

#include <array>

#include "jacobi/error.hpp"
#include "sweep/rung_names.hpp"

namespace jacobi {

namespace {

#if JACOBI_HAS_OPENMP
constexpr bool has_threads = true;
#else
constexpr bool has_threads = false;
#endif

// Those on matrices stand in the entries of their algorithms.
//  number, name, idea, parallel, compiled, words per update beside the coefficients, cost of the update norm
//  and of a pass of its own, in sweeps. Number 3, C++ parallel algorithms, needs oneTBB: apps/bench has it.
constexpr std::array<Rung, 6> on_grids = {{
    {0, "textbook", "sweep, norm and copy every time", false, true, 7, 0.0, 1.0},
    {1, "no-copy", "the two arrays change roles", false, true, 3, 1.0, 1.0},
    {2, "fused", "update norm inside the sweep", false, true, 3, 0.5, 1.0},
    {4, "simd", "vectors by hand, one thread", false, true, 3, 0.3, 1.0},
    {5, "threads", "rung 4 on blocks of lines (OpenMP)", true, has_threads, 3, 0.3, 1.0},
    {6, "tiled", "many sweeps per visit to a tile in cache", true, true, 4, 1.0, 4.0},
}};

const Rung& find(std::span<const Rung> table, const std::string& name) {
  for (const Rung& rung : table)
    if (name == rung.name) return rung;
  throw UsageError(fmt::format("there is no rung '{}': choose one of {}", name, names_of(table)));
}

}  // namespace

std::span<const Rung> stencil_rungs() { return on_grids; }
const Rung& stencil_rung(const std::string& name) { return find(on_grids, name); }
const Rung& sparse_rung(const std::string& name) { return find(sparse_rungs(), name); }
const Rung& dense_rung(const std::string& name) { return find(dense_rungs(), name); }

}  // namespace jacobi
