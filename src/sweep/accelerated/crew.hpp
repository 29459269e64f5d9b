/// Passes over all unknowns by a team, with sums that are the same for every number of threads.
#pragma once
#include <algorithm>
#include <array>
#include <vector>

#include "core/long_sum.hpp"
#include "core/team.hpp"
#include "sweep/accelerated/kernels.hpp"

namespace jacobi::sweep {

/// Pieces are summed in order within blocks, and blocks without rounding: at most 1024 of them, of 2048
/// unknowns or more, whatever the threads.
class Blocks {
 public:
  template <class T>
  explicit Blocks(const Field<T>& field)
      : pieces_(field.pieces()),
        each_(std::max((pieces_ + most - 1) / most, pieces_ > 0 ? 2 * most / field.piece(0).count : 1)) {
    each_ = std::max<Index>(each_, 1);
    for (auto& parts : parts_) parts.resize(static_cast<std::size_t>(count()));
  }
  Index count() const { return (pieces_ + each_ - 1) / each_; }
  Index begin(Index block) const { return block * each_; }
  Index end(Index block) const { return std::min(pieces_, (block + 1) * each_); }
  /// Taken in turn, so that a member may write the next pass while others still add up this one.
  std::vector<Sums>& parts(int turn) { return parts_[static_cast<std::size_t>(turn)]; }

 private:
  static constexpr Index most = 1024;
  Index pieces_, each_;
  std::array<std::vector<Sums>, 2> parts_;
};

/// One member's view of the passes. All members call them in the same order and get the same sums.
template <class T>
class Crew {
 public:
  /// forks: the one member there is makes each pass by a team of the field's.
  Crew(const Member& me, const Field<T>& field, Blocks& blocks, bool forks = false)
      : me_(me), field_(field), blocks_(blocks), forks_(forks) {}

  /// body(piece, run) -> Sums on the member's pieces; returns the sums over all of them when all are done.
  template <class Body>
  Sums pass(Body&& body) {
    std::vector<Sums>& parts = blocks_.parts(turn_);
    turn_ = 1 - turn_;
    each_block([&](Index block) {
      Sums sums;
      for (Index s = blocks_.begin(block); s < blocks_.end(block); ++s) sums += body(s, field_.piece(s));
      parts[static_cast<std::size_t>(block)] = sums;
    });
    return total_of(parts);
  }
  /// body(block) for the member's share; returns when all blocks are done.
  template <class Body>
  void each_block(Body&& body) {
    if (forks_) {
      run_team(field_.threads(), [&](const Member& one) { one.share(blocks_.count(), body); });
      return;
    }
    me_.share(blocks_.count(), body);
    meet();
  }
  /// body(run) on the pieces of a block.
  template <class Body>
  void each_run(Index block, Body&& body) const {
    for (Index s = blocks_.begin(block); s < blocks_.end(block); ++s) body(field_.piece(s));
  }
  /// Before a pass that takes products with x, or its residual.
  void begin_product(const T* x) const { field_.begin_product(x); }
  /// Brings all ghosts of x up to date that copy unknowns.
  void renew(T* x) {
    each_block([&](Index block) {
      for (Index s = blocks_.begin(block); s < blocks_.end(block); ++s) field_.renew(s, x);
    });
  }
  void meet() const {
    if (me_.team > 1) me_.wait();
  }
  const Member& member() const { return me_; }

 private:
  const Member& me_;
  const Field<T>& field_;
  Blocks& blocks_;
  bool forks_;
  int turn_ = 0;
};

}  // namespace jacobi::sweep
