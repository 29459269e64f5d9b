/// A workspace with its memory.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/walk.hpp"
#include "sweep/stencil/hierarchical/hierarchy.hpp"
#include "sweep/stencil/layout/layout.hpp"
#include "sweep/stencil/tiles/tile.hpp"

namespace jacobi::sweep {

template <class T, int D>
class BoundGrid {
 public:
  /// For `threads` threads; pieces of lines so long, or 0: a tile; room to sweep so many levels in place.
  /// Throws: UsageError for a blocking that cannot be; BackendError where memory lacks.
  BoundGrid(const Stencil<T, D>& a, const Blocking& blocking, std::vector<Level<D>> levels,
            Index piece_length, int threads, bool red_black = false, Index in_place = 0) {
    require_sensible(blocking, D);
    w.in_place = in_place;
    w.levels = std::move(levels);
    w.tile = choose_tile(a.grid(), blocking, red_black);
    w.piece_length = piece_length > 0 ? piece_length : w.tile.size[0];
    lay_out(w, a.grid(), red_black);
    w.threads = threads;
    if (!w.levels.empty())
      w.threads = static_cast<int>(std::min<Index>(threads, w.levels.front().tiling.tiles(w.n)));
    partials_.resize(w.pieces);
    w.partials = partials_.data();
    list_.reserve(w.pieces);
    for (Index piece = 0; piece < w.pieces; ++piece) list_.push_back(w.make_piece(piece));
    w.list = list_.data();
    w.u = new_array();
    w.v = red_black ? w.u : new_array();
    g = new_array();
    w.g = g;
    take_coefficients(a);
    take_sides(a);
    if (!w.levels.empty()) take_tiles();
  }
  BoundGrid(const BoundGrid&) = delete;
  BoundGrid& operator=(const BoundGrid&) = delete;

  /// Of one kind, and those that are the same everywhere.
  struct Coefficients {
    Kind kind = Kind::variable;
    T diagonal{};
    std::array<T, 2 * D> c{};
  };
  static Coefficients coefficients_of(const Stencil<T, D>& a) {
    Coefficients same;
    if (!a.is_constant()) return same;
    same.kind = Kind::equal;
    same.diagonal = a.center(0);
    for (int k = 0; k < 2 * D; ++k) {
      same.c[k] = -a.off(k, 0) / a.center(0);
      if (same.c[k] != same.c[0]) same.kind = Kind::constant;
    }
    const auto& c = same.c;
    if (D == 2 && c[0] == 0 && c[1] == 0 && c[2 % (2 * D)] == c[3 % (2 * D)]) same.kind = Kind::lines;
    return same;
  }

  /// First unknown of a new padded array of zeros.
  T* new_array() { return arrays_.take(w.padded, w.threads, D > 1) + w.leading; }

  /// visit(piece, its first row): pieces in parallel, as the threads own them.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
#pragma omp parallel for schedule(static) num_threads(w.threads)
    for (Index s = 0; s < w.pieces; ++s) {
      const Index line = s / w.pieces_per_line;
      const Piece<D>& piece = w.piece(s);
      visit(piece, line * w.n[0] + piece.position[0]);
    }
  }

  /// A whole padded array, ghosts included.
  void copy(const T* from, T* to) const {
    [[maybe_unused]] const int threads = w.threads;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (Index p = -w.leading; p < w.padded - w.leading; ++p) to[p] = from[p];
  }

  /// Copies coefficients anew. False where they are of another kind, or a Neumann side's fluxes follow them.
  bool take_values(const Stencil<T, D>& a) {
    for (const auto& sides : a.grid().sides)
      for (const Side<T>& side : sides)
        if (side.kind == BoundaryKind::neumann) return false;
    const Coefficients now = coefficients_of(a);
    if (a.grid().unknowns != w.n || now.kind != w.kind) return false;
    w.diagonal = now.diagonal;
    w.c = now.c;
    if (w.kind == Kind::variable) fill_arrays(a);
    return true;
  }

  Workspace<T, D> w{};
  T* g = nullptr;                  ///< w.g, for load()
  std::vector<Source<T>> sources;  ///< of Neumann sides

 private:
  /// Memory of every thread for one tile of each level, and of every outer tile for its part of a norm.
  void take_tiles() {
    for (const Level<D>& level : w.levels) w.sweeps_per_cycle *= level.tiling.subiterations;
    w.scratch_size = tile_memory<D>(w.levels, w.kind);
    scratch_ = swept_array<T>(w.scratch_size * w.threads, w.threads, false);
    w.scratch = scratch_.get();
    w.level_partials.resize(static_cast<std::size_t>(w.levels.front().tiling.tiles(w.n)));
  }

  /// A batch: room for one vector of every line, with a block of rows before it, and for g, for each thread.
  void take_lines() {
    constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
    w.scratch_size = (batch_block(true).rows + 2 * w.n[D - 1] + 1) * lanes;
    scratch_ = swept_array<T>(w.scratch_size * w.threads, w.threads, false);
    w.scratch = scratch_.get();
    w.level_partials.resize(static_cast<std::size_t>(w.n[0]));
  }

  void take_coefficients(const Stencil<T, D>& a) {
    const Coefficients same = coefficients_of(a);
    w.kind = same.kind;
    w.diagonal = same.diagonal;
    w.c = same.c;
    if (w.kind == Kind::lines && w.levels.empty() && w.half == 0) take_lines();
    if (w.kind != Kind::variable) return;
    for (T*& array : coefficients_) array = new_array();
    for (int k = 0; k < 2 * D; ++k) w.c_arrays[k] = coefficients_[k];
    w.diagonals = coefficients_[2 * D];
    fill_arrays(a);
  }

  void fill_arrays(const Stencil<T, D>& a) {
    for (int k = 0; k <= 2 * D; ++k)
      for_each_piece([&](const Piece<D>& piece, Index p) {
        for (Index i = 0; i < piece.count; ++i)
          coefficients_[k][w.unknown(piece, i)] =
              k == 2 * D ? a.center(p + i) : -a.off(k, p + i) / a.center(p + i);
      });
  }

  /// Dirichlet values go into the ghosts of both iterates, once; derivatives into a list for load().
  void take_sides(const Stencil<T, D>& a) {
    const Grid<T, D>& grid = a.grid();
    for (int k = 0; k < 2 * D; ++k) {
      const int d = k / 2, e = k % 2;
      const BoundaryKind kind = grid.sides[d][e].kind;
      const Index n = grid.unknowns[d];
      w.ghost_source[d][e] = ghost_source(kind, e, n);
      w.has_copies = w.has_copies || kind != BoundaryKind::dirichlet;
      for (Index s = 0; s < a.side_points(k); ++s) {
        auto at = position(grid, a.side_unknown(k, s));
        if (kind == BoundaryKind::neumann && is_given(grid, k))
          sources.push_back({w.offset(at), static_cast<T>(given(a, k, s))});
        if (kind != BoundaryKind::dirichlet) continue;
        at[d] += e == 0 ? -1 : 1;
        const Index ghost = w.offset(at);
        w.u[ghost] = w.v[ghost] = a.boundary_value(k, s);
      }
    }
  }

  Arrays<T> arrays_;
  std::array<T*, 2 * D + 1> coefficients_{};  ///< where variable: w.c_arrays and w.diagonals
  AlignedArray<T> scratch_;
  std::vector<Partial> partials_;
  std::vector<Piece<D>> list_;
};

}  // namespace jacobi::sweep
