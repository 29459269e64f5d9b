/// What all sweepers over a bound stencil have in common: how values come in and go out.
#pragma once
#include <algorithm>
#include <atomic>
#include <variant>

#include "core/kept.hpp"
#include "jacobi/simd.hpp"
#include "sweep/boxed.hpp"
#include "sweep/same_bits.hpp"
#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/layout/blocking.hpp"
#include "sweep/stencil/layout/bound.hpp"

namespace jacobi::sweep {

template <class T, int D>
class GridSweeper : public Sweeper<T>, public Boxed<T> {
 public:
  Index rows() const override { return rows_; }

  bool take_values(const Operator<T>& now) override {
    const Stencil<T, D>* const a = std::get_if<Stencil<T, D>>(&now);
    return a && bound_.take_values(*a);
  }

  Executed executed() const override {
    Executed ran = w_.ran;
    if (ran.threads > 0) ran.rung = self_.rung.name, ran.algorithm = self_.name;  // else nothing ran yet
    return ran;
  }

  /// Of a sweeper without a blocking: nothing changes.
  void reblock(const Blocking& wanted) override { require_sensible(wanted, D); }

  BoundGrid<T, D>& bound() { return bound_; }

 protected:
  /// self: its entry, which outlives it.
  GridSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, const Room& room, int threads)
      : self_(self), rows_(a.rows()), bound_(a, room, threads) {}

  const Algorithm<T, D>& self() const { return self_; }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      std::copy_n(b.data() + p, piece.count, bound_.g + piece.first);
      std::copy_n(x.data() + p, piece.count, w_.u + piece.first);
    });
    for (const Source<T>& source : bound_.sources) bound_.g[source.at] += source.value;
    w_.one_g = bound_.g[0] / (w_.diagonals ? w_.diagonals[0] : w_.diagonal);
    std::atomic<bool> one_g = true;
    bound_.for_each_piece([&](const Piece<D>& piece, Index) {
      T* g = bound_.g + piece.first;
      const T* d = w_.diagonals ? w_.diagonals + piece.first : nullptr;
      for (Index i = 0; i < piece.count; ++i) g[i] /= d ? d[i] : w_.diagonal;
      if (std::any_of(g, g + piece.count, [&](const T& value) { return !same_bits(value, w_.one_g); }))
        one_g = false;
      w_.renew_ghosts(piece, w_.u);
    });
    w_.has_one_g = one_g;
  }

  void do_save() override { save_from(w_.u); }
  void do_restore() override { restore_to(w_.u); }

  void do_store(std::span<T> x) const override {
    bound_.for_each_piece(
        [&](const Piece<D>& piece, Index p) { std::copy_n(w_.u + piece.first, piece.count, x.data() + p); });
  }

  /// v holds the iterate before.
  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (!iterate_before) return;
    std::vector<double>& before = snapshot.vectors["before"];
    before.resize(static_cast<std::size_t>(rows_));
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      std::copy_n(w_.v + piece.first, piece.count, before.data() + p);
    });
  }
  void do_take(const Snapshot& snapshot) override {
    if (!holds(snapshot, "before")) return;
    const std::vector<double>& before = vector_of(snapshot, "before", static_cast<std::size_t>(rows_));
    bound_.for_each_piece([&](const Piece<D>& piece, Index p) {
      std::copy_n(before.data() + p, piece.count, w_.v + piece.first);
      w_.renew_ghosts(piece, w_.v);
    });
  }

  /// A whole array, and what ran.
  void save_from(const T* u) {
    if (!saved_) saved_ = bound_.new_array();
    bound_.copy(u, saved_);
    saved_at_ = w_.ran;
  }
  void restore_to(T* u) {
    bound_.copy(saved_, u);
    w_.ran.rewind(saved_at_);
  }

  void leave_out(const Unneeded& slabs) override { unneeded_ = slabs; }
  const Unneeded& unneeded() const { return unneeded_; }
  void open_before() override {}
  void read_slabs(bool before, Index first, Index last, T* to) const override {
    each_in_slabs(first, last, [&, from = array(before)](const Piece<D>& piece) {
      for (Index i = 0; i < piece.count; ++i) *to++ = from[bound_.layout.unknown(piece, i)];
    });
  }
  void write_slabs(bool before, Index first, Index last, const T* from) override {
    each_in_slabs(first, last, [&, to = array(before)](const Piece<D>& piece) {
      for (Index i = 0; i < piece.count; ++i) to[bound_.layout.unknown(piece, i)] = *from++;
      renew_copies(piece, to);
    });
  }
  std::span<const Partial> parts(Want, int) const override {
    return {w_.partials, static_cast<std::size_t>(w_.pieces)};
  }
  /// Where an iterate lies.
  virtual T* array(bool before) const { return before ? w_.v : w_.u; }
  virtual void renew_copies(const Piece<D>& piece, T* to) { w_.renew_ghosts(piece, to); }
  template <class Visit>
  void each_in_slabs(Index first, Index last, Visit&& visit) const {
    const Index each = D == 1 ? w_.pieces : w_.pieces / w_.n[D - 1];  // a line is one slab
    for (Index s = first * each; s < last * each; ++s) visit(w_.piece(s));
  }

  /// Arrays of coefficients that an update reads.
  int coefficient_words() const { return w_.kind == Kind::variable ? 2 * D + w_.undivided : 0; }

 private:
  const Algorithm<T, D>& self_;
  Index rows_;

 protected:
  BoundGrid<T, D> bound_;
  Workspace<T, D>& w_ = bound_.w;

 private:
  T* saved_ = nullptr;  ///< of save()
  Executed saved_at_;
  Unneeded unneeded_;
};

}  // namespace jacobi::sweep
