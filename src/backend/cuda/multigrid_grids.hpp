/// The grids of multigrid cycles on the device, with their memory.
#pragma once
#include <vector>

#include "backend/cuda/multigrid_level.hpp"
#include "jacobi/stencil.hpp"
#include "sweep/multigrid/coarsen.hpp"

namespace jacobi::cuda {

/// Coarsened and discretised on the host, as for its own cycles; uploaded once. Two iterates and g on every
/// grid; where coefficients vary 2 D + 2 arrays more.
template <class T, int D>
class DeviceGrids {
 public:
  /// Throws: BackendError naming needed and free bytes.
  DeviceGrids(const Stencil<T, D>& a, sweep::Diffusion<D> finest, const Stream& stream);
  DeviceGrids(const DeviceGrids&) = delete;
  DeviceGrids& operator=(const DeviceGrids&) = delete;

  struct OneGrid {
    DeviceLevel<T, D> seen;
    T* x[2] = {};
    Index pitch = 0;    ///< entries from one line to the next
    Index entries = 0;  ///< of an array
    T diagonal = 1;     ///< where constant
    Index unknowns() const;
  };
  std::vector<OneGrid> levels;  ///< the finest first
  bool variable = false;

  /// Values over the finest grid, to and from an array of it.
  void scatter(const T* from, T* to) const;
  void gather(const T* from, T* to) const;

 private:
  void lay_out(const sweep::Diffusion<D>& a, OneGrid& l) const;
  void take_coefficients(const Stencil<T, D>& a, OneGrid& l);
  void take_coefficients(const sweep::Diffusion<D>& a, OneGrid& l);
  void take_axis(const sweep::Axis& fine, const sweep::Axis& coarse, bool along, DeviceAxis<T>& axis);
  T* new_array(const OneGrid& l);
  template <class Value>
  T* filled(const OneGrid& l, Value&& value);
  double bytes_for(const sweep::Diffusion<D>& finest) const;

  const Stream& stream_;
  std::vector<Buffer<T>> arrays_;
};

}  // namespace jacobi::cuda
