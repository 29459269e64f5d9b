/// What a Norm means of a pair of Norms.
#pragma once
#include "jacobi/norms.hpp"
#include "jacobi/stop.hpp"

namespace jacobi {

inline bool is_update(Norm norm) { return norm == Norm::update || norm == Norm::max_update; }

inline double pick(const Norms& norms, Norm norm) {
  return norm == Norm::max_residual || norm == Norm::max_update ? norms.max : norms.l2;
}

}  // namespace jacobi
