/// A workspace with its memory.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "core/team.hpp"
#include "core/walk.hpp"
#include "jacobi/stencil.hpp"
#include "sweep/stencil/layout/coefficients.hpp"
#include "sweep/stencil/layout/layout.hpp"

namespace jacobi::sweep {

/// Values are given on all sides.
template <class T, int D>
bool is_dirichlet(const Grid<T, D>& grid) {
  return std::ranges::all_of(grid.sides, [](const auto& sides) {
    return sides[0].kind == BoundaryKind::dirichlet && sides[1].kind == BoundaryKind::dirichlet;
  });
}

/// Bytes of the arrays of a stencil in such room: two iterates (by colour: one), g and coefficients.
template <class T, int D>
double bytes_of_arrays(const Stencil<T, D>& a, const Room& room = {}) {
  const int arrays = (room.by_colour ? 2 : 3) + (a.is_constant() ? 0 : 2 * D + 1);
  return arrays * bytes_of_vector(a.grid(), room);
}

/// Bytes of what is kept for each piece of so many unknowns.
template <class T, int D>
double bytes_of_pieces(const Grid<T, D>& grid, Index length) {
  const Index pieces = grid.rows() / grid.unknowns[0] * ((grid.unknowns[0] + length - 1) / length);
  return static_cast<double>(pieces) * (sizeof(Piece<D>) + sizeof(Partial));
}

template <class T, int D>
class BoundGrid {
 public:
  /// For `threads` threads. Throws: BackendError where memory lacks.
  BoundGrid(const Stencil<T, D>& a, const Room& room, int threads) : layout(lay_out(a.grid(), room)) {
    static_cast<Sizes<D>&>(w) = layout;
    w.stride = layout.stride;
    w.threads = threads;
    partials_.resize(w.pieces);
    w.partials = partials_.data();
    progress_ = std::vector<EventCount>(static_cast<std::size_t>(w.threads));
    w.progress = progress_.data();
    list_.reserve(w.pieces);
    for (Index piece = 0; piece < w.pieces; ++piece) list_.push_back(layout.make_piece(piece));
    w.list = list_.data();
    w.u = new_array();
    w.v = room.by_colour ? w.u : new_array();
    g = new_array();
    w.g = g;
    take_coefficients(a);
    take_sides(a);
  }
  BoundGrid(const BoundGrid&) = delete;
  BoundGrid& operator=(const BoundGrid&) = delete;

  /// First unknown of a new padded array of zeros.
  T* new_array() { return arrays_.take(layout.padded, w.threads, D > 1) + layout.leading; }

  /// visit(piece, its first row): pieces in parallel, as the threads own them.
  template <class Visit>
  void for_each_piece(Visit&& visit) const {
    parallel_for(w.threads, w.pieces, [&](Index s) {
      const Index line = s / w.pieces_per_line;
      const Piece<D>& piece = w.piece(s);
      visit(piece, line * w.n[0] + piece.position[0]);
    });
  }

  /// A whole padded array, ghosts included.
  void copy(const T* from, T* to) const {
    parallel_for(w.threads, layout.padded,
                 [from = from - layout.leading, to = to - layout.leading](Index p) { to[p] = from[p]; });
  }

  /// Copies coefficients anew. False where they are of another kind, or a Neumann side's fluxes follow them.
  bool take_values(const Stencil<T, D>& a) {
    for (const auto& sides : a.grid().sides)
      for (const Side<T>& side : sides)
        if (side.kind == BoundaryKind::neumann) return false;
    const Coefficients<T, D> now = coefficients_of(a);
    if (a.grid().unknowns != w.n || now.kind != w.kind) return false;
    w.diagonal = now.diagonal;
    w.c = now.c;
    if (w.kind == Kind::variable) fill_arrays(a);
    return true;
  }

  const Layout<D> layout;
  Workspace<T, D> w{};
  T* g = nullptr;                  ///< w.g, for load()
  std::vector<Source<T>> sources;  ///< of Neumann sides

 private:
  void take_coefficients(const Stencil<T, D>& a) {
    const Coefficients<T, D> same = coefficients_of(a);
    w.kind = same.kind;
    w.diagonal = same.diagonal;
    w.c = same.c;
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
          coefficients_[k][layout.unknown(piece, i)] =
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
      w.ghosts.source[d][e] = ghost_source(kind, e, n);
      w.ghosts.has_copies = w.ghosts.has_copies || kind != BoundaryKind::dirichlet;
      for (Index s = 0; s < a.side_points(k); ++s) {
        auto at = position(grid, a.side_unknown(k, s));
        if (kind == BoundaryKind::neumann && is_given(grid, k))
          sources.push_back({layout.offset(at), static_cast<T>(given(a, k, s))});
        if (kind != BoundaryKind::dirichlet) continue;
        at[d] += e == 0 ? -1 : 1;
        const Index ghost = layout.offset(at);
        w.u[ghost] = w.v[ghost] = a.boundary_value(k, s);
      }
    }
  }

  Arrays<T> arrays_;
  std::array<T*, 2 * D + 1> coefficients_{};  ///< where variable: w.c_arrays and w.diagonals
  std::vector<Partial> partials_;
  std::vector<EventCount> progress_;
  std::vector<Piece<D>> list_;
};

}  // namespace jacobi::sweep
