#include "sweep/rungs.hpp"

#include <fmt/format.h>

#include "jacobi/error.hpp"

namespace jacobi {

namespace {

const Rung& find(std::span<const Rung> table, const std::string& name) {
  for (const Rung& rung : table)
    if (name == rung.name) return rung;
  throw UsageError(fmt::format("there is no rung '{}': choose one of {}", name, names_of(table)));
}

}  // namespace

const Rung& stencil_rung(const std::string& name) { return find(stencil_rungs(), name); }
const Rung& sparse_rung(const std::string& name) { return find(sparse_rungs(), name); }
const Rung& dense_rung(const std::string& name) { return find(dense_rungs(), name); }

}  // namespace jacobi
