/// Products with a grid over ranks.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "core/over_ranks.hpp"
#include "sweep/distributed/sweeper.hpp"
#include "sweep/stencil/bind.hpp"
#include "sweep/stencil/products/field.hpp"

namespace jacobi::sweep {

/// The own slabs of a box, which has one slab more beyond each cut.
template <class T, int D>
class DistributedField final : public Field<T> {
 public:
  /// slabs: with halos of one. All ranks make one together. Throws: as DistributedSweeper.
  DistributedField(std::shared_ptr<Ranks> ranks, const Stencil<T, D>& whole, const Plan& plan, int threads,
                   const Slabs& slabs)
      : ranks_(std::move(ranks)), sweeper_(ranks_, whole, slabs, 1, [&](const Stencil<T, D>& box) {
          inner_ = bind_field(box, plan, threads);
          return std::shared_ptr<Sweeper<T>>(inner_, &inner_->sweeper());
        }) {
    const RankBox<T, D>& box = sweeper_.box();
    const Index thickness = box.own() + box.low() + box.high();
    std::array<std::int64_t, 2> sizes{inner_ ? inner_->pieces() / thickness : 0,
                                      inner_ ? inner_->piece(0).count : 0};
    ranks_->max(sizes);  // the same on all that own something
    of_slab_ = sizes[0];
    shares_.piece_size = sizes[1];
    shares_.ranks = ranks_.get();
    for (int r = 0; r <= ranks_->count(); ++r) shares_.cuts.push_back(slabs.begin(r) * of_slab_);
    first_ = box.low() * of_slab_;
    if (!inner_ && !whole.is_constant()) none_.resize(1, T(1));
    reciprocal_ = 1 / static_cast<T>(whole.center(0));
  }

  DistributedSweeper<T, D>& sweeper() override {
    sweeper_.iterate_changed();
    return sweeper_;
  }
  int threads() const override { return inner_ ? inner_->threads() : 1; }
  Index pieces() const override { return sweeper_.box().own() * of_slab_; }
  Run piece(Index s) const override { return inner_->piece(first_ + s); }
  T* iterate() override { return inner_ ? inner_->iterate() : nullptr; }
  const T* reciprocals() const override {
    return inner_ ? inner_->reciprocals() : none_.empty() ? nullptr : none_.data();
  }
  T reciprocal() const override { return inner_ ? inner_->reciprocal() : reciprocal_; }
  const T* weights() const override { return inner_ ? inner_->weights() : nullptr; }
  void product(Index s, const T* x, T* y) const override { inner_->product(first_ + s, x, y); }
  void residual(Index s, const T* x, T* y) const override { inner_->residual(first_ + s, x, y); }
  void renew(Index s, T* x) const override { inner_->renew(first_ + s, x); }
  const Shares* shares() const override { return &shares_; }
  void exchange(T* x) const override {
    sweeper_.box().trade(
        [&](Index first, Index last, T* to) {
          each_run(first, last, [&](const Run& run) { to = std::copy_n(x + run.first, run.count, to); });
        },
        [&](Index first, Index last, const T* from) {
          each_run(first, last, [&](const Run& run) {
            std::copy_n(from, run.count, x + run.first);
            from += run.count;
          });
        });
  }
  double product_bytes() const override { return inner_ ? inner_->product_bytes() : 0; }
  const char* simd() const override { return inner_ ? inner_->simd() : ""; }

 private:
  /// Of an idle rank none is read, but each has a place of its own.
  T* make_vector() override { return inner_ ? inner_->new_vector() : &idle_.emplace_back(); }

  /// visit(run): the pieces of slabs of the box.
  template <class Visit>
  void each_run(Index first, Index last, Visit&& visit) const {
    for (Index s = first * of_slab_; s < last * of_slab_; ++s) visit(inner_->piece(s));
  }

  std::shared_ptr<Ranks> ranks_;
  std::shared_ptr<GridField<T, D>> inner_;  ///< none where this rank owns nothing
  mutable DistributedSweeper<T, D> sweeper_;
  Index of_slab_ = 1, first_ = 0;  ///< pieces of a slab, and before the own ones
  Shares shares_{};
  std::deque<T> idle_;
  std::vector<T> none_;  ///< stands for the reciprocals of an idle rank
  T reciprocal_ = 1;
};

}  // namespace jacobi::sweep
