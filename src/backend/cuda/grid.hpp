/// A grid on the device as kernels see it: what a sweep reads, where ghosts lie, how a point is updated.
#pragma once
#include "backend/cuda/device.hpp"
#include "sweep/stencil/order/order-inl.hpp"

namespace jacobi::cuda {

using sweep::Kind;
using sweep::StepKind;

/// Arithmetic on one value of a thread; order-inl.hpp is written in it.
template <class T>
struct Number {
  using V = T;
  static HWY_INLINE T load(const T* p) { return *p; }
  static HWY_INLINE T set(T value) { return value; }
  static HWY_INLINE T add(T a, T b) { return a + b; }
  static HWY_INLINE T sub(T a, T b) { return a - b; }
  static HWY_INLINE T fma(T a, T b, T c) { return fused(a, b, c); }
};

/// Padded arrays as on the host: one ghost on each side of every direction; unknown (x, y, z) lies at
/// x + y stride[1] + z stride[2] of each.
template <class T, int D>
struct DeviceGrid : sweep::Sources<T, D> {
  std::array<Index, D> n;
  std::array<std::array<Index, 2>, D> ghost_source;  ///< as in sweep::Workspace
  bool has_copies;
  T diagonal;
  bool has_one_g;  ///< g is the same at all unknowns: only the first 16 bytes are there
  int rows;        ///< that a thread has of one-launch kernels (bound.hpp)
  int lines;       ///< that a thread of sweep_strips has (classic.hpp); 0: sweep_once sweeps

  JACOBI_DEVICE T g_at(Index p) const { return this->g[has_one_g ? 0 : p]; }
};

/// x_n and x_(n-1), by their first unknown; before: where sweeps need it.
template <class T>
struct Iterates {
  T *newest = nullptr, *before = nullptr;
};

/// What a kernel that keeps its unknowns keeps beside them: nothing, where g is one number; g; or g and, for
/// three-term steps, the iterate before.
enum class Beside { nothing, g, g_and_former };
JACOBI_HOST_DEVICE constexpr int arrays_of(Beside beside) { return static_cast<int>(beside); }

/// Where a thread works: offsets of the unknown (x, y, z), and whether there is one.
template <int D>
struct Point {
  Index position[3];
  Index offset;
};
template <class T, int D>
JACOBI_DEVICE Point<D> point_at(const DeviceGrid<T, D>& w, Index x, Index y, Index z) {
  Point<D> p{{x, y, z}, x};
  if constexpr (D > 1) p.offset += y * w.stride[1];
  if constexpr (D > 2) p.offset += z * w.stride[2];
  return p;
}

/// Renews the ghosts that copy this unknown.
template <class T, int D>
JACOBI_DEVICE void renew_ghosts(const DeviceGrid<T, D>& w, const Point<D>& p, T* out, T value) {
  for (int d = 0; d < D; ++d)
    for (int e = 0; e < 2; ++e)
      if (w.ghost_source[d][e] == p.position[d])
        out[p.offset + ((e == 0 ? -1 : w.n[d]) - p.position[d]) * w.stride[d]] = value;
}

/// What `step`, of kind S, makes of the plain value. old: x_n, before(): x_(n-1).
template <StepKind S, class T, class Before>
JACOBI_DEVICE T stepped_to(T value, T old, Before&& before, const Step& step) {
  value = sweep::HWY_NAMESPACE::relaxed<S, Number<T>>(value, old, static_cast<T>(step.omega));
  if constexpr (S == StepKind::three_term) {
    const T from = before();
    value = fused(static_cast<T>(step.rho), value - from, from);
  }
  return value;
}

/// One update in the order of every rung. at(k), c(k): neighbours and their coefficients.
template <Kind K, StepKind S, int D, class T, class At, class C, class Before>
JACOBI_DEVICE T stepped(At&& at, C&& c, T g, T old, Before&& before, const Step& step) {
  return stepped_to<S>(sweep::HWY_NAMESPACE::combined<K, Number<T>, D>(at, c, g), old, before, step);
}

/// The same of the unknown at p of u, the iterate before in out.
template <Kind K, StepKind S, class T, int D>
JACOBI_DEVICE T updated(const DeviceGrid<T, D>& w, const T* u, const T* out, Index p, const Step& step) {
  const auto at = [&](int k) { return u[p + (k % 2 == 0 ? -w.stride[k / 2] : w.stride[k / 2])]; };
  const auto c = [&](int k) { return K == Kind::variable ? w.c_arrays[k][p] : w.c[k]; };
  return stepped<K, S, D>(
      at, c, w.g_at(p), u[p], [&] { return out[p]; }, step);
}

/// Calls visit(std::integral_constant<Kind, K>) for the grid's kind: each only where it exists.
template <int D, class Visit>
decltype(auto) with_kind(Kind kind, Visit&& visit) {
  switch (kind) {
    case Kind::lines:
      if constexpr (D == 2) return visit(std::integral_constant<Kind, Kind::lines>());
      break;
    case Kind::constant:
      return visit(std::integral_constant<Kind, Kind::constant>());
    case Kind::variable:
      return visit(std::integral_constant<Kind, Kind::variable>());
    case Kind::equal:
      break;
  }
  return visit(std::integral_constant<Kind, Kind::equal>());
}

}  // namespace jacobi::cuda
