/// Messages between the passes of cycles over grids that ranks share.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sweep/multigrid/among.hpp"
#include "sweep/partial_over_ranks.hpp"

namespace jacobi::sweep {

/// Before a pass halos become what the neighbours have. What is restricted to a grid that all have whole is
/// sent to all, each of whom cycles there by itself: nothing is sent back.
template <class T, int D>
class Messages final : public BetweenPasses {
 public:
  Messages(AmongRanks among, const MultigridWorkspace<T, D>& w)
      : among_(std::move(among)), w_(w), me_(among_.ranks->number()) {
    Index most = 0;
    for (const Level& l : w_.levels) {
      if (l.is_apart()) most = std::max(most, std::max(l.first - l.low, l.high - l.last) * size_of_slab(l));
    }
    for (auto& buffer : halos_) buffer.resize(static_cast<std::size_t>(most));
    const auto whole = std::ranges::find_if(w_.levels, [](const Level& l) { return !l.is_apart(); });
    if (whole != w_.levels.end()) whole_.resize(static_cast<std::size_t>(whole->unknowns()));
  }

  void before(std::size_t grid, const PassTask& task) override {
    const Level& l = w_.levels[grid];
    if (!l.is_apart()) return;
    const Index reach = reach_of(task);
    const bool corrects = task.start == Start::correct;
    if (corrects || task.start == Start::keep) fill_halos(l, l.x, reach - among_.lacks[0]);
    if (!corrects && task.start != Start::interpolate) return;
    const Level& coarse = w_.levels[grid + 1];
    if (!coarse.is_apart()) return;
    const Index there = coarse_reach(reach, l.axis[D - 1].coarsened, task.nested);
    fill_halos(coarse, coarse.x, there - among_.lacks[1]);
  }
  void after(std::size_t grid, const PassTask& task) override {
    if (task.restricts && w_.levels[grid].is_apart()) share_rhs(w_.levels[grid + 1]);
  }
  Norms sum(std::span<const Partial> parts) override {
    return w_.levels.front().is_apart() ? sum_over(*among_.ranks, parts) : sum_of(parts);
  }

  /// g of own slabs becomes known to all who read it.
  void share_rhs(const GridLevel<T, D>& l) {
    if (l.is_apart()) return fill_halos(l, l.g, rhs_reach(w_.pre, w_.post) - among_.lacks[2]);
    gather(l, l.g);
  }
  /// Likewise x at the start of a solve, but for halos, which are filled before a pass.
  void share_start(const GridLevel<T, D>& l) {
    if (!l.is_apart()) gather(l, l.x);
  }
  Ranks& ranks() const { return *among_.ranks; }

 private:
  using Level = GridLevel<T, D>;

  static Index size_of_slab(const Level& l) { return l.unknowns() / l.slabs; }

  /// visit(line in memory, its values in a message) for slabs first ... last - 1.
  template <class Visit>
  static void each_line(const Level& l, T* v, Index first, Index last, T* message, Visit&& visit) {
    for (Index y = first; y < last; ++y)
      for (Index j = 0; j < l.lines; ++j, message += l.n[0]) visit(v + l.offset_of(y) + j * l.pitch, message);
  }
  static std::span<T> pack(const Level& l, T* v, Index first, Index last, T* to) {
    each_line(l, v, first, last, to, [&](const T* line, T* at) { std::copy_n(line, l.n[0], at); });
    return {to, static_cast<std::size_t>((last - first) * size_of_slab(l))};
  }
  static void unpack(const Level& l, T* v, Index first, Index last, T* from) {
    each_line(l, v, first, last, from, [&](T* line, const T* at) {
      std::copy_n(at, l.n[0], line);
      l.renew_ends(line);
    });
    for (Index y = first; y < last; ++y) l.renew_lines(v + l.offset_of(y));
  }

  void fill_halos(const Level& l, T* v, Index depth) {
    constexpr int downwards = 0, upwards = 1;
    if (depth <= 0) return;
    const int count = among_.ranks->count(), below = (me_ + count - 1) % count, above = (me_ + 1) % count;
    auto& [to_below, to_above, from_below, from_above] = halos_;
    const auto size = static_cast<std::size_t>(depth * size_of_slab(l));
    const bool low = l.low<l.first, high = l.high> l.last;
    if (low) {
      ranks().start_from(below, upwards, std::as_writable_bytes(std::span(from_below).first(size)));
      ranks().start_to(below, downwards,
                       std::as_bytes(pack(l, v, l.first, l.first + depth, to_below.data())));
    }
    if (high) {
      ranks().start_from(above, downwards, std::as_writable_bytes(std::span(from_above).first(size)));
      ranks().start_to(above, upwards, std::as_bytes(pack(l, v, l.last - depth, l.last, to_above.data())));
    }
    ranks().finish();
    if (low) unpack(l, v, l.first - depth, l.first, from_below.data());
    if (high) unpack(l, v, l.last, l.last + depth, from_above.data());
  }

  /// Every rank gets all of v.
  void gather(const Level& l, T* v) {
    if (ranks().count() == 1) return;
    const auto me = static_cast<std::size_t>(me_);
    pack(l, v, l.cuts[me], l.cuts[me + 1], whole_.data() + l.cuts[me] * size_of_slab(l));
    std::vector<Index> places = l.cuts;
    for (Index& place : places) place *= size_of_slab(l);
    share_parts<T>(ranks(), whole_, places);
    unpack(l, v, 0, l.slabs, whole_.data());
  }

  AmongRanks among_;
  const MultigridWorkspace<T, D>& w_;
  int me_;
  std::array<std::vector<T>, 4> halos_;
  std::vector<T> whole_;
};

}  // namespace jacobi::sweep
