/// A tile of a multigrid pass: sweeps, residual and transfers in the shared memory of a block.
///
/// A block copies its unknowns of x and those around them, makes all sweeps on them, each on one unknown less
/// on every side, and writes the unknowns that it owns; so x is read and written once per pass, as on the
/// host, and what tiles share is made twice. The order of operations is docs/multigrid.md's: the same bits.
#pragma once
#include "backend/cuda/multigrid_level.hpp"
#include "backend/cuda/norms.hpp"
#include "jacobi/method.hpp"

namespace jacobi::cuda {

/// The unknown of a periodic direction that stands at i.
JACOBI_DEVICE int wrapped(int i, int n) { return i >= 0 && i < n ? i : (i % n + n) % n; }

template <class T, int D, bool Variable>
class TilePass {
 public:
  JACOBI_DEVICE TilePass(const DevicePass<T, D>& pass, const Step* steps, Index tile, T* arrays)
      : p_(pass), l_(pass.fine), steps_(steps), from_(arrays), to_(arrays + pass.entries() / 2) {
    for (int d = 0; d < 3; ++d) {
      const int at = static_cast<int>(tile % pass.tiles[d]), extent = tile_extent(D, d);
      tile /= pass.tiles[d];
      own_[d] = at * extent;
      end_[d] = d < D ? own_[d] + extent : 1;
      if (d < D && end_[d] > l_.n[d < D ? d : 0]) end_[d] = l_.n[d < D ? d : 0];
      origin_[d] = own_[d] - pass.below(d, 0);
    }
    pitch_ = pass.width(0);
    plane_ = pitch_ * pass.width(1);
  }

  /// A barrier stands between stages, and one at the end.
  JACOBI_DEVICE void run(Partial& update, Partial& residual) {
    if (p_.start != Start::zero) begin();
    for (int t = 1; t <= p_.sweeps; ++t) sweep(t, update);
    if (p_.has_residual()) take_residual(residual);
    if (p_.restricts) restrict();
  }

 private:
  struct Point {
    int at[3];
    Index offset;  ///< in arrays of the grid
    int place;     ///< in those of the tile
  };

  /// visit(point) for the tile and so many unknowns beside it, as far as there are any.
  template <class Visit>
  JACOBI_DEVICE void for_each(int t, Visit&& visit) {
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    for (int d = 0; d < D; ++d) {
      low[d] = own_[d] - p_.below(d, t);
      high[d] = end_[d] + p_.above(d, t);
      if (l_.wraps[d]) continue;
      if (low[d] < 0) low[d] = 0;
      if (high[d] > l_.n[d]) high[d] = l_.n[d];
    }
    for (int z = low[2]; z < high[2]; ++z)
      for (int y = low[1] + static_cast<int>(thread().y); y < high[1]; y += static_cast<int>(threads().y))
        for (int x = low[0] + static_cast<int>(thread().x); x < high[0]; x += static_cast<int>(threads().x)) {
          Point p{{x, y, z}, 0, place(x, y, z)};
          for (int d = 0; d < D; ++d) p.offset += inside(d, p.at[d]) * l_.stride[d];
          visit(p);
        }
  }
  JACOBI_DEVICE int place(int x, int y, int z) const {
    return (z - origin_[2]) * plane_ + (y - origin_[1]) * pitch_ + (x - origin_[0]);
  }
  JACOBI_DEVICE Index inside(int d, int i) const { return l_.wraps[d] ? wrapped(i, l_.n[d]) : i; }
  JACOBI_DEVICE bool owned(const Point& p) const {
    bool mine = true;
    for (int d = 0; d < D; ++d) mine = mine && p.at[d] >= own_[d] && p.at[d] < end_[d];
    return mine;
  }

  /// The neighbour on side e along d, or what stands for it beyond a side.
  JACOBI_DEVICE T beside(const Point& p, int d, int e) const {
    const int step = d == 0 ? 1 : d == 1 ? pitch_ : plane_;
    const bool within = l_.wraps[d] || (e == 0 ? p.at[d] > 0 : p.at[d] + 1 < l_.n[d]);
    const int source = l_.source[d][e];
    if (within) return from_[p.place + (e == 0 ? -step : step)];
    return source < 0 ? T(0) : from_[p.place + (source - p.at[d]) * step];
  }
  /// D^-1 (b - R x): fma(c_x, west + east, fma(c_y, south + north, ... g)); variable: fma(c_west, west, ...).
  JACOBI_DEVICE T plain(const Point& p) const {
    T value = l_.g[p.offset];
    for (int d = D - 1; d >= 0; --d) {
      const T low = beside(p, d, 0), high = beside(p, d, 1);
      if constexpr (Variable) {
        value = fused(l_.arms[2 * d + 1][p.offset], high, value);
        value = fused(l_.arms[2 * d][p.offset], low, value);
      } else {
        value = fused(l_.c[d], low + high, value);
      }
    }
    return value;
  }

