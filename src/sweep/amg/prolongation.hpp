/// From a coarser level to a finer one.
#pragma once
#include <span>
#include <vector>

#include "sweep/amg/aggregate.hpp"

namespace jacobi::sweep::amg {

/// Columns of `rows` values each, one after the other: what the coarser level must hold exactly.
struct NearNull {
  Index rows = 0, count = 1;
  std::vector<double> value;
  double at(Index i, Index k) const { return value[static_cast<std::size_t>(k * rows + i)]; }
  double& at(Index i, Index k) { return value[static_cast<std::size_t>(k * rows + i)]; }
};

/// The vectors cut into aggregates, made orthonormal on each: column c of aggregate g is column count g + c.
/// Where an aggregate's vectors depend on each other columns are 0. coarse: what they are on the next level.
template <class T>
Sparse<T> tentative(const Aggregates& found, Index block, const NearNull& fine, NearNull& coarse);

/// What a prolongator is smoothed by: one sweep, I - (4/3) / rho D_f^-1 A_f. A_f: A without what is
/// not kept, which of nodes of one unknown are added to the diagonal; rho bounds the eigenvalues of D_f^-1
/// A_f.
template <class T>
struct Filter {
  const Rows<T>& a;
  const Strong& strong;
  Kept least;                    ///< of the entries of A_f
  double rho = 1;                ///< of D_f^-1 A_f
  bool drops = false;            ///< any entry
  std::vector<T> diagonal = {};  ///< D_f
};

/// rho: bounds the eigenvalues of D^-1 A.
template <class T>
Filter<T> filter_of(const Rows<T>& a, std::span<const T> d, const Strong& strong, Index block, double rho,
                    Kept least, int threads);

/// The places of A_f T: those of aggregates that a row touches. Rows that touch more than `widest` of them
/// are those of T.
template <class T>
Sparse<T> smoothed_pattern(const Filter<T>& f, const Aggregates& found, const Sparse<T>& t, int threads);

/// P = T - (4/3) / rho D_f^-1 A_f T in its pattern.
/// Source: Vanek, Mandel, Brezina, Computing 56 (1996) 179.
template <class T>
void smooth(const Filter<T>& f, const Sparse<T>& t, Sparse<T>& p, int threads);

/// Entries of A_f in row i: visit(j, value), the diagonal as it is there.
template <class T, class Visit>
void for_filtered(const Filter<T>& f, Index i, Visit&& visit) {
  for (Id k = f.a.offsets[i]; k < f.a.offsets[i + 1]; ++k)
    if (const Id j = f.a.column[k]; f.strong.kept[k] >= f.least)
      visit(j, j == i ? f.diagonal[i] : f.a.value[k]);
}

}  // namespace jacobi::sweep::amg
