/// What is said of diagonal entries that nothing can be divided by.
#pragma once
#include <fmt/format.h>

#include <string>
#include <variant>

#include "core/divides.hpp"
#include "jacobi/operator.hpp"

namespace jacobi {

/// Of a method that takes products; empty where it divides by every entry. Cost: a search in every row.
template <class T>
std::string note_on_stand_ins(const Operator<T>& matrix) {
  Index count = 0, first = 0;
  std::visit(
      [&]<class A>(const A& a) {
        if constexpr (std::is_same_v<A, Csr<T>> || std::is_same_v<A, Dense<T>>)
          for (Index i = a.rows(); i-- > 0;)
            if (!divides(a.diagonal(i))) {
              ++count;
              first = i;
            }
      },
      matrix);
  if (count == 0) return {};
  return fmt::format(
      "{} diagonal entr{} zero, or too small to be divided by, the first with index {}: the largest "
      "magnitude "
      "of the row stands in for {}, 1 in an empty row",
      count, count == 1 ? "y is" : "ies are", first, count == 1 ? "it" : "each");
}

}  // namespace jacobi
