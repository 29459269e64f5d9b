/// The kernel of lines in strips: several levels of several lines in registers.
#if defined(JACOBI_REGISTER_TILE_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef JACOBI_REGISTER_TILE_INL
#undef JACOBI_REGISTER_TILE_INL
#else
#define JACOBI_REGISTER_TILE_INL
#endif

#include "sweep/stencil/strips/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace jacobi::sweep::HWY_NAMESPACE {

/// What a tile of a pass holds in registers: R lines by K levels. Step c brings column c of lines [y, y + R)
/// in and makes column c - t of lines [y - t, y - t + R) of level t = 1 ... K. As in LinesTogether, north +
/// east of a line is, one column further, west + south of the next. Per vector: 1 + 2 / R + 1 / K loads, 2 /
/// R + 1 / K
/// - 1 / (R K) stores, 2 additions, 1 multiply-add. AtEdge: some of the lines lie beside the grid.
template <class T, int K, bool OneG, bool AtEdge>
struct RegisterTileKernel {
  using A = Vector<T>;
  using V = typename A::V;
  using Tag = typename A::Tag;
  static constexpr int R = register_tile<T>.lines;
  static constexpr Index lanes = register_tile<T>.lanes, record = register_tile<T>.record();

  /// What a step leaves to the next: in registers, as long as it is a variable by itself.
  struct State {
    V here[K][R];    ///< of level t, the column before the newest
    V corner[K][R];  ///< north + east there
  };

  const Segment<T>& part;
  T* line[R + K];  ///< lines y - K ...
  /// From column 0 of a line of u to the present column, and to that of g and of what is made.
  Index at, g, to;
  T* side;         ///< what the tile before has left of the present column
  const T* ahead;  ///< what a tile to come will read, to be asked for
  V c, one_g;
  hn::Mask<Tag> beside[AtEdge ? R + K : 1];  ///< lines y - K ...: all lanes or none

  /// Before step `column`; left and later: at steps -K and K.
  HWY_INLINE RegisterTileKernel(const Segment<T>& from, T* out, T coefficient, T constant_g, Index first,
                                Index column, T* left, const T* later)
      : part(from),
        at(column * lanes),
        g(distance<T>(from.g, from.u) + column * lanes),
        to(distance<T>(out, from.u) + (column - K) * lanes),
        side(left + (column + K) * record),
        ahead(later + (column > K ? 2 * (column - K) * lanes : 0)),
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

  /// Level t of a step, if Makes; else only what its first column will need. In, if t > 1, and out: its
  /// column of level t - 1, then of t. Keeps: what is not an unknown may be met, and stays.
  template <int t, bool Makes, bool Keeps>
  HWY_INLINE void level(State& state, V (&newest)[R], Index column) {
    const Tag tag;
    T* const left = side - t * record;
    T* const below_at = left - record + (K + t - 2) * lanes;  // of the column before
    V below = A::load(below_at), made[R];
    const auto inside = unknowns(Keeps ? column - t : 0);
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) {
      V east = r > 0    ? newest[r - 1]
               : t == 1 ? A::load(line[K - 1] + at)
                        : A::load(left + record + (t - 2) * lanes);
      V north_east = A::add(state.here[t - 1][r], east);
      if constexpr (Makes) {
        made[r] =
            A::fma(c, A::add(north_east, below), OneG ? one_g : A::load(line[K - t + r] + g - t * lanes));
        if constexpr (Keeps) {
          V old = r > 0    ? state.here[t - 1][r - 1]
                  : t == 1 ? A::load(line[K - 1] + at - lanes)
                           : A::load(left + (t - 2) * lanes);
          made[r] = hn::IfThenElse(AtEdge ? hn::AndNot(beside[K - t + r], inside) : inside, made[r], old);
        }
        below = state.corner[t - 1][r];
      }
      state.corner[t - 1][r] = north_east;
    }
    // for the next tile, a record lower: this one still reads what is there
    if constexpr (t > 1) hn::StoreU(state.here[t - 1][R - 1], tag, left - record + (t - 2) * lanes);
    hn::StoreU(state.corner[t - 1][R - 1], tag, below_at);
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) {
      state.here[t - 1][r] = newest[r];
      if constexpr (Makes) newest[r] = made[r];
    }
  }

  template <int t, int Whole, bool Prepares, bool Keeps>
  HWY_INLINE void levels(State& state, V (&newest)[R], Index column) {
    if constexpr (t <= Whole + Prepares) {
      level<t, t <= Whole, Keeps>(state, newest, column);
      levels<t + 1, Whole, Prepares, Keeps>(state, newest, column);
    }
  }

  static HWY_INLINE Index stepped(Index index) {
    step_on(index, lanes);
    return index;
  }

  /// Levels up to Whole are made; of the next, if Prepares, only what its first column will need.
  template <int Whole, bool Prepares, bool Keeps>
  HWY_INLINE void step(State& state, [[maybe_unused]] Index column) {
    V newest[R];
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) newest[r] = A::load(line[K + r] + at);
    levels<1, Whole, Prepares, Keeps>(state, newest, column);
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) {
      if constexpr (Whole == K)
        hn::StoreU(newest[r], Tag(), line[r] + to);
      else if constexpr (!Prepares)
        state.here[Whole][r] = newest[r];
    }
    at = stepped(at);
    g = stepped(g);
    to = stepped(to);
    side += record;
  }

  /// Level t begins two columns behind level t - 1: it needs west and east of its first column.
  template <int Whole>
  HWY_INLINE void begin(State& state) {
    step<Whole, false, true>(state, -K + 2 * Whole);
    step<Whole, true, true>(state, -K + 2 * Whole + 1);
    if constexpr (Whole + 1 < K) begin<Whole + 1>(state);
  }

  /// Steps [column, end), of which none before `whole` meets what is no unknown, and at least one is: those
  /// at the beginning of a line, or after what was kept; up to its end, or to be kept.
  template <bool First, bool Last>
  HWY_INLINE void run(Index column, [[maybe_unused]] Index whole, Index end, T* kept) {
    State state;
    if constexpr (First)
      begin<0>(state);
    else
      exchange<true>(state, kept);
    if constexpr (!AtEdge) {
      do {
        step<K, false, false>(state, column);
        __builtin_prefetch(ahead, 0, 2);
        if constexpr (lanes * sizeof(T) == alignment) __builtin_prefetch(ahead + lanes, 0, 2);
        ahead += 2 * lanes;
      } while (++column < whole);
    }
    if constexpr (!Last) return exchange<false>(state, kept);
    for (; column < end; ++column) step<K, false, true>(state, column);
    JACOBI_UNROLL
    for (int t = 2; t <= K; ++t)
      hn::StoreU(state.here[t - 1][R - 1], Tag(), side - (t + 1) * record + (t - 2) * lanes);
  }

  /// Takes up, or lays down, what is in registers between two steps.
  template <bool Up, int t = 0>
  HWY_INLINE void exchange(State& state, T* kept) {
    JACOBI_UNROLL
    for (int r = 0; r < R; ++r) {
      T* const at_r = kept + (t * R + r) * 2 * lanes;
      if constexpr (Up) {
        state.here[t][r] = A::load(at_r);
        if (r + 1 < R) state.corner[t][r] = A::load(at_r + lanes);
      } else {
        hn::StoreU(state.here[t][r], Tag(), at_r);
        if (r + 1 < R) hn::StoreU(state.corner[t][r], Tag(), at_r + lanes);
      }
    }
    if constexpr (t + 1 < K) exchange<Up, t + 1>(state, kept);
  }
};

}  // namespace jacobi::sweep::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
