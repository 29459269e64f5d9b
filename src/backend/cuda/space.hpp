/// Rung tiled of 3D grids: planes of a tile stream through a block, several sweeps behind each other (2.5D).
#pragma once
#include "backend/cuda/many.hpp"
#include "backend/cuda/persistent.hpp"

namespace jacobi::cuda {

/// A tile is 64 x 32 unknowns of a plane, halo included; a thread has one of every 8 rows. Level t is the
/// value after t sweeps: in step z plane z of level 0 is read, and plane z - t of level t follows from planes
/// z - t - 1, z - t and z - t + 1 of level t - 1. Of each level but the last, the middle one lies in shared
/// memory, two in turn, the one behind in registers, and the one in front has just been made.
struct SpaceTile {
  static constexpr int wide = 64, high = 32, rows = 8, points = high / rows, levels = 3;
  static constexpr int owned_wide = wide - 2 * levels, owned_high = high - 2 * levels;
  static constexpr Index entries = Index{2} * levels * wide * high;
  template <class T>
  static constexpr Index shared_bytes() {
    return entries * Index{sizeof(T)} + levels * Index{sizeof(Step)};
  }
  /// Where three-term steps lie: of registers there are too few.
  template <class T>
  JACOBI_DEVICE static Step* steps_of() {
    return reinterpret_cast<Step*>(shared_memory<T>() + entries);
  }
};

/// A thread's column of points. The iterate before level t, where level t + 1 asks for it, is level t - 1 of
/// a plane ago, which the thread still has; only that before level 0 is read, and that before the last level
/// written.
template <Kind K, Beside B, class T>
class SpaceStream {
 public:
  using S = SpaceTile;
  static constexpr bool OneG = B == Beside::nothing, Three = B == Beside::g_and_former;

  JACOBI_DEVICE SpaceStream(const DeviceGrid<T, 3>& w, int x, int y)
      : w_(w), planes_(shared_memory<T>()), one_g_(OneG ? w.g[0] : T(0)) {
    const int i = static_cast<int>(thread().x), j = static_cast<int>(thread().y);
    x_ = x + i;
    y_ = y + j;
    slot_ = j * S::wide + i;
    const bool x_owned = i >= S::levels && i < S::wide - S::levels;
    for (int p = 0; p < S::points; ++p) {
      const int row = j + p * S::rows;
      const bool here = in_range(x_, w.n[0], 0) && in_range(y_ + p * S::rows, w.n[1], 0);
      const bool beside = in_range(x_, w.n[0], 1) && in_range(y_ + p * S::rows, w.n[1], 1);
      inside_ |= (here ? 1U : 0U) << p;
      exists_ |= (beside ? 1U : 0U) << p;
      owned_ |= (here && x_owned && row >= S::levels && row < S::high - S::levels ? 1U : 0U) << p;
    }
  }

