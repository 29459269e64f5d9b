#pragma once
#include <string>
#include <utility>

#include "jacobi/method.hpp"

namespace jacobi {

/// What to run: a method, and the rung of the ladder that runs it (empty: the backend's best).
struct Plan {
  Method method = {};
  std::string rung = {};

  Plan() = default;
  Plan(Method m, std::string rung_name = {}) : method(std::move(m)), rung(std::move(rung_name)) {}
};

}  // namespace jacobi
