/// Many plain sweeps of a 2D grid whose lines lie in strips; shorter calls go in tiles.
#pragma once
#include <algorithm>

#include "core/memory.hpp"
#include "sweep/stencil/strips/strips.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

template <class T>
class StripsSweeper final : public TilesSweeper<T, 2> {
  using Base = TilesSweeper<T, 2>;
  using Base::w_;

 public:
  StripsSweeper(const Algorithm<T, 2>& self, const Stencil<T, 2>& a, const Plan& plan, int threads)
      : Base(self, a, plan, threads),
        kernels_(strips_kernels<T>()),
        strips_(kernels_.tile, w_.n[0], w_.n[1], threads) {}

  Executed executed() const override {
    Executed ran = Base::executed();
    if (!this->has_swept_otherwise()) return ran;
    ran.blocking = strips_.in_words();
    return ran;
  }
  /// Strips are swept in place.
  double bytes_per_update() const override { return this->bytes_but(this->has_swept_otherwise() ? 1 : 0); }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    if (!takes(steps)) {
      leave(steps);
      return Base::do_advance(steps, want);
    }
    const bool measured = want == Want::update;
    const Index before = strips_.rounds;
    strips_.unneeded = this->unneeded();
    kernels_.advance(w_, strips_, static_cast<Index>(steps.size()), measured);
    this->count_own(steps, strips_.rounds - before);
    return measured ? w_.total() : do_norms(want);
  }
  void do_advance_measured(std::span<const Step> steps, std::span<Norms> updates) override {
    leave(steps);
    Base::do_advance_measured(steps, updates);
  }
  Norms do_norms(Want want) override {
    if (want == Want::update && strips_.is_current) return kernels_.update(w_, strips_);
    if (want != Want::nothing) lower(want == Want::update);
    return Base::do_norms(want);
  }

  /// Enough plain steps to be worth it, and no other blocking was asked for.
  bool takes(std::span<const Step> steps) const {
    return this->is_as_chosen() && steps.size() >= 8 &&
           std::ranges::all_of(steps, [](const Step& s) { return kind_of(s) == StepKind::plain; });
  }

  /// Brings the workspace's u, and v if asked for, up to date.
  void lower(bool previous) const {
    strips_.lower(false, w_.u, w_.stride[1], w_.threads);
    if (previous) strips_.lower(true, w_.v, w_.stride[1], w_.threads);
  }
  /// Before steps in tiles.
  void leave(std::span<const Step> steps) {
    if (steps.empty()) return;
    lower(kind_of(steps[0]) == StepKind::three_term);
    strips_.forget(false);
  }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    Base::do_load(b, x);
    strips_.forget(true);
  }
  void do_save() override {
    lower(false);
    Base::do_save();
  }
  void do_restore() override {
    Base::do_restore();
    strips_.forget(false);
  }
  void do_store(std::span<T> x) const override {
    lower(false);
    Base::do_store(x);
  }
  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (iterate_before) lower(true);
    Base::do_keep(snapshot, iterate_before);
  }

  void read_slabs(bool before, Index first, Index last, T* to) const override {
    if (!strips_.is_ahead[before]) return Base::read_slabs(before, first, last, to);
    for (Index y = first; y < last; ++y, to += w_.n[0]) strips_.lower_line_of(before, y, to);
  }
  void write_slabs(bool before, Index first, Index last, const T* from) override {
    Base::write_slabs(before, first, last, from);
    if (strips_.is_current) kernels_.take_lines(w_, strips_, before, first, last);
  }

  StripsKernels<T> kernels_;
  mutable StripsGrid<T> strips_;  ///< the natural order is made when somebody asks for it
};

}  // namespace jacobi::sweep