  JACOBI_DEVICE void begin() {
    for_each(0, [&](const Point& p) {
      T value = 0;
      if (p_.start != Start::keep) value = p_.nested ? interpolated<true>(p) : interpolated<false>(p);
      if (Variable && l_.has_holes && l_.inverses[p.offset] == T(0)) value = 0;
      if (p_.start == Start::keep) value = p_.x[p.offset];
      if (p_.start == Start::correct) value = p_.x[p.offset] + value;
      from_[p.place] = value;
      if (p_.sweeps == 0 && p_.out && owned(p)) p_.out[p.offset] = value;
    });
    barrier();
  }

  JACOBI_DEVICE void sweep(int t, Partial& update) {
    const T omega = static_cast<T>(steps_[p_.first + t - 1].omega);
    const bool from_zero = t == 1 && p_.start == Start::zero, last = t == p_.sweeps;
    for_each(t, [&](const Point& p) {
      const T old = from_zero ? T(0) : from_[p.place];
      const T now = from_zero ? omega * l_.g[p.offset] : fused(omega, plain(p) - old, old);
      to_[p.place] = now;
      if (!last || !owned(p)) return;
      p_.out[p.offset] = now;
      if (p_.updates) update += part_of(static_cast<double>(now - old));
    });
    exchange();
  }

  JACOBI_DEVICE void take_residual(Partial& residual) {
    const bool of_zero = p_.start == Start::zero && p_.sweeps == 0;
    for_each(p_.sweeps + 1, [&](const Point& p) {
      T r = of_zero ? l_.g[p.offset] : plain(p) - from_[p.place];
      if (p_.natural) r *= l_.diagonals[p.offset];
      if (p_.residuals && owned(p)) residual += part_of(static_cast<double>(r));
      to_[p.place] = r;
    });
    exchange();
  }
  JACOBI_DEVICE void exchange() {
    T* const made = to_;
    to_ = from_;
    from_ = made;
    barrier();
  }

  /// The first coarse unknown whose centre lies at or above fine unknown i.
  JACOBI_DEVICE int first_coarse(int d, int i) const {
    const DeviceAxis<T>& axis = l_.axis[d];
    if (!axis.coarsened) return i;
    const int first = (i - axis.shift + 1) / 2;
    return i >= l_.n[d] || first > axis.n ? axis.n : first;
  }
  /// Coarse unknowns of the tile, from the residuals in from_.
  JACOBI_DEVICE void restrict() {
    int low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
    for (int d = 0; d < D; ++d) {
      low[d] = first_coarse(d, own_[d]);
      high[d] = first_coarse(d, end_[d]);
    }
    for (int z = low[2]; z < high[2]; ++z)
      for (int y = low[1] + static_cast<int>(thread().y); y < high[1]; y += static_cast<int>(threads().y))
        for (int x = low[0] + static_cast<int>(thread().x); x < high[0]; x += static_cast<int>(threads().x)) {
          Index p = x;
          if constexpr (D > 1) p += y * p_.coarse.stride[1 % D];
          if constexpr (D > 2) p += z * p_.coarse.stride[2 % D];
          const T value = restricted(x, y, z);
          p_.coarse.g[p] = Variable ? value * p_.coarse.inverses[p] : value;
        }
    barrier();
  }
  JACOBI_DEVICE T restricted(int x, int y, int z) const {
    const DeviceAxis<T>& axis = l_.axis[0];
    if (!axis.coarsened) return lines_around(x, y, z);
    const int first = 2 * x + axis.shift - 2;
    T sum = 0;
    for (int t = 0; t < 4; ++t) {
      const T weight = axis.weights[t * axis.n + x];
      const T value = weight == T(0) ? T(0) : lines_around(first + t, y, z);
      sum = t == 0 ? weight * value : fused(weight, value, sum);
    }
    return sum;
  }
  /// Tap t of coarse unknown I along d: its weight, and where it stands.
  JACOBI_DEVICE T weight_around(int d, int I, int t) const {
    const DeviceAxis<T>& axis = l_.axis[d];
    return axis.coarsened ? axis.weights[t * axis.n + I] : t == 0 ? T(1) : T(0);
  }
  JACOBI_DEVICE int around(int d, int I, int t) const {
    const DeviceAxis<T>& axis = l_.axis[d];
    return axis.coarsened ? 2 * I + axis.shift - 2 + t : I;
  }
  /// Residuals of fine unknown x of the lines that coarse line (y, z) takes part of.
  JACOBI_DEVICE T lines_around(int x, int y, int z) const {
    if (!l_.wraps[0] && (x < 0 || x >= l_.n[0])) return 0;
    const T scale = Variable ? T(1) : l_.scale;
    T sum = 0;
    for (int s = 0; s < (D == 3 ? 4 : 1); ++s) {
      const T outer = D == 3 ? weight_around(2 % D, z, s) : T(1);
      if (outer == T(0)) continue;
      for (int t = 0; t < (D == 1 ? 1 : 4); ++t) {
        const T inner = D == 1 ? T(1) : weight_around(1 % D, y, t);
        if (inner == T(0)) continue;
        const int beside = D == 1 ? 0 : around(1 % D, y, t), behind = D == 3 ? around(2 % D, z, s) : 0;
        const T value = from_[place(x, beside, behind)];
        sum = fused(scale * (outer * inner), value, sum);
      }
    }
    return sum;
  }

