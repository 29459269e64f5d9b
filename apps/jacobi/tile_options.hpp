/// --tile, --subiterations, --overlap.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"

namespace jacobi::cli {

/// What the user wrote of a tiling; empty and none mean "not given".
struct TileOptions {
  std::string tile, overlap;
  std::optional<Index> subiterations;

  void add_to(CLI::App& app);
  bool given() const { return !tile.empty(); }
  /// Throws: UsageError for options that do not go together, or not with the problem or --rung.
  void check(const std::string& rung, int dimensions) const;
  /// Gives the plan for copies of `one` its tiling; returns a line where it is not exact.
  template <class T, int D>
  std::string choose(const Stencil<T, D>& one, Index copies, Plan& plan) const;

 private:
  Tiling make(int dimensions) const;
};

}  // namespace jacobi::cli
