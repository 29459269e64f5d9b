/// The cycle of a tile: gather it with its ghosts, sweep it, scatter what it owns. The same body for one
/// thread of a host and a block of threads of a device; the order of operations is that of every rung.
///
/// A Team shares out the lines of a box and the points of a line: a member takes line() of every lines(),
/// point() of every points(), and wait() returns when all members have called it.
// Per-target include guard: compiled once per instruction set.
#if defined(JACOBI_CYCLE) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CYCLE
#undef JACOBI_CYCLE
#else
#define JACOBI_CYCLE
#endif

#include "jacobi/method.hpp"
#include "sweep/stencil/hierarchical/region.hpp"
#include "sweep/stencil/order/order-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// The team of a host: tiles are shared out among threads, not their points.
struct OneThread {
  static HWY_INLINE constexpr Index line() { return 0; }
  static HWY_INLINE constexpr Index lines() { return 1; }
  static HWY_INLINE constexpr Index point() { return 0; }
  static HWY_INLINE constexpr Index points() { return 1; }
  static HWY_INLINE void wait() {}
};

/// Where the points of a box begin: line number `line` of a box so wide, x fastest.
template <int D>
HWY_INLINE Index line_start(const std::array<Index, D>& n, const std::array<Index, D>& stride, Index line) {
  if constexpr (D == 1) return 0;
  if constexpr (D == 2) return line * stride[1 % D];
  return line % n[1 % D] * stride[1 % D] + line / n[1 % D] * stride[2 % D];
}

template <int D>
HWY_INLINE Index lines_of(const std::array<Index, D>& n) {
  Index lines = 1;
  for (int d = 1; d < D; ++d) lines *= n[d];
  return lines;
}

/// The box of n points from `from` to `to`.
template <class Team, class T, int D>
HWY_NOINLINE void copy_box(const Team& team, const std::array<Index, D>& n, const T* from,
                           const std::array<Index, D>& from_stride, T* to,
                           const std::array<Index, D>& to_stride) {
  const Index lines = lines_of<D>(n);
  for (Index line = team.line(); line < lines; line += team.lines()) {
    const T* HWY_RESTRICT a = from + line_start<D>(n, from_stride, line);
    T* HWY_RESTRICT b = to + line_start<D>(n, to_stride, line);
    for (Index i = team.point(); i < n[0]; i += team.points()) b[i] = a[i];
  }
}

/// The ghosts of a region, from one iterate to the other; the corners are nobody's neighbours.
template <class Team, class T, int D>
HWY_INLINE void copy_ghosts(const Team& team, const Region<T, D>& region, const T* from, T* to) {
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e) {
      std::array<Index, D> side = region.n;
      side[d] = 1;
      const Index at = (e == 0 ? -1 : region.n[d]) * region.stride[d];
      copy_box<Team, T, D>(team, side, from + at, region.stride, to + at, region.stride);
    }
}

/// What an update reads of the tile: the iterate and its ghosts, the ghosts of the next one, g, coefficients.
/// Returns the tile as a region.
template <Kind K, class Team, class T, int D>
HWY_INLINE Region<T, D> gather(const Team& team, const Region<T, D>& from, const Place<D>& place, const T* x,
                               const TileMemory<T, D>& tile) {
  Region<T, D> region = from;
  region.stride = tile.stride;
  region.g = tile.g;
  std::array<Index, D> with_ghosts;
  Index first = 0, corner = 0, tile_corner = 0;
  for (int d = 0; d < D; ++d) {
    region.n[d] = place.updated[d].count();
    region.mirrored[d][0] = from.mirrored[d][0] && place.updated[d].first == 0;
    region.mirrored[d][1] = from.mirrored[d][1] && place.updated[d].last == from.n[d];
    with_ghosts[d] = region.n[d] + 2;
    first += place.updated[d].first * from.stride[d];
    corner += (place.updated[d].first - 1) * from.stride[d];
    tile_corner -= tile.stride[d];
  }
  copy_box<Team, T, D>(team, with_ghosts, x + corner, from.stride, tile.u + tile_corner, tile.stride);
  copy_box<Team, T, D>(team, region.n, from.g + first, from.stride, tile.g, tile.stride);
  if constexpr (K == Kind::variable)
    for (int k = 0; k < 2 * D; ++k) {
      region.c_arrays[k] = tile.c[k];
      copy_box<Team, T, D>(team, region.n, from.c_arrays[k] + first, from.stride, tile.c[k], tile.stride);
    }
  team.wait();
  copy_ghosts<Team, T, D>(team, region, tile.u, tile.v);
  team.wait();
  return region;
}

/// Renews the ghosts that mirror an unknown.
template <class Team, class T, int D>
HWY_INLINE void mirror(const Team& team, const Region<T, D>& region, T* u) {
  bool any = false;
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e) {
      if (!region.mirrored[d][e]) continue;
      std::array<Index, D> side = region.n;
      side[d] = 1;
      const Index from = e == 0 ? 1 : region.n[d] - 2, to = e == 0 ? -1 : region.n[d];
      copy_box<Team, T, D>(team, side, u + from * region.stride[d], region.stride, u + to * region.stride[d],
                           region.stride);
      any = true;
    }
  if (any) team.wait();
}

/// One sweep over the unknowns of a region, u to out.
template <Kind K, StepKind S, class A, class Team, class T, int D>
HWY_INLINE void sweep_region(const Team& team, const Region<T, D>& region, const T* u, T* out, T omega) {
  const Sources<T, D> w = region;  // which no store can change
  T* HWY_RESTRICT to = out;
  const Index lines = lines_of<D>(region.n), n = region.n[0];
  for (Index line = team.line(); line < lines; line += team.lines()) {
    const Index first = line_start<D>(region.n, w.stride, line);
#pragma GCC ivdep
    for (Index i = team.point(); i < n; i += team.points())
      to[first + i] = new_value<K, S, A>(w, u, to, first + i, omega, T(1));
  }
  team.wait();
  mirror(team, region, out);
}

/// The steps, plain or weighted, on a region: the newest iterate ends in u, the one before in v. The ghosts
/// of both stay as they are, but for mirrors.
template <Kind K, class A, class Team, class T, int D>
HWY_INLINE void sweep_steps(const Team& team, const Region<T, D>& region, const Step* steps, Index count,
                            T*& u, T*& v) {
  for (Index t = 0; t < count; ++t) {
    const T omega = static_cast<T>(steps[t].omega);
    if (omega == T(1))
      sweep_region<K, StepKind::plain, A>(team, region, u, v, omega);
    else
      sweep_region<K, StepKind::weighted, A>(team, region, u, v, omega);
    T* const newest = v;
    v = u;
    u = newest;
  }
}

/// The owned unknowns of the tile, from its iterate u to that of the region it was cut from.
template <class Team, class T, int D>
HWY_INLINE void scatter(const Team& team, const Region<T, D>& tile, const T* u, const Place<D>& place,
                        const Region<T, D>& region, T* out) {
  std::array<Index, D> n;
  Index from = 0, to = 0;
  for (int d = 0; d < D; ++d) {
    n[d] = place.owned[d].count();
    from += (place.owned[d].first - place.updated[d].first) * tile.stride[d];
    to += place.owned[d].first * region.stride[d];
  }
  copy_box<Team, T, D>(team, n, u + from, tile.stride, out + to, region.stride);
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