  /// Coarse unknowns that fine unknown i of direction d lies between, t = 0 ... 1 or, smoothly, 3: where, and
  /// the weight, 0 where there is none.
  struct Tap {
    int at;
    T weight;
  };
  template <bool Smooth>
  JACOBI_DEVICE Tap between(int d, int i, int t) const {
    const DeviceAxis<T>& axis = l_.axis[d];
    if (!axis.coarsened) return {i, t == 0 ? T(1) : T(0)};
    const int q = i + axis.shift, below = q / 2 - axis.shift;
    Tap tap{Smooth ? below - 1 + t : below + t, T(0)};
    if constexpr (Smooth) {
      tap.weight = axis.cubic[(q % 2 * 4 + t) * axis.pairs + q / 2];
    } else {
      const T upper = axis.upper[q % 2 * axis.pairs + q / 2];
      tap.weight = t == 0 ? 1 - upper : upper;
    }
    if (tap.at >= 0 && tap.at < axis.n) return tap;
    if (!l_.wraps[d]) return {0, T(0)};
    tap.at = wrapped(tap.at, axis.n);
    return tap;
  }
  /// The coarse lines that fine line (y, z) lies between, added up, at unknown I, which may be a ghost.
  template <bool Smooth>
  JACOBI_DEVICE T lines_between(int I, int y, int z) const {
    const DeviceLevel<T, D>& c = p_.coarse;
    if (I < 0 || I >= c.n[0]) I = c.wraps[0] ? wrapped(I, c.n[0]) : c.source[0][I < 0 ? 0 : 1];
    if (I < 0) return 0;
    constexpr int taps = Smooth ? 4 : 2;
    T sum = 0;
    for (int s = 0; s < (D == 3 ? taps : 1); ++s) {
      const Tap outer = D == 3 ? between<Smooth>(2 % D, z, s) : Tap{0, T(1)};
      if (outer.weight == T(0)) continue;
      for (int t = 0; t < (D == 1 ? 1 : taps); ++t) {
        const Tap inner = D == 1 ? Tap{0, T(1)} : between<Smooth>(1 % D, y, t);
        if (inner.weight == T(0)) continue;
        const Index q =
            I + inner.at * (D == 1 ? 0 : c.stride[1 % D]) + outer.at * (D == 3 ? c.stride[2 % D] : 0);
        sum = fused(outer.weight * inner.weight, p_.coarse_x[q], sum);
      }
    }
    return sum;
  }
  template <bool Smooth>
  JACOBI_DEVICE T interpolated(const Point& p) const {
    const DeviceAxis<T>& axis = l_.axis[0];
    const int x = static_cast<int>(inside(0, p.at[0]));
    const int y = D > 1 ? static_cast<int>(inside(1 % D, p.at[1])) : 0;
    const int z = D > 2 ? static_cast<int>(inside(2 % D, p.at[2])) : 0;
    if (!axis.coarsened) return lines_between<Smooth>(x, y, z);
    const int q = x + axis.shift, low = q / 2 - axis.shift;
    if constexpr (Smooth) {
      T sum = 0;
      for (int t = 0; t < 4; ++t) {
        const T weight = axis.cubic[(q % 2 * 4 + t) * axis.pairs + q / 2];
        if (weight != T(0)) sum = fused(weight, lines_between<Smooth>(low - 1 + t, y, z), sum);
      }
      return sum;
    } else {
      const T left = lines_between<Smooth>(low, y, z), right = lines_between<Smooth>(low + 1, y, z);
      return fused(axis.upper[q % 2 * axis.pairs + q / 2], right - left, left);
    }
  }

  const DevicePass<T, D>& p_;
  const DeviceLevel<T, D>& l_;
  const Step* steps_;
  T *from_, *to_;  ///< arrays of the tile: the newest stage, and where the next one is made
  int own_[3], end_[3], origin_[3];
  int pitch_, plane_;
};

/// Block after block a tile of one pass. `sum`: bytes_of_sum of shared memory.
template <bool Variable, class T, int D>
JACOBI_DEVICE void make_tile(const DevicePass<T, D>& pass, const Step* steps, Index tile, Partial* sum,
                             T* arrays) {
  Partial update, residual;
  TilePass<T, D, Variable>(pass, steps, tile, arrays).run(update, residual);
  const unsigned me = number_of_thread(), count = static_cast<unsigned>(threads().count());
  if (pass.updates) {
    const Partial all = block_sum(update, sum, me, count);
    if (me == 0) pass.updates[tile] = all;
  }
  if (pass.residuals) {
    const Partial all = block_sum(residual, sum, me, count);
    if (me == 0) pass.residuals[tile] = all;
  }
}

}  // namespace jacobi::cuda
