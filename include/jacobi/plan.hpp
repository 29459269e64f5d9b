#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "jacobi/amg.hpp"
#include "jacobi/export.hpp"
#include "jacobi/method.hpp"
#include "jacobi/multigrid.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/tiling.hpp"
#include "jacobi/types.hpp"

namespace jacobi {

/// How the tiled rung cuts space and time, and the blocked one rows and time; of a grid on a device, by rungs
/// classic and graph, the threads of a block. It changes no bit of an iterate (of norms, where it changes the
/// tile along x or a block, the last ones). Zeros: chosen for the problem.
struct Blocking {
  std::array<Index, 3> tile = {};  ///< unknowns per direction, x first (rows: one); 0 in all: chosen
  Index sweeps = 0;                ///< made per visit to a tile; 0: chosen
  bool is_given() const { return sweeps != 0 || tile[0] != 0; }
};

/// What the entries of a dense matrix in double are stored as while it is swept. Narrower ones run inside a
/// refinement in double: fewer bytes, the same tolerances. The matrix is copied then.
enum class MatrixPrecision { as_given, single, bf16 };

/// Sweeps after one another, by a rung of the ladder; empty: the backend's best.
struct OnRung {
  std::string name = {};
  Blocking blocking = {};
};

/// Of a grid, with method cg: a cycle, from 0 and not full, preconditions in place of the diagonal. For
/// coefficients that jump, where cycles alone converge slowly.
struct PreconditionedBy {
  Multigrid cycle = {};
};

/// What to run: a method, and what makes its sweeps.
struct Plan {
  Method method = {};
  /// One of these, which exclude each other:
  /// Tiling: of a grid with Dirichlet and Neumann sides, cycles in tiles that make k sweeps per visit.
  /// Multigrid: of a grid, the method's weights smooth in multigrid cycles.
  /// Amg: of a sparse matrix, algebraic multigrid, by itself (method of amg()), or preconditioning cg or
  /// bicgstab in place of the diagonal; rows are not taken for a grid.
  std::variant<OnRung, Tiling, Multigrid, PreconditionedBy, Amg> by = {};
  /// A sparse matrix that is a grid in disguise is swept as a grid where no rung is named. Its bits then
  /// differ from those of the sparse rungs, within rounding.
  bool recognise_grids = true;
  MatrixPrecision matrix_precision = MatrixPrecision::as_given;

  Plan() = default;
  Plan(Method m, std::string rung_name = {}, Blocking b = {})
      : method(std::move(m)), by(OnRung{std::move(rung_name), b}) {}

  /// What reports call it: "multigrid", or the method's name.
  const std::string& name() const {
    static const std::string cycles = "multigrid";
    return multigrid() ? cycles : method.name;
  }
  /// The rung named; empty: none, or something else makes the sweeps.
  const std::string& rung() const {
    static const std::string none;
    const OnRung* const on = std::get_if<OnRung>(&by);
    return on ? on->name : none;
  }
  Blocking blocking() const {
    const OnRung* const on = std::get_if<OnRung>(&by);
    return on ? on->blocking : Blocking{};
  }
  /// Null where something else makes the sweeps.
  const Tiling* tiling() const { return std::get_if<Tiling>(&by); }
  const Multigrid* multigrid() const { return std::get_if<Multigrid>(&by); }
  const Amg* amg() const { return std::get_if<Amg>(&by); }
  const Multigrid* preconditioner() const {
    const PreconditionedBy* const one = std::get_if<PreconditionedBy>(&by);
    return one ? &one->cycle : nullptr;
  }
};

/// Multigrid with the Chebyshev weights of its pre + post sweeps on [1/D, 2], the part of the spectrum of a
/// Laplacian that coarser grids do not see. Throws: UsageError for a cycle that cannot be.
template <class T, int D>
JACOBI_API Plan multigrid(const Stencil<T, D>& a, Multigrid cycle = {});

/// Conjugate gradients preconditioned by such a cycle, V(2,2) unless given. Cost of an iteration: the cycle,
/// a product and 17 words per unknown. Throws: as multigrid().
JACOBI_API Plan cg_with_multigrid(Multigrid cycle = {2, 2, 1, false});

/// Algebraic multigrid by itself, for sparse matrices: a sweep is a cycle. For symmetric definite matrices
/// and M-matrices; a symmetric one is coarsened by smoothed aggregation, another one by plain aggregation.
/// Throws: UsageError for options that cannot be.
JACOBI_API Plan amg(Amg options = {});

/// Conjugate gradients preconditioned by such a cycle. Cost of an iteration: the cycle, a product and 17
/// words per unknown. Throws: as amg().
JACOBI_API Plan cg_with_amg(Amg options = {});

}  // namespace jacobi
