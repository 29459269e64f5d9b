// Rung 2, simd: a vector holds as many rows, entry after entry (SELL-C-sigma, layout.hpp), the iterate is
// gathered; the norm in the same pass.
// Bytes per row with e entries: e (value + 4 for the column), length, b, s, u, out. Per vector of rows and
// entry: 2 loads, 1 gather, 1 multiply-add.
// Compared with rung 0: bitwise; norms within rounding (one sum per lane).
#if defined(JACOBI_CSR_SIMD) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_SIMD
#undef JACOBI_CSR_SIMD
#else
#define JACOBI_CSR_SIMD
#endif

#include "sweep/csr/1_fused.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// Integers as wide as T: columns and lengths of as many rows as a vector holds, widened.
template <class T>
struct Places {
  using Tag = typename Vector<T>::Tag;
  using Ints = hn::RebindToSigned<Tag>;
  static HWY_INLINE hn::Vec<Ints> load(const std::int32_t* p) {
    if constexpr (sizeof(T) == sizeof(std::int32_t))
      return hn::LoadU(Ints(), p);
    else
      return hn::PromoteTo(Ints(), hn::LoadU(hn::Rebind<std::int32_t, Tag>(), p));
  }
  static HWY_INLINE hn::Vec<Ints> load(const std::uint16_t* p) {
    const hn::Rebind<std::int32_t, Tag> words;
    const auto word = hn::PromoteTo(words, hn::LoadU(hn::Rebind<std::uint16_t, Tag>(), p));
    if constexpr (sizeof(T) == sizeof(std::int32_t))
      return word;
    else
      return hn::PromoteTo(Ints(), word);
  }
};

/// u at as many columns as a vector holds. On x86 one load after the other: the gather instructions are
// several times slower than that on the processors measured (docs/lab).
template <class T, class Column>
HWY_INLINE typename Vector<T>::V gather(const T* u, const Column* c) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
  using V = typename Vector<T>::V;
#if HWY_MAX_BYTES == 64
  if constexpr (sizeof(T) == 8)
    return V{_mm512_set_pd(u[c[7]], u[c[6]], u[c[5]], u[c[4]], u[c[3]], u[c[2]], u[c[1]], u[c[0]])};
  else
    return V{_mm512_set_ps(u[c[15]], u[c[14]], u[c[13]], u[c[12]], u[c[11]], u[c[10]], u[c[9]], u[c[8]],
                           u[c[7]], u[c[6]], u[c[5]], u[c[4]], u[c[3]], u[c[2]], u[c[1]], u[c[0]])};
#elif HWY_MAX_BYTES == 32
  if constexpr (sizeof(T) == 8)
    return V{_mm256_set_pd(u[c[3]], u[c[2]], u[c[1]], u[c[0]])};
  else
    return V{_mm256_set_ps(u[c[7]], u[c[6]], u[c[5]], u[c[4]], u[c[3]], u[c[2]], u[c[1]], u[c[0]])};
#else
  if constexpr (sizeof(T) == 8)
    return V{_mm_set_pd(u[c[1]], u[c[0]])};
  else
    return V{_mm_set_ps(u[c[3]], u[c[2]], u[c[1]], u[c[0]])};
#endif
#else
  return hn::GatherIndex(typename Vector<T>::Tag(), u, Places<T>::load(c));
#endif
}

/// What a piece reads. A sweep works on its own copy, whose pointers no store can change.
template <class T, class Column>
struct Streams {
  Streams(const SparseWorkspace<T>& w, const Column* where)
      : values(w.chunks.values.get()),
        columns(where),
        start(w.chunks.start.data()),
        index(w.chunks.index.data()),
        kind(w.chunks.kind.data()),
        base(w.chunks.base.data()),
        full(w.chunks.full.data()),
        length(w.chunks.length.get()),
        b(w.b),
        scale(w.scale) {}
  const T* values;
  const Column* columns;
  const Index *start, *index;
  const Entries* kind;
  const std::int32_t *base, *full, *length;
  const T *b, *scale;
};

