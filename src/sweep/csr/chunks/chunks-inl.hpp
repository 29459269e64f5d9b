// Rungs 2, simd, to 5, blocked: a vector holds as many rows, entry after entry (SELL-C-sigma, layout.hpp),
// the iterate is gathered; the norm in the same pass. Pieces are shared out by their entries, one team for
// all sweeps of a call. Rungs simd and threads: a sweep at a time; every other one begins with the last
// pieces, which are still in cache. Bytes per row with e entries: e (value + 4 for the column), length, b, s,
// u, out. Per vector of rows and entry: 2 loads, 1 gather, 1 multiply-add. Rung compressed reads what the
// rows of a chunk share once, and other columns as 16-bit distances from the least one of their chunk where
// they fit: e (value + 2); in runs of C rows e (value + 2 / C); of equal values e (value + 2) / C. Rung
// blocked: `depth` sweeps per pass over the matrix. Blocks of rows stream through the cache; sweep s follows
// sweep s - 1 at a distance of `skew` blocks, more than any entry reaches, so that the sweeps of one front
// are independent of each other and the team meets once per front. The matrix is read once per pass where
// depth * skew blocks stay in cache. Source: Alappat et al., "Level-based blocking for sparse matrices:
// sparse matrix-power-vector multiplication", IEEE TPDS 34 (2023), with blocks of rows for levels.
// Compared with rung 0: bitwise, for every depth, block and number of threads; norms within rounding (one sum
// per lane), the same for all of these.
#if defined(JACOBI_CSR_CHUNKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_CSR_CHUNKS_INL
#undef JACOBI_CSR_CHUNKS_INL
#else
#define JACOBI_CSR_CHUNKS_INL
#endif

#include "core/team.hpp"
#include "sweep/back_and_forth.hpp"
#include "sweep/csr/chunks/chunks.hpp"
#include "sweep/targets.hpp"
#include "sweep/update-inl.hpp"

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
// several times slower than that on the processors measured (docs/lab/2026-11-26-sparse.md).
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
  Streams(const ChunksWorkspace<T>& w, const Column* where)
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
Partial sweep_chunks(const ChunksWorkspace<T>& w, const Column* columns, Index piece, const T* u, T* out,
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
Partial measure_chunks(const ChunksWorkspace<T>& w, const Column* columns, Index piece, Want want) {
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
Partial sweep_piece(const ChunksWorkspace<T>& w, Index piece, const T* u, T* out, const Weights<T>& step) {
  const Chunks<T>& m = w.chunks;
  return m.narrow ? sweep_chunks(w, m.narrow.get(), piece, u, out, step)
                  : sweep_chunks(w, m.wide.get(), piece, u, out, step);
}

template <class T>
Partial measure_piece(const ChunksWorkspace<T>& w, Index piece, Want want) {
  const Chunks<T>& m = w.chunks;
  if (want == Want::update) return update_over(w, w.piece(piece, piece_rows));
  return m.narrow ? measure_chunks(w, m.narrow.get(), piece, want)
                  : measure_chunks(w, m.wide.get(), piece, want);
}

/// First of the pieces from `first` to `last` that member `number` sweeps: equal shares of their entries.
template <class T>
Index first_of(const ChunksWorkspace<T>& w, Index first, Index last, int number, int team) {
  const Index before = w.work[first], all = w.work[last] - before;
  const auto at =
      std::lower_bound(w.work.begin() + first, w.work.begin() + last, before + all * number / team);
  return at - w.work.begin();
}

/// visit(piece) for the member's share, from the last one where `backward`.
template <class T, class Visit>
void share(const ChunksWorkspace<T>& w, Index first, Index last, const Member& me, bool backward,
           Visit&& visit) {
  const Index end = me.number + 1 == me.team ? last : first_of(w, first, last, me.number + 1, me.team);
  const Index begin = first_of(w, first, last, me.number, me.team);
  constexpr Index at_once = 8;  // neighbours that are read in the order of memory all the same
  in_parts(begin, end, at_once, backward, [&](Index from, Index to) HWY_ATTR {
    for (Index s = from; s < to; ++s) visit(s);
  });
}

template <class T>
struct ChunksSweep {
  using Value = T;
  using W = ChunksWorkspace<T>;

  /// One member's part of one pass: steps[s] on block f - s skew for every front f.
  static void pass(W& w, std::span<const Step> steps, T* u, T* v, const Member& me, bool backward) {
    const Index blocks = (w.pieces + w.block - 1) / w.block, depth = static_cast<Index>(steps.size());
    for (Index f = 0; f < blocks + (depth - 1) * w.skew; ++f) {
      for (Index s = 0; s < depth; ++s) {
        const Index block = f - s * w.skew;
        if (block < 0) break;
        if (block >= blocks) continue;
        const Weights<T> step(steps[static_cast<std::size_t>(s)]);
        const T* const from = s % 2 == 0 ? u : v;
        T* const to = s % 2 == 0 ? v : u;
        share(w, block * w.block, std::min(w.pieces, (block + 1) * w.block), me, backward,
              [&](Index piece) HWY_ATTR { w.partials[piece] = sweep_piece(w, piece, from, to, step); });
      }
      me.wait();
    }
  }

  static Norms advance(W& w, std::span<const Step> steps, Want want) {
    const auto depth = static_cast<std::size_t>(w.depth);
    const bool turns = w.block == w.pieces;
    const int team = run_team(w.threads, [&](const Member& me) HWY_ATTR {
      T *u = w.u, *v = w.v;
      for (std::size_t first = 0; first < steps.size(); first += depth) {
        const auto these = steps.subspan(first, std::min(steps.size() - first, depth));
        pass(w, these, u, v, me, turns && is_backward(w.ran.sweeps + static_cast<Index>(first)));
        if (these.size() % 2 == 1) std::swap(u, v);
      }
    });
    if (steps.size() % 2 == 1) std::swap(w.u, w.v);
    w.record(steps.size(), team);
    return want == Want::update && !steps.empty() ? w.total() : norms(w, want);
  }

  static Norms norms(W& w, Want want) {
    if (want == Want::nothing) return {};
    run_team(w.threads, [&](const Member& me) HWY_ATTR {
      share(w, 0, w.pieces, me, false, [&](Index s) HWY_ATTR { w.partials[s] = measure_piece(w, s, want); });
    });
    return w.total();
  }

  static void product(const W& w, const Run& rows, const T* b, const T* x, T* y, bool negative) {
    const Chunks<T>& m = w.chunks;
    m.narrow ? multiply(w, m.narrow.get(), rows, b, x, y, negative)
             : multiply(w, m.wide.get(), rows, b, x, y, negative);
  }

 private:
  template <class Column>
  static void multiply(const W& w, const Column* columns, const Run& rows, const T* b, const T* x, T* y,
                       bool negative) {
    const typename Vector<T>::Tag tag;
    Streams<T, Column> m(w, columns);
    m.b = b - rows.first;
    const Index piece = rows.first / piece_rows;
    if (negative)
      for_vectors(m, piece, x, [&](Index p, auto r) HWY_ATTR { hn::StoreU(hn::Neg(r), tag, y + p); });
    else
      for_vectors(m, piece, x, [&](Index p, auto r) HWY_ATTR { hn::StoreU(r, tag, y + p); });
  }
};

namespace {

TypeTables<ChunksKernels> chunks_here() {
  return {kernels_of<ChunksSweep<double>>(target_name(HWY_TARGET)),
          kernels_of<ChunksSweep<float>>(target_name(HWY_TARGET))};
}

}  // namespace
}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