  /// Plane z of u comes in; plane z - count of out is made, where it lies in [from, to).
  JACOBI_DEVICE void step(const Iterates<T>& u, const Iterates<T>& out, Index z, const Step* steps, int count,
                          Index from, Index to) {
    T* const now = planes_ + (z & 1) * (S::levels * S::wide * S::high);
    T* const next = planes_ + (~z & 1) * (S::levels * S::wide * S::high);
    // with the iterate before, what follows from a place is computed anew, for want of registers
    const int x = Three ? opaque(x_) : x_, y = Three ? opaque(y_) : y_, first = Three ? opaque(slot_) : slot_;
#pragma unroll
    for (int p = 0; p < S::points; ++p) {
      const Index at = x + (y + p * S::rows) * w_.stride[1] + z * w_.stride[2];
      T front = (exists_ >> p & 1) && z <= w_.n[2] ? u.newest[at] : T(0);
      const bool makes = (owned_ >> p & 1) && z - count >= from && z - count < to;
      T before = T(0);
      if constexpr (Three)
        if ((inside_ >> p & 1) && z >= 1 && z <= w_.n[2]) before = u.before[at - w_.stride[2]];
      T g = one_g_;
      if constexpr (!OneG) g = (inside_ >> p & 1) && z >= 0 && z < w_.n[2] ? w_.g[at] : T(0);
#pragma unroll
      for (int t = 0; t < S::levels; ++t) {
        if (t >= count) continue;
        const T* const plane = now + t * (S::wide * S::high);
        const int slot = first + p * S::rows * S::wide;
        const T middle = plane[slot];
        if constexpr (!OneG) {  // that of a plane ago
          const T before_g = g_[p][t];
          g_[p][t] = g;
          g = before_g;
        }
        const Index center = z - t - 1;
        T value = middle;  // what lies outside is frozen
        if ((inside_ >> p & 1) && center >= 0 && center < w_.n[2])
          value = updated(plane, slot, middle, behind_[p][t], front, g, before, steps[t]);
        if constexpr (Three) {
          before = behind_[p][t];
          if (t + 1 == count && makes) out.before[at - count * w_.stride[2]] = middle;
        }
        behind_[p][t] = middle;
        next[t * (S::wide * S::high) + slot] = front;
        front = value;
      }
      if (makes) out.newest[at - count * w_.stride[2]] = front;
    }
    barrier();
  }

 private:
  JACOBI_DEVICE static bool in_range(int i, Index n, int ghosts) {
    return static_cast<unsigned>(i + ghosts) < static_cast<unsigned>(n) + 2U * ghosts;
  }
  /// Beside the edge of the tile neighbours are those of another line: wrong values, that no owned unknown
  /// sees.
  JACOBI_DEVICE T updated(const T* plane, int slot, T middle, T behind, T front, T g, T before,
                          const Step& step) const {
    using A = Number<T>;
    constexpr int last = S::wide * S::high - 1;
    const auto within = [](int s) { return s < 0 ? 0 : s > last ? last : s; };
    const auto at = [&](int k) {
      switch (k) {
        case 0:
          return plane[within(slot - 1)];
        case 1:
          return plane[within(slot + 1)];
        case 2:
          return plane[within(slot - S::wide)];
        case 3:
          return plane[within(slot + S::wide)];
        default:
          return k == 4 ? behind : front;
      }
    };
    const auto c = [&](int k) { return w_.c[k]; };
    const T value = sweep::HWY_NAMESPACE::combined<K, A, 3>(at, c, g), omega = static_cast<T>(step.omega);
    if constexpr (Three)
      if (step.rho != 1)
        return fused(static_cast<T>(step.rho),
                     sweep::HWY_NAMESPACE::relaxed<StepKind::weighted, A>(value, middle, omega) - before,
                     before);
    return omega == T(1) ? value : sweep::HWY_NAMESPACE::relaxed<StepKind::weighted, A>(value, middle, omega);
  }

