/// Values too small for the type that they are stored in.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "jacobi/types.hpp"

namespace jacobi::io {

/// What to say of values, one of them this, none of which the type can hold.
template <class T>
std::string too_small(const std::string& one) {
  constexpr bool is_double = sizeof(T) == sizeof(double);
  return fmt::format(
      "every value that is not 0, as {}, is below the range of {} precision: scale the values{}", one,
      is_double ? "double" : "single", is_double ? "" : ", or take double precision");
}

/// Looks at values and at what became of them.
template <class T>
class Vanished {
 public:
  /// Whether this one is 0 now and was not.
  bool add(double given, T kept) {
    largest_ = std::max(largest_, std::abs(given));
    any_changed_ = any_changed_ || given != static_cast<double>(kept);
    return kept == T(0) && given != 0;
  }
  /// What to say where even the largest is below the normal numbers of T and they were changed; else nothing.
  std::string fault() const {
    return any_changed_ && largest_ < std::numeric_limits<T>::min()
               ? too_small<T>(fmt::format("{}", largest_))
               : "";
  }

 private:
  double largest_ = 0;
  bool any_changed_ = false;
};

/// ", as 3 more such values are", of so many.
inline std::string and_more(Index count) {
  return count == 1 ? "" : fmt::format(", as {} more such value{}", count - 1, count == 2 ? " is" : "s are");
}

}  // namespace jacobi::io
