#include "sweep/accelerated/kernels.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sweep/accelerated/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {
namespace {

/// A factor that all unknowns share.
template <class T>
struct Same {
  T value;
  HWY_INLINE T operator[](Index) const { return value; }
};

/// use(S, w), each an array or what stands for it: loops are compiled for either.
template <class T, class Use>
Sums with_factors(const Factors<T>& by, Use&& use) {
  const Same<T> same{by.same}, one{1};
  if (by.scale) return by.weight ? use(by.scale, by.weight) : use(by.scale, one);
  return by.weight ? use(same, by.weight) : use(same, one);
}
template <class T, class Use>
Sums with_scale(const Factors<T>& by, Use&& use) {
  return by.scale ? use(by.scale) : use(Same<T>{by.same});
}

template <class T, class Use>
Sums with_rows(const Factors<T>& by, Use&& use) {
  return by.rows ? use(by.rows) : use(Same<T>{1});
}

template <class T>
HWY_INLINE double wide(T value) {
  return static_cast<double>(value);
}

/// Makes now(i) for each i of the run, and the norms of that.
template <class Now>
HWY_INLINE Sums norms_of(Run run, Now&& now) {
  const Index first = run.first, last = run.first + run.count;
  double squares = 0, max = 0;
#pragma omp simd reduction(+ : squares) reduction(max : max)
  for (Index i = first; i < last; ++i) {
    const double size = std::abs(wide(now(i)));
    squares += size * size;
    max = size > max ? size : max;
  }
  return {{squares}, max};
}

template <class T>
Sums dot(Run run, const T* weight, const T* a, const T* b) {
  const Index first = run.first, last = run.first + run.count;
  double sum = 0;
  if (weight) {  // NOLINT(bugprone-branch-clone): of other terms
#pragma omp simd reduction(+ : sum)
    for (Index i = first; i < last; ++i) sum += wide(weight[i]) * (wide(a[i]) * wide(b[i]));
  } else {
#pragma omp simd reduction(+ : sum)
    for (Index i = first; i < last; ++i) sum += wide(a[i]) * wide(b[i]);
  }
  return {{sum}};
}

template <class U, class T>
HWY_INLINE Sums dot_two_loop(U rows, Run run, const T* a, const T* b) {
  const Index first = run.first, last = run.first + run.count;
  double ab = 0, aa = 0;
#pragma omp simd reduction(+ : ab, aa)
  for (Index i = first; i < last; ++i) {
    const double value = wide(rows[i]) * wide(a[i]);
    ab += value * (wide(rows[i]) * wide(b[i]));
    aa += value * value;
  }
  return {{ab, aa}};
}
template <class T>
Sums dot_two(Run run, const Factors<T>& by, const T* a, const T* b) {
  return with_rows(by, [=](auto rows) HWY_ATTR { return dot_two_loop(rows, run, a, b); });
}

/// x += factor y; r -= factor u; the norms of U r, and the sum of second(i, r_i).
template <class U, class T, class Second>
HWY_INLINE Sums move(U rows, Run run, T factor, const T* y, const T* u, T* x, T* r, Second&& second) {
  const Index first = run.first, last = run.first + run.count;
  double squares = 0, more = 0, max = 0;
#pragma omp simd reduction(+ : squares, more) reduction(max : max)
  for (Index i = first; i < last; ++i) {
    x[i] += factor * y[i];
    const T now = r[i] - factor * u[i];
    r[i] = now;
    const double size = std::abs(wide(rows[i]) * wide(now));
    squares += size * size;
    more += second(i, wide(now));
    max = size > max ? size : max;
  }
  return {{squares, more}, max};
}
template <class T>
Sums descend(Run run, const Factors<T>& by, T alpha, const T* p, const T* w, T* x, T* r) {
  return with_factors(by, [=](auto scale, auto weight) HWY_ATTR {
    return move(Same<T>{1}, run, alpha, p, w, x, r, [=](Index i, double now) HWY_ATTR {
      return wide(weight[i]) * (wide(scale[i]) * (now * now));
    });
  });
}

/// p = D^-1 r.
template <class T>
Sums scaled(Run run, const Factors<T>& by, const T* r, T* p) {
  return with_scale(by, [=](auto scale) HWY_ATTR {
    return norms_of(run, [=](Index i) HWY_ATTR { return p[i] = scale[i] * r[i]; });
  });
}
template <class T>
Sums turn(Run run, const Factors<T>& by, T beta, const T* r, T* p) {
  if (beta == 0) return scaled(run, by, r, p);
  return with_scale(by, [=](auto scale) HWY_ATTR {
    return norms_of(run, [=](Index i) HWY_ATTR { return p[i] = scale[i] * r[i] + beta * p[i]; });
  });
}

template <class S, class W, class U, class T>
Sums renew_loop(S scale, W weight, U rows, Run run, const T* fresh, T* r) {
  const Index first = run.first, last = run.first + run.count;
  double squares = 0, rz = 0, drift = 0, max = 0;
#pragma omp simd reduction(+ : squares, rz, drift) reduction(max : max)
  for (Index i = first; i < last; ++i) {
    const double value = wide(fresh[i]), off = wide(rows[i]) * (value - wide(r[i]));
    const double size = std::abs(wide(rows[i]) * value);
    r[i] = fresh[i];
    squares += size * size;
    rz += wide(weight[i]) * (wide(scale[i]) * (value * value));
    drift += off * off;
    max = size > max ? size : max;
  }
  return {{squares, rz, drift}, max};
}
template <class T>
Sums renew(Run run, const Factors<T>& by, const T* fresh, T* r) {
  if (by.rows)  // of methods that ask nothing of the weights
    return renew_loop(by.rows, Same<T>{1}, by.rows, run, fresh, r);  // which scales where anything does
  return with_factors(by, [&](auto scale, auto weight)
                              HWY_ATTR { return renew_loop(scale, weight, Same<T>{1}, run, fresh, r); });
}

template <class T>
Sums turn_two(Run run, const Factors<T>& by, T beta, T omega, const T* r, const T* v, T* p, T* y) {
  if (beta == 0) {
    std::copy_n(r + run.first, run.count, p + run.first);
    return scaled(run, by, r, y);
  }
  return with_scale(by, [=](auto scale) HWY_ATTR {
    return norms_of(run, [=](Index i) HWY_ATTR {
      p[i] = r[i] + beta * (p[i] - omega * v[i]);
      return y[i] = scale[i] * p[i];
    });
  });
}

template <class T>
Sums step(Run run, const Factors<T>& by, T factor, const T* y, const T* u, const T* q, T* x, T* r) {
  return with_rows(by, [=](auto rows) HWY_ATTR {
    return move(rows, run, factor, y, u, x, r, [=](Index i, double now) HWY_ATTR {
      return (wide(rows[i]) * now) * (wide(rows[i]) * wide(q[i]));
    });
  });
}

template <class T>
Sums measure(Run run, const Factors<T>& by, T* df, T* f) {
  const bool by_rows = by.rows;
  return with_scale(by, [=](auto scale) HWY_ATTR {
    return norms_of(run, [=](Index i) HWY_ATTR {
      const T residual = df[i], now = scale[i] * residual;
      df[i] = now - f[i];
      f[i] = now;
      return by_rows ? now : residual;
    });
  });
}

/// So few that d, and some columns, stay in L1.
constexpr Index at_once = unknowns_at_once;

/// sums[k] += (a, b_k), k = 0 ... 3: one sum alone would wait for its own additions.
template <class T>
HWY_INLINE void dot_four(Index p, Index last, const T* a, const T* const* b, double* sums) {
  const T *const b0 = b[0], *const b1 = b[1], *const b2 = b[2], *const b3 = b[3];
  double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
#pragma omp simd reduction(+ : s0, s1, s2, s3)
  for (Index i = p; i < last; ++i) {
    const double value = wide(a[i]);
    s0 += value * wide(b0[i]);
    s1 += value * wide(b1[i]);
    s2 += value * wide(b2[i]);
    s3 += value * wide(b3[i]);
  }
  sums[0] += s0;
  sums[1] += s1;
  sums[2] += s2;
  sums[3] += s3;
}

template <class T>
HWY_INLINE void dot_each(Index p, Index last, const T* a, Index count, const T* const* b, double* sums) {
  Index k = 0;
  for (; k + 4 <= count; k += 4) dot_four(p, last, a, b + k, sums + k);
  for (; k < count; ++k) sums[k] += dot<T>({p, last - p}, nullptr, a, b[k]).dot[0];
}

template <class T>
void inner(Run run, Index fresh, Index columns, const T* const* df, const T* f, double* sums) {
  for (Index p = run.first; p < run.first + run.count; p += at_once) {
    const Index last = std::min(p + at_once, run.first + run.count);
    double* to = sums;
    for (Index i = 0; i < fresh; ++i) {
      dot_each(p, last, df[i], columns - i, df + i, to);
      to += columns - i;
    }
    dot_each(p, last, f, columns, df, to);
  }
}

template <class T>
Sums combine_some(Index p, Index count, T omega, const T* f, Index columns, const double* g, T* const* dx,
                  T* const* df, T* x, T* kept) {
  T d[at_once];
#pragma omp simd
  for (Index i = 0; i < count; ++i) d[i] = omega * f[p + i];
  Index k = 0;
  for (; k + 2 <= columns; k += 2) {
    const T g0 = static_cast<T>(g[k]), g1 = static_cast<T>(g[k + 1]);
    const T *const x0 = dx[k] + p, *const f0 = df[k] + p, *const x1 = dx[k + 1] + p,
                   *const f1 = df[k + 1] + p;
#pragma omp simd
    for (Index i = 0; i < count; ++i) d[i] -= g0 * (x0[i] + omega * f0[i]) + g1 * (x1[i] + omega * f1[i]);
  }
  for (; k < columns; ++k) {
    const T gk = static_cast<T>(g[k]);
    const T *const xk = dx[k] + p, *const fk = df[k] + p;
#pragma omp simd
    for (Index i = 0; i < count; ++i) d[i] -= gk * (xk[i] + omega * fk[i]);
  }
  return norms_of({p, count}, [&, x, kept](Index i) HWY_ATTR {
    x[i] += d[i - p];
    return kept[i] = d[i - p];
  });
}
template <class T>
Sums combine(Run run, T omega, const T* f, Index columns, const double* g, T* const* dx, T* const* df, T* x,
             T* kept) {
  Sums sums;
  const Index last = run.first + run.count;
  for (Index p = run.first; p < last; p += at_once)
    sums += combine_some(p, std::min(at_once, last - p), omega, f, columns, g, dx, df, x, kept);
  return sums;
}

template <class T>
Kernels<T> kernels_here() {
  return {dot<T>,      dot_two<T>, descend<T>, turn<T>,  renew<T>,
          turn_two<T>, step<T>,    measure<T>, inner<T>, combine<T>};
}
Kernels<double> double_kernels_here() { return kernels_here<double>(); }
Kernels<float> float_kernels_here() { return kernels_here<float>(); }

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace jacobi::sweep {

HWY_EXPORT(double_kernels_here);
HWY_EXPORT(float_kernels_here);

template <>
Kernels<double> kernels<double>() {
  return HWY_DYNAMIC_DISPATCH(double_kernels_here)();
}
template <>
Kernels<float> kernels<float>() {
  return HWY_DYNAMIC_DISPATCH(float_kernels_here)();
}

}  // namespace jacobi::sweep
#endif
