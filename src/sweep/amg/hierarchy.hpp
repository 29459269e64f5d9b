/// The levels of algebraic multigrid: matrices, and the ways between them.
#pragma once
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include "jacobi/amg.hpp"
#include "sweep/amg/prolongation.hpp"

namespace jacobi::sweep::amg {

/// Of levels, the finest first.
struct Extents {
  std::vector<Index> rows, entries;

  /// Entries, and rows, of all levels over those of the finest.
  double operator_complexity() const { return over_first(entries); }
  double grid_complexity() const { return over_first(rows); }

 private:
  static double over_first(const std::vector<Index>& of) {
    const double all = static_cast<double>(std::accumulate(of.begin(), of.end(), Index(0)));
    return all / std::max(1.0, static_cast<double>(of.front()));
  }
};

/// A matrix and, but for the coarsest, how the next one is made from it.
template <class T>
struct AmgLevel {
  Sparse<T> own;  ///< the matrix, of all but the finest level
  Rows<T> a;      ///< the same, or the caller's
  std::vector<T> diagonal;
  double rho = 1;  ///< of D^-1 A: largest_eigenvalue()
  Index block = 1;

  std::optional<Kept> smoothed;  ///< the least of the entries that P is smoothed along; none: it is not
  Sparse<T> p, r;                ///< r: p transposed
  // Of new values:
  Strong strong;
  Aggregates aggregates;
  Sparse<T> tentative;
  std::vector<Id> ap_offsets = {};  ///< of a p
};

/// Of a matrix of `symmetric` or other entries. A symmetric one: smoothed aggregation; another one: plain
/// aggregation.
template <class T>
class Hierarchy {
 public:
  /// a must outlive it. Throws: InputError where a diagonal entry is 0 beside others, or has another sign
  /// than the rest; UsageError for near-null vectors of another length, or more entries than 32 bits can
  /// count; Interrupted.
  /// takes_values: keeps what take_values() needs, about as much memory as the matrix takes.
  Hierarchy(const Csr<T>& a, const Amg& options, bool symmetric, int threads, bool takes_values = true);

  const std::vector<AmgLevel<T>>& levels() const { return levels_; }
  Extents extents() const;

  /// New values on the same places: aggregates and patterns stay.
  void take_values(const Csr<T>& a);

 private:
  bool coarsen(AmgLevel<T>& fine, AmgLevel<T>& coarse, double theta);
  Filter<T> filter_of(const AmgLevel<T>& fine) const;
  bool fits(AmgLevel<T>& fine, AmgLevel<T>& coarse, std::optional<Kept> least);
  void measure(AmgLevel<T>& level);
  void multiply_values(AmgLevel<T>& fine, AmgLevel<T>& coarse);

  Amg options_;
  bool symmetric_, takes_values_;
  int threads_;
  Sparse<T> room_;
  std::vector<AmgLevel<T>> levels_;
  NearNull near_null_;  ///< of the coarsest level so far
};

}  // namespace jacobi::sweep::amg
