/// The kernel of lines in strips: several levels of several lines in registers.
#if defined(JACOBI_RISERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_RISERS_INL
#undef JACOBI_RISERS_INL
#else
#define JACOBI_RISERS_INL
#endif

#include "sweep/stencil/box-inl.hpp"
#include "sweep/stencil/lifted.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// What a tile of a pass holds in registers: R lines by K levels. Step c brings column c of lines [y, y + R)
/// in and makes column c - t of lines [y - t, y - t + R) of level t = 1 ... K. As in Lines, north + east of a
/// line is, one column further, west + south of the next. Per vector: 1 + 2 / R + 1 / K loads, 2 / R + 1 / K
/// - 1 / (R K) stores, 2 additions, 1 multiply-add. AtEdge: some of the lines lie beside the grid.
template <class T, int K, bool OneG, bool AtEdge>
struct Risers {
  using A = Vector<T>;
  using V = typename A::V;
  using Tag = typename A::Tag;
  static constexpr int R = Segment<T>::together;
  static constexpr Index lanes = Segment<T>::lanes, record = LiftedGrid<T>::record;

  const Segment<T>& part;
  T* line[R + K];  ///< lines y - K ...
  Index at, g,
      to;   ///< from column 0 of a line of u to the present column, and to that of g and of what is made
  T* side;  ///< what the tile before has left of the present column
  const T* ahead;  ///< what a tile to come will read, to be asked for
  V c, one_g;
  V here[K][R];                              ///< of level t, the column before the newest
  V corner[K][R];                            ///< north + east there
  hn::Mask<Tag> beside[AtEdge ? R + K : 1];  ///< lines y - K ...: all lanes or none

  HWY_INLINE Risers(const Segment<T>& from, T* out, T coefficient, T constant_g, Index first, T* left,
                    const T* later)
      : part(from),
        at(-K * lanes),
        g(distance<T>(from.g, from.u) - K * lanes),
        to(distance<T>(out, from.u) - 2 * K * lanes),
        side(left),
        ahead(later),
        c(A::set(coefficient)),
        one_g(A::set(constant_g)) {
    JACOBI_UNROLL
    for (int k = 0; k < R + K; ++k) line[k] = from.u + (first - K + k) * from.pitch;
    for (int k = 0; AtEdge && k < R + K; ++k) {
      const Index row = first - K + k;
      beside[k] = hn::FirstN(Tag(), static_cast<std::size_t>(row < 0 || row >= part.lines ? lanes : 0));
    }
  }

  /// Lanes of a column that are unknowns, in lines of the grid.
  HWY_INLINE hn::Mask<Tag> unknowns(Index column) const {
    if (column < 0) return hn::Not(hn::FirstN(Tag(), 1));
    return hn::FirstN(Tag(), static_cast<std::size_t>(column >= part.ghost ? lanes - 1 : lanes));
  }

  /// Levels up to Whole are made; of the next, if Prepares, only what its first column will need. Keeps: what
  /// is not an unknown may be met, and stays.
  template <int Whole, bool Prepares, bool Keeps>
  HWY_INLINE void step([[maybe_unused]] Index column) {
    const Tag tag;
    V newest[R];
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) newest[r] = A::load(line[K + r] + at);
    JACOBI_UNROLL
    for (int t = 1; t <= Whole + Prepares; ++t) {
      T* const left = side - t * record;
      T* const below_at = left - record + (K + t - 2) * lanes;  // of the column before
      V below = A::load(below_at), made[R];
      const auto inside = unknowns(Keeps ? column - t : 0);
      JACOBI_UNROLL
      for (int r = 0; r < R; ++r) {
        const V east = r > 0    ? newest[r - 1]
                       : t == 1 ? A::load(line[K - 1] + at)
                                : A::load(left + record + (t - 2) * lanes);
        const V north_east = A::add(here[t - 1][r], east);
        if (t <= Whole) {
          const V sum = A::add(north_east, below);
          made[r] = A::fma(c, sum, OneG ? one_g : A::load(line[K - t + r] + g - t * lanes));
          if constexpr (Keeps) {
            const V old = r > 0    ? here[t - 1][r - 1]
                          : t == 1 ? A::load(line[K - 1] + at - lanes)
                                   : A::load(left + (t - 2) * lanes);
            made[r] = hn::IfThenElse(AtEdge ? hn::AndNot(beside[K - t + r], inside) : inside, made[r], old);
          }
          below = corner[t - 1][r];
        }
        corner[t - 1][r] = north_east;
      }
      // for the next tile, a record lower: this one still reads what is there
      if (t > 1) hn::StoreU(here[t - 1][R - 1], tag, left - record + (t - 2) * lanes);
      hn::StoreU(corner[t - 1][R - 1], tag, below_at);
      JACOBI_UNROLL
      for (int r = 0; r < R; ++r) {
        here[t - 1][r] = newest[r];
        if (t <= Whole) newest[r] = made[r];
      }
    }
    if constexpr (Whole == K) {
      JACOBI_UNROLL
      for (int r = 0; r < R; ++r) hn::StoreU(newest[r], tag, line[r] + to);
    } else if constexpr (!Prepares) {
      JACOBI_UNROLL
      for (int r = 0; r < R; ++r) here[Whole][r] = newest[r];
    }
    step_on(at, lanes);
    step_on(g, lanes);
    step_on(to, lanes);
    side += record;
  }

  /// Level t begins two columns behind level t - 1: it needs west and east of its first column.
  template <int Whole>
  HWY_INLINE void begin() {
    step<Whole, false, true>(-K + 2 * Whole);
    step<Whole, true, true>(-K + 2 * Whole + 1);
    if constexpr (Whole + 1 < K) begin<Whole + 1>();
  }

  HWY_INLINE void run() {
    begin<0>();
    Index column = K;
    if (!AtEdge)
      for (const Index end = std::min(part.ghost, part.strip + K - 1); column <= end; ++column) {
        step<K, false, false>(column);
        __builtin_prefetch(ahead, 0, 2);
        __builtin_prefetch(ahead + lanes, 0, 2);
        ahead += 2 * lanes;
      }
    for (; column < part.strip + K; ++column) step<K, false, true>(column);
    JACOBI_UNROLL
    for (int t = 2; t <= K; ++t)
      hn::StoreU(here[t - 1][R - 1], Tag(), side - (t + 1) * record + (t - 2) * lanes);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
