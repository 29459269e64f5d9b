#include "core/lengths.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"

namespace jacobi {

void require_lengths(Index rows, std::initializer_list<std::pair<const char*, std::size_t>> vectors) {
  for (const auto& [what, size] : vectors)
    if (size != static_cast<std::size_t>(rows))
      throw UsageError(fmt::format("{} has {} entries for {} unknowns", what, size, rows));
}

}  // namespace jacobi
