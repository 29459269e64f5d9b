/// Many plain sweeps of a 2D grid whose lines lie in strips; shorter calls go in tiles.
#pragma once
#include <algorithm>

#include "core/memory.hpp"
#include "sweep/stencil/tiles/sweeper.hpp"

namespace jacobi::sweep {

template <class T>
class StripsSweeper final : public TilesSweeper<T, 2> {
  using Base = TilesSweeper<T, 2>;
  using Base::w_;

 public:
  StripsSweeper(const Stencil<T, 2>& a, const Plan& plan, int threads)
      : Base(a, plan.blocking, threads),
        kernels_(grid_kernels<T, 2>().strips),
        strips_(kernels_.riser, w_.n[0], w_.n[1], threads) {}

  Norms advance(std::span<const Step> steps, Want want) override {
    if (!takes(steps)) {
      leave(steps);
      return Base::advance(steps, want);
    }
    const bool measured = want == Want::update;
    const Index before = strips_.rounds;
    kernels_.advance(w_, strips_, static_cast<Index>(steps.size()), measured);
    this->add_visits(steps, strips_.rounds - before);
    return measured ? w_.total() : norms(want);
  }
  void advance_measured(std::span<const Step> steps, std::span<Norms> updates) override {
    leave(steps);
    Base::advance_measured(steps, updates);
  }
  Norms norms(Want want) override {
    if (want == Want::update && strips_.is_current) return kernels_.update(w_, strips_);
    if (want != Want::nothing) lower(want == Want::update);
    return Base::norms(want);
  }

  Executed executed() const override {
    Executed ran = Base::executed();
    if (has_swept()) ran.blocking = strips_.in_words();
    return ran;
  }
  /// Strips are swept in place.
  double bytes_per_update() const override { return this->bytes_but(has_swept() ? 1 : 0); }

 private:
  /// Enough plain steps to be worth it, and no other blocking was asked for.
  bool takes(std::span<const Step> steps) const {
    return this->is_as_chosen() && steps.size() >= 8 &&
           std::ranges::all_of(steps, [](const Step& s) { return kind_of(s) == StepKind::plain; });
  }

  /// Sweeps went over strips, and will again.
  bool has_swept() const { return this->is_as_chosen() && strips_.rounds > 0; }

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

  StripsKernels<T> kernels_;
  mutable StripsGrid<T> strips_;  ///< the natural order is made when somebody asks for it
};

template <class T>
double bytes_of_strips(const Stencil<T, 2>& a, int threads) {
  const auto& n = a.grid().unknowns;
  return StripsGrid<T>::bytes(grid_kernels<T, 2>().strips.riser, n[0], n[1], threads);
}

template <class T>
Suitable suits_strips(const Stencil<T, 2>& a, const Plan& plan, int threads) {
  const Riser riser = grid_kernels<T, 2>().strips.riser;
  const auto& n = a.grid().unknowns;
  if (riser.lanes == 0) return {"lines are put in strips by AVX2 and AVX-512"};
  if (plan.blocking.sweeps > 0 || plan.blocking.tile[0] > 0) return {"another blocking was asked for"};
  if (plan.method.name != "plain") return {"only plain sweeps go over strips"};
  if (coefficients_of(a).kind != Kind::equal) return {"the coefficients of all neighbours have to be equal"};
  if (!is_dirichlet(a.grid())) return {"values have to be given on all sides"};
  if (!StripsGrid<T>::suits(riser, n[0], n[1], threads)) return {"lines are too short, or too few"};
  if (bytes_of_strips(a, threads) > 0.7 * (available_memory() - bytes_of_tiles(a, plan, threads).all))
    return {"memory lacks for three more arrays"};
  return {};
}

template <class T>
Algorithm<T, 2> strips_algorithm() {
  return {"strips",
          "lines in strips, one for each lane of a vector (dimension-lifted layout)",
          tiled_rung,
          suits_strips<T>,
          [](const Stencil<T, 2>& a, const Plan& plan, int threads) {
            const double more = bytes_of_strips(a, threads);
            return Bytes{bytes_of_tiles(a, plan, threads).all + more, more};
          },
          [](const Stencil<T, 2>& a, const Plan& plan, int threads) -> std::unique_ptr<Sweeper<T>> {
            return std::make_unique<StripsSweeper<T>>(a, plan, threads);
          }};
}

}  // namespace jacobi::sweep
