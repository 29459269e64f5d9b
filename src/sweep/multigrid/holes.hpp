/// Points of a grid that are no unknowns of its problem, as multigrid sees them: rows without neighbours.
#pragma once
#include <vector>

#include "sweep/multigrid/coarsen.hpp"

namespace jacobi::sweep {

/// Where rows have no neighbours, of the finest grid, fills `holes`. What neighbours have on their diagonals
/// without a coefficient is taken for the coupling to a value held there: couplings go on through such holes,
/// so that coarser grids are those of the box, and its unknowns there are 0.
template <int D>
void find_holes(Diffusion<D>& a);

/// Holes where more than half of what a coarse point stands for is held. `share` is that part of each, made
/// from `fine` as averages are. Beside holes that are no more, what couples to them becomes a reaction.
template <int D>
void coarsen_holes(const std::vector<double>& share, Diffusion<D>& coarse);

/// 1 where a value is held, else 0.
template <int D>
std::vector<double> held_of(const Diffusion<D>& a);

}  // namespace jacobi::sweep
