/// Options of steps in time.
#pragma once
#include "jacobi/heat.hpp"

namespace jacobi::test {

inline HeatOptions explicit_euler() {
  HeatOptions o;
  o.scheme = HeatScheme::explicit_euler;
  return o;
}
inline HeatOptions theta(double value) {
  HeatOptions o;
  o.theta = value;
  return o;
}

}  // namespace jacobi::test
