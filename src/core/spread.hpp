/// How far numbers lie apart in size.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "jacobi/types.hpp"

namespace jacobi {

/// Largest over least of |value(i)|, i < count, zeros aside; 1 where all are 0.
template <class Value>
double spread_of(Index count, Value&& value) {
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (Index i = 0; i < count; ++i) {
    const double size = std::abs(static_cast<double>(value(i)));
    if (size > 0) least = std::min(least, size);
    largest = std::max(largest, size);
  }
  return largest > 0 ? largest / least : 1;
}

}  // namespace jacobi
