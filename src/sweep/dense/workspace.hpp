/// What a rung sees of a bound dense matrix.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "core/executed.hpp"
#include "jacobi/method.hpp"
#include "sweep/dense/triangles.hpp"
#include "sweep/dense/ways.hpp"
#include "sweep/partial.hpp"

namespace jacobi::sweep {

inline constexpr Index dense_piece = 64;  ///< rows whose update and norms are taken together

/// The upper half of a float: 8 bits of mantissa.
struct Bf16 {
  std::uint16_t bits = 0;
};
inline float value_of(Bf16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16);
}
inline float value_of(float value) { return value; }
inline double value_of(double value) { return value; }
/// Rounded to nearest, ties to even; finite values only.
inline Bf16 to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return {static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16)};
}

/// The matrix is read where it is, its entries stored as S. Vectors are filled up to whole pieces with zeros.
/// Of several right-hand sides `width` values, a cache line of them, stand for each row; those too many are
/// 0.
template <class T, class S = T>
struct DenseWorkspace {
  const S* a = nullptr;
  Index rows = 0, leading = 0;
  /// Two sweeps per visit: rows of a panel, 512 bytes of each column; the last one is up to twice as long.
  static constexpr Index panel = 512 / sizeof(T);
  Index up = 0;  ///< packed: where the entries begin that passes up read
  Index width = 1;
  bool by_rows = true;
  int level = 4;  ///< where the matrix stays: 1 to 3, a cache of this level (1: one thread's), or 4, memory
  Index pieces = 0;
  /// Read per row and sweep.
  double entries() const {
    const auto n = static_cast<double>(rows);
    if (half) return (n + static_cast<double>(std::min(rows, paired_block))) / 2;
    return way().kind == DenseWay::twice ? (3 * n + static_cast<double>(std::min(rows, panel))) / 4 : n;
  }
  Index unknowns() const { return rows * width; }
  const T* b = nullptr;
  const T* scale = nullptr;  ///< 1 / divisor of each row
  T* r = nullptr;            ///< b - A x of the rows at hand
  T* u = nullptr;            ///< x_n
  T* v = nullptr;            ///< x_(n-1), then x_(n+1)

  // Of rung paired: whether a pass down or up comes next; of x_n, where its sweep has begun, the products
  // with one triangle, and b without those with the diagonal's blocks; of a pass that is under way, products
  // so far of the iterate at hand and of the next one
  bool begun = false, down = true;
  bool hot = false;   ///< norms have just read what the next pass reads
  T* rest = nullptr;  ///< of two sweeps per visit as well: b without products known so far
  T *half = nullptr, *now[2] = {}, *ahead[2] = {};

  Partial* partials = nullptr;  ///< one per piece
  int threads = 1;
  std::span<const DenseWay> ways;  ///< of rungs fused and paired
  Choice choice;                   ///< among them
  const DenseWay& way() const { return ways[choice.way()]; }
  std::string way_in_words() const { return (choice.made() ? "" : "still trying ways: ") + way().in_words(); }
  Executed ran;  ///< written by the rung that ran
};

/// A rung: runs the steps, leaves the newest iterate in u and the one before in v, measures on request.
template <class T, class S = T>
struct DenseRung {
  Norms (*advance)(DenseWorkspace<T, S>& w, std::span<const Step> steps, Want want);
  Norms (*norms)(DenseWorkspace<T, S>& w, Want want);
};

/// The functions of rung `number` for the instruction set in force.
template <class T>
DenseRung<T> dense_rung_functions(int number);
/// Rung fused, or paired on packed entries, which may be stored narrower than they are used.
template <class S>
DenseRung<float, S> narrow_rung_functions(int number);

}  // namespace jacobi::sweep
