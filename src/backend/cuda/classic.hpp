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

/// Makes one sweep and swaps the iterates. step: on the device.
template <class T, int D>
void sweep_classic(BoundGrid<T, D>& grid, const Step* step, bool measured) {
  with_kind<D>(grid.kind, [&](auto k) {
    launch(grid.stream, grid.launch(), sweep_once<k(), T, D>, grid.w, static_cast<const T*>(grid.u), grid.v,
           step, measured ? grid.norms.parts() : nullptr);
  });
  grid.swap();
}

}  // namespace jacobi::cuda
