/// The names of a ladder's rungs, for messages.
#pragma once
#include <span>
#include <string>

#include "sweep/rungs.hpp"

namespace jacobi {

/// "textbook, fused, simd"
inline std::string names_of(std::span<const Rung> rungs) {
  std::string names;
  for (const Rung& rung : rungs) names += (names.empty() ? "" : ", ") + std::string(rung.name);
  return names;
}

}  // namespace jacobi
