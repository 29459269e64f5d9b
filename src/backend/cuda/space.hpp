/// Rung tiled of 3D grids: planes of a tile stream through a block, several sweeps behind each other (2.5D).
#pragma once
#include "backend/cuda/many.hpp"
#include "backend/cuda/persistent.hpp"

namespace jacobi::cuda {

/// A tile is 64 x 32 unknowns of a plane in double, 128 x 32 in float, halo included: 8 warps of 4 rows, 16
/// bytes of a row per lane. Level t is the value after t sweeps: in step z plane z of level 0 is there, and
/// plane z - t of level t follows from planes z - t - 1, z - t and z - t + 1 of level t - 1. Of each level
/// but the last, the middle one lies in registers, the one in front has just been made, and the one behind is
/// the middle one of the step before. Neighbours along x come by shuffles, along y from the thread's own rows
/// and from shared memory, where middle planes lie, two in turn: one barrier per step. What the next step
/// wants of memory is asked for when a step begins.
template <class T, Beside B = Beside::g>
struct SpaceTile {
  static constexpr int columns = Sixteen<T>::size, rows = 4, warps = 8;
  static constexpr int levels = B == Beside::g_and_former ? 3 : 4;  ///< as many as registers hold
  static constexpr int threads = warps * lanes_of_warp;
  static constexpr int wide = columns * lanes_of_warp, high = warps * rows, points = wide * high;
  /// Of the halo beside an owned row: so many that these begin at multiples of 16 bytes.
  static constexpr int beside = (levels + columns - 1) / columns * columns;
  static constexpr int owned_wide = wide - 2 * beside, owned_high = high - 2 * levels;
  static constexpr Index entries = Index{2} * levels * points;
  static constexpr Index shared_bytes = entries * Index{sizeof(T)} + levels * Index{sizeof(Step)};

  /// Of every level, where they are not all plain.
  JACOBI_DEVICE static Step* steps() { return reinterpret_cast<Step*>(shared_memory<T>() + entries); }
};

/// A thread's share of a tile. Of fewer sweeps than there are levels the first levels are copies. The iterate
/// before level t, where level t + 1 asks for it, is level t - 1 of a plane ago, which the thread still has;
/// only that before the first sweep is read, and that before the last one written.
template <Kind K, Beside B, class T>
class SpaceStream {
 public:
  using S = SpaceTile<T, B>;
  using A = Number<T>;
  using Row = Sixteen<T>;
  static constexpr bool OneG = B == Beside::nothing, Three = B == Beside::g_and_former;
  static constexpr int R = S::rows, C = S::columns, L = S::levels;

  /// x, y: the tile's corner.
  JACOBI_DEVICE SpaceStream(const DeviceGrid<T, 3>& w, const Iterates<T>& u, int x, int y, int skipped)
      : w_(w), u_(u), skipped_(skipped), one_g_(OneG ? w.g[0] : T(0)) {
    const int n[2] = {static_cast<int>(w.n[0]), static_cast<int>(w.n[1])};
    const int i = lane() * C, j = warp() * R;
    for (int r = 0; r < R; ++r) {
      const int row = y + j + r;
      const bool inside = row >= 0 && row < n[1];
      for (int c = 0; c < C; ++c)
        inside_ |= (inside && x + i + c >= 0 && x + i + c < n[0] ? 1U : 0U) << (r * C + c);
      const bool owned = i >= S::beside && i < S::wide - S::beside && j + r >= L && j + r < S::high - L;
      owned_ |= (owned && inside && x + i < n[0] ? 1U : 0U) << r;
      offset_[r] = within(x + i, -C, n[0] / C * C) + within(row, -1, n[1]) * static_cast<int>(w.stride[1]);
    }
    is_inner_ = skipped == 0 && x >= 0 && y >= 0 && x + S::wide <= n[0] && y + S::high <= n[1];
  }

