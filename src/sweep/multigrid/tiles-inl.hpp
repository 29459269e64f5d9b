/// Sweeps of a grid in cycles of tiles: the smoother of a plan with a tiling.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_MULTIGRID_TILES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MULTIGRID_TILES_INL
#undef JACOBI_MULTIGRID_TILES_INL
#else
#define JACOBI_MULTIGRID_TILES_INL
#endif

#include <cstring>

#include "sweep/multigrid/level.hpp"
#include "sweep/stencil/hierarchical/cycle.hpp"
#include "sweep/stencil/order/select-inl.hpp"
#include "sweep/team.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// A thread's part of such cycles; all tiles read x and leave what they own in `next`.
template <class T, int D, bool Variable>
class TileSmoother {
 public:
  TileSmoother(GridLevel<T, D>& grid, const PassMemory<T>& memory, const Member& me)
      : l_(grid), m_(memory), me_(me) {}

  /// From x, or from 0.
  void run(std::span<const Step> steps, bool from_zero) const {
    me_.share(l_.slabs, [&](Index s) {
      if (from_zero) std::memset(start_of(l_.x, s), 0, bytes_of_slab());
      renew(l_.x, s);
    });
    me_.wait();
    const std::size_t k = static_cast<std::size_t>(l_.tiles->tiling.subiterations);
    for (; !steps.empty(); steps = steps.subspan(std::min(k, steps.size())))
      cycle(steps.first(std::min(k, steps.size())));
  }

 private:
  static constexpr Kind kind = Variable ? Kind::variable : Kind::constant;

  void cycle(std::span<const Step> steps) const {
    const Region<T, D> region = whole();
    T* at = m_.tile;
    const TileMemory<T, D> memory = tile_at<T, D>(at, *l_.tiles, kind);
    me_.share(l_.tiles->tiling.tiles(l_.n), [&](Index s) HWY_ATTR {
      const Place<D> place = place_of<D>(l_.tiles->tiling, l_.n, s);
      jacobi::sweep::HWY_NAMESPACE::cycle<kind, Scalar<T>>(
          OneThread{}, region, place, l_.x, l_.next, steps.data(), static_cast<Index>(steps.size()), memory);
    });
    me_.wait();
    me_.share(l_.slabs, [&](Index s) { renew(l_.next, s); });
    me_.wait();
    if (me_.number == 0) std::swap(l_.x, l_.next);
    me_.wait();
  }

  Region<T, D> whole() const {
    Region<T, D> region;
    region.g = l_.g;
    region.n = l_.n;
    region.c_arrays = l_.arms;
    for (int d = 0; d < D; ++d) {
      region.stride[d] = l_.stride(d);
      for (int e = 0; e < 2; ++e) {
        region.c[2 * d + e] = l_.c[d];
        region.mirrored[d][e] = l_.source(d, e) >= 0;
      }
    }
    return region;
  }

  T* start_of(T* x, Index slab) const { return x + slab * l_.slab - l_.leading; }
  std::size_t bytes_of_slab() const { return static_cast<std::size_t>(l_.slab) * sizeof(T); }

  /// The ghosts of a slab, and the slab of ghosts that mirrors it.
  void renew(T* x, Index slab) const {
    for (Index j = 0; j < l_.lines; ++j) l_.renew_ends(x + slab * l_.slab + j * l_.pitch);
    l_.renew_lines(x + slab * l_.slab);
    for (int e = 0; e < 2 && D > 1; ++e)
      if (l_.source(D - 1, e) == slab)
        std::memcpy(start_of(x, e == 0 ? -1 : l_.slabs), start_of(x, slab), bytes_of_slab());
  }

  GridLevel<T, D>& l_;
  const PassMemory<T>& m_;
  const Member& me_;
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
