/// C++ parallel algorithms over the lines of a grid, the language's counterpart of `do concurrent`: what
/// `bench stencil` and `reproduce loiseau` hold the library's rungs against.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "jacobi/backend.hpp"
#include "sweep/rungs.hpp"

namespace jacobi::cli {

/// Its row of the ladder.
const Rung& parallel_rung();
/// The library's rungs on grids, and parallel_rung() at its place among them.
std::vector<Rung> grid_rungs();
/// One of them. Throws: UsageError naming the library's.
const Rung& grid_rung(const std::string& name);

/// Sweeps stencils by so many threads of oneTBB, with the bits of rung 0. Of a plan only the steps are
/// followed. bind() throws: UsageError for sparse and dense matrices.
std::shared_ptr<const Backend> parallel_algorithms(int threads);

}  // namespace jacobi::cli