  /// Before the first step: plane z of x.
  JACOBI_DEVICE void begin(Index z) {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      front_[r] = row_of(u_.newest, r, z);
      if constexpr (Three) before_[r] = row_of(u_.before, r, z - 1 - skipped_);
    }
  }
  /// Plane z of u comes in; plane z - levels of out is made, where it lies in [from, to).
  template <bool Plain>
  JACOBI_DEVICE void step(const Iterates<T>& out, Index z, Index from, Index to) {
    if (is_inner_ && z >= L && z <= w_.n[2])
      step<Plain, true>(out, z, from, to);
    else
      step<Plain, false>(out, z, from, to);
  }

 private:
  JACOBI_DEVICE static int lane() { return static_cast<int>(thread().x) % lanes_of_warp; }
  JACOBI_DEVICE static int warp() { return static_cast<int>(thread().x) / lanes_of_warp; }
  template <class N>
  JACOBI_DEVICE static N within(N i, N first, N last) {
    return i < first ? first : i > last ? last : i;
  }
  /// In plane z, or the last one beside the grid: what lies farther out no unknown sees.
  JACOBI_DEVICE const Row* place_of(const T* from, int r, Index z) const {
    const T* const plane = from + within<Index>(z, -1, w_.n[2]) * w_.stride[2];
    return reinterpret_cast<const Row*>(plane + offset_[r]);
  }
  JACOBI_DEVICE Row row_of(const T* from, int r, Index z) const { return load_once(place_of(from, r, z)); }
  JACOBI_DEVICE static Row& row_at(T* plane, int row) {
    return reinterpret_cast<Row*>(plane)[row * lanes_of_warp + lane()];
  }

