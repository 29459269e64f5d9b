/// What is done to one line of unknowns: sweeps, residuals, transfers to the next grid and back.
// Per-target include guard, as Highway asks of every file that is compiled once per instruction set.
#if defined(JACOBI_MULTIGRID_LINE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_MULTIGRID_LINE_INL
#undef JACOBI_MULTIGRID_LINE_INL
#else
#define JACOBI_MULTIGRID_LINE_INL
#endif

#include <type_traits>

#include "sweep/multigrid/level.hpp"
#include "sweep/vector-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// A line of unknowns and the lines beside it, and what an update reads.
template <class T, int D>
struct LineView {
  const T *mid, *low, *high;  ///< beside it along the outermost direction (2D: y, 3D: z)
  Index pitch;                ///< to the lines beside it along y, in 3D
  const T* g;
  std::array<T, D> c;
  std::array<const T*, 2 * D> arms;  ///< where coefficients vary
};

/// D^-1 (b - R x) of unknowns i, ...:
///   1D: fma(c_x, west + east, g); 2D: fma(c_x, west + east, fma(c_y, south + north, g));
///   3D: fma(c_x, west + east, fma(c_y, south + north, fma(c_z, back + front, g)));
///   variable: fma(c_west, west, fma(c_east, east, fma(c_south, south, ... g)))
template <bool Variable, class T, int D>
HWY_INLINE hn::Vec<hn::ScalableTag<T>> plain_of(const LineView<T, D>& v, Index i) {
  using A = Vector<T>;
  const auto at = [&](int k) HWY_ATTR {
    if (k < 2) return A::load(v.mid + i + (k == 0 ? -1 : 1));
    if (k / 2 == D - 1) return A::load((k % 2 == 0 ? v.low : v.high) + i);
    return A::load(v.mid + i + (k % 2 == 0 ? -v.pitch : v.pitch));
  };
  auto value = A::load(v.g + i);
  for (int d = D - 1; d >= 0; --d) {
    if constexpr (Variable) {
      value = A::fma(A::load(v.arms[2 * d + 1] + i), at(2 * d + 1), value);
      value = A::fma(A::load(v.arms[2 * d] + i), at(2 * d), value);
    } else {
      value = A::fma(A::set(v.c[d]), A::add(at(2 * d), at(2 * d + 1)), value);
    }
  }
  return value;
}

/// out[i] = value(i, whole) for the line's unknowns; the rest of the last vector, which is not whole, becomes
/// 0.
template <class T, class Value>
HWY_INLINE void write_line(T* out, Index n, Value&& value) {
  const hn::ScalableTag<T> tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  Index i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(value(i, std::true_type()), tag, out + i);
  if (i == n) return;
  const auto left = hn::FirstN(tag, static_cast<std::size_t>(n - i));
  hn::StoreU(Vector<T>::only(left, value(i, std::false_type())), tag, out + i);
}

/// Adds a vector of values to a norm: those of the line.
template <class T, class Whole>
HWY_INLINE void add_counted(LaneSums<T>& sums, hn::Vec<hn::ScalableTag<T>> d, Index left, Whole) {
  if constexpr (Whole::value)
    sums.add(d);
  else
    sums.add(hn::IfThenElseZero(hn::FirstN(hn::ScalableTag<T>(), static_cast<std::size_t>(left)), d));
}

/// A sweep: fma(omega, plain - x, x); where measured, the norm of what it moves.
template <bool Variable, bool Measured, class T, int D>
HWY_NOINLINE Partial sweep_line(const LineView<T, D>& view, T* out, Index n, T weight) {
  using A = Vector<T>;
  const LineView<T, D> v = view;
  const auto omega = A::set(weight);
  LaneSums<T> sums;
  write_line(out, n, [&](Index i, auto whole) HWY_ATTR {
    const auto old = A::load(v.mid + i);
    const auto now = A::fma(omega, A::sub(plain_of<Variable>(v, i), old), old);
    if constexpr (Measured) add_counted(sums, A::sub(now, old), n - i, whole);
    return now;
  });
  return Measured ? sums.total() : Partial{};
}

/// D^-1 (b - A x), or times `diagonal` where that is given; where measured, its norm.
template <bool Variable, bool Measured, class T, int D>
HWY_NOINLINE Partial residual_line(const LineView<T, D>& view, const T* diagonal, T* out, Index n) {
  using A = Vector<T>;
  const LineView<T, D> v = view;
  LaneSums<T> sums;
  write_line(out, n, [&](Index i, auto whole) HWY_ATTR {
    auto r = A::sub(plain_of<Variable>(v, i), A::load(v.mid + i));
    if (diagonal) r = hn::Mul(r, A::load(diagonal + i));
    if constexpr (Measured) add_counted(sums, r, n - i, whole);
    return r;
  });
  return Measured ? sums.total() : Partial{};
}

/// out = factor in, or factor in times `by` where that is given.
template <class T>
HWY_NOINLINE void scale_line(const T* in, const T* by, T factor, T* out, Index n) {
  using A = Vector<T>;
  const auto times = A::set(factor);
  write_line(out, n, [&](Index i, auto) HWY_ATTR {
    const auto scaled = hn::Mul(times, A::load(in + i));
    return by ? hn::Mul(scaled, A::load(by + i)) : scaled;
  });
}

/// Up to 16 lines, and what each is multiplied by.
template <class T>
struct WeightedLines {
  std::array<const T*, 16> line;
  std::array<T, 16> weight;
  int count = 0;
  void add(const T* start, T times) {
    if (times == T(0)) return;
    line[count] = start;
    weight[count++] = times;
  }
};

