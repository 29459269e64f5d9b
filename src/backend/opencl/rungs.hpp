/// Rungs of an OpenCL device by their names.
#pragma once
#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "jacobi/error.hpp"

namespace jacobi::opencl {

/// The one of that name; of an empty name the first. what: "grids". Throws: UsageError with the names that
/// are.
template <class Rung, std::size_t N>
const Rung& named_rung(const Rung (&rungs)[N], const std::string& name, const char* what) {
  std::string names;
  for (const Rung& rung : rungs) {
    if (name.empty() || name == rung.name) return rung;
    names += (names.empty() ? "" : ", ") + std::string(rung.name);
  }
  throw UsageError(
      fmt::format("there is no rung '{}' for {} on an OpenCL device: choose one of {}", name, what, names));
}

}  // namespace jacobi::opencl
