/// Products in the memory of a stencil's sweeper.
#pragma once
#include <algorithm>
#include <memory>
#include <utility>

#include "sweep/field.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"
#include "sweep/stencil/products/product.hpp"

namespace jacobi::sweep {

/// With the memory and norms of a sweeper whose pieces are whole lines.
template <class T, int D>
class GridField final : public Field<T> {
 public:
  GridField(const Stencil<T, D>& a, std::unique_ptr<GridSweeper<T, D>> sweeper)
      : sweeper_(std::move(sweeper)), zeros_(swept_array<T>(w_.piece_length, 1)) {
    if (w_.diagonals) take_reciprocals();
    take_weights(a);
  }

  Sweeper<T>& sweeper() override { return *sweeper_; }
  int threads() const override { return w_.threads; }
  Index pieces() const override { return w_.pieces; }
  Run piece(Index s) const override { return {w_.piece(s).first, w_.piece(s).count}; }
  T* iterate() override { return w_.u; }
  const T* reciprocals() const override { return reciprocals_; }
  T reciprocal() const override { return 1 / w_.diagonal; }
  const T* weights() const override { return weights_; }
  void product(Index s, const T* x, T* y) const override {
    multiply(s, zeros_.get() - w_.piece(s).first, x, y, T(-1));
  }
  void residual(Index s, const T* x, T* y) const override { multiply(s, w_.g, x, y, T(1)); }
  void renew(Index s, T* x) const override { w_.renew_ghosts(w_.piece(s), x); }
  double product_bytes() const override { return w_.kind == Kind::variable ? (2 * D + 1.0) * sizeof(T) : 0; }
  const char* simd() const override { return products_.simd; }

 private:
  T* make_vector() override { return bound_.new_array(); }

  void multiply(Index s, const T* g, const T* x, T* y, T sign) const {
    products_.of[static_cast<std::size_t>(w_.kind)](w_, w_.piece(s), g, x, y, sign);
  }

  void take_reciprocals() {
    reciprocals_ = bound_.new_array();
    bound_.for_each_piece([&](const Piece<D>& piece, Index) {
      for (Index p = piece.first; p < piece.first + piece.count; ++p) reciprocals_[p] = 1 / w_.diagonals[p];
    });
  }

  void take_weights(const Stencil<T, D>& a) {
    const auto is_neumann = [](const auto& pair) {
      return pair[0].kind == BoundaryKind::neumann || pair[1].kind == BoundaryKind::neumann;
    };
    if (!std::ranges::any_of(a.grid().sides, is_neumann)) return;
    weights_ = bound_.new_array();
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      for (Index i = 0; i < piece.count; ++i) weights_[piece.first + i] = static_cast<T>(a.weight(p + i));
    });
  }

  std::unique_ptr<GridSweeper<T, D>> sweeper_;
  BoundGrid<T, D>& bound_ = sweeper_->bound();
  const Workspace<T, D>& w_ = bound_.w;
  GridProducts<T, D> products_ = grid_products<T, D>();
  AlignedArray<T> zeros_;  ///< as long as a piece
  T *reciprocals_ = nullptr, *weights_ = nullptr;
};

}  // namespace jacobi::sweep
