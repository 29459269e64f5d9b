/// Rung on-chip for 1D problems, alone or in a batch: every problem in the registers of a few warps, a lane
/// holding consecutive unknowns; neighbours come by shuffles, between warps through shared memory.
#pragma once
#include "backend/cuda/many.hpp"

namespace jacobi::cuda {

/// Unknowns per lane, and the problems or warps of a block.
inline constexpr int warps_of_problem = 8;

/// A lane's share of a problem whose unknowns lie `stride` apart in memory, the ends before and behind them;
/// Three: with the iterate before, for three-term steps.
template <class T, int P, bool Three>
struct Line {
  T x[P], g[P], former[Three ? P : 1];
  int left;     ///< unknowns of the problem from this lane's first one on: more than P, or fewer, or none
  T low, high;  ///< values beyond the whole of all lanes

  /// u, v, from_g: unknown 0 of the problem; first: this lane's; all: unknowns that all lanes can hold.
  JACOBI_DEVICE void load(const T* u, const T* v, const T* from_g, int n, Index stride, Index g_stride,
                          int first, int all) {
    left = n - first;
    low = u[-stride];
    high = all == n ? u[n * stride] : T(0);
    u += first * stride;
    v += first * stride;
    from_g += first * g_stride;
#pragma unroll
    for (int j = 0; j < P; ++j, u += stride, v += stride, from_g += g_stride) {
      x[j] = j <= left ? *u : T(0);  // the end too, where it lies within the lanes
      g[j] = j < left ? *from_g : T(0);
      if constexpr (Three) former[j] = j < left ? *v : T(0);
    }
  }
};

/// One sweep, given the values beside this lane's unknowns.
template <bool Full, StepKind S, Kind K, class T, int D, int P, bool Three>
JACOBI_DEVICE void sweep_line(const sweep::Sources<T, D>& w, Line<T, P, Three>& line, T below, T above,
                              const Step& step) {
  const int left = opaque(line.left);
  constexpr int d = D - 1;  // the direction of the problem: x, or y in a batch
#pragma unroll
  for (int j = 0; j < P; ++j) {
    const T old = line.x[j], next = j + 1 < P ? line.x[(j + 1) % P] : above;
    const auto at = [&](int k) { return k == 2 * d ? below : next; };
    const auto c = [&](int k) { return w.c[k]; };
    const T value = stepped<K, S, D>(
        at, c, line.g[j], old, [&] { return line.former[Three ? j : 0]; }, step);
    if (Full || j < left) line.x[j] = value;
    if constexpr (Three) line.former[j] = old;
    below = old;
  }
}

/// Values beside this lane's unknowns: of the lanes beside it and, in a problem of several warps, by `edges`,
/// two buffers in turn of the first and last unknown of every warp.
template <bool OneWarp, class T, int P, bool Three>
JACOBI_DEVICE void neighbours(const Line<T, P, Three>& line, T* edges, unsigned warps, T& below, T& above) {
  const unsigned lane = thread().x % lanes_of_warp, warp = thread().x / lanes_of_warp;
  below = shuffle_up(line.x[P - 1], 1);
  above = shuffle_down(line.x[0], 1);
  const bool first = lane == 0, last = lane == lanes_of_warp - 1;
  if constexpr (!OneWarp) {
    if (first) edges[2 * warp] = line.x[0];
    if (last) edges[2 * warp + 1] = line.x[P - 1];
    barrier();
    if (first) below = warp > 0 ? edges[2 * warp - 1] : line.low;
    if (last) above = warp + 1 < warps ? edges[2 * warp + 2] : line.high;
  } else {
    if (first) below = line.low;
    if (last) above = line.high;
  }
}

/// A problem per warp (OneWarp: a block holds several), or per block. Words between memory and chip: u, g,
/// out once for all sweeps; Three: v holds the iterate before u, and u the one before `v` in the end.
// registers <= 224
// gfx90a: registers <= 216, scratch <= 24
template <bool OneWarp, bool Full, bool Three, Kind K, class T, int D, int P>
JACOBI_KERNEL_OF(OneWarp ? 128 : 256, 1)
sweep_lines(DeviceGrid<T, D> w, T* u, T* v, const Step* steps, Index count, bool plain) {
  const Index per_block = OneWarp ? threads().x / lanes_of_warp : 1;
  const Index problem =
      static_cast<Index>(block().x) * per_block + (OneWarp ? thread().x / lanes_of_warp : 0);
  const Index stride = w.stride[D - 1];
  if (problem >= (D == 1 ? 1 : w.n[0])) return;  // a whole warp or block
  const int lanes = OneWarp ? lanes_of_warp : static_cast<int>(threads().x);
  const int first = static_cast<int>(thread().x) % lanes * P;
  Line<T, P, Three> line;
  line.load(u + problem, v + problem, w.g + (w.has_one_g ? 0 : problem), static_cast<int>(w.n[D - 1]), stride,
            w.has_one_g ? 0 : stride, first, lanes * P);
  T* const edges = shared_memory<T>();
  for (Index t = 0; t < count; ++t) {
    const Step step = plain ? Step{} : steps[t];
    T below, above;
    neighbours<OneWarp>(line, edges + t % 2 * 2 * warps_of_problem, threads().x / lanes_of_warp, below,
                        above);
    if constexpr (Three)
      if (!plain && step.rho != 1) {
        sweep_line<Full, StepKind::three_term, K>(w, line, below, above, step);
        continue;
      }
    if (plain || step.omega == 1)
      sweep_line<Full, StepKind::plain, K>(w, line, below, above, step);
    else
      sweep_line<Full, StepKind::weighted, K>(w, line, below, above, step);
  }
  u += problem + first * stride;
  v += problem + first * stride;
  const int left = opaque(line.left);
#pragma unroll
  for (int j = 0; j < P; ++j, u += stride, v += stride)
    if (Full || j < left) {
      *v = line.x[j];
      if constexpr (Three) *u = line.former[j];
    }
}

/// For Dirichlet ends and coefficients that are equal, or constant in 1D. With the iterate before, a lane
/// holds half as many unknowns.
template <class T, int D>
class LineSweeps final : public ManySweeps<T, D> {
 public:
  static constexpr int few = 8, half = 16, most = 32;  ///< unknowns per lane
  static bool fits(const BoundGrid<T, D>& grid) {
    const bool along_one = D == 1 ? grid.kind != Kind::variable : grid.kind == Kind::lines;
    return along_one && !grid.w.has_copies &&
           grid.w.n[D - 1] <= Index{most} * lanes_of_warp * warps_of_problem;
  }
  explicit LineSweeps(BoundGrid<T, D>& grid) : grid_(grid) {}
  bool takes(StepKind kind) const override {
    return kind != StepKind::three_term || unknowns() <= Index{half} * lanes_of_warp * warps_of_problem;
  }
  std::string blocking() const override {
    const Index warps = warps_of<most>();
    return "all sweeps between checks in registers, " +
           (warps == 1 ? "a warp" : "a block of " + std::to_string(warps) + " warps") + " per problem";
  }
  double words() const override { return grid_.words_of_sweep() / static_cast<double>(at_once()); }
  Index at_once() const override { return 1024; }

