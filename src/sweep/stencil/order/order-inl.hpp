/// One point's update, written once for scalars and vectors, host and device: the order of operations that
/// every rung keeps.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_ORDER_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_ORDER_INL
#undef JACOBI_ORDER_INL
#else
#define JACOBI_ORDER_INL
#endif

#include "sweep/device.hpp"
#include "sweep/stencil/order/sources.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// D^-1 (b - R u) at a point, R the off-diagonal part; at(k): its neighbours, c(k): their coefficients.
///   equal, 1D: fma(c, west + east, g); 2D: fma(c, (north + east) + (west + south), g);
///   3D: fma(c, ((north + east) + (west + south)) + (back + front), g)
///   lines: fma(c, south + north, g), the bits of each problem in 1D
///   else: fma(c_west, west, fma(c_east, east, fma(c_south, south, ... g)))
template <Kind K, class A, int D, class At, class C>
HWY_INLINE typename A::V combined(At&& at, C&& c, typename A::V g) {
  if constexpr (K == Kind::equal) {
    auto sum = D == 1 ? A::add(at(0), at(1))
                      : A::add(A::add(at(3 % (2 * D)), at(1)), A::add(at(0), at(2 % (2 * D))));
    if constexpr (D == 3) sum = A::add(sum, A::add(at(4), at(5)));
    g = A::fma(c(0), sum, g);
  } else if constexpr (K == Kind::lines) {
    g = A::fma(c(2 % (2 * D)), A::add(at(2 % (2 * D)), at(3 % (2 * D))), g);
  } else {
    for (int k = 2 * D - 1; k >= 0; --k) g = A::fma(c(k), at(k), g);
  }
  return g;
}

/// The same at offset p.
template <Kind K, class A, class T, int D, class Neighbour>
HWY_INLINE typename A::V plain_value(const Sources<T, D>& w, Index p, Neighbour&& at) {
  const auto c = [&](int k)
                     HWY_ATTR { return K == Kind::variable ? A::load(w.c_arrays[k] + p) : A::set(w.c[k]); };
  return combined<K, A, D>(at, c, A::load(w.g + p));
}

/// What a step, plain or weighted, makes of the plain value.
template <StepKind S, class A, class T>
HWY_INLINE typename A::V relaxed(typename A::V value, typename A::V old, T omega) {
  if constexpr (S != StepKind::plain) value = A::fma(A::set(omega), A::sub(value, old), old);
  return value;
}

/// u + omega (b - A u), where `diagonal` points to d.
template <class A, class T>
HWY_INLINE typename A::V undivided(typename A::V value, typename A::V old, const T* diagonal, T omega) {
  return A::fma(A::mul(A::set(omega), A::load(diagonal)), A::sub(value, old), old);
}

template <Kind K, class A, class T, int D>
HWY_INLINE typename A::V plain_value(const Sources<T, D>& w, const T* u, Index p) {
  return plain_value<K, A>(w, p, [&](int k) HWY_ATTR {
    return A::load(u + p + (k % 2 == 0 ? -w.stride[k / 2] : w.stride[k / 2]));
  });
}

template <Kind K, StepKind S, class A, class T, int D>
HWY_INLINE typename A::V new_value(const Sources<T, D>& w, const T* u, const T* out, Index p, T omega,
                                   T rho) {
  auto value = plain_value<K, A>(w, u, p);
  if constexpr (S == StepKind::undivided) return undivided<A>(value, A::load(u + p), w.diagonals + p, omega);
  if constexpr (S != StepKind::plain) value = relaxed<S, A>(value, A::load(u + p), omega);
  if constexpr (S == StepKind::three_term) {
    const auto before = A::load(out + p);
    value = A::fma(A::set(rho), A::sub(value, before), before);
  }
  return value;
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
