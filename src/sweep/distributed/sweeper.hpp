/// Sweeps of one grid by several ranks: each sweeps its box as if the box were all.
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "core/executed.hpp"
#include "core/kept.hpp"
#include "core/over_ranks.hpp"
#include "jacobi/backend.hpp"
#include "jacobi/error.hpp"
#include "sweep/boxed.hpp"
#include "sweep/distributed/box.hpp"

namespace jacobi::sweep {

/// Values at a cut spoil one slab more per sweep, so halos of k slabs are exchanged every k sweeps: a tiling
/// with overlap k at the level of nodes. Sums of own pieces are added exactly: norms have the bits of one
/// rank. Source: Demmel, Hoemmen, Mohiyuddin, Yelick, "Avoiding communication in sparse matrix computations",
/// IPDPS 2008.
template <class T, int D>
class DistributedSweeper final : public Sweeper<T> {
 public:
  /// Makes a sweeper of the box.
  using Bind = std::function<std::shared_ptr<Sweeper<T>>(const Stencil<T, D>& box)>;

  /// sweeps: from one exchange to the next, at most as many as halos are deep, else the sweeper is wrong.
  /// All ranks make one together. Throws: as Backend::bind, on all of them.
  DistributedSweeper(std::shared_ptr<Ranks> ranks, const Stencil<T, D>& whole, const Slabs& slabs,
                     Index sweeps, const Bind& bind_box)
      : ranks_(std::move(ranks)), slabs_(slabs), me_(ranks_->number()), sweeps_(sweeps) {
    slab_ = whole.rows() / slabs_.all;
    collectively(*ranks_, [&] {
      if (slabs_.owns(me_)) bind(whole, bind_box);
      return true;
    });
    for (const Want want : {Want::nothing, Want::update, Want::residual, Want::correction}) {
      costs_.push_back(max_over(*ranks_, inner_ ? inner_->check_cost(want) : 0));
      lists_.push_back(static_cast<int>(max_over(*ranks_, boxed_ ? boxed_->lists(want) : 0)));
    }
    if (lists_.back() == 0) throw UsageError("ranks do not share independent problems: solve them apart");
    at_once_ =
        static_cast<Index>(max_over(*ranks_, inner_ ? static_cast<double>(inner_->sweeps_at_once()) : 1));
  }

  Index rows() const override { return own() * slab_; }
  Executed executed() const override {
    Executed ran = inner_ ? inner_->executed() : Executed{};
    ran.sweeps = made_;
    return ran;
  }
  Index sweeps_at_once() const override { return at_once_; }
  double bytes_per_update() const override { return inner_ ? inner_->bytes_per_update() : 0; }
  double check_cost(Want want) const override { return costs_[static_cast<std::size_t>(want)]; }

