/// Rows in an order without zeros on the diagonal.
#pragma once
#include <string>

#include "system.hpp"

namespace jacobi::cli {

struct Reordered {
  bool rows = false;  ///< whether any stands elsewhere
  std::string note;
};

/// Moves rows of A and b so that nothing on the diagonal is zero or too small to be divided by; the unknowns
/// keep their order. path: for errors. Throws: InputError where there is no such order.
template <class T>
Reordered reorder_rows(System<T>& system, const std::string& path);

}  // namespace jacobi::cli