  template <bool Plain, bool Inner>
  JACOBI_DEVICE void step(const Iterates<T>& out, Index z, Index from, Index to) {
    T* const now = shared_memory<T>() + (z & 1) * (L * S::points);
    T* const next = shared_memory<T>() + (~z & 1) * (L * S::points);
    // beside the edge of the tile rows are wrong ones, as are columns: no owned unknown sees them
    const int first = warp() * R, south = warp() > 0 ? first - 1 : first,
              north = warp() + 1 < S::warps ? first + R : first + R - 1;
    Row coming[R], coming_g[R];
#pragma unroll
    for (int r = 0; r < R; ++r) {  // for the next step
      coming[r] = row_of(u_.newest, r, z + 1);
      if constexpr (!OneG) coming_g[r] = row_of(w_.g, r, z);
    }
#pragma unroll
    for (int t = 0; t < L; ++t) {
      const Index center = z - t - 1;
      const bool any_move = t >= skipped_ && center >= 0 && center < w_.n[2];
      const unsigned move = any_move ? inside_ : 0;
      const Row beside[2] = {row_at(now + t * S::points, south), row_at(now + t * S::points, north)};
      const Step step = Plain ? Step{} : S::steps()[t];
      Row made[R];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        // the middle one of the step before
        const Row behind = row_at(next + t * S::points, first + r);
        row_at(next + t * S::points, first + r) = front_[r];
        if constexpr (Three) behind_[t][r] = behind;
        const Row& middle = middle_[t][r];
        const T west = shuffle_up(middle.at[C - 1], 1), east = shuffle_down(middle.at[0], 1);
#pragma unroll
        for (int c = 0; c < C; ++c) {
          const auto at = [&](int k) {
            switch (k) {
              case 0:
                return c > 0 ? middle.at[(c + C - 1) % C] : west;
              case 1:
                return c + 1 < C ? middle.at[(c + 1) % C] : east;
              case 2:
                return r > 0 ? middle_[t][(r + R - 1) % R].at[c] : beside[0].at[c];
              case 3:
                return r + 1 < R ? middle_[t][(r + 1) % R].at[c] : beside[1].at[c];
              default:
                return k == 4 ? behind.at[c] : front_[r].at[c];
            }
          };
          const T value = updated<Plain>(at, OneG ? one_g_ : g_[t][r].at[c], middle.at[c],
                                         Three ? before_[r].at[c] : T(0), step);
          made[r].at[c] = Inner || (move >> (r * C + c) & 1) ? value : middle.at[c];
        }
      }
#pragma unroll
      for (int r = 0; r < R; ++r) {
        if constexpr (Three) {
          if (t >= skipped_) before_[r] = behind_[t][r];
        }
        if (Three && t == L - 1) behind_[t][r] = middle_[t][r];
        middle_[t][r] = front_[r];
        front_[r] = made[r];
      }
    }
    const Index center = z - L;
    if (center >= from && center < to) {
#pragma unroll
      for (int r = 0; r < R; ++r)
        if (owned_ >> r & 1) {
          *reinterpret_cast<Row*>(out.newest + center * w_.stride[2] + offset_[r]) = front_[r];
          if constexpr (Three)
            *reinterpret_cast<Row*>(out.before + center * w_.stride[2] + offset_[r]) = behind_[L - 1][r];
        }
    }
#pragma unroll
    for (int r = 0; r < R; ++r) {
      if constexpr (!OneG) {
#pragma unroll
        for (int t = L - 1; t > 0; --t) g_[t][r] = g_[t - 1][r];
        g_[0][r] = coming_g[r];
      }
      front_[r] = coming[r];
      if constexpr (Three) before_[r] = row_of(u_.before, r, z - skipped_);
    }
    barrier();
  }
  template <bool Plain, class At>
  JACOBI_DEVICE T updated(At&& at, T g, T middle, T before, const Step& step) const {
    const auto c = [&](int k) { return w_.c[k]; };
    const T value = sweep::HWY_NAMESPACE::combined<K, A, 3>(at, c, g);
    if constexpr (Plain) return value;
    const StepKind kind = sweep::kind_of(step);
    const T weighted =
        sweep::HWY_NAMESPACE::relaxed<StepKind::weighted, A>(value, middle, static_cast<T>(step.omega));
    T result = kind == StepKind::plain ? value : weighted;
    if constexpr (Three) {
      const T three = fused(static_cast<T>(step.rho), weighted - before, before);
      result = kind == StepKind::three_term ? three : result;
    }
    return result;
  }

  const DeviceGrid<T, 3>& w_;
  const Iterates<T>& u_;
  const int skipped_;
  const T one_g_;
  bool is_inner_;
  unsigned inside_ = 0, owned_ = 0;  ///< a bit per point, and per row
  int offset_[R];                    ///< in a plane
  Row middle_[L][R] = {}, g_[L][R] = {}, front_[R], before_[R], behind_[Three ? L : 1][R] = {};
};

/// `count` <= levels sweeps of the unknowns in a tile and `planes` planes of it, u to out; plain: all of
/// them. Words per update: as sweep_tiles.
// registers <= 255
// gfx90a: registers <= 400, spills <= 1, scratch <= 8
template <Kind K, Beside B, class T>
JACOBI_KERNEL_OF((SpaceTile<T, B>::threads), 1)
sweep_space(DeviceGrid<T, 3> w, Iterates<T> u, Iterates<T> out, const Step* at, int count, bool plain,
            Index planes) {
  using S = SpaceTile<T, B>;
  const int skipped = S::levels - count, me = static_cast<int>(thread().x);
  if (me < S::levels) S::steps()[me] = me < skipped ? Step{} : at[me - skipped];
  SpaceStream<K, B, T> stream(w, u, static_cast<int>(block().x) * S::owned_wide - S::beside,
                              static_cast<int>(block().y) * S::owned_high - S::levels, skipped);
  const Index from = block().z * planes, to = from + planes < w.n[2] ? from + planes : w.n[2];
  // what is not yet there of a level is overwritten before an owned unknown sees it
  for (Index s = me; s < S::entries; s += S::threads) shared_memory<T>()[s] = T(0);
  barrier();
  const Index first = from - S::levels < -1 ? -1 : from - S::levels;
  stream.begin(first);
  if (B != Beside::g_and_former && plain)
    for (Index z = first; z < to + S::levels; ++z) stream.template step<true>(out, z, from, to);
  else
    for (Index z = first; z < to + S::levels; ++z) stream.template step<false>(out, z, from, to);
}