  const DeviceGrid<T, 3>& w_;
  T* const planes_;
  int x_, y_, slot_;
  unsigned inside_ = 0, exists_ = 0, owned_ = 0;  ///< a bit per point
  const T one_g_;
  T behind_[S::points][S::levels] = {}, g_[OneG ? 1 : S::points][OneG ? 1 : S::levels] = {};
};

/// `count` <= 3 sweeps of the unknowns in a tile and `planes` planes of it, u to out. Words per update: as
/// sweep_tiles.
// registers <= 128
template <Kind K, Beside B, class T>
JACOBI_KERNEL_OF(512, 1)
sweep_space(DeviceGrid<T, 3> w, Iterates<T> u, Iterates<T> out, const Step* at, int count, Index planes) {
  constexpr bool Three = B == Beside::g_and_former;
  Step mine[SpaceTile::levels];
  for (int t = 0; t < SpaceTile::levels; ++t) mine[t] = t < count ? at[t] : Step{};
  const Step* const steps = Three ? SpaceTile::steps_of<T>() : mine;
  if (Three && number_of_thread() < static_cast<unsigned>(count))
    SpaceTile::steps_of<T>()[number_of_thread()] = at[number_of_thread()];
  SpaceStream<K, B, T> stream(w, static_cast<int>(block().x) * SpaceTile::owned_wide - SpaceTile::levels,
                              static_cast<int>(block().y) * SpaceTile::owned_high - SpaceTile::levels);
  const Index from = block().z * planes, to = from + planes < w.n[2] ? from + planes : w.n[2];
  // what is not yet there of a level is overwritten before an owned unknown sees it
  T* const all = shared_memory<T>();
  for (Index s = number_of_thread(); s < SpaceTile::entries; s += threads().count()) all[s] = T(0);
  barrier();
  const Index first = from - count < -1 ? -1 : from - count;
  for (Index z = first; z < to + count; ++z) stream.step(u, out, z, steps, count, from, to);
}

template <class T>
class TiledSpace final : public ManySweeps<T, 3> {
 public:
  static bool fits(const BoundGrid<T, 3>& grid) {
    return (grid.kind == Kind::equal || grid.kind == Kind::constant) && !grid.w.has_copies &&
           SpaceTile::shared_bytes<T>() <= properties_of(grid.stream.device()).shared_per_block &&
           grid.w.n[1] / SpaceTile::owned_high < 65535;
  }
  /// three_term: takes such steps too, with two arrays more.
  TiledSpace(BoundGrid<T, 3>& grid, bool three_term)
      : grid_(grid),
        spare_(grid, three_term),
        multiprocessors_(properties_of(grid.stream.device()).multiprocessors) {}
  const char* name() const override { return "tiled"; }
  bool takes(StepKind kind) const override { return kind != StepKind::three_term || spare_.exist(); }
  std::string blocking() const override { return "3 sweeps per pass, planes of 64 x 32 with their halo"; }
  double words() const override {
    constexpr double owned = SpaceTile::owned_wide * SpaceTile::owned_high;
    return spare_.words_of_pass(SpaceTile::wide * SpaceTile::high / owned) / SpaceTile::levels;
  }
  Index at_once() const override { return 8 * SpaceTile::levels; }

  void make(std::span<const Step> steps, const Step* on_device, bool former) override {
    const auto run = [&](const Step* there, Index count, const Iterates<T>& u, const Iterates<T>& out) {
      with_constant_kind(grid_, former, [&](auto k, auto beside) {
        launch(grid_.stream, shape(), sweep_space<k(), beside(), T>, grid_.w, u, out, there,
               static_cast<int>(count), planes());
      });
    };
    in_passes(grid_, spare_, former, on_device, static_cast<Index>(steps.size()), Index{SpaceTile::levels},
              run);
  }

 private:
  static Index pieces(Index n, Index size) { return (n + size - 1) / size; }
  Index columns() const {
    return pieces(grid_.w.n[0], SpaceTile::owned_wide) * pieces(grid_.w.n[1], SpaceTile::owned_high);
  }
  /// Of a block: all, but for grids with too few columns to go round; at least 32, each with 2 more at both
  /// ends.
  Index planes() const {
    const Index parts = pieces(4 * multiprocessors_, columns());
    const Index each = pieces(grid_.w.n[2], parts);
    return each < 32 ? 32 : each;
  }
  Launch shape() const {
    return {{static_cast<unsigned>(pieces(grid_.w.n[0], SpaceTile::owned_wide)),
             static_cast<unsigned>(pieces(grid_.w.n[1], SpaceTile::owned_high)),
             static_cast<unsigned>(pieces(grid_.w.n[2], planes()))},
            {SpaceTile::wide, SpaceTile::rows},
            SpaceTile::shared_bytes<T>()};
  }

  BoundGrid<T, 3>& grid_;
  SpareIterates<T, 3> spare_;
  Index multiprocessors_;
};

}  // namespace jacobi::cuda
