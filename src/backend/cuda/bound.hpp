/// A stencil's arrays on the device.
#pragma once
#include <string>
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
  /// one_g: where coefficients are equal, a right-hand side that is one number is not uploaded (has_one_g);
  /// kernels know. block: threads of those with one launch per sweep, each with one unknown; zeros: chosen.
  /// Throws: BackendError naming needed and free bytes, UsageError for a block that cannot be.
  BoundGrid(const Stencil<T, D>& a, const Stream& stream, bool one_g = false,
            const std::array<Index, 3>& block = {});

  void load(std::span<const T> b, std::span<const T> x);
  void store(std::span<T> x) const;
  void save();
  void restore();
  /// One launch per kind of norm of the iterate u (update: against v).
  Norms measure(Want want) const;

  void swap() { std::swap(u, v); }
  /// One array more for iterates, with their ghosts. Throws: as the constructor.
  T* another_iterate();
  /// Blocks of one-launch kernels, covering all unknowns.
  const Launch& launch() const { return launch_; }
  std::string block_in_words() const {
    return "blocks of " + std::to_string(launch_.threads.x) + " x " + std::to_string(launch_.threads.y) +
           " threads, " + std::to_string(w.rows) + (w.rows > 1 ? " rows each" : " row each");
  }
  /// Of a plain sweep: u, out, g and what varies.
  double words_of_sweep() const { return (w.has_one_g ? 2 : 3) + (kind == Kind::variable ? 2 * D : 0); }

  const Stream& stream;
  DeviceGrid<T, D> w{};
  Kind kind = Kind::variable;
  T *u = nullptr, *v = nullptr;  ///< first unknown of x_n and x_(n-1)
  Index padded = 0, leading = 0;
  NormSum norms;

 private:
  BoundGrid(const Stencil<T, D>& a, const Stream& stream, bool one_g, const Launch& how, int rows);
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
  Launch launch_;
  bool one_g_;
  std::vector<Buffer<T>> arrays_;
  std::vector<Flux> fluxes_;
  T* g_ = nullptr;
  Buffer<T> saved_;
};

/// Threads of a block of one-launch kernels and the rows that each has, where no block is asked for.
template <int D>
struct Patch {
  static constexpr unsigned wide = D == 1 ? 256 : 64, high = D == 1 ? 1 : 4;
  static constexpr int rows = D == 1 ? 1 : 4;
};

/// visit(point) for every unknown that this thread has: w.rows rows, or one.
template <class T, int D, class Visit>
JACOBI_DEVICE void for_each_point(const DeviceGrid<T, D>& w, Visit&& visit) {
  const Index x = static_cast<Index>(block().x) * threads().x + thread().x;
  if constexpr (D == 1) {
    if (x < w.n[0]) visit(point_at(w, x, 0, 0));
  } else {
#pragma unroll
    for (int r = 0; r < Patch<D>::rows; ++r) {
      const Index y = (static_cast<Index>(block().y) * w.rows + r) * threads().y + thread().y;
      if (r < w.rows && x < w.n[0] && y < w.n[1]) visit(point_at(w, x, y, block().z));
    }
  }
}

}  // namespace jacobi::cuda
