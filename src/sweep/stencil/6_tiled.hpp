// Rung 6, tiled: many sweeps per visit to the cache. A block of k sweeps goes over the grid in tiles that
// lean by one line (or one vector) per sweep, so that all its sweeps find their neighbours done; see
// docs/architecture.md. Words per update: 3 / k and the overlap of tiles.
// Compared with rung 0: bitwise, for every tile, depth and number of threads.
#if defined(JACOBI_TILED) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_TILED
#undef JACOBI_TILED
#else
#define JACOBI_TILED
#endif

#if JACOBI_HAS_OPENMP
#include <omp.h>
#endif

#include "sweep/barrier.hpp"
#include "sweep/stencil/box-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// k sweeps of one kind. Level t = 1 ... k takes every unknown from t - 1 to t sweeps; levels alternate
/// between the two arrays. An unknown may go to level t as soon as its neighbours have reached t - 1: then
/// nobody needs any more what it overwrites, its own level t - 2.
template <class T, int D>
class Block {
 public:
  static constexpr int stream = D - 1;  ///< the direction in which a tile moves on

  Block(const Workspace<T, D>& w, std::span<const Step> steps, bool measured, const T* from, T* to)
      : w_(w),
        steps_(steps),
        k_(static_cast<Index>(steps.size())),
        array_{const_cast<T*>(from), to},
        sweep_(select<PlainBox, T, D>(w.kind, kind_of(steps[0]))),
        last_(measured ? select<MeasuredBox, T, D>(w.kind, kind_of(steps[0])) : sweep_) {}

  /// What can be done of rows [first, last) without the rows around: each level loses one row more at a cut.
  void trapezoid(Index first, Index last) const {
    const Range band{first, last, first > 0 || w_.is_periodic(stream),
                     last < w_.n[stream] || w_.is_periodic(stream)};
    if constexpr (D == 1) return descend(band, {}, 0);
    if constexpr (D == 2)
      for (Index i = 0; i < w_.pieces_per_line; ++i) descend(band, {i}, i);
    if constexpr (D == 3)
      for (Index q = 0; q * w_.tile.size[1] < w_.n[1]; ++q)
        for (Index i = 0; i < w_.pieces_per_line; ++i) descend(band, {i, q}, i);
  }

  /// The rest around a cut before row `at`, level by level; at 0: the seam of a periodic direction.
  void triangle(Index at) const {
    for (Index t = 2; t <= k_; ++t)
      if (at > 0) {
        rows(t, at - t + 1, at + t - 1);
      } else {
        rows(t, w_.n[stream] - t + 1, w_.n[stream]);
        rows(t, 0, t - 1);
      }
  }

 private:
  struct Range {
    Index first, last;
    bool cut_low, cut_high;
  };

  void sweep(Index t, const Box<D>& box, Index piece) const {
    (t == k_ ? last_ : sweep_)(w_, box, piece, array_[(t - 1) % 2], array_[t % 2], steps_[t - 1]);
  }

  /// A tile moves through the band; the last level keeps to whole pieces of lines, for its norms.
  void descend(const Range& band, std::array<Index, 2> tile, Index piece) const {
    const Index end = band.last - (band.cut_high ? k_ - 1 : 0) + k_ - 1;
    for (Index j = band.first; j < end; j += w_.tile.size[stream])
      for (Index t = 1; t <= k_; ++t) {
        Box<D> box;
        const Index start = j - (t - 1);
        box.from[stream] = std::max(start, band.first + (band.cut_low ? t - 1 : 0));
        box.to[stream] = std::min(start + w_.tile.size[stream], band.last - (band.cut_high ? t - 1 : 0));
        bool empty = box.from[stream] >= box.to[stream];
        for (int d = 0; d < stream; ++d) {
          lean(d, tile[d], t, box);
          empty = empty || box.from[d] >= box.to[d];
        }
        if (!empty) sweep(t, box, D == 1 ? j / w_.tile.size[0] : piece);
      }
  }

  /// Range of tile number i in direction d at level t: leaning forward at the earlier levels.
  void lean(int d, Index i, Index t, Box<D>& box) const {
    const Index size = w_.tile.size[d], n = w_.n[d];
    const Index ahead = k_ - t;
    box.from[d] = i == 0 ? 0 : std::min(n, i * size + ahead);
    box.to[d] = (i + 1) * size >= n ? n : std::min(n, (i + 1) * size + ahead);
  }

