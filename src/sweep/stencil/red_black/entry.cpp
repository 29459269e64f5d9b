#include <fmt/format.h>

#include "sweep/entries.hpp"
#include "sweep/stencil/red_black/sweeper.hpp"

namespace jacobi::sweep {

namespace {

/// Not where the plan wants sweeps of something else too, or the points cannot be coloured.
template <class T, int D>
Suitable suits_red_black(const Stencil<T, D>& a, const Plan& plan, int) {
  if (plan.tiling() || !(plan.rung().empty() || plan.rung() == tiled_rung.name))
    return {fmt::format("method {} sweeps one colour at a time, in tiles of its own: leave out {}",
                        plan.method.name, plan.tiling() ? "the tiling" : "rung '" + plan.rung() + "'")};
  for (int d = 0; d < D; ++d)
    if (a.grid().sides[d][0].kind == BoundaryKind::periodic && a.grid().unknowns[d] % 2 == 1)
      return {fmt::format(
          "method {} colours points like a chequerboard: direction {} is periodic with {} points, an odd "
          "number, so that its first and last point, which are neighbours, have one colour; take an even "
          "number",
          plan.method.name, "xyz"[d], a.grid().unknowns[d])};
  return {};
}

}  // namespace

struct StencilRedBlack {
  template <class T, int D>
  static void add(Algorithms<T, D>& all) {
    all.push_back({red_black_rung.name, red_black_rung.idea, red_black_rung, suits_red_black<T, D>,
                   [](const Stencil<T, D>& a, const Plan& plan, int) {
                     const Room room = RedBlackSweeper<T, D>::room_for(a.grid(), plan.blocking());
                     return Bytes{bytes_of_arrays(a, room) + bytes_of_pieces(a.grid(), room.piece_length)};
                   },
                   make_sweeper<RedBlackSweeper<T, D>, T, D>});
  }
};
JACOBI_ADD_ENTRIES_OF_GRIDS(StencilRedBlack)

}  // namespace jacobi::sweep
