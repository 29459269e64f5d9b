/// What every algorithm sees of a bound stencil: padded arrays, coefficients divided by the diagonal, pieces
/// of lines. What only some need lies in their folders.
#pragma once
#include <array>
#include <cstring>

#include "core/event_count.hpp"
#include "core/executed.hpp"
#include "jacobi/norms.hpp"
#include "jacobi/types.hpp"
#include "sweep/partial.hpp"
#include "sweep/stencil/order/sources.hpp"

namespace jacobi::sweep {

/// A contiguous run of unknowns in x: the unit of work, and of summation for norms, whatever the threads.
template <int D>
struct Piece {
  Index first;                    ///< offset of its first unknown in the padded arrays
  Index count;                    ///< its unknowns
  std::array<Index, D> position;  ///< index of its first unknown
};

/// How large the padded arrays are, and how their lines are cut into pieces.
template <int D>
struct Sizes {
  std::array<Index, D> n;  ///< unknowns
  Index piece_length;
  Index pieces_per_line;
  Index pieces;
};

/// Unknown that the ghost at side [d][low or high] copies after each sweep; -1: a Dirichlet value stays.
template <int D>
struct Ghosts {
  std::array<std::array<Index, 2>, D> source;
  bool has_copies = false;  ///< any ghost that copies an unknown
};

/// Arrays are padded: one ghost on each side of every direction. Pointers lead to the first unknown; unknown
/// (x, y, z) lies at x + y stride[1] + z stride[2] in each of them.
template <class T, int D>
struct Workspace : Sources<T, D>, Sizes<D> {
  using Sources<T, D>::stride;
  using Sizes<D>::n;

  T* u;  ///< x_n
  T* v;  ///< x_(n-1), which a sweep overwrites with x_(n+1)
  Kind kind;
  T diagonal;
  bool undivided = false;  ///< steps are StepKind::undivided
  Ghosts<D> ghosts;
  bool has_one_g = false;  ///< g is the same at all unknowns, to the bit
  const Piece<D>* list;    ///< all pieces, line after line
  Partial* partials;       ///< one per piece
  int threads = 1;
  EventCount* progress = nullptr;  ///< of every thread, for those that wait for it; see restarted()
  Executed ran;                    ///< written by the algorithm that ran

  /// The progress of all threads, none made yet.
  EventCount* restarted() {
    for (int k = 0; k < threads; ++k) progress[k].reach(0);
    return progress;
  }
  const Piece<D>& piece(Index s) const { return list[s]; }
  Index line_number(const std::array<Index, D>& position) const {
    Index number = 0;
    for (int d = D - 1; d > 0; --d) number = number * n[d] + position[d];
    return number;
  }
  /// Ghosts below copy the last unknowns.
  bool is_periodic(int d) const { return ghosts.source[d][0] == n[d] - 1 && ghosts.source[d][1] == 0; }

  /// Renews the periodic and mirrored ghosts that copy this piece's unknowns.
  void renew_ghosts(const Piece<D>& piece, T* out) const {
    if (ghosts.has_copies) copy_to_ghosts(piece, out);
  }
  [[gnu::noinline]] void copy_to_ghosts(const Piece<D>& piece, T* out) const {
    const Index x = piece.position[0];
    for (int e = 0; e < 2; ++e) {
      const Index from = ghosts.source[0][e], ghost = e == 0 ? -1 : n[0];
      if (from >= x && from < x + piece.count) out[piece.first - x + ghost] = out[piece.first - x + from];
    }
    for (int d = 1; d < D; ++d)
      for (int e = 0; e < 2; ++e) {
        if (ghosts.source[d][e] != piece.position[d]) continue;
        const Index shift = ((e == 0 ? -1 : n[d]) - piece.position[d]) * stride[d];
        std::memcpy(out + piece.first + shift, out + piece.first,
                    static_cast<std::size_t>(piece.count) * sizeof(T));
      }
  }

  /// Partials added in the order of pieces: the same sum for every number of threads.
  Norms total() const { return sum_of({partials, static_cast<std::size_t>(this->pieces)}); }
};

}  // namespace jacobi::sweep
