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
  Index count = 0;
  std::visit(
      [&]<class A>(const A& a) {
        if constexpr (std::is_same_v<A, Csr<T>> || std::is_same_v<A, Dense<T>>)
          for (Index i = 0; i < a.rows(); ++i) count += !divides(a.diagonal(i));
      },
      matrix);
  if (count == 0) return {};
  return fmt::format(
      "{} diagonal entr{} zero, or too small to be divided by ('jacobi diagnose' names rows): the largest "
      "magnitude of the row stands in for {}, 1 where that is as small",
      count, count == 1 ? "y is" : "ies are", count == 1 ? "it" : "each");
}

}  // namespace jacobi
