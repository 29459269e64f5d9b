/// A stencil's arrays on a device, and what sweeps and measures them.
#pragma once
#include <string>
#include <vector>

#include "backend/device/layout.hpp"
#include "backend/opencl/norms.hpp"
#include "jacobi/method.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "sweep/stencil/order/sources.hpp"

namespace jacobi::opencl {

/// Of kernels/grid.cl.
template <class T>
struct GridWords {
  std::int64_t n[3] = {1, 1, 1}, stride[3] = {1, 0, 0};
  std::int64_t source[6] = {-1, -1, -1, -1, -1, -1};
  std::int64_t leading = 0, size = 0, has_copies = 0;
  T c[6] = {};
};

/// How a grid is shared out: groups of items, and the block of unknowns that each has.
struct SharedOut {
  Range range;
  Index wide = 1, lines = 1;
};

/// Allocated once at bind: u, v, g, and 2 D + 1 arrays more where coefficients vary. What fills them is
/// computed on the host, so that no kernel divides; load and store are a copy each.
template <class T, int D>
class BoundGrid {
 public:
  /// items: of a group; zeros: chosen. Throws: BackendError where memory lacks, UsageError for a group that
  /// cannot be.
  BoundGrid(const Stencil<T, D>& a, const Queue& queue, const std::array<Index, 3>& items);

  void load(std::span<const T> b, std::span<const T> x);
  void store(std::span<T> x);
  /// The iterate before.
  void load_before(std::span<const T> x) { put(x, v); }
  void store_before(std::span<T> x) { get(v, x); }
  void save();
  void restore() { u.copy_from(saved_); }

  /// One kernel: a sweep u to v, which are swapped then. measured: parts of the update's norm are made.
  void sweep(const Step& step, bool measured);
  /// Of the sweep before, where that was measured.
  Norms update_of_sweep();
  /// A pass of its own.
  Norms measure(Want want);
  void swap() { std::swap(u, v); }

  std::string blocks_in_words() const;
  double words_of_sweep() const { return 3 + (kind == sweep::Kind::variable ? 2 * D : 0); }
  /// #define of everything that kernels of this grid ask for, in groups of these items.
  std::string definitions(const std::array<Index, 2>& items) const;

  const Queue& queue;
  const device::Layout<D> layout;
  const SharedOut blocks;
  sweep::Kind kind = sweep::Kind::variable;
  GridWords<T> words;
  Buffer<GridWords<T>> w;
  Buffer<T> u, v, g, c,
      diagonals;  ///< x_n and x_(n-1); c, diagonals: where coefficients vary, else of one entry
  NormSum norms;

 private:
  struct Flux {
    Index offset;
    T value;
  };
  void put(std::span<const T> x, const Buffer<T>& to);
  void get(const Buffer<T>& from, std::span<T> x);
  void take_coefficients(const Stencil<T, D>& a);
  void take_sides(const Stencil<T, D>& a);
  void add_ghosts(std::vector<T>& values) const;
  /// visit(offset of a line, its first row).
  template <class Visit>
  void for_each_line(Visit&& visit) const;
  Index measure_parts(Want want);
  Local shared() const {
    return {bytes_of_sum(queue.device(), blocks.range.items[0] * blocks.range.items[1])};
  }

  T diagonal_{};
  std::vector<T> diagonal_values_, given_,
      staged_;  ///< padded: where they vary; Dirichlet values; what is copied
  std::vector<Flux> fluxes_;
  Buffer<T> saved_;
  Kernel sweep_, measure_;
};

}  // namespace jacobi::opencl
