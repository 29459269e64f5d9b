/// An algorithm that sweeps a stencil, as the registry lists it.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/executed.hpp"
#include "jacobi/plan.hpp"
#include "jacobi/stencil.hpp"
#include "jacobi/sweeper.hpp"
#include "sweep/suitable.hpp"

namespace jacobi::sweep {

/// Memory of a bound stencil.
struct Bytes {
  double all = 0;
  double spare = 0;  ///< of them, what another algorithm of the same rung goes without where memory lacks
};

template <class T, int D>
struct Algorithm {
  std::string_view name, summary;
  std::string_view rung;  ///< by whose name it is asked for
  Suitable (*suits)(const Stencil<T, D>& a, const Plan& plan, int threads);
  Bytes (*bytes)(const Stencil<T, D>& a, const Plan& plan, int threads);
  std::unique_ptr<Sweeper<T>> (*make)(const Stencil<T, D>& a, const Plan& plan, int threads);
};

/// Of one rung, those that suit least come first.
template <class T, int D>
using Algorithms = std::vector<Algorithm<T, D>>;

/// Rungs that plans ask for in other ways than by name: tiles where no rung is named, a tiling, colours.
inline constexpr const char* tiled_rung = "tiled";
inline constexpr const char* hierarchical_rung = "hierarchical";
inline constexpr const char* red_black_rung = "red-black";

template <class Made, class T, int D>
std::unique_ptr<Sweeper<T>> make_sweeper(const Stencil<T, D>& a, const Plan& plan, int threads) {
  return std::make_unique<Made>(a, plan, threads);
}

/// Suits whatever its rung is named for.
template <class T, int D>
Suitable suits_always(const Stencil<T, D>&, const Plan&, int) {
  return {};
}

}  // namespace jacobi::sweep
