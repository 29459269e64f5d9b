/// How fast the powers of M shrink a start, from a Krylov space: ||M^k r|| is about ||r|| ||V H^k e1||.
#pragma once
#include <functional>
#include <optional>

#include "diagnosis/krylov.hpp"

namespace jacobi::diagnosis {

/// Entries first ... last - 1 of a vector, which may be made in `room`.
using Entries = std::function<View(Index first, Index last, std::span<double> room)>;
using NormOf = std::function<double(const Entries&)>;

inline Entries entries_of(View v) {
  return [v](Index first, Index last, std::span<double>) {
    return v.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
  };
}

/// The first k with norm(M^k r) <= tolerance, r the start of the space; nothing where H does not get there.
/// rounds: vectors that are formed to measure the norm.
std::optional<double> steps_to(const Krylov& space, const NormOf& norm, double norm_initial, double tolerance,
                               int rounds);

/// One slowly decaying mode of M.
struct SlowMode {
  double low = 0;  ///< eigenvalue of D^-1 A: the mode decays by 1 - low
  Vector vector;   ///< norm 1 in the inner product of D
  bool settled = false;
};

/// The same for the part of r that lies in that mode, in the inner product of the weights.
std::optional<double> steps_to(const SlowMode& mode, View weights, View r, const NormOf& norm,
                               double tolerance);

}  // namespace jacobi::diagnosis