  void make(std::span<const Step> steps, const Step* on_device, bool former) override {
    if (steps.empty()) return;
    const Index count = static_cast<Index>(steps.size());
    const bool plain = all_plain(steps);
    if (unknowns() <= few * lanes_of_warp)
      former ? run<few, true>(on_device, count, plain) : run<few, false>(on_device, count, plain);
    else
      former ? run<half, true>(on_device, count, plain) : run<most, false>(on_device, count, plain);
    grid_.swap();
  }

 private:
  Index unknowns() const { return grid_.w.n[D - 1]; }
  template <int P>
  Index warps_of() const {
    return (unknowns() + P * lanes_of_warp - 1) / (P * lanes_of_warp);
  }
  template <int P, bool Three>
  void run(const Step* steps, Index count, bool plain) {
    const bool full = warps_of<P>() * P * lanes_of_warp == unknowns();
    if (warps_of<P>() == 1)
      full ? run<true, true, Three, P>(steps, count, plain) : run<true, false, Three, P>(steps, count, plain);
    else if constexpr (P > few)
      full ? run<false, true, Three, P>(steps, count, plain)
           : run<false, false, Three, P>(steps, count, plain);
  }
  template <bool OneWarp, bool Full, bool Three, int P>
  void run(const Step* steps, Index count, bool plain) {
    constexpr int per_block = 4;
    const Index problems = D == 1 ? 1 : grid_.w.n[0];
    const unsigned wide = static_cast<unsigned>(OneWarp ? per_block : warps_of<P>()) * lanes_of_warp;
    const Index blocks = OneWarp ? (problems + per_block - 1) / per_block : problems;
    const Launch how{{static_cast<unsigned>(blocks)}, {wide}, 4 * warps_of_problem * Index{sizeof(T)}};
    const auto start = [&](auto k) {
      launch(grid_.stream, how, sweep_lines<OneWarp, Full, Three, k(), T, D, P>, grid_.w, grid_.u, grid_.v,
             steps, count, plain);
    };
    if constexpr (D == 2)
      start(std::integral_constant<Kind, Kind::lines>());
    else if (grid_.kind == Kind::equal)
      start(std::integral_constant<Kind, Kind::equal>());
    else
      start(std::integral_constant<Kind, Kind::constant>());
  }

  BoundGrid<T, D>& grid_;
};

}  // namespace jacobi::cuda
