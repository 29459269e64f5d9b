/// Where solves of tests end.
#pragma once
#include "jacobi/stop.hpp"

namespace jacobi::test {

/// At so many times the 2-norm of b, of the residual.
inline Stop stop_at(double relative) {
  Stop stop;
  stop.relative = relative;
  stop.norm = Norm::residual;
  return stop;
}

}  // namespace jacobi::test
