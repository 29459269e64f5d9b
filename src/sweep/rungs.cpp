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

// The update norm is summed in every sweep; what it adds is a call of advance() for one sweep.
constexpr std::array<Rung, 7> on_rows = {{
    {0, "textbook", "compressed rows; sweep, norm and copy every time", false, true, 8, 0.0, 1.0},
    {1, "fused", "no copy, norm inside the sweep, the matrix as it is", false, true, 4, 0.05, 1.0},
    {2, "simd", "vectors across rows (SELL-C-sigma), one thread", false, true, 4, 0.05, 1.0},
    {3, "threads", "rung 2 on rows shared out by their entries", true, true, 4, 0.1, 1.0},
    {4, "compressed", "what rows share is kept once, columns in 16 bits", true, true, 4, 0.1, 1.0},
    {5, "blocked", "several sweeps per pass over the matrix", true, true, 6, 1.0, 1.0},
    {6, "sliced", "columns in slices whose unknowns stay in L2", true, true, 4, 0.1, 1.0},
}};

#ifdef JACOBI_BLAS_LIBRARY
constexpr bool has_blas = true;
#else
constexpr bool has_blas = false;
#endif

constexpr std::array<Rung, 9> on_entries = {{
    {0, "textbook", "plain loops", false, true, 5, 0.02, 1.0, true},
    {1, "simd-1", "vectors by hand: lane sums by rows, broadcasts by columns", false, true, 5, 0.02, 1.0},
    {2, "simd-2", "two vectors at once", false, true, 5, 0.02, 1.0},
    {3, "simd-4", "four vectors at once", false, true, 5, 0.02, 1.0},
    {4, "simd-8", "eight vectors at once", false, true, 5, 0.02, 1.0},
    {5, "threads", "rung simd-8 on shares of the rows, one team for all sweeps", true, true, 5, 0.05, 1.0},
    {6, "blas", "gemv (gemm) of the BLAS, then the update", true, has_blas, 8, 0.02, 1.0, true, false},
    {7, "fused", "eight rows or columns at once, update and norm while they are in cache", true, true, 5,
     0.05, 1.0, true},
    {8, "paired", "an entry serves two sweeps whenever it is read: half of the matrix per sweep", true, true,
     10, 0.05, 1.0, false, false},
}};

const Rung& find(std::span<const Rung> table, const std::string& name) {
  for (const Rung& rung : table)
    if (name == rung.name) return rung;
  throw UsageError(fmt::format("there is no rung '{}': choose one of {}", name, names_of(table)));
}

}  // namespace

std::span<const Rung> stencil_rungs() { return on_grids; }
std::span<const Rung> sparse_rungs() { return on_rows; }
std::span<const Rung> dense_rungs() { return on_entries; }
const Rung& stencil_rung(const std::string& name) { return find(on_grids, name); }
const Rung& sparse_rung(const std::string& name) { return find(on_rows, name); }
const Rung& dense_rung(const std::string& name) { return find(on_entries, name); }

}  // namespace jacobi
