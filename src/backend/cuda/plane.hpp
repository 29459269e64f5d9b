/// Rungs on-chip and tiled of 2D grids.
#pragma once
#include "backend/cuda/many.hpp"
#include "backend/cuda/persistent.hpp"
#include "backend/cuda/tile.hpp"

namespace jacobi::cuda {

/// Tiles per direction, where each owns what its halo of `depth` leaves.
struct TileGrid {
  int depth;
  unsigned wide, high;

  template <class T>
  static TileGrid of(const DeviceGrid<T, 2>& w, int depth) {
    const auto pieces = [](Index n, Index size) { return static_cast<unsigned>((n + size - 1) / size); };
    return {depth, pieces(w.n[0], TilePlace::owned_wide(depth)),
            pieces(w.n[1], TilePlace::owned_high(depth))};
  }
  JACOBI_DEVICE TilePlace place(unsigned x, unsigned y) const {
    return {static_cast<int>(x * static_cast<unsigned>(TilePlace::owned_wide(depth))) -
                TilePlace::halo_wide(depth),
            static_cast<int>(y * static_cast<unsigned>(TilePlace::owned_high(depth))) - depth, depth};
  }
  Launch launch(Index shared, bool cooperative) const {
    return {{wide, high}, {TileShape::threads}, shared, cooperative};
  }
};

/// Up to `depth` sweeps of every tile, u to out. Words per update: (u and what lies beside it with their
/// halo, out and the iterate before it) / sweeps.
// registers <= 255, spills <= 8
// gfx90a: registers <= 344, scratch <= 640
template <Kind K, Beside B, class T>
JACOBI_KERNEL_OF(TileShape::threads, (TileShape::resident<T, B>))
sweep_tiles(DeviceGrid<T, 2> w, TileGrid tiles, Iterates<T> u, Iterates<T> out, const Step* steps, int count,
            bool plain) {
  TileShare<T, B, K, false> tile(w, tiles.place(block().x, block().y));
  tile.load(u);
  for (int t = 0; t < count; ++t) tile.sweep(plain, steps, t);
  tile.store(out, false);
}

/// How blocks of a persistent kernel learn that their neighbours are ready.
struct Meeting {
  unsigned *flags, *counter, *gave_up;
  bool at_barrier;  ///< all of them, in place of the eight around
};

/// After stores of the whole block: tells that it has come to `turn`, and waits until the blocks around it
/// have. False where one does not come: all threads are told, and the kernel is to end.
JACOBI_DEVICE bool meet(const Meeting& meeting, unsigned turn) {
  const unsigned me = opaque(thread().x), x = block().x, y = block().y, wide = blocks().x, high = blocks().y;
  barrier();
  bool lost = false;
  if (meeting.at_barrier) {
    if (me == 0) {
      add_release(meeting.counter, 1);
      lost = !wait_for(meeting.counter, turn * wide * high);
    }
  } else {
    if (me == 0) store_release(meeting.flags + y * wide + x, turn);
    if (me < 9) {
      const unsigned to_x = x + me % 3 - 1, to_y = y + me / 3 - 1;  // below 0: beyond the last
      if (to_x < wide && to_y < high) lost = !wait_for(meeting.flags + to_y * wide + to_x, turn);
    }
  }
  if (lost) store_release(meeting.gave_up, turn);
  return !any(lost);
}

/// All sweeps, every block keeping its tile; halos go through L2 every `depth` sweeps, and a block that is
/// alone has none. Epoch e reads halos
/// from number e % 2 of (u, v) and leaves the unknowns beside the edge in number (e + 1) % 2: nobody reads
/// that any more, since the blocks around have told that they came to epoch e. The last one stores all owned
/// unknowns there.
// registers <= 255, spills <= 24
// gfx90a: registers <= 344, scratch <= 640
template <Kind K, Beside B, class T>
JACOBI_KERNEL_OF(TileShape::threads, (TileShape::resident<T, B>))
sweep_on_chip(DeviceGrid<T, 2> w, TileGrid tiles, Iterates<T> u, Iterates<T> v, const Step* steps, int count,
              bool plain, int epoch, Meeting meeting) {
  TileShare<T, B, K, true> tile(w, tiles.place(block().x, block().y));
  tile.load(u);
  unsigned number = 0;
  for (int t = 0; t < count;) {
    const int end = t + epoch < count ? t + epoch : count;
    for (; t < end; ++t) tile.sweep(plain, steps, t);
    const Iterates<T> out = ++number % 2 ? v : u;
    tile.store(out, t < count);
    if (t == count || !meet(meeting, number)) return;
    tile.load_halo(out);
  }
}

/// Dirichlet sides, coefficients that do not vary.
template <class T>
bool tiles_fit(const BoundGrid<T, 2>& grid) {
  return grid.kind != Kind::variable && !grid.w.has_copies;
}

/// Of a block's shared memory, for a tile of this grid and what lies beside it.
template <Beside B, bool Stays, class T>
Index tile_bytes(const BoundGrid<T, 2>& grid) {
  return grid.kind == Kind::equal ? TileShape::shared_bytes<T, Stays, B>()
                                  : TileShape::shared_bytes<T, Stays, B, Kind::constant>();
}
template <Beside B, bool Stays, class T>
bool tile_has_room(const BoundGrid<T, 2>& grid) {
  return tile_bytes<B, Stays>(grid) <= properties_of(grid.stream.device()).shared_per_block;
}

template <class T>
class OnChipTiles final : public ManySweeps<T, 2> {
 public:
  static bool fits(const BoundGrid<T, 2>& grid) { return depth_for<Beside::g>(grid) > 0; }
  /// three_term: takes such steps too where they fit, with two arrays more.
  OnChipTiles(BoundGrid<T, 2>& grid, bool at_barrier, bool three_term)
      : grid_(grid),
        spare_(grid, three_term && depth_for<Beside::g_and_former>(grid) > 0),
        tiles_(TileGrid::of(
            grid.w, spare_.exist() ? depth_for<Beside::g_and_former>(grid) : depth_for<Beside::g>(grid))),
        flags_(grid.stream, Index{tiles_.wide} * tiles_.high),
        at_barrier_(at_barrier) {}
  bool takes(StepKind kind) const override { return kind != StepKind::three_term || spare_.exist(); }
  std::string blocking() const override {
    const std::string all = "all sweeps between checks in ";
    if (is_alone()) return all + "one tile of 128 x 96";
    return all + std::to_string(tiles_.wide) + " x " + std::to_string(tiles_.high) +
           " tiles of 128 x 96, strips every " + std::to_string(tiles_.depth) + " sweeps";
  }
  double words() const override { return grid_.words_of_sweep() / static_cast<double>(at_once()); }
  Index at_once() const override { return 1024; }
  void require_success() const override { flags_.require_success(); }

