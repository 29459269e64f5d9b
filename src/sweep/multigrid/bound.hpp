/// The grids of a multigrid plan, with their memory.
#pragma once
#include <vector>

#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "sweep/multigrid/among.hpp"
#include "sweep/multigrid/coarsen.hpp"
#include "sweep/multigrid/level.hpp"

namespace jacobi::sweep {

template <class T, int D>
class BoundGrids {
 public:
  /// Coarsens `finest`, which stands for `a`, as often as that helps; a grid too small to
  /// share is one thread's. Throws: BackendError where memory lacks.
  BoundGrids(const Stencil<T, D>& a, const Plan& plan, Diffusion<D> finest, int threads,
             const AmongRanks* among);
  BoundGrids(const BoundGrids&) = delete;
  BoundGrids& operator=(const BoundGrids&) = delete;

  MultigridWorkspace<T, D> w;

 private:
  void take_grids(const Stencil<T, D>& a, Diffusion<D> here, const AmongRanks* among);
  void take_coefficients(const Stencil<T, D>& a, GridLevel<T, D>& l);
  void take_coefficients(const Diffusion<D>& a, GridLevel<T, D>& l);
  void take_memory(const GridLevel<T, D>& l);
  T* new_array(const GridLevel<T, D>& l);
  template <class Value>
  void fill(const GridLevel<T, D>& l, const T*& array, Value&& value);

  Arrays<T> arrays_;
};

/// Entries of an array over the grid, ghosts of the outermost direction not counted.
template <class T, int D>
Index entries(const GridLevel<T, D>& l) {
  return (l.high - l.low) * l.slab + 4 * alignment / static_cast<Index>(sizeof(T));
}

/// Bytes of all grids, and of the faces that the coefficients of the next one are made
/// of.
template <class T, int D>
double bytes_of_grids(const Diffusion<D>& finest, const Plan& plan, int threads, const AmongRanks* among);

}  // namespace jacobi::sweep