/// b - A u of the rows from p on, as many as a vector holds.
template <class T, class Column>
HWY_INLINE typename Vector<T>::V residual_of_rows(const Streams<T, Column>& m, Index c, Index p, const T* u) {
  using A = Vector<T>;
  constexpr Index rows = chunk_rows<T>;
  const T* from = u + m.base[c];
#if HWY_COMPILER_GCC || HWY_COMPILER_CLANG
  asm("" : "+r"(from));  // else the base is added to every column
#endif
  const Index lane = p % rows;
  const T *value = m.values + m.start[c], *const last = m.values + m.start[c + 1];
  const Column* column = m.columns + m.index[c];
  auto r = A::load(m.b + p);
  if (m.kind[c] == Entries::equal) {
    for (from += lane; value < last; ++value, ++column)
      r = hn::NegMulAdd(A::set(*value), A::load(from + *column), r);
    return r;
  }
  value += lane;
  if (m.kind[c] == Entries::runs) {
    for (from += lane; value < last; value += rows, ++column)
      r = hn::NegMulAdd(A::load(value), A::load(from + *column), r);
    return r;
  }
  column += lane;
  for (const T* const end = value + m.full[c] * rows; value != end; value += rows, column += rows)
    r = hn::NegMulAdd(A::load(value), gather(from, column), r);
  if (value >= last) return r;
  const typename A::Tag tag;
  const typename Places<T>::Ints ints;
  const auto length = Places<T>::load(m.length + p);
  using Count = hn::TFromD<typename Places<T>::Ints>;
  for (Count j = static_cast<Count>(m.full[c]); value < last; ++j, value += rows, column += rows) {
    const auto more = hn::NegMulAdd(A::load(value), gather(from, column), r);
    r = hn::IfThenElse(hn::RebindMask(tag, hn::Gt(length, hn::Set(ints, j))), more, r);
  }
  return r;
}

/// visit(p, r of as many rows from p on) for all vectors of a piece.
template <class T, class Column, class Visit>
HWY_INLINE void for_vectors(const Streams<T, Column>& m, Index piece, const T* u, Visit&& visit) {
  constexpr Index rows = chunk_rows<T>, chunks = piece_rows / rows;
  const Index lanes = static_cast<Index>(hn::Lanes(typename Vector<T>::Tag()));
  for (Index c = piece * chunks; c < (piece + 1) * chunks; ++c)
    for (Index p = c * rows; p < (c + 1) * rows; p += lanes) visit(p, residual_of_rows(m, c, p, u));
}

template <class T, class Column>
Partial sweep_chunks(const SparseWorkspace<T>& w, const Column* columns, Index piece, const T* u, T* out,
                     const Weights<T> step) {
  using A = Vector<T>;
  const Streams<T, Column> m(w, columns);
  LaneSums<T> sums;
  for_vectors(m, piece, u, [&](Index p, auto r) HWY_ATTR {
    const auto x = A::load(u + p);
    const auto value =
        updated<A>(step, hn::Mul(r, A::load(m.scale + p)), x, [&]() HWY_ATTR { return A::load(out + p); });
    hn::StoreU(value, typename A::Tag(), out + p);
    sums.add(A::sub(value, x));
  });
  return sums.total();
}

template <class T, class Column>
Partial measure_chunks(const SparseWorkspace<T>& w, const Column* columns, Index piece, Want want) {
  using A = Vector<T>;
  const Streams<T, Column> m(w, columns);
  LaneSums<T> sums;
  for_vectors(m, piece, static_cast<const T*>(w.u), [&](Index p, typename A::V r) HWY_ATTR {
    sums.add(want == Want::residual ? r : A::mul(r, A::load(m.scale + p)));
  });
  return sums.total();
}

/// Sweeps one piece from u to out.
template <class T>
Partial sweep_piece(const SparseWorkspace<T>& w, Index piece, const T* u, T* out, const Weights<T>& step) {
  const Chunks<T>& m = w.chunks;
  return m.narrow ? sweep_chunks(w, m.narrow.get(), piece, u, out, step)
                  : sweep_chunks(w, m.wide.get(), piece, u, out, step);
}

template <class T>
Partial measure_piece(const SparseWorkspace<T>& w, Index piece, Want want) {
  const Chunks<T>& m = w.chunks;
  if (want == Want::update) return update_of_piece(w, piece);
  return m.narrow ? measure_chunks(w, m.narrow.get(), piece, want)
                  : measure_chunks(w, m.wide.get(), piece, want);
}

template <class T>
struct SimdRows {
  static Norms advance(SparseWorkspace<T>& w, std::span<const Step> steps, Want want) {
    for (const Step& step : steps) {
      for (Index s = 0; s < w.pieces; ++s) w.partials[s] = sweep_piece(w, s, w.u, w.v, Weights<T>(step));
      std::swap(w.u, w.v);
    }
    record(w, "simd", steps.size(), 1);
    return want == Want::update && !steps.empty() ? total(w) : norms(w, want);
  }
  static Norms norms(SparseWorkspace<T>& w, Want want) {
    if (want == Want::nothing) return {};
    for (Index s = 0; s < w.pieces; ++s) w.partials[s] = measure_piece(w, s, want);
    return total(w);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
