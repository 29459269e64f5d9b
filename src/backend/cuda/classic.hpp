/// Rung classic: one launch per sweep.
#pragma once
#include "backend/cuda/bound.hpp"

#ifndef JACOBI_CLASSIC_VARIANT
#define JACOBI_CLASSIC_VARIANT 0
#endif

namespace jacobi::cuda {

template <Kind K, StepKind S, class T, int D>
JACOBI_DEVICE void sweep_points(const DeviceGrid<T, D>& w, const T* u, T* out, const Step& step,
                                bool measured, Partial& mine) {
  for_each_point(w, [&](const Point<D>& p) {
    const T value = updated<K, S>(w, u, out, p.offset, step);
    if (measured) mine += part_of(static_cast<double>(value - u[p.offset]));
    out[p.offset] = value;
    if (w.has_copies) renew_ghosts(w, p, out, value);
  });
}

/// u to out, and where parts are wanted, those of the update's norm. Words per update: u, g where it is not
/// one number, out (3), coefficients where they vary, out before it is written for a three-term step.
// registers <= 64
template <Kind K, class T, int D>
JACOBI_KERNEL_OF(most_threads, 1)
sweep_once(DeviceGrid<T, D> w, const T* u, T* out, const Step* at, Partial* parts) {
  const Step step = *at;
  const StepKind kind = sweep::kind_of(step);
  Partial mine;
  if (kind == StepKind::plain)
    sweep_points<K, StepKind::plain>(w, u, out, step, parts, mine);
  else if (kind == StepKind::weighted)
    sweep_points<K, StepKind::weighted>(w, u, out, step, parts, mine);
  else
    sweep_points<K, StepKind::three_term>(w, u, out, step, parts, mine);
  if (parts) write_part(mine, shared_memory<Partial>(), parts);
}

/// Lines of a strip whose loads are on their way at once: as many as registers hold.
template <Kind K, int D>
inline constexpr int lines_at_once = JACOBI_CLASSIC_VARIANT != 1 && D == 2 && K != Kind::variable ? 2 : 1;

/// What a thread of sweep_strips has of its strip: offset of the next line, how many there are to come and
/// how many unknowns of each; u of the line before it and of itself; of each line at once, u after it and its
/// g.
template <Kind K, class T, int D>
struct Strip {
  static constexpr int at_once = lines_at_once<K, D>;
  Index offset;
  int lines, wide;
  Sixteen<T> before, middle, after[at_once], g[at_once];
};

template <class T>
JACOBI_DEVICE Sixteen<T> load_sixteen(const T* at) {
  return load_again(reinterpret_cast<const Sixteen<T>*>(at));
}

/// Where the strip of this thread begins, of a block at (x, y, z), and how many lines it has, if any.
template <class T, int D>
JACOBI_DEVICE Point<D> strip_of(const DeviceGrid<T, D>& w, const Shape& at, int& lines) {
  const Index x = (static_cast<Index>(at.x) * threads().x + thread().x) * Sixteen<T>::size;
  Index y = static_cast<Index>(at.y) * threads().y + thread().y, z = static_cast<Index>(at.z) * w.lines;
  Index left = 1;
  if constexpr (D == 2) left = w.n[1] - (y *= w.lines);
  if constexpr (D == 3) left = y < w.n[1] ? w.n[2] - z : 0;
  lines = x >= w.n[0] || left <= 0 ? 0 : static_cast<int>(left < w.lines ? left : w.lines);
  return point_at(w, x, y, z);
}

/// Asks for what the next lines' updates take; of the last one's again, where there are fewer.
template <Kind K, class T, int D>
JACOBI_DEVICE void ask_for_lines(const DeviceGrid<T, D>& w, Strip<K, T, D>& s, const T* u) {
#pragma unroll
  for (int r = 0; r < s.at_once; ++r) {
    const Index p = s.offset + (r < s.lines ? r : s.lines - 1) * w.stride[D - 1];
    if constexpr (D > 1) s.after[r] = load_sixteen(u + p + w.stride[D - 1]);
    s.g[r] = load_sixteen(w.g + (w.has_one_g ? 0 : p));
  }
}

/// Writes the updates of a line; the norm's parts of those, where they are wanted.
template <Kind K, class T, int D>
JACOBI_DEVICE void put_line(const Strip<K, T, D>& s, T* to, const Sixteen<T>& made, bool measured,
                            Partial& mine) {
  constexpr int wide = Sixteen<T>::size;
  if (s.wide == wide)
    store_together(reinterpret_cast<Sixteen<T>*>(to), made);
  else
#pragma unroll
    for (int j = 0; j < wide - 1; ++j)
      if (j < s.wide) to[j] = made.at[j];
  if (measured)
#pragma unroll
    for (int j = 0; j < wide; ++j)
      if (j < s.wide) mine += part_of(static_cast<double>(made.at[j] - s.middle.at[j]));
}

/// Lines of the strip until its end, all loads before the first update. Neighbours along x are in registers
/// but for those beside the strip; of these, and in 3D of those along y, others of the block have asked.
template <StepKind S, Kind K, class T, int D>
JACOBI_DEVICE void sweep_strip(const DeviceGrid<T, D>& w, Strip<K, T, D> s, const T* u, T* out,
                               const Step& step, bool measured, Partial& mine) {
  constexpr int wide = Sixteen<T>::size, n = s.at_once;
  for (;; s.offset += n * w.stride[D - 1], s.lines -= n, ask_for_lines(w, s, u)) {
    T west[n], east[n];
    Sixteen<T> south[n], north[n], former[n], c[n][2 * D];
#pragma unroll
    for (int r = 0; r < n; ++r) {
      const Index p = s.offset + (r < s.lines ? r : 0) * w.stride[D - 1];
      west[r] = load_again(u + p - 1);
      east[r] = load_again(u + p + wide);
      if constexpr (D == 3) {
        south[r] = load_sixteen(u + p - w.stride[1]);
        north[r] = load_sixteen(u + p + w.stride[1]);
      }
      if constexpr (S == StepKind::three_term) former[r] = *reinterpret_cast<const Sixteen<T>*>(out + p);
      if constexpr (K == Kind::variable)
        for (int k = 0; k < 2 * D; ++k)
          c[r][k] = load_once(reinterpret_cast<const Sixteen<T>*>(w.c_arrays[k] + p));
    }
#pragma unroll
    for (int r = 0; r < n; ++r) {
      Sixteen<T> made;
#pragma unroll
      for (int j = 0; j < wide; ++j) {
        const auto at = [&](int k) {
          if (k == 0) return j == 0 ? west[r] : s.middle.at[j - 1];
          if (k == 1) return j == wide - 1 ? east[r] : s.middle.at[j + 1];
          if (k / 2 == D - 1) return k % 2 == 0 ? s.before.at[j] : s.after[r].at[j];
          return k % 2 == 0 ? south[r].at[j] : north[r].at[j];
        };
        made.at[j] = stepped<K, S, D>(
            at, [&](int k) { return K == Kind::variable ? c[r][k].at[j] : w.c[k]; }, s.g[r].at[j],
            s.middle.at[j], [&] { return former[r].at[j]; }, step);
      }
      if (r < s.lines) put_line(s, out + s.offset + r * w.stride[D - 1], made, measured, mine);
      s.before = s.middle;
      s.middle = s.after[r];
    }
    if (s.lines <= n) return;
  }
}

/// Renews the ghosts that copy unknowns of the strip, which the thread has written.
template <class T, int D>
JACOBI_DEVICE void renew_ghosts_of_strip(const DeviceGrid<T, D>& w, const Shape& block, T* out) {
  int lines;
  Point<D> p = strip_of(w, block, lines);
#pragma unroll 1
  for (; lines > 0; --lines) {
#pragma unroll 1
    for (int j = 0; j < Sixteen<T>::size && p.position[0] + j < w.n[0]; ++j) {
      Point<D> one = p;
      one.position[0] += j;
      one.offset += j;
      renew_ghosts(w, one, out, out[one.offset]);
    }
    ++p.position[D - 1];
    p.offset += w.stride[D - 1];
  }
}

/// The same as sweep_once in other blocks: each thread has 16 bytes of x and goes along w.lines lines, rows
/// in 2D and planes in 3D, with three lines of u in registers, so that it reads each of its unknowns once.
/// The norm is added up along a thread's strip, then as those of all kernels.
// registers <= 80
template <Kind K, class T, int D>
JACOBI_KERNEL_OF(Strips<D>::wide* Strips<D>::high, K == Kind::variable ? 3 : 4)
sweep_strips(DeviceGrid<T, D> w, const T* u, T* out, const Step* at, Partial* parts) {
  int lines;
  const Point<D> first = strip_of(w, block(), lines);
  Partial mine;
  if (lines > 0) {
    const Index p = first.offset, wide = w.n[0] - first.position[0];
    Strip<K, T, D> strip{p, lines,
                         opaque(static_cast<int>(wide < Sixteen<T>::size ? wide : Sixteen<T>::size))};
    strip.middle = load_sixteen(u + p);
    if constexpr (D > 1) strip.before = load_sixteen(u + p - w.stride[D - 1]);
    ask_for_lines(w, strip, u);
    const Step step = *at;
    const StepKind kind = sweep::kind_of(step);
    if (kind == StepKind::plain)
      sweep_strip<StepKind::plain>(w, strip, u, out, step, parts, mine);
    else if (kind == StepKind::weighted)
      sweep_strip<StepKind::weighted>(w, strip, u, out, step, parts, mine);
    else
      sweep_strip<StepKind::three_term>(w, strip, u, out, step, parts, mine);
    if (w.has_copies) renew_ghosts_of_strip(w, block(), out);
  }
  if (parts) write_part(mine, shared_memory<Partial>(), parts);
}

/// What sweeps this grid.
template <Kind K, class T, int D>
auto classic_kernel(const BoundGrid<T, D>& grid) {
  return grid.w.lines > 0 ? sweep_strips<K, T, D> : sweep_once<K, T, D>;
}

/// Makes one sweep and swaps the iterates. step: on the device.
template <class T, int D>
void sweep_classic(BoundGrid<T, D>& grid, const Step* step, bool measured) {
  with_kind<D>(grid.kind, [&](auto k) {
    launch(grid.stream, grid.sweep(), classic_kernel<k()>(grid), grid.w, static_cast<const T*>(grid.u),
           grid.v, step, measured ? grid.norms.parts() : nullptr);
  });
  grid.swap();
}

}  // namespace jacobi::cuda
