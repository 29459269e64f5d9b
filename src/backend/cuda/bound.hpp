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
  /// kernels know. block: threads of those with one launch per sweep, each with one unknown; zeros: chosen,
  /// and sweep_strips sweeps. Throws: BackendError naming needed and free bytes, UsageError for a block that
  /// cannot be.
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
  /// Blocks of one-launch kernels, covering all unknowns: of sweeps, and of all others.
  const Launch& sweep() const { return how_.sweep; }
  const Launch& launch() const { return how_.others; }
  std::string block_in_words() const {
    const Shape threads = sweep().threads;
    const int lines = w.lines > 0 ? w.lines : w.rows;
    return "blocks of " + std::to_string(threads.x) + " x " + std::to_string(threads.y) + " threads, " +
           (w.lines > 0 ? std::to_string(Sixteen<T>::size) + " unknowns of " : "") + std::to_string(lines) +
           (w.lines > 0 && D > 2 ? " plane" : " row") + (lines > 1 ? "s each" : " each");
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
  /// How one-launch kernels are launched, and what of the grid a thread then has.
  struct How {
    Launch others, sweep;
    int rows, lines;
  };
  static How how_for(const Grid<T, D>& grid, const Stream& stream, const std::array<Index, 3>& block);
  BoundGrid(const Stencil<T, D>& a, const Stream& stream, bool one_g, const How& how);
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
  How how_;
  bool one_g_;
  std::vector<Buffer<T>> arrays_;
  std::vector<Flux> fluxes_;
  T* g_ = nullptr;
  Buffer<T> saved_;
};

/// Threads of a block of one-launch kernels and the rows that each has, where no block is asked for, but for
/// sweeps.
template <int D>
struct Patch {
  static constexpr unsigned wide = D == 1 ? 256 : 64, high = D == 1 ? 1 : 4;
  static constexpr int rows = D == 1 ? 1 : 4;
};

/// Of those sweeps: threads of a block, each with 16 bytes of x, and the lines after one another that each
/// goes along at most: rows in 2D, planes in 3D.
template <int D>
struct ThreadLines {
  static constexpr unsigned wide = D == 1 ? 256 : 32;
  static constexpr unsigned threads = 256, high = threads / wide;
  static constexpr int most_lines = D == 1 ? 1 : D == 2 ? 2 : 32;
  /// That there are at least, before a thread has more than one line.
  static constexpr Index blocks_of_multiprocessor = 12;
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
