/// A x = b in one line.
#pragma once
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "jacobi/automatic.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/export.hpp"
#include "jacobi/operator.hpp"
#include "jacobi/report.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

template <class T>
struct Solution {
  std::vector<T> x;
  Report report;
};

/// Vectors of rows values each: right-hand sides, or what solves for them.
template <class T>
using Columns = std::vector<std::vector<T>>;

/// x[c] solves A x = b[c] as columns[c] of the report says. The report is that of the right-hand side nearest
/// to, or farthest beyond, its tolerance; its status is the worst, its sweeps are the most of any; seconds,
/// checks and updates are of all.
template <class T>
struct Solutions {
  Columns<T> x;
  Report report;
};

/// Right-hand side: rows values of the operator's type.
template <class T>
using RightHandSide = std::type_identity_t<std::span<const T>>;

/// Solves A x = b from 0, by the method that choose() takes: of a matrix what its diagnosis advises, of a
/// grid full multigrid. The report of a matrix holds a proved bound of the error where there is one.
/// Not converging is a status, not an exception. Throws: InputError for a b that no solution exists for, and
/// for NaN or infinity; UsageError for lengths that do not fit; as Solver.
/// Cost beside the sweeps: of a matrix a diagnosis, 10 to 30 sweeps; of a dense one its entries once more, as
/// sparse ones.
template <class T>
JACOBI_API Solution<T> solve(const Csr<T>& a, RightHandSide<T> b, const Stop& stop = {},
                             const std::shared_ptr<const Backend>& on = backend());
template <class T>
JACOBI_API Solution<T> solve(const Dense<T>& a, RightHandSide<T> b, const Stop& stop = {},
                             const std::shared_ptr<const Backend>& on = backend());
template <class T, int D>
JACOBI_API Solution<T> solve(const Stencil<T, D>& a, RightHandSide<T> b, const Stop& stop = {},
                             const std::shared_ptr<const Backend>& on = backend());
template <class T>
JACOBI_API Solution<T> solve(const BoxStencil<T>& a, RightHandSide<T> b, const Stop& stop = {},
                             const std::shared_ptr<const Backend>& on = backend());

/// From its estimates; what they cost comes first, and no error bound is proved.
template <class T>
JACOBI_API Solution<T> solve(const MatrixFree<T>& a, RightHandSide<T> b, const Stop& stop = {},
                             const std::shared_ptr<const Backend>& on = backend());

/// The same for several right-hand sides, each held to its own tolerance: stop.relative times its own norm. A
/// dense matrix is read once for as many as fill a cache line. Throws: as for one; InputError names the first
/// b that has no solution; UsageError for none. Cost: one diagnosis, of singular A one for each b.
template <class T>
JACOBI_API Solutions<T> solve(const Csr<T>& a, const Columns<T>& b, const Stop& stop = {},
                              const std::shared_ptr<const Backend>& on = backend());
template <class T>
JACOBI_API Solutions<T> solve(const Dense<T>& a, const Columns<T>& b, const Stop& stop = {},
                              const std::shared_ptr<const Backend>& on = backend());

template <class T>
JACOBI_API Solutions<T> solve(const MatrixFree<T>& a, const Columns<T>& b, const Stop& stop = {},
                              const std::shared_ptr<const Backend>& on = backend());

/// By a choice made before, from x. Several right-hand sides take its plan alone, without a fallback.
/// Throws: UsageError for another number of x than of b; as Solver.
template <class T>
JACOBI_API Solutions<T> solve(const Operator<T>& a, const Choice& choice, const Columns<T>& b, Columns<T> x,
                              const Stop& stop = {}, const std::shared_ptr<const Backend>& on = backend());

}  // namespace jacobi
