/// A grid on the device as kernels see it: what a sweep reads, where ghosts lie, how a point is updated.
#pragma once
#include "backend/cuda/device.hpp"
#include "sweep/stencil/order-inl.hpp"

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
  const T* diagonals;  ///< where coefficients vary
};

/// x_n and x_(n-1), by their first unknown; before: where sweeps need it.
template <class T>
struct Iterates {
  T *newest = nullptr, *before = nullptr;
};

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

/// One update in the order of every rung; `step` is of kind S.
template <Kind K, StepKind S, class T, int D>
JACOBI_DEVICE T updated(const DeviceGrid<T, D>& w, const T* u, const T* out, Index p, const Step& step) {
  return sweep::HWY_NAMESPACE::new_value<K, S, Number<T>>(static_cast<const sweep::Sources<T, D>&>(w), u, out,
                                                          p, static_cast<T>(step.omega),
                                                          static_cast<T>(step.rho));
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