  /// Rows [first, last) at level t, piece by piece.
  void rows(Index t, Index first, Index last) const {
    Box<D> box;
    if constexpr (D == 3) box.from[1] = 0, box.to[1] = w_.n[1];
    box.from[stream] = first;
    box.to[stream] = last;
    if constexpr (D == 1) return sweep(t, box, 0);
    for (Index i = 0; i < w_.pieces_per_line; ++i) {
      box.from[0] = i * w_.tile.size[0];
      box.to[0] = std::min(w_.n[0], box.from[0] + w_.tile.size[0]);
      sweep(t, box, i);
    }
  }

  const Workspace<T, D>& w_;
  std::span<const Step> steps_;
  Index k_;
  T* array_[2];
  using Sweep = decltype(select<PlainBox, T, D>(Kind::equal, StepKind::plain));
  Sweep sweep_, last_;
};

template <class T, int D>
struct Tiled {
  static constexpr int stream = D - 1;

  /// Band number i of n begins here; in 1D bands consist of whole pieces.
  static Index band(const Workspace<T, D>& w, Index i, Index n) {
    if constexpr (D == 1) return std::min(w.n[0], w.pieces * i / n * w.tile.size[0]);
    return w.n[stream] * i / n;
  }

  /// Sweeps that n bands allow in one block: a cut takes a row per level from both its sides.
  static Index depth_of(const Workspace<T, D>& w, Index n) {
    if (n == 1 && !w.is_periodic(stream)) return w.tile.depth;
    Index thinnest = w.n[stream];
    for (Index i = 0; i < n; ++i) thinnest = std::min(thinnest, band(w, i + 1, n) - band(w, i, n));
    return std::min(w.tile.depth, thinnest / 2 + 1);
  }

  /// Steps of one kind from steps[j] on, at most depth. In 1D, the sweep that is measured stands alone: a cut
  /// would divide its pieces.
  static std::size_t length(std::span<const Step> steps, std::size_t j, Index depth, bool alone) {
    std::size_t end = j + 1;
    while (end < steps.size() && end - j < static_cast<std::size_t>(depth) &&
           kind_of(steps[end]) == kind_of(steps[j]))
      ++end;
    return alone && end == steps.size() && end - j > 1 ? end - j - 1 : end - j;
  }

  static void run(Workspace<T, D>& w, std::span<const Step> steps, Want want, Index t, Index n, int team,
                  Barrier& barrier) {
    const Index depth = depth_of(w, n);
    T *from = w.u, *to = w.v;
    for (std::size_t j = 0, count; j < steps.size(); j += count) {
      count = length(steps, j, depth, D == 1 && want == Want::update);
      const bool measured = want == Want::update && j + count == steps.size();
      const Block<T, D> block(w, steps.subspan(j, count), measured, from, to);
      if (t < n) block.trapezoid(band(w, t, n), band(w, t + 1, n));
      barrier.wait(team);
      if (count > 1 && (n > 1 || w.is_periodic(stream))) {
        if (t < n && (t > 0 || w.is_periodic(stream))) block.triangle(band(w, t, n));
        barrier.wait(team);
      }
      if (count % 2 == 1) std::swap(from, to);
    }
  }

  static Norms advance(Workspace<T, D>& w, std::span<const Step> steps, Want want) {
    const Index units = D == 1 ? w.pieces : w.n[stream];
    int bands = 1;
    Barrier barrier;
#if JACOBI_HAS_OPENMP
#pragma omp parallel num_threads(w.threads)
    {
      const int team = omp_get_num_threads(), t = omp_get_thread_num();
      const int n = static_cast<int>(std::min<Index>(team, units));
      run(w, steps, want, t, n, team, barrier);
      if (t == 0) bands = n;
    }
#else
    run(w, steps, want, 0, 1, 1, barrier);
#endif
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    record(w, "tiled", steps.size(), bands);
    if (want == Want::update && !steps.empty()) return w.total();
    return norms(w, want);
  }

  static Norms norms(Workspace<T, D>& w, Want want) {
    if (want == Want::nothing) return {};
#pragma omp parallel for schedule(static) num_threads(w.threads)
    for (Index s = 0; s < w.pieces; ++s) w.partials[s] = measure_piece(w, s, want);
    return w.total();
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