/// Their sum, ghosts and padding included.
template <class T>
HWY_NOINLINE void add_lines(const WeightedLines<T>& from, T* out, Index n) {
  using A = Vector<T>;
  const typename A::Tag tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  const int count = from.count;
  for (Index i = -lanes; i <= n; i += lanes) {
    auto sum = hn::Zero(tag);
    for (int l = 0; l < count; ++l) sum = A::fma(A::set(from.weight[l]), A::load(from.line[l] + i), sum);
    hn::StoreU(sum, tag, out + i);
  }
}

/// out[I] = the sum over t of weights[t][I] in[2 I + shift - 2 + t], times by[I] where that is given.
template <class T>
HWY_NOINLINE void restrict_line(const CoarseAxis<T>& axis, const T* in, const T* by, T* out) {
  using A = Vector<T>;
  const typename A::Tag tag;
  const T *w0 = axis.weights[0].data(), *w1 = axis.weights[1].data();
  const T *w2 = axis.weights[2].data(), *w3 = axis.weights[3].data();
  const T* const start = in + axis.shift;
  write_line(out, axis.n, [&](Index i, auto) HWY_ATTR {
    hn::Vec<typename A::Tag> a, b, c, d;
    hn::LoadInterleaved2(tag, start + 2 * i - 2, a, b);
    hn::LoadInterleaved2(tag, start + 2 * i, c, d);
    typename A::V sum = A::fma(A::load(w1 + i), b, A::mul(A::load(w0 + i), a));
    sum = A::fma(A::load(w3 + i), d, A::fma(A::load(w2 + i), c, sum));
    return by ? A::mul(sum, A::load(by + i)) : sum;
  });
}

/// out = what expand(i, pairs) writes for unknowns i, ... (two vectors), plus x where that is given.
template <class T, class Expand>
HWY_INLINE void write_pairs(Index shift, const T* x, T* out, Index n, Expand&& expand) {
  using A = Vector<T>;
  const typename A::Tag tag;
  const Index lanes = static_cast<Index>(hn::Lanes(tag));
  HWY_ALIGN T pairs[2 * HWY_MAX_BYTES / sizeof(T)];
  const auto value = [&](const T* pair, Index i)
                         HWY_ATTR { return x ? A::add(A::load(x + i), A::load(pair)) : A::load(pair); };
  Index i = -shift;
  for (; i + 2 * lanes <= n; i += 2 * lanes) {
    expand((i + shift) / 2, pairs);
    hn::StoreU(value(pairs, i), tag, out + i);
    hn::StoreU(value(pairs + lanes, i + lanes), tag, out + i + lanes);
  }
  if (i < n) expand((i + shift) / 2, pairs);
  for (const T* pair = pairs; i < n; i += lanes, pair += lanes) {
    const auto left = hn::FirstN(tag, static_cast<std::size_t>(n - i));
    hn::StoreU(Vector<T>::only(left, value(pair, i)), tag, out + i);
  }
}

/// out = the coarse line between its points, plus x where that is given.
template <class T>
HWY_NOINLINE void interpolate_line(const CoarseAxis<T>& axis, const T* in, const T* x, T* out, Index n) {
  using A = Vector<T>;
  const T *even = axis.upper[0].data(), *odd = axis.upper[1].data();
  const T* const low = in - axis.shift;
  write_pairs(axis.shift, x, out, n, [&](Index j, T* pairs) HWY_ATTR {
    const auto left = A::load(low + j), step = A::sub(A::load(low + j + 1), left);
    hn::StoreInterleaved2(A::fma(A::load(even + j), step, left), A::fma(A::load(odd + j), step, left),
                          typename A::Tag(), pairs);
  });
}

/// The same by cubic interpolation.
template <class T>
HWY_NOINLINE void interpolate_line_smoothly(const CoarseAxis<T>& axis, const T* in, const T* x, T* out,
                                            Index n) {
  using A = Vector<T>;
  const typename A::Tag tag;
  const T* const low = in - axis.shift - 1;
  write_pairs(axis.shift, x, out, n, [&](Index j, T* pairs) HWY_ATTR {
    auto even = hn::Zero(tag), odd = hn::Zero(tag);
    for (int t = 0; t < 4; ++t) {
      const auto value = A::load(low + j + t);
      even = A::fma(A::load(axis.cubic[0][t].data() + j), value, even);
      odd = A::fma(A::load(axis.cubic[1][t].data() + j), value, odd);
    }
    hn::StoreInterleaved2(even, odd, tag, pairs);
  });
}

/// out = x (0 where none is given), plus the correction where inverses are not 0.
template <class T>
HWY_NOINLINE void correct_outside_holes(const T* inverses, const T* correction, const T* x, T* out, Index n) {
  using A = Vector<T>;
  using V = typename A::V;
  write_line(out, n, [&](Index i, auto) HWY_ATTR {
    const V zero = A::set(T(0)), old = x ? A::load(x + i) : zero, now = A::load(correction + i);
    return hn::IfThenElse(hn::Eq(A::load(inverses + i), zero), old, x ? A::add(old, now) : now);
  });
}

template <class T>
HWY_NOINLINE void add_line(const T* a, const T* b, T* out, Index n) {
  using A = Vector<T>;
  write_line(out, n, [&](Index i, auto) HWY_ATTR { return A::add(A::load(a + i), A::load(b + i)); });
}

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
