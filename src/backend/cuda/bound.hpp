/// A stencil's arrays on the device.
#pragma once
#include <vector>

#include "backend/cuda/grid.hpp"
#include "backend/cuda/norms.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::cuda {

/// Allocated once at bind: u, v, g, 2 D + 1 arrays more where coefficients vary; one upload at load, one
/// download at store.
template <class T, int D>
class BoundGrid {
 public:
  /// Throws: BackendError naming needed and free bytes.
  BoundGrid(const Stencil<T, D>& a, const Stream& stream);

  void load(std::span<const T> b, std::span<const T> x);
  void store(std::span<T> x) const;
  void save();
  void restore();
  /// One launch per kind of norm of the iterate u (update: against v).
  Norms measure(Want want) const;

  void swap() { std::swap(u, v); }
  /// One array more for iterates, with their ghosts. Throws: as the constructor.
  T* another_iterate();
  /// Blocks of the shape that one-launch kernels have, covering all unknowns.
  Launch launch() const;

  const Stream& stream;
  DeviceGrid<T, D> w{};
  Kind kind = Kind::variable;
  T *u = nullptr, *v = nullptr;  ///< first unknown of x_n and x_(n-1)
  Index padded = 0, leading = 0;
  NormSum norms;

 private:
  void lay_out(const Grid<T, D>& grid);
  T* new_array(const T* padded_values);
  void scatter(const T* from, T* to) const;
  void take_coefficients(const Stencil<T, D>& a);
  void take_sides(const Stencil<T, D>& a);

  /// What a side with given derivatives adds to b.
  struct Flux {
    Buffer<T> values;
    Index first, stride[2], n[2];  ///< of the unknowns beside it
  };
  std::vector<Buffer<T>> arrays_;
  std::vector<Flux> fluxes_;
  T* g_ = nullptr;
  Buffer<T> saved_;
};

/// Unknowns of a line that a block of one-launch kernels takes, its rows, and how many of these each thread
/// has.
template <int D>
struct Patch {
  static constexpr int wide = D == 1 ? 256 : 64, high = D == 1 ? 1 : 4, rows = D == 1 ? 1 : 4;
};

/// visit(point) for every unknown that this thread has.
template <class T, int D, class Visit>
JACOBI_DEVICE void for_each_point(const DeviceGrid<T, D>& w, Visit&& visit) {
  using P = Patch<D>;
  const Index x = static_cast<Index>(block().x) * P::wide + thread().x;
  if constexpr (D == 1) {
    if (x < w.n[0]) visit(point_at(w, x, 0, 0));
  } else {
    for (int r = 0; r < P::rows; ++r) {
      const Index y = (static_cast<Index>(block().y) * P::rows + r) * P::high + thread().y;
      if (x < w.n[0] && y < w.n[1]) visit(point_at(w, x, y, block().z));
    }
  }
}

}  // namespace jacobi::cuda
