/// A rank's box, vectors of it, and the messages that fill their halos.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "jacobi/ranks.hpp"
#include "sweep/distributed/box.hpp"

namespace jacobi::sweep {

template <class T, int D>
class RankBox {
 public:
  RankBox(std::shared_ptr<Ranks> ranks, const Stencil<T, D>& whole, const Slabs& slabs)
      : ranks_(std::move(ranks)), slabs_(slabs), me_(ranks_->number()), slab_(whole.rows() / slabs.all) {}

  /// Comes first. Throws: as Box.
  void lay_out(const Stencil<T, D>& whole) {
    if (!slabs_.owns(me_)) return;
    box_ = std::make_unique<Box<T, D>>(whole, slabs_, me_);
    rhs.resize(static_cast<std::size_t>(box_->stencil().rows()));
    iterate.resize(rhs.size());
    for (auto* const halo : {&down_, &up_, &from_below_, &from_above_})
      halo->resize(static_cast<std::size_t>((slabs_.depth + 1) * slab_));
  }

  Ranks& ranks() const { return *ranks_; }
  const Slabs& slabs() const { return slabs_; }
  /// None where this rank owns nothing.
  const Stencil<T, D>* stencil() const { return box_ ? &box_->stencil() : nullptr; }
  int number() const { return me_; }
  Index own() const { return slabs_.end(me_) - slabs_.begin(me_); }
  Index low() const { return slabs_.low(me_); }
  Index high() const { return slabs_.high(me_); }
  Index slab() const { return slab_; }  ///< unknowns of one
  Index rows() const { return own() * slab_; }
  std::span<T> own_part(std::vector<T>& v) const {
    return std::span(v).subspan(static_cast<std::size_t>(low() * slab_), static_cast<std::size_t>(rows()));
  }

  /// Halos become what the neighbours own: read(first, last, to) and write(first, last, from) slabs of the
  /// box.
  template <class Read, class Write>
  void trade(Read&& read, Write&& write) {
    constexpr int downwards = 0, upwards = 1;
    const auto bytes = [&](std::vector<T>& halo, Index slabs) {
      return std::as_writable_bytes(std::span(halo).first(static_cast<std::size_t>(slabs * slab_)));
    };
    const Index first = low(), last = low() + own();
    const bool below = slabs_.is_cut_below(me_), above = slabs_.is_cut_above(me_);
    const Index to_below = below ? slabs_.high(slabs_.below(me_)) : 0;
    const Index to_above = above ? slabs_.low(slabs_.above(me_)) : 0;
    if (below) {
      ranks_->start_from(slabs_.below(me_), upwards, bytes(from_below_, low()));
      read(first, first + to_below, down_.data());
      ranks_->start_to(slabs_.below(me_), downwards, bytes(down_, to_below));
    }
    if (above) {
      ranks_->start_from(slabs_.above(me_), downwards, bytes(from_above_, high()));
      read(last - to_above, last, up_.data());
      ranks_->start_to(slabs_.above(me_), upwards, bytes(up_, to_above));
    }
    ranks_->finish();
    if (below) write(Index(0), first, from_below_.data());
    if (above) write(last, last + high(), from_above_.data());
  }

  /// Halos of a vector of the box.
  void trade_in(std::vector<T>& v) {
    T* const at = v.data();
    trade([&](Index first, Index last, T* to) { std::copy(at + first * slab_, at + last * slab_, to); },
          [&](Index first, Index last, const T* from) {
            std::copy_n(from, (last - first) * slab_, at + first * slab_);
          });
  }

  std::vector<T> rhs, iterate;  ///< of the box

 private:
  std::shared_ptr<Ranks> ranks_;
  Slabs slabs_;
  int me_;
  Index slab_;
  std::unique_ptr<Box<T, D>> box_;
  std::vector<T> down_, up_, from_below_, from_above_;  ///< messages
};

}  // namespace jacobi::sweep
