/// Passes over all unknowns by a team, with sums that are the same for every number of threads.
#pragma once
#include <vector>

#include "core/team.hpp"
#include "sweep/accelerated/blocks.hpp"

namespace jacobi::sweep {

/// One member's view of the passes. All members call them in the same order and get the same sums.
template <class T>
class Crew {
 public:
  /// forks: the one member there is makes each pass by a team of the field's.
  Crew(const Member& me, const Field<T>& field, SumBlocks& blocks, bool forks = false)
      : me_(me), field_(field), blocks_(blocks), forks_(forks) {}

  /// body(piece, run) -> Sums on the member's pieces; returns the sums over all of them when all are done.
  template <class Body>
  Sums pass(Body&& body) {
    const int turn = turn_;
    std::vector<Sums>& parts = blocks_.parts(turn);
    turn_ = 1 - turn_;
    each_block([&](Index block) {
      Sums sums;
      const Index first = blocks_.begin(block);
      Sums* const apart = blocks_.is_shared(block) ? blocks_.apart(turn, block) : nullptr;
      for (Index s = first; s < blocks_.end(block); ++s) {
        const Sums one = body(s, field_.piece(s));
        if (apart) apart[s - first] = one;
        sums += one;
      }
      parts[static_cast<std::size_t>(block)] = sums;
    });
    if (!blocks_.ranks()) return total_of(parts);
    if (me_.number == 0) blocks_.total(turn) = blocks_.total_over_ranks(turn);
    meet();
    return blocks_.total(turn);
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
  void begin_product(T* x) const {
    field_.begin_product(x);
    if (!blocks_.ranks()) return;
    if (me_.number == 0) field_.exchange(x);
    meet();
  }
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
  SumBlocks& blocks() const { return blocks_; }

 private:
  const Member& me_;
  const Field<T>& field_;
  SumBlocks& blocks_;
  bool forks_;
  int turn_ = 0;
};

}  // namespace jacobi::sweep
