/// Which couplings of a matrix coarsening follows.
#pragma once
#include <vector>

#include "sweep/amg/rows.hpp"

namespace jacobi::sweep::amg {

/// Whether a prolongator is smoothed along an entry.
enum class Kept : char { never, where_it_fits, always };

/// Nodes, `block` consecutive unknowns each, and their strong couplings, without themselves. weight: |a_ij| /
/// sqrt(|a_ii a_jj|) of nodes i and j, a_ij being the Frobenius norm of a block.
struct Strong {
  Sparse<float> graph;
  std::vector<char> alone;  ///< nodes whose diagonal outweighs all else by far: a sweep does for them
  std::vector<Kept> kept;   ///< by entry of A
};

/// Nodes i and j are coupled strongly where the weight of either exceeds theta; theta = 0: wherever there is
/// an entry. Kept always: these, and in rows of one unknown that depend on a coupling, |a_ij| > theta |a_ii|,
/// that too. Where coefficients jump it is weak only beside the larger diagonal, and the smaller side takes
/// its values from there. Kept where it fits: down to a tenth of theta. Source: Vanek, Mandel, Brezina,
/// Computing 56 (1996) 179, section 4, for what is strong.
template <class T>
Strong strong_couplings(const Rows<T>& a, Index block, double theta, int threads);

}  // namespace jacobi::sweep::amg
