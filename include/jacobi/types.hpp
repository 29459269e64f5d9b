#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace jacobi {

/// Signed size and position: rows, sweeps, offsets.
using Index = std::ptrdiff_t;

/// What matrices and vectors are made of.
template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

/// What offsets and columns of sparse matrices are made of.
template <class I>
concept CsrIndex = std::same_as<I, std::int32_t> || std::same_as<I, std::int64_t>;

}  // namespace jacobi
