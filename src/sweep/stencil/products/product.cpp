#include "sweep/stencil/products/product.hpp"

#include "core/instantiate.hpp"
#include "sweep/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/stencil/products/product.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "sweep/stencil/order/order-inl.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

template <Kind K, class A, class T, int D>
HWY_INLINE typename A::V product_at(const Sources<T, D>& w, const T* diagonals, typename A::V diagonal,
                                    typename A::V sign, const T* x, Index p) {
  const auto difference = A::sub(plain_value<K, A>(w, x, p), A::load(x + p));
  return A::mul(K == Kind::variable ? A::mul(sign, A::load(diagonals + p)) : diagonal, difference);
}

template <class T, int D, Kind K>
void product_of(const Workspace<T, D>& shared, const Piece<D>& piece, const T* g, const T* x, T* y, T sign) {
  using A = Vector<T>;
  using One = Scalar<T>;
  Sources<T, D> w = shared;
  w.g = g;
  const T* const d = shared.diagonals;
  const T diagonal = sign * shared.diagonal;
  const Index lanes = static_cast<Index>(hn::Lanes(typename A::Tag()));
  const Index last = piece.first + piece.count;
  Index p = piece.first;
  const auto at = [&](Index q) HWY_ATTR {
    hn::StoreU(product_at<K, A>(w, d, A::set(diagonal), A::set(sign), x, q), typename A::Tag(), y + q);
  };
  for (; p + lanes <= last; p += lanes) at(p);
  if (p < last && piece.count >= lanes) {
    at(last - lanes);  // some once more
    p = last;
  }
  for (; p < last; ++p) y[p] = product_at<K, One>(w, d, diagonal, sign, x, p);
}

template <class T, int D>
GridProducts<T, D> products_here() {
  constexpr Kind lines = D == 2 ? Kind::lines : Kind::equal;
  return {{product_of<T, D, Kind::equal>, product_of<T, D, lines>, product_of<T, D, Kind::constant>,
           product_of<T, D, Kind::variable>},
          target_name(HWY_TARGET)};
}

#define JACOBI_HERE(T, D) \
  GridProducts<T, D> T##_##D##_here() { return products_here<T, D>(); }
JACOBI_FOR_EACH_GRID(JACOBI_HERE)
#undef JACOBI_HERE

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

#define JACOBI_EXPORT(T, D)                        \
  HWY_EXPORT(T##_##D##_here);                      \
  template <>                                      \
  GridProducts<T, D> grid_products<T, D>() {       \
    return HWY_DYNAMIC_DISPATCH(T##_##D##_here)(); \
  }
JACOBI_FOR_EACH_GRID(JACOBI_EXPORT)
#undef JACOBI_EXPORT

}  // namespace jacobi::sweep
#endif
