/// Rung classic: one launch per sweep.
#pragma once
#include "backend/cuda/bound.hpp"

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
// gfx90a: registers <= 56
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
inline constexpr int lines_at_once = D == 2 && K != Kind::variable ? 2 : 1;

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

/// Writes the updates of a line's `there` unknowns; the norm's parts of those, where they are wanted.
template <class T>
JACOBI_DEVICE void put_line(const Sixteen<T>& made, const Sixteen<T>& old, int there, T* to, bool measured,
                            Partial& mine) {
  constexpr int wide = Sixteen<T>::size;
  if (there == wide)
    store_together(reinterpret_cast<Sixteen<T>*>(to), made);
  else
#pragma unroll
    for (int j = 0; j < wide - 1; ++j)
      if (j < there) to[j] = made.at[j];
  if (measured)
#pragma unroll
    for (int j = 0; j < wide; ++j)
      if (j < there) mine += part_of(static_cast<double>(made.at[j] - old.at[j]));
}

/// `lines` lines of `there` unknowns from offset p on, so many at once, all of their loads and that of the
/// step before the first update. Neighbours along x are in registers but for those beside the strip; for
/// these, and in 3D those along y, others of the block ask as well.
template <Kind K, class T, int D>
JACOBI_DEVICE void sweep_strip(const DeviceGrid<T, D>& w, Index p, int lines, int there, const T* u, T* out,
                               const Step* at_step, bool measured, Partial& mine) {
  constexpr int wide = Sixteen<T>::size, n = lines_at_once<K, D>;
  const Index along = w.stride[D - 1];
  Sixteen<T> before, middle = load_sixteen(u + p);
  if constexpr (D > 1) before = load_sixteen(u + p - along);
  for (;; p += n * along, lines -= n) {
    T west[n], east[n];
    Sixteen<T> after[n], g[n], south[n], north[n], c[n][2 * D];
    const Step step = *at_step;
    const StepKind kind = sweep::kind_of(step);
#pragma unroll
    for (int r = 0; r < n; ++r) {
      const Index q = p + (r < lines ? r : 0) * along;  // there is always something to load: no branch
      if constexpr (D > 1) after[r] = load_sixteen(u + q + along);
      g[r] = load_sixteen(w.g + (w.has_one_g ? 0 : q));
      west[r] = load_again(u + q - 1);
      east[r] = load_again(u + q + wide);
      if constexpr (D == 3) {
        south[r] = load_sixteen(u + q - w.stride[1]);
        north[r] = load_sixteen(u + q + w.stride[1]);
      }
      if constexpr (K == Kind::variable)
        for (int k = 0; k < 2 * D; ++k)
          c[r][k] = load_once(reinterpret_cast<const Sixteen<T>*>(w.c_arrays[k] + q));
    }
#pragma unroll
    for (int r = 0; r < n; ++r) {
      T* const to = out + p + r * along;
      const auto make = [&](auto s, const Sixteen<T>& former) {
        Sixteen<T> made;
#pragma unroll
        for (int j = 0; j < wide; ++j) {
          const auto at = [&](int k) {
            if (k == 0) return j == 0 ? west[r] : middle.at[j - 1];
            if (k == 1) return j == wide - 1 ? east[r] : middle.at[j + 1];
            if (k / 2 == D - 1) return k % 2 == 0 ? before.at[j] : after[r].at[j];
            return k % 2 == 0 ? south[r].at[j] : north[r].at[j];
          };
          made.at[j] = stepped<K, s(), D>(
              at, [&](int k) { return K == Kind::variable ? c[r][k].at[j] : w.c[k]; }, g[r].at[j],
              middle.at[j], [&] { return former.at[j]; }, step);
        }
        return made;
      };
      if (r < lines) {
        Sixteen<T> made;
        if (kind == StepKind::plain)
          made = make(std::integral_constant<StepKind, StepKind::plain>(), middle);
        else if (kind == StepKind::weighted)
          made = make(std::integral_constant<StepKind, StepKind::weighted>(), middle);
        else
          made = make(std::integral_constant<StepKind, StepKind::three_term>(),
                      *reinterpret_cast<const Sixteen<T>*>(to));
        put_line(made, middle, there, to, measured, mine);
      }
      before = middle;
      if constexpr (D > 1) middle = after[r];
    }
    if (n == ThreadLines<D>::most_lines || lines <= n) return;
  }
}

/// Renews the ghosts that copy unknowns of the strip, which the thread has written.
template <class T, int D>
JACOBI_DEVICE void renew_ghosts_of_strip(const DeviceGrid<T, D>& w, const Shape& block, T* out) {
  int lines;
  const Shape again{static_cast<unsigned>(opaque(static_cast<int>(block.x))),
                    static_cast<unsigned>(opaque(static_cast<int>(block.y))),
                    static_cast<unsigned>(opaque(static_cast<int>(block.z)))};
  Point<D> p = strip_of(w, again, lines);  // computed again, not kept
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

/// The same as sweep_once in other blocks, in the same words per update: each thread has 16 bytes of x and
/// goes along w.lines lines, rows in 2D and planes in 3D, with three lines of u in registers, so that it
/// reads each of its unknowns once. A norm is added up along a thread's strip, then as those of all kernels.
// registers <= 128
// gfx90a: registers <= 80
template <Kind K, class T, int D>
JACOBI_KERNEL_OF(ThreadLines<D>::threads, K == Kind::variable ? 2 : 4)
sweep_strips(DeviceGrid<T, D> w, const T* u, T* out, const Step* at, Partial* parts) {
  int lines;
  const Point<D> first = strip_of(w, block(), lines);
  Partial mine;
  if (lines > 0) {
    const Index left = w.n[0] - first.position[0];
    const int there = opaque(static_cast<int>(left < Sixteen<T>::size ? left : Sixteen<T>::size));
    sweep_strip<K>(w, first.offset, lines, there, u, out, at, parts, mine);
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
