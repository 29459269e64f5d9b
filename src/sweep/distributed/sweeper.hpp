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
#include "sweep/distributed/rank_box.hpp"
#include "sweep/partial_over_ranks.hpp"

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
      : box_(std::move(ranks), whole, slabs), sweeps_(sweeps) {
    collectively(box_.ranks(), [&] {
      bind(whole, bind_box);
      return true;
    });
    for (const Want want : {Want::nothing, Want::update, Want::residual, Want::correction}) {
      costs_.push_back(max_over(box_.ranks(), inner_ ? inner_->check_cost(want) : 0));
      lists_.push_back(static_cast<int>(max_over(box_.ranks(), boxed_ ? boxed_->lists(want) : 0)));
    }
    if (lists_.back() == 0) throw UsageError("ranks do not share independent problems: solve them apart");
    at_once_ = static_cast<Index>(
        max_over(box_.ranks(), inner_ ? static_cast<double>(inner_->sweeps_at_once()) : 1));
  }

  Index rows() const override { return box_.rows(); }
  Executed executed() const override {
    Executed ran = inner_ ? inner_->executed() : Executed{};
    ran.sweeps = made_;
    return ran;
  }
  Index sweeps_at_once() const override { return at_once_; }
  double bytes_per_update() const override { return inner_ ? inner_->bytes_per_update() : 0; }
  double check_cost(Want want) const override { return costs_[static_cast<std::size_t>(want)]; }

  /// Its right-hand side has halos that are right in the first slab at least.
  RankBox<T, D>& box() { return box_; }
  const RankBox<T, D>& box() const { return box_; }
  /// So has its iterate from now on.
  void grow_iterate() {
    renew();
    if (inner_) inner_->store(box_.iterate);
  }
  /// Others have changed the iterate.
  void iterate_changed() { fresh_ = 0; }

 private:
  void bind(const Stencil<T, D>& whole, const Bind& bind_box) {
    box_.lay_out(whole);
    if (!box_.stencil()) return;
    inner_ = bind_box(*box_.stencil());
    boxed_ = dynamic_cast<Boxed<T>*>(inner_.get());
    if (!boxed_) throw UsageError("ranks share sweeps of a grid by the processor alone, not by a device");
  }

  void do_load(std::span<const T> b, std::span<const T> x) override {
    if (inner_) {
      std::ranges::copy(b, box_.own_part(box_.rhs).begin());
      std::ranges::copy(x, box_.own_part(box_.iterate).begin());
    }
    for (std::vector<T>* const v : {&box_.rhs, &box_.iterate}) box_.trade_in(*v);
    if (inner_) inner_->load(box_.rhs, box_.iterate);
    fresh_ = sweeps_;
  }

  Norms do_advance(std::span<const Step> steps, Want want) override {
    Norms update;
    made_ += static_cast<Index>(steps.size());
    while (!steps.empty()) {
      if (fresh_ == 0) exchange(steps[0].rho != 1);
      const std::size_t count =
          is_alone() ? steps.size() : std::min(steps.size(), static_cast<std::size_t>(fresh_));
      const bool measured = want == Want::update && count == steps.size();
      if (inner_) {
        boxed_->leave_out(unneeded());
        inner_->advance(steps.first(count), measured ? Want::update : Want::nothing);
      }
      if (measured) update = sum(want);
      if (!is_alone()) fresh_ -= static_cast<Index>(count);
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
    boxed_->read_slabs(false, box_.low(), box_.low() + box_.own(), x.data());
  }

  void do_keep(Snapshot& snapshot, bool iterate_before) override {
    if (!iterate_before) return;
    std::vector<double>& before = snapshot.vectors["before"];
    if (!inner_) return;
    Snapshot of_box;
    inner_->keep(of_box, true);
    const auto first = vector_of(of_box, "before", box_.iterate.size()).begin() + box_.low() * box_.slab();
    before.assign(first, first + box_.rows());
  }
  /// After a load of the iterate.
  void do_take(const Snapshot& snapshot) override {
    if (!holds(snapshot, "before")) return;
    const std::vector<double>& before = vector_of(snapshot, "before", static_cast<std::size_t>(rows()));
    std::vector<T> grown(box_.iterate.size());
    if (inner_) std::ranges::copy(std::vector<T>(before.begin(), before.end()), box_.own_part(grown).begin());
    box_.trade_in(grown);
    if (!inner_) return;
    Snapshot of_box;
    of_box.vectors["x"].assign(box_.iterate.begin(), box_.iterate.end());
    of_box.vectors["before"].assign(grown.begin(), grown.end());
    inner_->take(box_.rhs, of_box);
  }

  /// Halos that are right for so many sweeps more are needed as deep as that.
  Unneeded unneeded() const {
    const Slabs& slabs = box_.slabs();
    return {slabs.is_cut_below(box_.number()) ? box_.low() - fresh_ : Unneeded::none,
            slabs.is_cut_above(box_.number()) ? box_.high() - fresh_ : Unneeded::none};
  }
  /// At least one slab of each halo becomes right.
  void renew() {
    if (fresh_ == 0) exchange(made_ > 0);
  }

  void exchange(bool before) {
    if (inner_ && before) boxed_->open_before();
    for (const bool one : {false, true}) {
      if (one && !before) continue;
      box_.trade(
          [&](Index first, Index last, T* to) { boxed_->read_slabs(one, first, last, to); },
          [&](Index first, Index last, const T* from) { boxed_->write_slabs(one, first, last, from); });
    }
    fresh_ = sweeps_;
  }

  bool is_alone() const { return box_.slabs().active == 1; }

  /// Of what was measured last, on own slabs of all ranks.
  Norms sum(Want want) {
    Norms norms;
    for (int list = 0; list < lists_[static_cast<std::size_t>(want)]; ++list) {
      std::span<const Partial> own;
      if (inner_) {
        const std::span<const Partial> all = boxed_->parts(want, list);
        const std::size_t each = all.size() / (box_.iterate.size() / static_cast<std::size_t>(box_.slab()));
        own = all.subspan(static_cast<std::size_t>(box_.low()) * each,
                          static_cast<std::size_t>(box_.own()) * each);
      }
      const Norms one = sum_over(box_.ranks(), own);
      norms.l2 = list == 0 ? one.l2 : std::hypot(norms.l2, one.l2);
      norms.max = one.max <= norms.max ? norms.max : one.max;
    }
    return norms;
  }

  RankBox<T, D> box_;
  Index sweeps_;
  std::shared_ptr<Sweeper<T>> inner_;  ///< none where this rank owns nothing
  Boxed<T>* boxed_ = nullptr;
  std::vector<double> costs_;
  std::vector<int> lists_;
  Index at_once_ = 1;
  Index fresh_ = 0;  ///< sweeps until halos are of no use
  Index made_ = 0;
  std::pair<Index, Index> saved_;
};

}  // namespace jacobi::sweep
