/// The check of every vector that comes from a caller.
#pragma once
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "jacobi/types.hpp"

namespace jacobi {

/// Throws: UsageError naming the first one that has not `rows` entries.
void require_lengths(Index rows, std::initializer_list<std::pair<const char*, std::size_t>> vectors);

}  // namespace jacobi