  /// The box, and its right-hand side and iterate with halos that are right in the first slab at least.
  const Stencil<T, D>* box() const { return box_ ? &box_->stencil() : nullptr; }
  const std::vector<T>& rhs() const { return b_; }
  const std::vector<T>& grown_iterate() {
    renew();
    if (inner_) inner_->store(x_);
    return x_;
  }
  Index own() const { return slabs_.end(me_) - slabs_.begin(me_); }
  Index low() const { return slabs_.low(me_); }
  /// Others have changed the iterate.
  void iterate_changed() { fresh_ = 0; }

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
      ranks_->start_from(slabs_.above(me_), downwards, bytes(from_above_, slabs_.high(me_)));
      read(last - to_above, last, up_.data());
      ranks_->start_to(slabs_.above(me_), upwards, bytes(up_, to_above));
    }
    ranks_->finish();
    if (below) write(Index(0), first, from_below_.data());
    if (above) write(last, last + slabs_.high(me_), from_above_.data());
  }

 private:
  void bind(const Stencil<T, D>& whole, const Bind& bind_box) {
    box_ = std::make_unique<Box<T, D>>(whole, slabs_, me_);
    inner_ = bind_box(box_->stencil());
    boxed_ = dynamic_cast<Boxed<T>*>(inner_.get());
    if (!boxed_) throw UsageError("ranks share sweeps of a grid by the processor alone, not by a device");
    b_.resize(static_cast<std::size_t>(inner_->rows()));
    x_.resize(b_.size());
    for (auto* const halo : {&down_, &up_, &from_below_, &from_above_})
      halo->resize(static_cast<std::size_t>((slabs_.depth + 1) * slab_));
  }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    if (inner_) {
      std::ranges::copy(b, b_.begin() + low() * slab_);
      std::ranges::copy(x, x_.begin() + low() * slab_);
    }
    for (std::vector<T>* const v : {&b_, &x_}) trade_in(*v);
    if (inner_) inner_->load(b_, x_);
    fresh_ = sweeps_;
  }

  Norms do_advance(std::span<const Step> steps, Want want) override {
    Norms update;
    made_ += static_cast<Index>(steps.size());
    while (!steps.empty()) {
      if (fresh_ == 0) exchange(steps[0].rho != 1);
      const std::size_t count =
          slabs_.active == 1 ? steps.size() : std::min(steps.size(), static_cast<std::size_t>(fresh_));
      const bool measured = want == Want::update && count == steps.size();
      if (inner_) {
        boxed_->leave_out(unneeded());
        inner_->advance(steps.first(count), measured ? Want::update : Want::nothing);
      }
      if (measured) update = sum(want);
      if (slabs_.active > 1) fresh_ -= static_cast<Index>(count);
      steps = steps.subspan(count);
      if (steps.empty()) return want == Want::update ? update : do_norms(want);
    }
    if (inner_) inner_->advance({}, Want::nothing);
    return do_norms(want);
  }

  Norms do_norms(Want want) override {
    if (want == Want::nothing) return {};
    if (want != Want::update) renew();  // reads one slab beyond the own ones
    if (inner_) inner_->norms(want);
    return sum(want);
  }

  void do_save() override {
    if (inner_) inner_->save();
    saved_ = {fresh_, made_};
  }
  void do_restore() override {
    if (inner_) inner_->restore();
    std::tie(fresh_, made_) = saved_;
  }
  void do_store(std::span<T> x) const override {
    if (!inner_) return;
    boxed_->read_slabs(false, low(), low() + own(), x.data());
  }

  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (!iterate_before) return;
    std::vector<double>& before = snapshot.vectors["before"];
    if (!inner_) return;
    Snapshot of_box;
    inner_->keep(of_box, true);
    const auto first = vector_of(of_box, "before", x_.size()).begin() + low() * slab_;
    before.assign(first, first + own() * slab_);
  }
  /// After a load of the iterate.
  void do_take(const Snapshot& snapshot) override {
    if (!holds(snapshot, "before")) return;
    const std::vector<double>& before = vector_of(snapshot, "before", static_cast<std::size_t>(rows()));
    std::vector<T> grown(x_.size());
    if (inner_)
      std::ranges::copy(std::vector<T>(before.begin(), before.end()), grown.begin() + low() * slab_);
    trade_in(grown);
    if (!inner_) return;
    Snapshot of_box;
    of_box.vectors["x"].assign(x_.begin(), x_.end());
    of_box.vectors["before"].assign(grown.begin(), grown.end());
    inner_->take(b_, of_box);
  }

  /// Halos of a vector of the box.
  void trade_in(std::vector<T>& v) {
    T* const at = v.data();
    trade([&](Index first, Index last, T* to) { std::copy(at + first * slab_, at + last * slab_, to); },
          [&](Index first, Index last, const T* from) {
            std::copy_n(from, (last - first) * slab_, at + first * slab_);
          });
  }
  /// Halos that are right for so many sweeps more are needed as deep as that.
  Unneeded unneeded() const {
    return {slabs_.is_cut_below(me_) ? slabs_.low(me_) - fresh_ : Unneeded::none,
            slabs_.is_cut_above(me_) ? slabs_.high(me_) - fresh_ : Unneeded::none};
  }
  /// At least one slab of each halo becomes right.
  void renew() {
    if (fresh_ == 0) exchange(made_ > 0);
  }

  void exchange(bool before) {
    if (inner_ && before) boxed_->open_before();
    for (const bool one : {false, true}) {
      if (one && !before) continue;
      trade([&](Index first, Index last, T* to) { boxed_->read_slabs(one, first, last, to); },
            [&](Index first, Index last, const T* from) { boxed_->write_slabs(one, first, last, from); });
    }
    fresh_ = sweeps_;
  }

  /// Of what was measured last, on own slabs of all ranks.
  Norms sum(Want want) {
    Norms norms;
    for (int list = 0; list < lists_[static_cast<std::size_t>(want)]; ++list) {
      LongSum squares;
      double max = 0;
      if (inner_) {
        const std::span<const Partial> all = boxed_->parts(want, list);
        const std::size_t each = all.size() / (x_.size() / static_cast<std::size_t>(slab_));
        for (const Partial& part :
             all.subspan(static_cast<std::size_t>(low()) * each, static_cast<std::size_t>(own()) * each)) {
          squares.add(part.squares);
          if (!(part.max <= max)) max = part.max;
        }
      }
      add_over(*ranks_, {&squares});
      const double square = squares.value(), most = std::isnan(square) ? square : max_over(*ranks_, max);
      norms.l2 = list == 0 ? std::sqrt(square) : std::hypot(norms.l2, std::sqrt(square));
      norms.max = most <= norms.max ? norms.max : most;
    }
    return norms;
  }

  std::shared_ptr<Ranks> ranks_;
  Slabs slabs_;
  int me_;
  Index sweeps_;
  Index slab_ = 1;  ///< unknowns of one
  std::unique_ptr<Box<T, D>> box_;
  std::shared_ptr<Sweeper<T>> inner_;  ///< none where this rank owns nothing
  Boxed<T>* boxed_ = nullptr;
  std::vector<T> b_, x_;                                ///< of the box
  std::vector<T> down_, up_, from_below_, from_above_;  ///< messages
  std::vector<double> costs_;
  std::vector<int> lists_;
  Index at_once_ = 1;
  Index fresh_ = 0;  ///< sweeps until halos are of no use
  Index made_ = 0;
  std::pair<Index, Index> saved_;
};

}  // namespace jacobi::sweep
