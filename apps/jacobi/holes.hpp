/// Points of `poisson` that are no unknowns: outside a mask, or fixed; and sides in parts.
#pragma once
#include <memory>

#include "box.hpp"
#include "jacobi/domain.hpp"
#include "problem.hpp"

namespace jacobi::cli {

/// Throws: UsageError for --mask-side without --mask, --fix-value without --fix, or what that cannot mean.
void require_holes(const ProblemText& text);

/// Throws: as require_holes; InputError for a mask that leaves nothing, of a wrong shape, or with NaN.
template <class T, int D>
std::shared_ptr<const Domain<T, D>> make_domain(const Stencil<T, D>& box_operator, const Box& box,
                                                const ProblemText& text);

/// Values of the Neumann parts of a side at its points. Throws: InputError for a point that no part holds at.
template <class T, int D>
std::vector<T> fluxes_of_parts(const Grid<T, D>& grid, const Box& box, int k);

}  // namespace jacobi::cli