template <class T>
class TiledSpace final : public ManySweeps<T, 3> {
 public:
  static bool fits(const BoundGrid<T, 3>& grid) {
    using Tile = SpaceTile<T>;
    return (grid.kind == Kind::equal || grid.kind == Kind::constant) && !grid.w.has_copies &&
           Tile::shared_bytes <= properties_of(grid.stream.device()).shared_per_block &&
           grid.w.n[1] / Tile::owned_high < 65535 && grid.w.stride[2] < Index{1} << 31;
  }
  /// three_term: takes such steps too, with two arrays more.
  TiledSpace(BoundGrid<T, 3>& grid, bool three_term)
      : grid_(grid),
        spare_(grid, three_term),
        multiprocessors_(properties_of(grid.stream.device()).multiprocessors) {}
  bool takes(StepKind kind) const override { return kind != StepKind::three_term || spare_.exist(); }
  std::string blocking() const override {
    return with_tile(spare_.exist(), [](auto tile) {
      return std::to_string(tile.levels) + " sweeps per pass, planes of " + std::to_string(tile.wide) +
             " x " + std::to_string(tile.high) + " with their halo";
    });
  }
  double words() const override {
    return with_tile(spare_.exist(), [&](auto tile) {
      constexpr double owned = tile.owned_wide * tile.owned_high;
      return spare_.words_of_pass(tile.wide * tile.high / owned) / tile.levels;
    });
  }
  Index at_once() const override {
    return with_tile(spare_.exist(), [](auto tile) { return Index{8} * tile.levels; });
  }

  void make(std::span<const Step> steps, const Step* on_device, bool former) override {
    const bool plain = all_plain(steps);
    const auto run = [&](const Step* there, Index count, const Iterates<T>& u, const Iterates<T>& out) {
      with_constant_kind(grid_, former, [&](auto k, auto beside) {
        using Tile = SpaceTile<T, beside()>;
        const Index planes = planes_of_block<Tile>();
        launch(grid_.stream, shape<Tile>(planes), sweep_space<k(), beside(), T>, grid_.w, u, out, there,
               static_cast<int>(count), plain, planes);
      });
    };
    const Index levels = with_tile(former, [](auto tile) { return Index{tile.levels}; });
    in_passes(grid_, spare_, former, on_device, static_cast<Index>(steps.size()), levels, run);
  }

 private:
  template <class Visit>
  static auto with_tile(bool former, Visit&& visit) {
    return former ? visit(SpaceTile<T, Beside::g_and_former>()) : visit(SpaceTile<T>());
  }
  static Index pieces(Index n, Index size) { return (n + size - 1) / size; }
  /// Of a block: so many that the multiprocessors, one block at a time each, are done soonest. A block has
  /// `levels` planes more at both ends.
  template <class Tile>
  Index planes_of_block() const {
    const Launch all = shape<Tile>(grid_.w.n[2]);
    Index best = 0, least = 0;
    for (Index parts = 1; parts <= 64; ++parts) {
      const Index each = pieces(grid_.w.n[2], parts),
                  blocks = all.blocks.count() * pieces(grid_.w.n[2], each);
      const Index steps = pieces(blocks, multiprocessors_) * (each + 2 * Tile::levels);
      if (parts == 1 || steps < least) best = each, least = steps;
    }
    return best;
  }
  template <class Tile>
  Launch shape(Index planes) const {
    return {{static_cast<unsigned>(pieces(grid_.w.n[0], Tile::owned_wide)),
             static_cast<unsigned>(pieces(grid_.w.n[1], Tile::owned_high)),
             static_cast<unsigned>(pieces(grid_.w.n[2], planes))},
            {Tile::threads},
            Tile::shared_bytes};
  }

  BoundGrid<T, 3>& grid_;
  SpareIterates<T, 3> spare_;
  Index multiprocessors_;
};

}  // namespace jacobi::cuda
