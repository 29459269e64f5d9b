/// What kernels see of a bound box stencil, and its memory.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/box_stencil.hpp"
#include "sweep/field.hpp"
#include "sweep/partial.hpp"
#include "sweep/stencil/layout/spread.hpp"

namespace jacobi::sweep {

/// A run of unknowns of one line: the unit of work and of summation, whatever the threads.
struct BoxPiece {
  Index row;    ///< number of its first unknown
  Index first;  ///< where that lies in the padded arrays
  Index count;
  std::array<Index, 3> at;  ///< its position
};

/// Arrays are padded: one ghost on each side of every direction, corners included. u and v point to their
/// first entries.
template <class T>
struct BoxWorkspace {
  std::array<Index, 3> n{1, 1, 1};
  std::array<Index, 3> stride{1, 0, 0};
  Index leading = 0;  ///< entries before the first unknown
  Index padded = 0;   ///< entries of an array
  Index pieces_per_line = 1, pieces = 0;
  std::array<std::array<Index, 2>, 3> source{};  ///< unknown that a ghost copies, or -1
  bool has_copies = false;

  int terms = 0;                  ///< coefficients that are not 0, in order of the lines, then along them
  std::array<T, 27> minus{};      ///< -c
  std::array<Index, 27> shift{};  ///< to the neighbour
  T scale = 1;                    ///< 1 / divisor

  const T* b = nullptr;  ///< the caller's, in natural order
  T* u = nullptr;        ///< x_n
  T* v = nullptr;        ///< x_(n-1), then x_(n+1)
  Partial* partials = nullptr;
  int threads = 1;
  Executed ran;

  Index unknowns() const { return padded; }  ///< what is kept of an array
  void forget() {}
  void record(std::size_t sweeps, int team) {
    ran.threads = team;
    ran.sweeps += static_cast<Index>(sweeps);
  }
  Norms total() const { return sum_of({partials, static_cast<std::size_t>(pieces)}); }

  BoxPiece piece(Index s) const {
    const Index line = s / pieces_per_line, x = s % pieces_per_line * longest_piece;
    const Index y = line % n[1], z = line / n[1];
    return {line * n[0] + x,
            leading + x + y * stride[1] + z * stride[2],
            std::min(n[0] - x, longest_piece),
            {x, y, z}};
  }

  /// Ghosts that copy unknowns of this piece: at the ends of its line, and in the lines that copy the line.
  void renew(const BoxPiece& piece, T* out) const {
    if (!has_copies) return;
    T* const line = out + piece.first - piece.at[0];
    const auto renew_ends = [&](T* to) {
      for (int e = 0; e < 2; ++e)
        if (const Index from = source[0][e]; from >= piece.at[0] && from < piece.at[0] + piece.count)
          to[e == 0 ? -1 : n[0]] = line[from];
    };
    renew_ends(line);
    for (int dz = 0; dz < 3; ++dz)
      for (int dy = 0; dy < 3; ++dy) {
        const Index y = copy(1, dy, piece.at[1]), z = copy(2, dz, piece.at[2]);
        if (y == nowhere || z == nowhere || (dy == 0 && dz == 0)) continue;
        T* const to = line + (y - piece.at[1]) * stride[1] + (z - piece.at[2]) * stride[2];
        std::memcpy(to + piece.at[0], line + piece.at[0], static_cast<std::size_t>(piece.count) * sizeof(T));
        renew_ends(to);
      }
  }

 private:
  static constexpr Index nowhere = -2;
  /// `from` itself, the ghost at the low or that at the high end that copies it.
  Index copy(int d, int which, Index from) const {
    if (which == 0) return from;
    return source[d][which - 1] == from ? (which == 1 ? -1 : n[d]) : nowhere;
  }
};

template <class T>
struct BoxVectors {
  using Workspace = BoxWorkspace<T>;

  BoxVectors(const BoxStencil<T>& a, Divisor divisor, int threads) {
    constexpr Index lanes = alignment / static_cast<Index>(sizeof(T));
    const int dimensions = a.dimensions();
    w.n = a.unknowns();
    w.threads = threads;
    Index size = (lanes + w.n[0] + 1 + lanes - 1) / lanes * lanes;
    if (dimensions > 1) size = spread<T>(size);
    w.leading = lanes;
    for (int d = 1; d < dimensions; ++d) {
      w.stride[d] = size;
      w.leading += size;
      size *= w.n[d] + 2;
      if (dimensions == 3 && d == 1) size = spread_plane<T>(size);
    }
    w.padded = size + 2 * lanes;
    w.pieces_per_line = (w.n[0] + longest_piece - 1) / longest_piece;
    w.pieces = w.n[1] * w.n[2] * w.pieces_per_line;
    for (int d = 0; d < 3; ++d)
      for (int e = 0; e < 2; ++e) {
        w.source[d][e] = d < dimensions ? a.beside(d, e == 0 ? 0 : w.n[d] - 1, e == 0 ? -1 : 1) : -1;
        w.has_copies = w.has_copies || w.source[d][e] >= 0;
      }
    for (int k = -1; k <= 1; ++k)
      for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
          if (const T c = a.coefficient(i, j, k); c != 0) {
            w.minus[w.terms] = -c;
            w.shift[w.terms++] = i + j * w.stride[1] + k * w.stride[2];
          }
    w.scale = static_cast<T>(1 / a.divisor(0, divisor));
    partials.resize(static_cast<std::size_t>(w.pieces));
    w.partials = partials.data();
    u = new_vector();
    v = new_vector();
    w.u = u.get();
    w.v = v.get();
  }
  BoxVectors(const BoxVectors&) = delete;
  BoxVectors& operator=(const BoxVectors&) = delete;

  AlignedArray<T> new_vector() const { return swept_array<T>(w.padded, w.threads); }

  BoxWorkspace<T> w;
  AlignedArray<T> u, v;
  std::vector<Partial> partials;
};

}  // namespace jacobi::sweep
