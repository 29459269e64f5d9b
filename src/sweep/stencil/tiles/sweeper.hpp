/// Many sweeps per visit to a tile.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sweep/rungs.hpp"
#include "sweep/stencil/algorithm.hpp"
#include "sweep/stencil/layout/grid_sweeper.hpp"
#include "sweep/stencil/skewing/choose.hpp"
#include "sweep/stencil/tiles/tiles.hpp"

namespace jacobi::sweep {

/// Also where another algorithm leaves short calls to tiles.
inline constexpr std::string_view tiles_name = "tiles";

template <class T, int D>
class TilesSweeper : public GridSweeper<T, D> {
  using Base = GridSweeper<T, D>;

 public:
  /// free_below: of arrays that have more room than tiles need, as Room says.
  TilesSweeper(const Algorithm<T, D>& self, const Stencil<T, D>& a, const Plan& plan, int threads,
               Index free_below = 0)
      : Base(self, a, {choose_tile(a.grid(), plan.blocking()).size[0], free_below}, threads),
        own_{choose_tile(a.grid(), plan.blocking()), {}},
        chosen_(own_.tile) {
    w_.undivided = plan.method.divisor == Divisor::none;
  }

  Executed executed() const override {
    Executed ran = Base::executed();
    if (mostly_in_tiles() && ran.threads > 0) ran.algorithm = tiles_name;
    ran.blocking = fmt::format("{} sweeps per visit to a tile of {}{}", own_.tile.depth,
                               fmt::join(own_.tile.size, " x "), is_as_chosen() ? "" : ", tuned");
    return ran;
  }

  Blocking blocking() const override {
    Blocking b;
    std::copy_n(own_.tile.size.begin(), D, b.tile.begin());
    b.sweeps = own_.tile.depth;
    return b;
  }

  void reblock(const Blocking& wanted) override {
    Base::reblock(wanted);
    for (int d = 1; d < D; ++d)
      if (wanted.tile[d] > 0 && (d + 1 == D || !w_.is_periodic(d)))
        own_.tile.size[d] = std::min(wanted.tile[d], w_.n[d]);
    if (wanted.sweeps > 0) own_.tile.depth = std::min(wanted.sweeps, deepest);
  }

  /// Tiles make eight sweeps in less than twice the time of one.
  Index sweeps_at_once() const override { return 8; }

  double bytes_per_update() const override { return bytes_but(0); }
  double check_cost(Want want) const override {
    return want == Want::update ? tiled_rung.update_cost : tiled_rung.pass_cost;
  }

 protected:
  Norms do_advance(std::span<const Step> steps, Want want) override {
    count_tiles(steps);
    const bool fused = want == Want::update && !steps.empty();
    kernels_.advance(w_, own_, steps, fused);
    return fused ? w_.total() : this->do_norms(want);
  }
  void do_advance_measured(std::span<const Step> steps, std::span<Norms> updates) override {
    count_tiles(steps);
    kernels_.advance_measured(w_, own_, steps, updates);
  }
  void do_load(std::span<const T> b, std::span<const T> x) override {
    Base::do_load(b, x);
    visits_ = in_tiles_ = not_in_tiles_ = 0;
  }
  Norms do_norms(Want want) override { return kernels_.norms(w_, want); }

  using Base::w_;

  /// Counts steps that another algorithm made, which went over the arrays so often.
  void count_own(std::span<const Step> steps, Index visits) {
    visits_ += static_cast<double>(visits);
    not_in_tiles_ += static_cast<double>(steps.size());
  }
  static Index visits_of(std::span<const Step> steps, Index most_at_once) {
    return (static_cast<Index>(steps.size()) + most_at_once - 1) / most_at_once;
  }

  /// Whether tiles made at least half of the sweeps since load(): as what these are reported.
  bool mostly_in_tiles() const { return in_tiles_ > 0 && in_tiles_ >= not_in_tiles_; }
  bool has_swept_otherwise() const { return not_in_tiles_ > 0 && !mostly_in_tiles(); }

  /// Of words that a visit moves, so many are not: not read, or written in place.
  double bytes_but(int fewer) const {
    const double swept = in_tiles_ + not_in_tiles_;
    const double visits = swept > 0 ? visits_ / swept : 1.0 / static_cast<double>(own_.tile.depth);
    const int unread = w_.has_one_g && w_.kind == Kind::equal;
    return (tiled_rung.words - unread - fewer + this->coefficient_words()) * sizeof(T) * visits;
  }

  const Tile<D>& tile() const { return own_.tile; }
  /// As it was at bind.
  bool is_as_chosen() const { return own_.tile == chosen_; }

 private:
  void count_tiles(std::span<const Step> steps) {
    visits_ += static_cast<double>(visits_of(steps, own_.tile.depth));
    in_tiles_ += static_cast<double>(steps.size());
  }

  TilesKernels<T, D> kernels_ = tiles_kernels<T, D>();
  Tiles<D> own_;
  Tile<D> chosen_;                          ///< at bind
  double visits_ = 0;                       ///< to the arrays, since load()
  double in_tiles_ = 0, not_in_tiles_ = 0;  ///< sweeps since load()
};

template <class T, int D>
Bytes bytes_of_tiles(const Stencil<T, D>& a, const Plan& plan, int) {
  const Index width = choose_tile(a.grid(), plan.blocking()).size[0];
  return {bytes_of_arrays(a) + bytes_of_pieces(a.grid(), width)};
}

}  // namespace jacobi::sweep
