/// Many sweeps of a 3D grid in one array; shorter calls go in tiles.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/memory.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"
#include "sweep/stencil/wavefront/wavefront.hpp"

namespace jacobi::sweep {

/// Levels in one array at most.
template <class T>
Index levels_in_place(const Stencil<T, 3>& a, const Plan& plan) {
  return choose_tile(a.grid(), plan.blocking()).depth / 2 * 2;
}
/// A line and a plane before the array for every level but the last.
inline Index levels_below(Index levels) { return levels - 1; }

template <class T>
class WavefrontSweeper final : public TilesSweeper<T, 3> {
  using Base = TilesSweeper<T, 3>;
  using Base::w_;

 public:
  WavefrontSweeper(const Algorithm<T, 3>& self, const Stencil<T, 3>& a, const Plan& plan, int threads)
      : Base(self, a, plan, threads, levels_below(levels_in_place(a, plan))),
        kernels_(wavefront_kernels<T>()),
        own_{levels_in_place(a, plan), 0, {}} {}

  Executed executed() const override {
    Executed ran = Base::executed();
    if (!this->is_as_chosen() || this->mostly_in_tiles()) return ran;
    ran.blocking = fmt::format("{} sweeps per visit to {} lines of {} planes, in one array", own_.levels,
                               this->tile().size[1], this->tile().size[2]);
    return ran;
  }

 private:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    if (!takes(steps)) {
      raise(steps);
      return Base::do_advance(steps, want);
    }
    own_.unneeded = this->unneeded();
    if (const auto alone = steps.first(steps.size() % 2); !alone.empty()) {
      raise(alone);
      Base::do_advance(alone, Want::nothing);
      steps = steps.subspan(1);
      own_.unneeded = {own_.unneeded.low + 1, own_.unneeded.high + 1};
    }
    kernels_.advance(w_, own_, this->tile(), steps);
    this->count_own(steps, this->visits_of(steps, this->tile().depth));
    return this->do_norms(want);
  }
  void do_advance_measured(std::span<const Step> steps, std::span<Norms> updates) override {
    raise(steps);
    Base::do_advance_measured(steps, updates);
  }

  /// Enough steps of one kind to be worth it, that read one iterate; and no other blocking was asked for.
  bool takes(std::span<const Step> steps) const {
    return this->is_as_chosen() && steps.size() >= 8 && kind_of(steps[0]) != StepKind::three_term &&
           std::ranges::all_of(steps, [&](const Step& s) { return kind_of(s) == kind_of(steps[0]); });
  }

  /// Before steps in tiles: brings v, or if nobody needs that its ghosts, back to where its array begins.
  void raise(std::span<const Step> steps) {
    if (steps.empty() || own_.lowered == 0) return;
    const bool previous = kind_of(steps[0]) == StepKind::three_term;
    const Index by = std::exchange(own_.lowered, 0) * drop(w_);
    w_.v += by;
    T* const v = w_.v;
    for (Index z = w_.n[2]; z >= -1; --z)
      for (Index y = w_.n[1]; y >= -1; --y) {
        const Index p = y * w_.stride[1] + z * w_.stride[2];
        if (previous)
          copy_line(w_, v - by + p, v + p);
        else if (is_ghost(w_, y, z))
          copy_line(w_, w_.u + p, v + p);
        else
          copy_ends(w_, w_.u + p, v + p);
      }
  }

  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (iterate_before) open_before();
    Base::do_keep(snapshot, iterate_before);
  }
  void open_before() override {
    const Step three_term{1, 2};
    raise({&three_term, 1});
  }

  WavefrontKernels<T> kernels_;
  InPlace own_;
};

template <class T>
Room room_in_place(const Stencil<T, 3>& a, const Plan& plan) {
  return {longest_piece, levels_below(levels_in_place(a, plan))};
}

}  // namespace jacobi::sweep