  void make(std::span<const Step> steps, const Step* on_device, bool former) override {
    if (steps.empty()) return;
    const Index count = static_cast<Index>(steps.size()), epoch = is_alone() ? count : tiles_.depth;
    const bool plain = all_plain(steps);
    const auto run = [&](const Step* there, Index all, const Iterates<T>& u, const Iterates<T>& v) {
      flags_.clear();
      with_constant_kind(grid_, former, [&](auto k, auto beside) {
        launch(grid_.stream, tiles_.launch(TileShape::shared_bytes<T, true, beside(), k()>(), true),
               sweep_on_chip<k(), beside(), T>, grid_.w, tiles_, u, v, there, static_cast<int>(all), plain,
               static_cast<int>(epoch),
               Meeting{flags_.of_blocks(), flags_.counter(), flags_.gave_up(), at_barrier_});
      });
    };
    in_passes(grid_, spare_, former, on_device, count, count, run, (count + epoch - 1) / epoch % 2 != 0);
  }

 private:
  bool is_alone() const { return tiles_.wide * tiles_.high == 1; }
  /// The deepest halo with which all tiles are resident at once: the deeper, the fewer meetings. Of a grid
  /// that one block holds the least; 0: there is none.
  template <Beside B>
  static int depth_for(const BoundGrid<T, 2>& grid) {
    const Properties device = properties_of(grid.stream.device());
    if (!tiles_fit(grid) || !device.cooperative || !tile_has_room<B, true>(grid)) return 0;
    const auto launch = [&](int depth) {
      return TileGrid::of(grid.w, depth).launch(tile_bytes<B, true>(grid), true);
    };
    if (launch(1).blocks.count() == 1) return 1;
    const Index most =
        resident(grid.stream, launch(1), sweep_on_chip<Kind::equal, B, T>) * device.multiprocessors;
    for (int depth = 16; depth > 0; depth -= TileShape::columns)
      if (launch(depth).blocks.count() <= most) return depth;
    return 0;
  }

  BoundGrid<T, 2>& grid_;
  SpareIterates<T, 2> spare_;
  TileGrid tiles_;
  Flags flags_;
  bool at_barrier_;
};

template <class T>
class TiledPlane final : public ManySweeps<T, 2> {
 public:
  static constexpr int most = 16;  ///< sweeps per visit: more would leave little that is owned

  static bool fits(const BoundGrid<T, 2>& grid) {
    return tiles_fit(grid) && tile_has_room<Beside::g, false>(grid) &&
           TileGrid::of(grid.w, most).high <= 65535;
  }
  /// three_term: as OnChipTiles.
  TiledPlane(BoundGrid<T, 2>& grid, Index depth, bool three_term)
      : grid_(grid),
        spare_(grid, three_term && tile_has_room<Beside::g_and_former, false>(grid)),
        tiles_(TileGrid::of(grid.w, static_cast<int>(depth < 1      ? 12
                                                     : depth > most ? most
                                                                    : depth))) {}
  bool takes(StepKind kind) const override { return kind != StepKind::three_term || spare_.exist(); }
  std::string blocking() const override {
    return std::to_string(tiles_.depth) + " sweeps per visit to a tile of 128 x 96, halo included";
  }
  double words() const override {
    const double owned =
        static_cast<double>(TilePlace::owned_wide(tiles_.depth) * TilePlace::owned_high(tiles_.depth));
    return spare_.words_of_pass(TileShape::wide * TileShape::high / owned) / tiles_.depth;
  }
  Index at_once() const override { return 8 * Index{tiles_.depth}; }

  void make(std::span<const Step> steps, const Step* on_device, bool former) override {
    const bool plain = all_plain(steps);
    const auto run = [&](const Step* there, Index count, const Iterates<T>& u, const Iterates<T>& out) {
      with_constant_kind(grid_, former, [&](auto k, auto beside) {
        launch(grid_.stream, tiles_.launch(TileShape::shared_bytes<T, false, beside(), k()>(), false),
               sweep_tiles<k(), beside(), T>, grid_.w, tiles_, u, out, there, static_cast<int>(count), plain);
      });
    };
    in_passes(grid_, spare_, former, on_device, static_cast<Index>(steps.size()), tiles_.depth, run);
  }

 private:
  BoundGrid<T, 2>& grid_;
  SpareIterates<T, 2> spare_;
  TileGrid tiles_;
};

}  // namespace jacobi::cuda
