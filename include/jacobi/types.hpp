#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace jacobi {

/// Signed size and position: rows, sweeps, offsets.
using Index = std::ptrdiff_t;

/// One value per direction of a grid, and one per side (low side first).
template <class V, int D>
using PerDirection = std::array<V, static_cast<std::size_t>(D)>;
template <class V, int D>
using PerSide = std::array<V, static_cast<std::size_t>(2 * D)>;

/// What matrices and vectors are made of.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// What offsets and columns of sparse matrices are made of.
template <class I>
concept CsrIndex = std::same_as<I, std::int32_t> || std::same_as<I, std::int64_t>;

}  // namespace jacobi
