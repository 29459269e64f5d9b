/// Large arrays of zeros.
#pragma once
#include <memory>
#include <vector>

#include "core/cancel.hpp"

namespace jacobi {

/// Arrays of so many zeros, one behind the other. Their first touch takes about as long as what is computed,
/// so that a wish to end is heard between two of them. Throws: Interrupted.
template <class T>
std::shared_ptr<std::vector<T>> zeros(std::size_t size, int arrays) {
  auto values = std::make_shared<std::vector<T>>();
  values->reserve(size * static_cast<std::size_t>(arrays));
  for (int j = 0; j < arrays; ++j) {
    throw_if_cancelled();
    values->resize(values->size() + size);
  }
  return values;
}

}  // namespace jacobi
