/// What kernels see of a bound dense matrix.
#pragma once
#include <bit>
#include <cstdint>
#include <string>

#include "jacobi/dense.hpp"
#include "sweep/matrix/vectors.hpp"

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

/// Entries stored as S, and threads to sweep them.
template <class S>
struct DenseView {
  const S* a;
  Index rows, leading;
  bool by_rows;
  int threads;
  bool several = false;  ///< right-hand sides
};

/// The matrix is read where it is. Of several right-hand sides `width` values, a cache line of them, stand
/// for each row; those too many are 0.
template <class T, class S = T>
struct DenseWorkspace : RowWorkspace<T> {
  void look_at(const DenseView<S>& view) {
    a = view.a;
    this->rows = view.rows;
    leading = view.leading;
    width = view.several ? static_cast<Index>(64 / sizeof(T)) : 1;
    by_rows = view.by_rows;
    this->threads = view.threads;
  }
  Index unknowns() const { return this->rows * width; }
  /// Read per row and sweep.
  double entries() const { return static_cast<double>(this->rows); }
  bool has_settled() const { return true; }
  std::string way_in_words() const { return {}; }

  const S* a = nullptr;
  Index leading = 0;
  Index width = 1;
  bool by_rows = true;
};

}  // namespace jacobi::sweep
